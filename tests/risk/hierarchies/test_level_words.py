"""Levels described in words, for every built-in kind of hierarchy."""

from __future__ import annotations

import pytest

from risk import build_hierarchy, encode, level_words

AGES = [str(n) for n in range(18, 95)]


@pytest.mark.parametrize(
    "kind, values, level, words",
    [
        ("age", AGES, 2, "in bands of 5 years, 90 and over as one"),
        ("age", AGES, 5, "not shown (one value for all)"),
        ("year", ["1990", "2001"], 2, "in bands of 10 years"),
        ("date", ["2020-01-31", "2021-06-01"], 1, "in months"),
        ("date", ["2020-01-31", "2021-06-01"], 3, "in years"),
        ("date", ["2020-01-31 10:00", "2021-06-01 11:30"], 1, "in days"),
        ("date", ["2020-01-31 10:00", "2021-06-01 11:30"], 2, "in months"),
        ("zip", ["02139", "10001"], 1, "first three digits"),
        ("zip", ["02139", "10001"], 2, "states"),
        ("state", ["MA", "NY"], 1, "Census divisions"),
        ("icd10cm", ["E11.9", "I10"], 1, "three-character categories"),
        ("flat", ["x", "y"], 0, "as recorded"),
        ("number", [str(n) for n in range(1000)], 1, "in bands of 20"),
    ],
)
def test_a_level_is_described_in_words(
    kind: str, values: list[str], level: int, words: str
) -> None:
    column = encode({"c": values}).column("c")
    hierarchy, rule = build_hierarchy(kind, column)
    assert level_words(hierarchy, level, rule) == words
    labels = hierarchy.labels[level]
    assert not {str(v) for v in values if v in words.split()} & {str(v) for v in labels}


def test_a_hierarchy_from_a_file_is_described_by_counts() -> None:
    from risk import Hierarchy

    rows = [["a", "x", "*"], ["b", "x", "*"], ["c", "y", "*"]]
    hierarchy = Hierarchy.of_rows("c", rows)
    assert level_words(hierarchy, 1, None) == "3 values as 2"
    assert level_words(hierarchy, 2, None) == "not shown (one value for all)"
