"""The search finds the optimum: it agrees with brute force over all nodes and with published
figures.
"""

from __future__ import annotations

import csv
import itertools
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from risk.errors import RiskError
from risk.hierarchies.hierarchy import Hierarchy
from risk.hierarchies.level_maps import LevelMap, map_table_levels
from risk.lattice.frequency_table import FrequencyTable, leaf_table
from risk.lattice.limits import (
    AverageRisk,
    ClassSize,
    Diversity,
    KMap,
    PlanLimit,
    PopulationRisk,
    ShareAtRisk,
)
from risk.lattice.losses import LOSSES, LossBasis, named_loss
from risk.lattice.search import LevelRange, find_optimum
from risk.lattice.search_task import Optimum
from risk.plans.full_domain import plan
from risk.plans.plan import PlanRequest
from risk.tables.coding import CodedTable, encode
from risk.tables.reading import read_table

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data" / "risk"
FIGURES = SHARED / "figures.json"
needs_figures = pytest.mark.skipif(not FIGURES.exists(), reason="figures are not at hand")


@st.composite
def nested(draw: st.DrawFn, column: str) -> Hierarchy:
    """A hierarchy over a few values; each level merges labels of the level below."""
    count = draw(st.integers(1, 6))
    rows = [[f"{column}{i}"] for i in range(count)]
    for level in range(1, draw(st.integers(1, 3))):
        below = sorted({row[-1] for row in rows})
        parts = draw(st.lists(st.integers(0, 2), min_size=len(below), max_size=len(below)))
        parent = {label: f"{level}.{part}" for label, part in zip(below, parts, strict=True)}
        for row in rows:
            row.append(parent[row[-1]])
    if draw(st.booleans()):
        for row in rows:
            row.append("*")
    return Hierarchy.of_rows(column, rows)


@st.composite
def problems(draw: st.DrawFn) -> tuple[CodedTable, dict[str, Hierarchy]]:
    names = [f"c{i}" for i in range(draw(st.integers(1, 3)))]
    hierarchies = {name: draw(nested(name)) for name in names}
    rows = draw(st.integers(1, 24))
    columns = {}
    for name in names:
        leaves: Sequence[str | None] = hierarchies[name].leaves
        values = [*leaves, None] if draw(st.booleans()) else [*leaves]
        picks = st.lists(st.sampled_from(values), min_size=rows, max_size=rows)
        columns[name] = draw(picks)
    return encode(columns), hierarchies


def released(table: CodedTable, level_maps: Sequence[LevelMap], node: Sequence[int]) -> list[tuple]:
    """The rows with the labels of a node, in plain Python."""
    told = []
    for column, level_map, level in zip(table.columns, level_maps, node, strict=True):
        told.append(
            [level_map.labels[level][level_map.steps[level][code]] for code in column.codes]
        )
    return list(zip(*told, strict=True))


def naive_losses(
    table: CodedTable, level_maps: Sequence[LevelMap], node: Sequence[int], gone: list[bool]
) -> dict[str, float]:
    """Every loss by its definition, row by row."""
    rows, told = table.rows, released(table, level_maps, node)
    suppressed = sum(gone)
    grain, bits, height = [], [], []
    for i, (column, level_map, level) in enumerate(
        zip(table.columns, level_maps, node, strict=True)
    ):
        share = {
            level_map.labels[level][label]: level_map.shares[level][label]
            for label in range(len(level_map.labels[level]))
        }
        told_i = [row[i] for row in told]
        spread = sum(1.0 if g else share[t] for g, t in zip(gone, told_i, strict=True)) / rows
        grain.append(
            (spread - level_map.floor) / (1 - level_map.floor) if level_map.floor < 1 else 0.0
        )
        own = Counter(column.codes.tolist())
        wide = Counter(told_i)
        left = Counter(t for g, t in zip(gone, told_i, strict=True) if g)
        lost = -sum(
            np.log2(own[code] / wide[t])
            for code, t in zip(column.codes.tolist(), told_i, strict=True)
        )
        lost -= sum(np.log2(left[t] / suppressed) for g, t in zip(gone, told_i, strict=True) if g)
        bits.append(lost)
        part = level / level_map.height if level_map.height else 0.0
        height.append(part * (rows - suppressed) / rows + suppressed / rows)
    kept = Counter(t for g, t in zip(gone, told, strict=True) if not g)
    mean = rows / max(1, len(kept) + bool(suppressed))
    return {
        "granularity": float(np.mean(grain)),
        "non_uniform_entropy": float(np.mean(bits)),
        "precision": float(np.mean(height)),
        "discernibility": float(sum(n * n for n in kept.values()) + suppressed * rows),
        "average_class_size": mean,
    }


