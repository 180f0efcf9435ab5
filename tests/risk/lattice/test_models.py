"""t-closeness, delta-presence and population uniques as limits, compared with their definitions."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from risk import (
    ClassSize,
    Closeness,
    Disclosure,
    PlanRequest,
    PopulationUniques,
    Presence,
    RiskError,
    estimate,
    plan,
)
from risk.estimators.frequencies import Frequencies
from risk.estimators.zayatz import zayatz_uniques
from risk.lattice.frequency_table import FrequencyTable
from risk.population.table import Population
from risk.tables.classes import Classes
from risk.tables.coding import encode
from risk.tables.value_distances import equal_distances, ordered_distances

#: Li, Li & Venkatasubramanian 2007, Table 3 and section 4.
SALARIES = [3, 4, 5, 6, 11, 8, 7, 9, 10]
CODES = ["476**"] * 3 + ["4790*"] * 3 + ["476*1"] * 3


def naive(groups: list[int], values: list[int], ordered: bool) -> list[float]:
    kinds = sorted(set(values))
    found = []
    for group in sorted(set(groups)):
        mine = [v for g, v in zip(groups, values, strict=True) if g == group]
        gaps = [mine.count(v) / len(mine) - values.count(v) / len(values) for v in kinds]
        if ordered:
            steps = max(1, len(kinds) - 1)
            found.append(sum(abs(sum(gaps[: i + 1])) for i in range(len(kinds))) / steps)
        else:
            found.append(sum(map(abs, gaps)) / 2)
    return found


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=1), st.booleans())
def test_distances_are_those_of_the_definition(rows: list[tuple[int, int]], ordered: bool) -> None:
    groups, values = np.unique([g for g, _ in rows], return_inverse=True)[1], [v for _, v in rows]
    ranks = np.unique(values, return_inverse=True)[1]
    pairs, counts = np.unique(np.column_stack((groups, ranks)), axis=0, return_counts=True)
    measure = ordered_distances if ordered else equal_distances
    found = measure(pairs[:, 0], pairs[:, 1], counts)
    assert found == pytest.approx(naive(groups.tolist(), values, ordered), abs=1e-12)


def test_the_salaries_of_the_paper() -> None:
    table = encode({"zip": CODES, "salary": SALARIES})
    found = Disclosure.of(Classes.of(table.select(["zip"])), table.column("salary"))
    assert found is not None and found.t_ordered == pytest.approx(0.375, abs=1e-9)
    apart = naive([0, 0, 0, 1, 1, 1, 2, 2, 2], SALARIES, True)
    assert apart[:2] == pytest.approx([0.375, 1 / 6], abs=1e-9)


@pytest.mark.parametrize("ordered", [False, True])
def test_the_t_closeness_optimum_is_that_of_brute_force(ordered: bool) -> None:
    """Brute force over the whole lattice, with and without suppression."""
    generator = np.random.default_rng(5)
    rows = {
        "age": [str(n) for n in generator.integers(20, 60, 200)],
        "zip": [f"021{n:02d}" for n in generator.integers(0, 6, 200)],
    }
    secret = encode({"s": generator.integers(0, 5, 200)}).column("s")
    for most in (0.0, 0.2):
        limits = (ClassSize(2), Closeness(0.3, ordered))
        found = plan(rows, {}, PlanRequest(limits, max_suppression=most), sensitive=secret)
        assert found.optimal
        kept = encode({n: found.table.column(n).values[found.table.column(n).codes] for n in rows})
        _holds(kept, secret.values[secret.codes[found.kept]].tolist(), secret, ordered)
        assert found.loss == pytest.approx(_brute(rows, secret, limits, most))


def _holds(kept: Any, values: list[int], secret: Any, ordered: bool) -> None:
    classes = Classes.of(kept)
    everyone = secret.values[secret.codes].tolist()
    for group in range(len(classes)):
        mine = [v for v, g in zip(values, classes.ids.tolist(), strict=True) if g == group]
        groups = [0] * len(mine) + [1] * len(everyone)
        both = naive(groups, [*mine, *everyone], ordered)[0]
        # the distance from all records, computed from the pooled share
        assert both * (len(mine) + len(everyone)) / len(everyone) <= 0.3 + 1e-9


def _brute(rows: Any, secret: Any, limits: Any, most: float) -> float:
    from risk import LevelRange

    least = 9.0
    heights = {"age": 6, "zip": 6}
    for node in product(*(range(h) for h in heights.values())):
        ranges = {n: LevelRange(v, v) for n, v in zip(rows, node, strict=True)}
        try:
            request = PlanRequest(limits, max_suppression=most, ranges=ranges)
            least = min(least, plan(rows, {}, request, sensitive=secret).loss)
        except RiskError:
            continue
    return least


def test_presence_bounds_the_share_of_each_group() -> None:
    """Nergiz et al. 2007: the probability of being in the table is f / F."""
    table = {"sex": ["F", "F", "M"]}
    cells = encode({"sex": ["F", "M"]})
    people = Population("town", "counted", "2020", False, cells, np.array([4.0, 10.0]))
    asked = PlanRequest((Presence(0.5),))
    assert plan(table, {}, asked, population=people).levels == {"sex": 0}
    found = plan(table, {}, PlanRequest((Presence(0.49),)), population=people)
    assert found.levels == {"sex": 1}
    some = PlanRequest((Presence(0.2),), max_suppression=0.7)
    kept = plan(table, {}, some, population=people)
    assert kept.suppressed_records == 2 or kept.levels == {"sex": 1}
    with pytest.raises(RiskError, match="population"):
        plan(table, {}, asked)


@pytest.mark.parametrize("model", ["pitman", "zayatz", "snb", "dankar"])
def test_the_limit_of_population_uniques_holds_after_the_plan(model: str) -> None:
    generator = np.random.default_rng(1)
    rows = {
        "age": [str(n) for n in generator.integers(20, 90, 600)],
        "zip": [f"0{n}" for n in generator.integers(2100, 2140, 600)],
    }
    limit = PopulationUniques(0.02, 0.1, model)
    found = plan(rows, {}, PlanRequest((limit,), max_suppression=0.1))
    classes = Classes.of(found.table)
    told = estimate(classes, classes.records / 6_000)
    value = getattr(told, model).value
    uniques = int((classes.sizes == 1).sum())
    assert uniques == 0 or value <= 0.02 * 6_000 + 1e-9
    finest = plan(rows, {}, PlanRequest((ClassSize(1),)))
    assert finest.loss < found.loss


def test_the_population_does_not_shrink_with_what_is_suppressed() -> None:
    """Ten uniques and ten pairs of 300 people, counted as ARX does: after suppression the remaining
    records are a smaller share of the same people.
    """
    sizes = np.array([1] * 10 + [2] * 10)
    cells = FrequencyTable((0,), (), sizes)
    left = []
    for most in (0.2, 0.1, 0.05, 0.02):
        gone = PopulationUniques(most, 0.1, "zayatz").broken(cells, np.zeros(20, bool))
        unique = 10 - int(gone.sum())
        for more, holds in ((0, True), (1, unique == 10)):
            histogram = np.array([1, 2]), np.array([unique + more, 10])
            frequencies = Frequencies.of(histogram, 0.1, 300.0)
            assert (zayatz_uniques(frequencies) <= most * 300) == holds or unique + more > 10
        left.append(unique)
    assert left == sorted(left, reverse=True) and left[0] == 10 and left[-1] < left[1] < 10


def test_limits_refuse_invalid_arguments() -> None:
    for make in (
        lambda: Closeness(1.5),
        lambda: Presence(-0.1),
        lambda: PopulationUniques(0.1, 0.0),
        lambda: PopulationUniques(0.1, 0.5, "guess"),
    ):
        with pytest.raises(RiskError):
            make()
    words = encode({"s": list("xy")}).column("s")
    asked = PlanRequest((Closeness(0.5, True),))
    with pytest.raises(RiskError, match="numbers"):
        plan({"a": ["1", "2"]}, {}, asked, sensitive=words)
