"""Lattices too large to enumerate: the search finds the optimum of the enumeration, and its gaps
are true.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from risk import AverageRisk, ClassSize, PlanRequest, ShareAtRisk, encode, plan
from risk.hierarchies.hierarchy import Hierarchy
from risk.hierarchies.level_maps import map_table_levels
from risk.lattice import class_counts, search
from risk.lattice.class_counts import ClassCounter
from risk.lattice.frequency_table import leaf_table, roll_up
from risk.lattice.wide import wide_search
from risk.lattice.wide.cover import LevelCover
from risk.lattice.wide.known_nodes import KnownNodes
from risk.lattice.wide.suppression_forecast import SuppressionForecast


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
def test_the_wide_search_finds_the_optimum_of_the_enumeration(
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
def test_a_plan_for_many_columns_is_found_in_time(width: int) -> None:
    """Sixty-six columns used to be an internal error, because an array has at most 64
    dimensions.
    """
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
def test_counted_classes_equal_those_of_the_roll_up_or_are_coarser(
    rows: int, seed: int, data: st.DataObject
) -> None:
    """Classes with the same key count as one, which is rare with so few classes. The counter keeps
    its last node, whichever it was.
    """
    table, hierarchies = drawn(rows, 3, seed)
    maps = map_table_levels(hierarchies, table)
    cells = leaf_table(table, maps)
    counter = ClassCounter(cells, maps)
    for _ in range(3):
        node = tuple(data.draw(st.integers(0, m.height)) for m in maps)
        exact = roll_up(cells, node, maps).sizes
        counted = counter.at(node).sizes
        assert counted.sum() == rows and len(exact) - 1 <= len(counted) <= len(exact)
        for limit in (ClassSize(3), ShareAtRisk(3, 0.1), AverageRisk(0.4)):
            assert limit.least(counter.at(node)) <= limit.least(roll_up(cells, node, maps))


@pytest.mark.parametrize("single", [True, False])
def test_a_sample_estimates_the_suppression_of_all_classes(
    monkeypatch: pytest.MonkeyPatch, single: bool
) -> None:
    monkeypatch.setattr(class_counts, "_FEWEST_SAMPLED", 1)
    table, hierarchies = drawn(60_000, 5, 2, values=40)
    maps = map_table_levels(hierarchies, table)
    cells = leaf_table(table, maps)
    if single:
        cells = replace(cells, sizes=np.ones_like(cells.sizes))
    counter = ClassCounter(cells, maps)
    for node in ((0,) * 5, (1, 0, 0, 1, 0), (1, 1, 1, 1, 0), (2, 1, 0, 0, 0)):
        sampled, whole = counter.sample_at(node), roll_up(cells, node, maps)
        assert sampled is not None
        expected = ClassSize(5).least(whole) / class_counts.SAMPLED
        assert ClassSize(5).least(sampled) == pytest.approx(expected, rel=0.25)
        held = Counter(whole.sizes.tolist())
        assert not Counter(sampled.sizes.tolist()) - held


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_a_wrong_sample_never_narrows_the_gap(
    monkeypatch: pytest.MonkeyPatch, share: float
) -> None:
    """A node that fails in the sample is counted completely before it becomes a constraint."""
    table, hierarchies = drawn(300, 4, 5)
    asked = PlanRequest((ClassSize(5),), "granularity", 0.05)
    whole = plan(table, hierarchies, asked)
    monkeypatch.setattr(search, "_MOST_NODES", 1)
    chance = np.random.default_rng(1)
    guess = lambda *_: bool(chance.random() < share)  # noqa: E731
    monkeypatch.setattr(wide_search._WideSearch, "seems_to_fail", guess)
    asks = iter(range(100_000))
    found = plan(table, hierarchies, asked, give_up=lambda: next(asks) > 300)
    assert whole.loss - 1e-9 <= found.loss <= whole.loss + found.gap + 1e-9


def test_no_node_is_counted_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[tuple[int, ...]] = []
    count = ClassCounter.at
    monkeypatch.setattr(search, "_MOST_NODES", 1)
    monkeypatch.setattr(
        ClassCounter, "at", lambda self, node: counted.append(node) or count(self, node)
    )
    table, hierarchies = drawn(300, 5, 5)
    plan(table, hierarchies, PlanRequest((ClassSize(5),), "granularity", 0.05))
    assert len(counted) == len(set(counted)) > 20


def test_classes_that_share_a_key_never_make_a_node_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(class_counts, "_LEAST_KEY", -2)
    monkeypatch.setattr(class_counts, "_KEYS", 4)
    table, hierarchies = drawn(120, 4, 3)
    asked = PlanRequest((ClassSize(3),), "granularity", 0.05)
    whole = plan(table, hierarchies, asked)
    monkeypatch.setattr(search, "_MOST_NODES", 1)
    asks = iter(range(100_000))
    found = plan(table, hierarchies, asked, give_up=lambda: next(asks) > 3_000)
    assert whole.loss - 1e-9 <= found.loss <= whole.loss + found.gap + 1e-9
    assert found.summary()["smallest_class"] >= 3


def test_the_result_of_a_node_follows_from_known_nodes() -> None:
    known = KnownNodes((3, 3))
    known.add_failing((1, 2))
    known.add_allowed((2, 3))
    assert [known.fails(n) for n in ((0, 2), (1, 2), (2, 3), (3, 3))] == [True, True, False, False]
    assert known.fails((2, 2)) is None and known.fails((0, 3)) is None
    assert known.cores.tolist() == [[1, 2]]


def test_the_forecast_finds_where_suppression_reaches_its_limit() -> None:
    forecast = SuppressionForecast(((0, 3), (1, 4)), 10)
    for a in range(4):
        for b in range(1, 5):
            for _ in range(4):
                forecast.observe((a, b), int(10 * np.exp(1.5 - 0.5 * a - 0.4 * (b - 1))))
    assert forecast.ready and (forecast.steps <= 0).all()
    assert forecast.of((0, 1)) > 0.5 > -0.5 > forecast.of((3, 4))
    assert forecast.of((2, 3)) - forecast.of((1, 3)) == pytest.approx(forecast.change(0, 1, 2))


@pytest.mark.parametrize("seed", range(5))
def test_a_drawn_node_is_coarser_than_every_core_within_its_loss(seed: int) -> None:
    chance = np.random.default_rng(seed)
    cover = LevelCover(((0, 3),) * 5, [[0.0, 0.05, 0.1, 0.2]] * 5)
    cores = chance.integers(0, 3, (12, 5)).astype(np.int16)
    for core in cores.tolist():
        cover.require_coarser(tuple(core))
    least = cover.least(5.0)[1]
    node = cover.draw_below(1.0, cores, chance)
    assert node is not None and (np.array(node) > cores).any(axis=1).all()
    assert cover.draw_below(least - 1e-6, cores, chance) is None
