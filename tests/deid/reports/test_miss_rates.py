"""The figures for what the engine misses belong to the shipped model and to no other."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from deid.reports.miss_rates import ALL, measured_misses
from deid.text.engine import describe
from recognizers import ENTITIES, LABELS
from safe_harbor import Identifier

CORPORA = Path(__file__).parents[3] / "corpora"


def test_the_shipped_model_is_the_measured_one() -> None:
    for fast in (False, True):
        figures = measured_misses(describe(fast=fast))
        assert set(figures) == {*Identifier, ALL}


def test_another_model_has_no_figure() -> None:
    assert measured_misses({"model": "0" * 64, "network": "default"}) == {}
    assert measured_misses({}) == {}


def test_the_numbers_of_spans_are_those_of_the_named_corpora() -> None:
    figures = measured_misses(describe())
    counts: Counter[str] = Counter()
    for name in figures[ALL].source.split(" and "):
        path = CORPORA.parent / name / "notes.jsonl"
        for line in path.read_text("utf-8").splitlines():
            counts.update(s["label"] for s in json.loads(line)["spans"] if s["label"] != "WEEKDAY")
    by_word: Counter[str] = Counter()
    for label, number in counts.items():
        by_word[ENTITIES[LABELS[label]].value] += number
    assert {w.value: figures[w].spans for w in Identifier} == dict(by_word)
    assert figures[ALL].spans == by_word.total()


def test_each_interval_contains_its_estimate() -> None:
    for figure in measured_misses(describe()).values():
        assert 0 <= figure.low <= figure.share <= figure.high <= 1
        assert figure.high > 0  # no figure is a proof
