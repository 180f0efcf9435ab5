"""The bounds, compared with exact arithmetic, scipy's distributions and published tables."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from deid.review.sampling.bounds import (
    StratumRead,
    TwoStage,
    design_effect,
    imbalance,
    lower_bound,
    notes_needed,
    plan_two_stage,
    upper_bound,
    upper_clustered,
    upper_corrected,
    upper_in_batch,
)

TOLERANCE = 1e-9


def at_most(leaks: int, notes: int, rate: Fraction) -> Fraction:
    """The binomial distribution function in integers, without rounding."""
    n, d = rate.numerator, rate.denominator
    ways = sum(comb(notes, x) * n**x * (d - n) ** (notes - x) for x in range(leaks + 1))
    return Fraction(ways, d**notes)


GRID = [(x, n) for n in (1, 2, 10, 59, 120, 299, 473) for x in (0, 1, 2, 5) if x < n]


@pytest.mark.parametrize(("leaks", "notes"), GRID)
@pytest.mark.parametrize("confidence", ["0.9", "0.95", "0.99"])
def test_the_binomial_bound_is_the_root_of_the_exact_distribution(
    leaks: int, notes: int, confidence: str
) -> None:
    bound = Fraction(upper_bound(leaks, notes, float(confidence)))
    risk, step = 1 - Fraction(confidence), Fraction(1, 10**9)
    assert at_most(leaks, notes, max(Fraction(0), bound - step)) > risk
    assert at_most(leaks, notes, min(Fraction(1), bound + step)) < risk


@pytest.mark.parametrize(("leaks", "notes"), GRID)
def test_both_sides_agree_with_scipy(leaks: int, notes: int) -> None:
    two_sided = stats.binomtest(leaks, notes).proportion_ci(0.90, method="exact")
    assert upper_bound(leaks, notes, 0.95) == pytest.approx(two_sided.high, abs=TOLERANCE)
    assert lower_bound(leaks, notes, 0.95) == pytest.approx(two_sided.low, abs=TOLERANCE)


def test_no_leak_and_every_leak_have_closed_forms() -> None:
    for notes in (1, 20, 299, 5000):
        assert upper_bound(0, notes) == pytest.approx(1 - 0.05 ** (1 / notes), abs=TOLERANCE)
        assert lower_bound(notes, notes) == pytest.approx(0.05 ** (1 / notes), abs=TOLERANCE)
        assert upper_bound(notes, notes) == 1.0
        assert lower_bound(0, notes) == 0.0
    assert upper_bound(0, 0) == 1.0


# Upper 95 % one-sided limits in percent, from published tables of exact limits.
PRINTED = [(0, 10, 25.9), (1, 10, 39.4), (2, 10, 50.7), (0, 20, 13.9), (1, 20, 21.6), (3, 50, 14.8)]


@pytest.mark.parametrize(("leaks", "notes", "percent"), PRINTED)
def test_bounds_agree_with_published_tables(leaks: int, notes: int, percent: float) -> None:
    assert round(100 * upper_bound(leaks, notes), 1) == percent


SIZES = {
    0.05: (59, 93, 124, 90, 57, 59),
    0.02: (149, 236, 313, 228, 140, 147),
    0.01: (299, 473, 628, 459, 265, 291),
    0.005: (598, 947, 1258, 919, 476, 570),
    0.002: (1497, 2371, 3146, 2301, 901, 1329),
    0.001: (2995, 4742, 6294, 4603, 1263, 2383),
}


@pytest.mark.parametrize("rate", SIZES)
def test_sample_sizes_exclude_their_leak_rate(rate: float) -> None:
    sizes = (
        *(notes_needed(rate, leaks) for leaks in (0, 1, 2)),
        notes_needed(rate, confidence=0.99),
        notes_needed(rate, batch=2000),
        notes_needed(rate, batch=10_000),
    )
    assert sizes == SIZES[rate]
    assert upper_bound(0, sizes[0]) <= rate < upper_bound(0, sizes[0] - 1)
    assert upper_in_batch(0, sizes[4], 2000) <= rate < upper_in_batch(0, sizes[4] - 1, 2000)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_bound_of_a_batch_is_the_largest_count_not_excluded(data: st.DataObject) -> None:
    batch = data.draw(st.integers(1, 3000))
    notes = data.draw(st.integers(1, batch))
    leaks = data.draw(st.integers(0, min(notes, 6)))
    largest = round(upper_in_batch(leaks, notes, batch) * batch)
    assert leaks <= largest <= batch - (notes - leaks)
    if leaks < notes:
        assert stats.hypergeom.cdf(leaks, batch, largest, notes) > 0.05 - TOLERANCE
        if largest < batch - (notes - leaks):
            assert stats.hypergeom.cdf(leaks, batch, largest + 1, notes) <= 0.05 + TOLERANCE
    assert largest / batch <= upper_bound(leaks, notes) + 1 / batch


def test_a_batch_read_completely_has_an_exact_bound() -> None:
    assert upper_in_batch(0, 50, 50) == 0.0
    assert upper_in_batch(2, 50, 50) == 0.04


@pytest.mark.parametrize(("first_leaks", "all_leaks"), [(0, None), (1, 1), (1, 2), (2, 4)])
def test_the_two_stage_bound_agrees_with_the_sum_over_all_outcomes(
    first_leaks: int, all_leaks: int | None
) -> None:
    stage = TwoStage(40, 0, 30)
    bound = stage.upper(first_leaks, all_leaks, 0.95)

    def chance(rate: float) -> float:
        """The probability of all pairs of counts that show no more leaks than were observed, in
        stage order.
        """
        total = 0.0
        for x in range(41):
            for y in range(31):
                stops = x <= stage.accept
                seen = x <= first_leaks if all_leaks is None else stops or x + y <= all_leaks
                if seen and not (all_leaks is None and not stops):
                    total += stats.binom.pmf(x, 40, rate) * stats.binom.pmf(y, 30, rate)
        return total

    assert chance(bound - TOLERANCE) > 0.05 - 1e-12
    assert chance(bound + TOLERANCE) < 0.05 + 1e-12


def test_a_two_stage_plan_excludes_the_rate_at_its_worst_end() -> None:
    stage = plan_two_stage(0.01)
    assert stage.upper(0, None, 0.95) <= 0.01
    assert stage.upper(1, 1, 0.95) <= 0.01
    assert stage.first + stage.second < notes_needed(0.01, 0) + notes_needed(0.01, 1)
    assert stage.upper(1, 2, 0.95) > 0.01


def test_strata_in_proportion_are_one_sample() -> None:
    even = [StratumRead(1000, 100, 0), StratumRead(2000, 200, 1)]
    assert imbalance(even) == pytest.approx(1)


def test_strata_out_of_proportion_reduce_the_effective_sample() -> None:
    lopsided = [StratumRead(1000, 59, 0), StratumRead(100, 59, 0)]
    assert imbalance(lopsided) == pytest.approx((10 / 11) / 0.5)
    assert imbalance([StratumRead(10, 0, 0), StratumRead(10, 5, 0)]) == float("inf")


def test_the_design_effect_is_kish() -> None:
    assert design_effect(10, 0.1) == pytest.approx(1.9)
    assert upper_clustered(0.0, 300, 3.0) == pytest.approx(upper_bound(0, 100), abs=TOLERANCE)
    # For a count that is not an integer, the bound lies between those of its two neighbors.
    assert upper_bound(1, 100) < upper_clustered(0.015, 300, 3.0) < upper_bound(2, 100)


def test_a_reviewer_who_misses_leaks_gets_a_higher_bound() -> None:
    def bound(confidence: float) -> float:
        return upper_bound(0, 299, confidence)

    assert upper_corrected(bound, 0, 0) == bound(0.95)
    assert upper_corrected(bound, 20, 20) > bound(0.95)
    assert upper_corrected(bound, 15, 20) > upper_corrected(bound, 20, 20)
    assert upper_corrected(bound, 0, 20) == 1.0
    by_hand = (1 - 0.04 ** (1 / 299)) / 0.01 ** (1 / 20)
    assert upper_corrected(bound, 20, 20) == pytest.approx(by_hand, abs=TOLERANCE)


@pytest.mark.parametrize("counts", [(-1, 5), (6, 5)])
def test_impossible_counts_are_refused(counts: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="count"):
        upper_bound(*counts)
    with pytest.raises(ValueError, match="sample"):
        upper_in_batch(0, 6, 5)
