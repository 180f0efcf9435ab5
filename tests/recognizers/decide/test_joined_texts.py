"""Texts that are decided together have exactly the features that each has alone."""

from __future__ import annotations

import csv
import random
import re
from pathlib import Path

import numpy as np
import pytest

from recognizers import Finder, RecognizerError
from recognizers.decide import decision
from recognizers.decide.evidence import Evidence
from recognizers.decide.features import feature_table
from recognizers.search import Reading

NOTES = Path(__file__).parents[3] / "corpora" / "clinic" / "notes.csv"


@pytest.fixture(scope="module")
def finder() -> Finder:
    return Finder.load(fast=True)


@pytest.fixture(scope="module")
def pieces() -> list[str]:
    with NOTES.open(encoding="utf-8", newline="") as file:
        bodies = [row["BODY"] for row in csv.DictReader(file)][:25]
    chance = random.Random(4)
    lines = [line for body in bodies for line in re.split(r"(?<=[.:;]) ", body)]
    odd = ["", ".", "a", "\n\nDr. J. Wu\n", "RJH", "02/03 ", "Smith-", "é", "J.\n", " x", "[x]"]
    return [*odd, *chance.sample(lines, 150), *bodies[:3], *odd]


def evidence_on(finder: Finder, texts: list[str]) -> list[Evidence]:
    found = []
    for reading in finder.read(texts, finder.modelled(texts)):
        assert isinstance(reading, Reading)
        evidence = reading.evidence()
        assert evidence is not None
        found.append(evidence)
    return found


def test_features_do_not_depend_on_the_other_texts(finder: Finder, pieces: list[str]) -> None:
    parts = [part for part in evidence_on(finder, pieces) if len(part.atoms)]
    assert finder.decision is not None
    odds = finder.decision.odds
    names, together = feature_table(Evidence.of_parts(parts), odds)
    single = np.concatenate([feature_table(part, odds)[1] for part in parts])
    assert together.shape == single.shape and len(single) > 1500
    differing = {names[column] for column in np.flatnonzero((together != single).any(axis=0))}
    assert not differing


def test_findings_are_the_same_however_many_are_decided_at_once(
    finder: Finder, pieces: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    together = finder.find_all(pieces)
    assert sum(map(len, together)) > 100
    for most in (1, 40):
        monkeypatch.setattr(decision, "ATOMS_AT_ONCE", most)
        assert finder.find_all(pieces) == together


def test_one_text_that_cannot_be_decided_fails_alone(
    finder: Finder, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = Evidence.of_output.__func__  # type: ignore[attr-defined]

    def of_output(cls: type[Evidence], text: str, *more: object) -> Evidence:
        if "poison" in text:
            raise ValueError(text)
        return original(cls, text, *more)  # type: ignore[no-any-return]

    monkeypatch.setattr(Evidence, "of_output", classmethod(of_output))
    texts = ["Seen by Dr. Okonkwo on 03/10/2021.", "poison", "Mrs. Marchetti called."]
    faults: list[tuple[int, RecognizerError]] = []
    found = finder.find_all(texts, on_fault=lambda number, error: faults.append((number, error)))
    assert [number for number, _ in faults] == [1] and "poison" not in str(faults[0][1])
    assert found[0] and found[2] and found[1] == ()