def nodes(level_maps: Sequence[LevelMap]) -> list[tuple[int, ...]]:
    return list(itertools.product(*(range(level_map.height + 1) for level_map in level_maps)))


def solve(
    cells: FrequencyTable,
    level_maps: Sequence[LevelMap],
    limits: Sequence[PlanLimit],
    loss: str,
    share: float,
) -> Optimum | None:
    basis = LossBasis.of(cells, level_maps)
    try:
        return find_optimum(cells, basis, limits, named_loss(loss), max_suppression=share)
    except RiskError as error:
        assert error.code == "no-transformation"
        return None


@settings(max_examples=200, deadline=None)
@given(problems(), st.integers(1, 6), st.sampled_from([0.0, 0.05, 0.3]))
def test_brute_force_over_all_nodes_agrees(problem, k: int, share: float) -> None:
    table, hierarchies = problem
    level_maps = map_table_levels(hierarchies, table)
    cells = leaf_table(table, level_maps)
    least: dict[str, float] = {}
    for node in nodes(level_maps):
        told = released(table, level_maps, node)
        sizes = Counter(told)
        gone = [sizes[t] < k for t in told]
        if sum(gone) <= np.floor(share * table.rows + 1e-9):
            for name, value in naive_losses(table, level_maps, node, gone).items():
                least[name] = min(least.get(name, np.inf), value)
    for name in LOSSES:
        found = solve(cells, level_maps, [ClassSize(k)], name, share)
        if found is None:
            assert not least
            continue
        assert found.optimal
        assert found.gap == 0
        assert found.loss == pytest.approx(least[name], rel=1e-9, abs=1e-9)
        told = released(table, level_maps, found.node)
        sizes = Counter(told)
        gone = [sizes[t] < k for t in told]
        assert found.verdict.records == sum(gone)
        again = naive_losses(table, level_maps, found.node, gone)
        assert again[name] == pytest.approx(found.loss, rel=1e-9, abs=1e-9)


def limits_of(draw: st.DrawFn) -> list[PlanLimit]:
    pool: list[PlanLimit] = [
        ClassSize(draw(st.integers(1, 4))),
        AverageRisk(draw(st.sampled_from([0.1, 0.2, 0.5])), draw(st.booleans())),
        ShareAtRisk(draw(st.integers(2, 5)), draw(st.sampled_from([0.0, 0.1, 0.4]))),
        KMap(draw(st.integers(1, 8))),
        PopulationRisk(draw(st.sampled_from([0.5, 2.0, 5.0]))),
        PopulationRisk(draw(st.sampled_from([1.0, 4.0])), 1.0, 3),
        PopulationRisk(draw(st.sampled_from([1.0, 4.0])), 0.0, 2),
        Diversity(draw(st.integers(1, 3)), "distinct"),
        Diversity(draw(st.sampled_from([1.2, 2.0])), "entropy"),
        Diversity(2, "recursive", draw(st.sampled_from([1.0, 3.0]))),
    ]
    return draw(st.lists(st.sampled_from(pool), min_size=1, max_size=2))


