"""Lattices too large to enumerate: the optimum of the enumeration, and honest gaps."""

from __future__ import annotations

import time
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from risk import ClassSize, PlanRequest, ShareAtRisk, encode, plan
from risk.hierarchies.hierarchy import Hierarchy
from risk.hierarchies.level_maps import map_table_levels
from risk.lattice import search
from risk.lattice.class_counts import ClassCounter
from risk.lattice.frequency_table import leaf_table, roll_up


def drawn(rows: int, width: int, seed: int, values: int = 12):
    chance = np.random.default_rng(seed)
    data = {
        f"c{i}": [f"v{v:02}" for v in np.minimum(chance.geometric(0.25, rows) - 1, values - 1)]
        for i in range(width)
    }
    leaves = [f"v{v:02}" for v in range(values)]
    rows_of = [[v, f"p{i // 2}", f"q{i // 4}", "*"] for i, v in enumerate(leaves)]
    return encode(data), {name: Hierarchy.of_rows(name, rows_of) for name in data}


@settings(max_examples=25, deadline=None)
@given(
    st.integers(20, 200), st.integers(2, 4), st.integers(0, 99), st.sampled_from([2, 5]),
    st.sampled_from([0.0, 0.05, 0.3]), st.sampled_from(["granularity", "precision"]),
)  # fmt: skip
def test_the_optimum_of_the_enumeration(
    rows: int, width: int, seed: int, k: int, share: float, loss: str
) -> None:
    table, hierarchies = drawn(rows, width, seed)
    asked = PlanRequest((ClassSize(k),), loss, share)
    whole = plan(table, hierarchies, asked)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(search, "_MOST_NODES", 1)
        wide = plan(table, hierarchies, asked)
    assert wide.optimal and wide.loss == pytest.approx(whole.loss, abs=1e-9)
    assert wide.gap == 0


@pytest.mark.parametrize("loss", ["granularity", "discernibility", "average_class_size"])
def test_a_gap_is_never_too_small(loss: str) -> None:
    table, hierarchies = drawn(300, 4, 5)
    asked = PlanRequest((ShareAtRisk(5, 0.1),), loss, 0.05)
    whole = plan(table, hierarchies, asked)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(search, "_MOST_NODES", 1)
        for after in (1, 5, 20, 60):
            asks = iter(range(10_000))
            found = plan(table, hierarchies, asked, give_up=lambda: next(asks) > after)  # noqa: B023
            assert whole.loss - 1e-9 <= found.loss <= whole.loss + found.gap + 1e-9


@pytest.mark.parametrize("width", [15, 66, 200])
def test_many_columns_have_an_answer_in_time(width: int) -> None:
    """Sixty-six columns were an internal fault: an array has at most 64 dimensions."""
    table, hierarchies = drawn(2_000, width, 1)
    start = time.monotonic()
    found = plan(
        table,
        hierarchies,
        PlanRequest((ClassSize(5),), max_suppression=0.02),
        give_up=lambda: time.monotonic() - start > 3,
        seconds_left=lambda: 3 - (time.monotonic() - start),
    )
    assert found.summary()["smallest_class"] >= 5 and 0 <= found.gap <= found.loss <= 1
    assert found.suppressed_records <= 40


@given(st.integers(1, 60), st.integers(0, 50), st.data())
@settings(max_examples=40, deadline=None)
def test_counted_classes_are_those_of_the_roll_up(
    rows: int, seed: int, data: st.DataObject
) -> None:
    table, hierarchies = drawn(rows, 3, seed)
    maps = map_table_levels(hierarchies, table)
    cells = leaf_table(table, maps)
    node = tuple(data.draw(st.integers(0, m.height)) for m in maps)
    finer = tuple(data.draw(st.integers(0, level)) for level in node)
    whole = ClassCounter(cells, maps)
    for counter in (whole, whole.narrowed(finer, 0)):
        assert sorted(counter.at(node).sizes) == sorted(roll_up(cells, node, maps).sizes)
    assert inf > len(whole.at(node)) > 0
