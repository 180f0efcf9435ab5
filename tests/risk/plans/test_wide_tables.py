"""Cell suppression, local recoding and `deid risk` with many columns give a result within the time
limit.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from risk import Classes, ClassSize, PlanRequest, assess, encode, plan_cells, plan_locally
from risk.recoding import suppression
from risk.recoding.suppression import BlankReading


def wide(rows: int, width: int, values: int = 6, seed: int = 0) -> dict[str, list[str]]:
    chance = np.random.default_rng(seed)
    return {f"c{i}": [f"v{v}" for v in chance.integers(0, values, rows)] for i in range(width)}


@pytest.mark.parametrize("width", [20, 40])
def test_cell_suppression_of_many_columns_ends_in_time(
    width: int, cpu_seconds_below: Callable[[float], AbstractContextManager[None]]
) -> None:
    """The number of sets of columns is 2 to the power of the number of columns."""
    with cpu_seconds_below(30):
        found = plan_cells(wide(3_000, width), PlanRequest((ClassSize(5),)))
    assert found.summary()["smallest_class"] >= 5 and found.suppressed_records < 5
    assert found.loss < 1


@pytest.mark.parametrize("reading", ["strict", "wildcard"])
def test_cell_suppression_meets_its_limit_when_the_time_is_over(reading: BlankReading) -> None:
    table = wide(400, 8)
    found = plan_cells(table, PlanRequest((ClassSize(4),)), reading=reading, give_up=lambda: True)
    assert found.summary()["smallest_class"] >= 4 and found.suppressed_records < 4


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 80), st.integers(1, 5), st.integers(1, 6), st.integers(0, 50))
def test_the_partition_alone_meets_the_limit(rows: int, width: int, k: int, seed: int) -> None:
    table = encode(wide(rows, width, 3, seed))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(suppression, "_MOST_COLUMNS_TRIED", 0)
        patched.setattr(suppression, "_MOST_PATTERNS", 0)
        found = suppression.suppress_cells(table, k)
    released, kept = found.apply()
    sizes = Classes.of(released).sizes
    assert (sizes >= k).all() and rows - kept.sum() < k
    for mine, theirs in zip(table.columns, released.columns, strict=True):
        before, after = mine.values[mine.codes[kept]], theirs.values[theirs.codes]
        assert ((before == after) | (after == "*")).all()


def test_local_recoding_of_a_wide_table_uses_a_partition_and_reports_it() -> None:
    found = plan_locally(wide(2_000, 20), {}, PlanRequest((ClassSize(5),)))
    assert found.summary()["smallest_class"] >= 5 and "Mondrian" in found.details["note"]
    assert found.nodes == 2**20


def test_risk_of_two_hundred_columns_is_measured_in_time() -> None:
    table = wide(500, 200)
    report = assess(table, list(table))
    assert (report.classes, report.uniques, report.headline["risk"]) == (500, 500, "HIGH")
