"""Perturbations by their definitions: groups of k, invariant shares, the same values in other
rows.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from risk import RiskError, encode, parse_perturbations, perturb
from risk.perturbation.microaggregation import group_means, microaggregation_groups
from risk.perturbation.noise import add_noise
from risk.perturbation.pram import exchange_categories
from risk.perturbation.swapping import swap_ranks

MATRICES = arrays.arrays(
    np.float64,
    st.tuples(st.integers(1, 40), st.integers(1, 3)),
    elements=st.integers(-50, 50).map(float),
)


@given(MATRICES, st.integers(2, 6))
def test_every_group_has_k_rows_and_less_than_twice_as_many(values: np.ndarray, k: int) -> None:
    groups = microaggregation_groups(values, k)
    assert sorted(np.concatenate(groups).tolist()) == list(range(len(values)))
    assert all(min(k, len(values)) <= len(group) < 2 * k for group in groups)
    made = group_means(values, k)
    assert made.mean(axis=0) == pytest.approx(values.mean(axis=0))
    assert min(Counter(map(tuple, made.tolist())).values()) >= min(k, len(values))


def test_one_column_is_grouped_in_order() -> None:
    made = group_means(np.array([[9.0], [1.0], [2.0], [8.0], [10.0]]), 2)
    assert made[:, 0].tolist() == [9.0, 1.5, 1.5, 9.0, 9.0]


def test_mdav_groups_the_farthest_record_with_its_nearest() -> None:
    """Two clusters and a distant pair: the pair is farthest from the mean, so it is one group."""
    points = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [30, 30], [31, 30]], float)
    groups = [set(group.tolist()) for group in microaggregation_groups(points, 2)]
    assert {4, 5} in groups


def test_many_rows_are_split_and_still_grouped() -> None:
    values = np.random.default_rng(0).normal(size=(45_000, 2))
    sizes = [len(group) for group in microaggregation_groups(values[:41_000], 1000)]
    assert sum(sizes) == 41_000 and min(sizes) >= 1000


def test_pram_keeps_the_expected_counts() -> None:
    codes = np.repeat(np.arange(3), [700, 200, 100]).astype(np.uint8)
    made = [
        np.bincount(exchange_categories(codes, 3, 0.6, np.random.default_rng(seed)), minlength=3)
        for seed in range(300)
    ]
    assert np.mean(made, axis=0) == pytest.approx([700, 200, 100], rel=0.02)
    changed = exchange_categories(codes, 3, 0.6, np.random.default_rng(0)) != codes
    # of the 40 % that are drawn again, the share that gets another value: 1 - sum of squared shares
    assert changed.mean() == pytest.approx(0.4 * (1 - 0.54), abs=0.05)


@given(st.lists(st.integers(0, 99), min_size=2, max_size=80), st.integers(1, 100))
def test_rank_swapping_moves_values_by_a_bounded_number_of_ranks(
    numbers: list[int], percent: int
) -> None:
    values = np.array(numbers, float)
    made = swap_ranks(values, percent, np.random.default_rng(0))
    assert sorted(made) == sorted(values)
    order = np.argsort(values, kind="stable")
    ranked = values[order]
    reach = max(2, int(len(values) * percent / 100) + 1)
    for rank, row in enumerate(order):
        low, high = max(0, rank - reach), min(len(values) - 1, rank + reach)
        assert ranked[low] <= made[row] <= ranked[high]


def test_noise_has_the_requested_deviation() -> None:
    values = np.random.default_rng(1).normal(50, 10, 20_000)
    made = add_noise(values, 0.5, np.random.default_rng(2))
    assert (made - values).std() == pytest.approx(5, rel=0.05)
    whole = add_noise(np.arange(100.0), 0.5, np.random.default_rng(2))
    assert (whole == np.rint(whole)).all() and (whole != np.arange(100.0)).any()


def test_perturbed_columns_keep_their_positions() -> None:
    table = encode(
        {"id": ["a", "b", "c", "d"], "x": ["1", None, "3", "100"], "s": ["F", "M", None, "F"]}
    )
    asked = parse_perturbations(["x=top_bottom(2,50)", "s=pram(0)"])
    made = perturb(table, asked, seed=3)
    assert made.names == ("id", "x", "s")
    column = made.column("x")
    assert column.values[column.codes].tolist() == ["2", None, "3", "50"]
    sexes = made.column("s")
    assert sexes.values[sexes.codes].tolist()[2] is None
    told = asked[0].describe()
    assert "no Safe Harbor" in told["claim"] and "below 2" in told["effect"]


def test_columns_aggregated_together_share_their_groups() -> None:
    table = encode({"x": [1, 2, 50, 51], "y": [5, 6, 70, 71]})
    made = perturb(table, parse_perturbations(["x+y=microaggregate(2)"]))
    rows = [c.values[c.codes].tolist() for c in made.columns]
    assert rows == [["1.5", "1.5", "50.5", "50.5"], ["5.5", "5.5", "70.5", "70.5"]]


@pytest.mark.parametrize(
    "text",
    ["x", "x=noise", "x=noise()", "x=noise(0)", "x=guess(1)", "x=pram(2)", "x=top_bottom(5,1)"],
)
def test_wrong_perturbations_are_refused(text: str) -> None:
    with pytest.raises(RiskError) as refused:
        parse_perturbations([text])
    assert refused.value.code == "bad-perturbation"


def test_a_column_is_perturbed_only_once_and_must_hold_numbers() -> None:
    with pytest.raises(RiskError):
        parse_perturbations(["x=noise(1)", "x=pram(0.5)"])
    with pytest.raises(RiskError) as refused:
        perturb(encode({"x": ["1", "Marigold"]}), parse_perturbations(["x=noise(1)"]))
    assert refused.value.code == "not-numbers" and "Marigold" not in str(refused.value)
