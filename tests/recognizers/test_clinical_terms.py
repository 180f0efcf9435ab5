"""Medical terms are kept: a sample of the benchmark's clinical terms, each in its sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.clinical_terms import FRAMES, WANTED, lost, sentences, terms
from recognizers import Finder

SHIPPED = Path(__file__).parents[2] / "recognizers/models/manifest.json"


def test_the_list_has_its_size_and_every_term_its_place() -> None:
    said = sentences()
    assert len(said) == len(terms()) == WANTED
    assert {sentence.kind for sentence in said} == set(FRAMES)
    for (_, term), sentence in zip(terms(), said, strict=True):
        assert sentence.text[sentence.start : sentence.end] == term


def test_the_rules_alone_find_no_clinical_term() -> None:
    assert len(lost(Finder.load(model=False), sentences())) <= 2


@pytest.mark.skipif(not SHIPPED.exists(), reason="no model here")
def test_clinical_terms_are_kept() -> None:
    said = sentences()
    assert len(lost(Finder.load(), said)) <= len(said) * 0.0055