@settings(max_examples=100, deadline=None)
@given(problems(), st.data(), st.sampled_from([0.0, 0.1, 0.5]))
def test_pruning_loses_no_node_under_any_limit(problem, data, share: float) -> None:
    """No node, judged one by one without pruning, has a lower loss than the search found."""
    from risk.lattice.frequency_table import roll_up
    from risk.lattice.limits import allowed_suppression, required_suppression

    table, hierarchies = problem
    level_maps = map_table_levels(hierarchies, table)
    limits = limits_of(data.draw)
    secret = None
    people = population = None
    if any(isinstance(limit, Diversity) for limit in limits):
        picks = st.lists(st.integers(0, 3), min_size=table.rows, max_size=table.rows)
        secret = np.array(data.draw(picks), np.uint8)
        limits = [limit for limit in limits if not isinstance(limit, KMap | PopulationRisk)]
    else:
        population = table
        extra = st.lists(st.integers(1, 5), min_size=table.rows, max_size=table.rows)
        people = np.array(data.draw(extra), float)
    cells = leaf_table(table, level_maps, population=population, people=people, secret=secret)
    basis = LossBasis.of(cells, level_maps)
    most = allowed_suppression(table.rows, share)
    for name in LOSSES:
        loss = named_loss(name)
        least = np.inf
        for node in nodes(level_maps):
            at = roll_up(cells, node, level_maps)
            verdict = required_suppression(at, limits)
            assert verdict.least <= verdict.records
            if verdict.records <= most:
                least = min(least, loss.of(basis, at.classes, verdict.gone))
        found = solve(cells, level_maps, limits, name, share)
        assert (found is None) == (least == np.inf)
        if found is not None:
            assert found.optimal
            assert found.loss == pytest.approx(least, rel=1e-9, abs=1e-9)


def adult(names: Sequence[str]) -> tuple[CodedTable, tuple[LevelMap, ...]]:
    table = read_table(SHARED / "adult.csv", names)
    hierarchies = {}
    for name in names:
        with (SHARED / "hierarchies" / f"{name}.csv").open(encoding="utf-8") as lines:
            rows = [row for row in csv.reader(lines, delimiter=";") if row]
        hierarchies[name] = Hierarchy.of_rows(name, rows)
    return table, map_table_levels(hierarchies, table)


@needs_figures
def test_every_published_optimum() -> None:
    figures = json.loads(FIGURES.read_text("utf-8"))
    names = figures["quasi_identifiers"]["Q6"]
    table, level_maps = adult(names)
    cells = leaf_table(table, level_maps)
    basis = LossBasis.of(cells, level_maps)
    words = {"loss": "granularity", "nue": "non_uniform_entropy", "dm": "discernibility"}
    assert len(figures["optimal_generalization"]) == 18
    for figure in figures["optimal_generalization"]:
        found = find_optimum(
            cells,
            basis,
            [ClassSize(figure["k"])],
            named_loss(words[figure["metric"]]),
            max_suppression=figure["suppression_limit"],
        )
        assert found.optimal
        assert found.loss == pytest.approx(figure["score"], rel=1e-6)
        assert found.node == tuple(figure["optimum"][name] for name in names)
        assert found.verdict.records == figure["suppressed"]
        assert int((~found.verdict.gone).sum()) == figure["classes"]
        assert found.nodes == figure["lattice_size"]


@settings(max_examples=60, deadline=None)
@given(problems(), st.integers(1, 4), st.integers(0, 4))
def test_a_search_cut_short_says_so_and_bounds_its_gap(problem, k: int, patience: int) -> None:
    table, hierarchies = problem
    level_maps = map_table_levels(hierarchies, table)
    cells = leaf_table(table, level_maps)
    basis = LossBasis.of(cells, level_maps)
    loss = named_loss("granularity")
    asked = iter(range(10**6))
    try:
        whole = find_optimum(cells, basis, [ClassSize(k)], loss, max_suppression=0.2)
        cut = find_optimum(
            cells,
            basis,
            [ClassSize(k)],
            loss,
            max_suppression=0.2,
            give_up=lambda: next(asked) >= patience,
        )
    except RiskError:
        return
    assert cut.loss - cut.gap <= whole.loss + 1e-12
    assert cut.optimal == (cut.gap == 0)
    if cut.optimal:
        assert cut.loss == pytest.approx(whole.loss)


@given(problems(), st.data())
@settings(max_examples=60, deadline=None)
def test_limits_on_levels_are_respected(problem, data) -> None:
    table, hierarchies = problem
    level_maps = map_table_levels(hierarchies, table)
    cells = leaf_table(table, level_maps)
    level_map = level_maps[0]
    low = data.draw(st.integers(0, level_map.height))
    high = data.draw(st.integers(low, level_map.height))
    basis = LossBasis.of(cells, level_maps)
    found = find_optimum(
        cells,
        basis,
        [ClassSize(1)],
        named_loss("precision"),
        ranges={level_map.name: LevelRange(low, high)},
    )
    assert low <= found.node[0] <= high


