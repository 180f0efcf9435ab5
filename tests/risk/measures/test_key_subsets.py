"""Distinction, separation and minimal uniques, compared with counts by hand."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from risk import Classes, RiskError, RiskRequest, assess
from risk.measures.key_subsets import KeySubsets

ROWS = st.lists(st.tuples(*[st.integers(0, 3)] * 4), min_size=1, max_size=25)


@settings(max_examples=80, deadline=None)
@given(ROWS, st.integers(1, 4))
def test_every_subset_agrees_with_counts_by_hand(rows: list[tuple[int, ...]], largest: int) -> None:
    table = {name: [row[i] for row in rows] for i, name in enumerate("abcd")}
    found = KeySubsets.of(Classes.of(table), largest)
    n = len(rows)
    alone: dict[tuple[int, ...], set[int]] = {}
    minimal: dict[int, set[int]] = {}
    scores: Counter[int] = Counter()
    expected = []
    for size in range(1, largest + 1):
        minimal[size] = set()
        for some in combinations(range(4), size):
            keys = [tuple(row[i] for i in some) for row in rows]
            counted = Counter(keys)
            alone[some] = {i for i, key in enumerate(keys) if counted[key] == 1}
            apart = sum(keys[i] != keys[j] for i in range(n) for j in range(n) if i != j)
            expected.append((tuple("abcd"[i] for i in some), len(counted) / n, apart))
            parts = [alone[p] for s in range(1, size) for p in combinations(some, s)]
            least = alone[some] - set().union(*parts)
            minimal[size] |= least
            for row in least:
                scores[row] += prod(4 - k for k in range(size, min(largest, 3) + 1))
    for one, (columns, distinction, apart) in zip(found.subsets, expected, strict=True):
        assert one.columns == columns and one.distinction == pytest.approx(distinction)
        assert one.separation == pytest.approx(apart / (n * (n - 1)) if n > 1 else 0.0)
    assert found.minimal_uniques == {size: len(who) for size, who in minimal.items()}
    assert found.suda_scores == Counter(scores.values())
    assert sum(found.contributions.values()) >= (0.999 if scores else 0)


def test_key_subsets_are_in_the_report() -> None:
    table = {"a": [1, 1, 2], "b": [1, 2, 2]}
    told = assess(table, ["a", "b"], RiskRequest(subsets=2)).as_json()["key_subsets"]
    assert told["minimal_uniques"] == {"1": 2, "2": 1} and len(told["subsets"]) == 3
    assert assess(table, ["a", "b"]).as_json()["key_subsets"] is None


def test_key_subsets_agree_with_the_example_of_arx() -> None:
    """`TestRiskQuasiIdentifiers` of arx-deidentifier/arx: five records, counted there by hand."""
    table = {
        "age": [20, 30, 40, 20, 40],
        "sex": [*"FFFMM"],
        "state": ["CA", "CA", "TX", "NY", "CA"],
    }
    found = KeySubsets.of(Classes.of(table), 3)
    assert {one.columns: (one.distinction, one.separation) for one in found.subsets} == {
        ("age",): (0.6, 0.8),
        ("sex",): (0.4, 0.6),
        ("state",): (0.6, 0.7),
        ("age", "sex"): (1.0, 1.0),
        ("age", "state"): (1.0, 1.0),
        ("sex", "state"): (0.8, 0.9),
        ("age", "sex", "state"): (1.0, 1.0),
    }


@pytest.mark.parametrize("largest", [0, 20])
def test_too_many_subsets_are_refused(largest: int) -> None:
    table = {f"c{i}": [0, 1] for i in range(40)}
    with pytest.raises(RiskError) as refused:
        assess(table, list(table), RiskRequest(subsets=largest))
    assert refused.value.code == "too-many-subsets"