def test_ten_columns_of_a_wide_table_are_searched_exactly() -> None:
    """Keys longer than 63 bits are packed by rank; the result equals that of the grouping
    itself.
    """
    generator = np.random.default_rng(5)
    columns = {f"c{i}": [str(v) for v in generator.integers(0, 120, 300)] for i in range(10)}
    table = encode(columns)
    hierarchies = {
        name: Hierarchy.of_rows(
            name, [[str(v), *([str(v // 60)] if name < "c6" else []), "*"] for v in range(120)]
        )
        for name in columns
    }
    level_maps = map_table_levels(hierarchies, table)
    cells = leaf_table(table, level_maps)
    found = solve(cells, level_maps, [ClassSize(5)], "granularity", 0.1)
    assert found is not None and found.verdict.records > 0
    sizes = Counter(released(table, level_maps, found.node))
    assert sum(n for n in sizes.values() if n < 5) == found.verdict.records <= 30


def test_a_lattice_without_a_solution_is_refused() -> None:
    table = encode({"a": ["x", "y"]})
    level_maps = map_table_levels({"a": Hierarchy.of_rows("a", [["x"], ["y"]])}, table)
    with pytest.raises(RiskError) as caught:
        find_optimum(
            leaf_table(table, level_maps),
            LossBasis.of(leaf_table(table, level_maps), level_maps),
            [ClassSize(2)],
            named_loss("granularity"),
        )
    assert caught.value.code == "no-transformation"


def test_a_lattice_too_large_to_search_gets_a_good_node_and_a_true_gap() -> None:
    generator = np.random.default_rng(2)
    columns = {f"c{i:02}": [str(v) for v in generator.integers(0, 90, 400)] for i in range(14)}
    table = encode(columns)
    hierarchies = {
        name: Hierarchy.of_rows(
            name, [[str(v), f"a{v // 5}", f"b{v // 15}", f"c{v // 45}", "*"] for v in range(90)]
        )
        for name in columns
    }
    level_maps = map_table_levels(hierarchies, table)
    cells = leaf_table(table, level_maps)
    found = solve(cells, level_maps, [ClassSize(5)], "granularity", 0.05)
    assert found is not None
    assert found.nodes == 5**14
    assert not found.optimal
    assert 0 < found.gap <= found.loss < 1
    sizes = Counter(released(table, level_maps, found.node))
    assert sum(n for n in sizes.values() if n < 5) == found.verdict.records <= 20


def test_of_two_nodes_with_equal_loss_the_finer_is_chosen() -> None:
    """All ZIP codes have the same ZIP3, so no loss distinguishes ZIP3 from full suppression in this
    table.
    """
    people = {"sex": list("MMFF"), "zip": ["02138", "02139", "02138", "02139"]}
    for loss in LOSSES:
        found = plan(people, {}, PlanRequest((ClassSize(2),), loss=loss))
        assert found.levels == {"sex": 0, "zip": 1}, loss
        assert found.optimal


@pytest.mark.parametrize("kind", ["entropy", "recursive"])
def test_a_class_that_is_not_diverse_may_contain_a_diverse_class(kind: str) -> None:
    """Classes b {0, 1} and c {0} merge into a class that is not diverse, but only one of its
    records must be suppressed.
    """
    values = ["a", "a", "a", "a", "b", "b", "c"]
    table = encode({"c": values})
    rows = [["a", "a", "*"], ["b", "bc", "*"], ["c", "bc", "*"]]
    level_maps = map_table_levels({"c": Hierarchy.of_rows("c", rows)}, table)
    secret = np.array([0, 0, 1, 1, 0, 1, 0], np.uint8)
    cells = leaf_table(table, level_maps, secret=secret)
    found = solve(cells, level_maps, [Diversity(2.0, kind, 1.5)], "granularity", 1 / 7)
    assert found is not None and found.optimal
    assert found.node == (0,) and found.loss == pytest.approx(1 / 7)
