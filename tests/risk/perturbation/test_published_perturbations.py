"""Perturbations compared with the tables of sdcMicro's practice guide (Benschop & Welch,
"Anonymization methods") and tests, and with the properties that the papers prove for the random
methods.
"""

from __future__ import annotations

import numpy as np
import pytest

from risk.perturbation.microaggregation import group_means, microaggregation_groups
from risk.perturbation.noise import add_noise, clip_ends
from risk.perturbation.pram import exchange_categories
from risk.perturbation.swapping import swap_ranks

INCOME = [2300.0, 2434, 2123, 2312, 6045, 2345]


def test_microaggregation_of_one_column_agrees_with_the_guide() -> None:
    """Table 5.11: the groups are 1, 3, 4 and 2, 5, 6; the means 2,245 and 3,608."""
    made = group_means(np.array(INCOME)[:, None], 3)[:, 0]
    assert made == pytest.approx([2245, 3608, 2245, 2245, 3608, 3608], abs=1e-6)


def test_microaggregation_of_three_columns_agrees_with_the_guide() -> None:
    """Table 5.12 prints 2,285.7, 1,846.3, 6.3 for records 1 to 3 and 3,567.3, 2,814.0, 8.3 for the
    other records.
    """
    expenditure = [1714.0, 1947, 1878, 1950, 4569, 1923]
    wealth = [5.3, 7.4, 6.3, 8.0, 9.2, 7.8]
    values = np.column_stack([INCOME, expenditure, wealth])
    made = group_means(values, 3)
    assert [sorted(group.tolist()) for group in microaggregation_groups(values, 3)] == [
        [3, 4, 5],
        [0, 1, 2],
    ]
    assert made[0] == pytest.approx([2285.6667, 1846.3333, 6.3333], abs=1e-3)
    assert made[4] == pytest.approx([3567.3333, 2814.0, 8.3333], abs=1e-3)


def test_microaggregation_keeps_means_and_splits_the_variance() -> None:
    """Domingo-Ferrer & Mateo-Sanz 2002: the sums of squares within and between groups add up to the
    total.
    """
    values = np.random.default_rng(5).lognormal(size=(300, 3))
    made = group_means(values, 4)
    assert made.mean(axis=0) == pytest.approx(values.mean(axis=0))
    within = ((values - made) ** 2).sum()
    between = ((made - values.mean(axis=0)) ** 2).sum()
    whole = ((values - values.mean(axis=0)) ** 2).sum()
    assert within + between == pytest.approx(whole) and 0 < within < whole


def test_top_and_bottom_coding_agrees_with_sdcmicro() -> None:
    """The column of sdcMicro's `test_topBotCoding.R`, which replaces six values above 35 and four
    below it."""
    column = np.array(
        [
            17.63611,
            80.94412,
            39.10929,
            33.4457,
            60.60797,
            60.83501,
            13.33871,
            30.16549,
            58.18338,
            63.46695,
        ]
    )
    top = clip_ends(column, -np.inf, 35)
    assert np.flatnonzero(top != column).tolist() == [1, 2, 4, 5, 8, 9] and top.max() == 35
    bottom = clip_ends(column, 35, np.inf)
    assert np.flatnonzero(bottom != column).tolist() == [0, 3, 6, 7] and bottom.min() == 35


@pytest.mark.parametrize("keep", [0.0, 0.8])
def test_pram_is_invariant(keep: float) -> None:
    """Gouweleeuw et al. 1998: the rows of the matrix P sum to 1, and P does not change the shares.
    The 5,000, 500 and 400 persons by region are from the guide's Table 5.9.
    """
    counts = np.array([5000, 500, 400])
    shares = counts / counts.sum()
    matrix = keep * np.eye(3) + (1 - keep) * shares
    assert matrix.sum(axis=1) == pytest.approx(1) and shares @ matrix == pytest.approx(shares)
    codes = np.repeat(np.arange(3), counts).astype(np.uint8)
    moved = np.zeros((3, 3))
    for seed in range(60):
        made = exchange_categories(codes, 3, keep, np.random.default_rng(seed))
        np.add.at(moved, (codes, made), 1)
    seen = moved / moved.sum(axis=1, keepdims=True)
    error = np.sqrt(matrix * (1 - matrix) / (60 * counts[:, None]))
    assert (np.abs(seen - matrix) <= 4.5 * error + 1e-12).all()


@pytest.mark.parametrize("share", [0.1, 0.5, 1.0, 2.0])
def test_noise_keeps_means_and_covariances_and_grows_variances(share: float) -> None:
    """Kim 1986, Brand 2002: Var(z) = (1 + share^2) Var(x), Cov(z, y) = Cov(x, y), and the
    correlation of z with x is 1 / sqrt(1 + share^2)."""
    generator = np.random.default_rng(11)
    x = generator.gamma(3.0, 20.0, 200_000)
    y = x + generator.normal(0, 30, len(x))
    z = add_noise(x, share, np.random.default_rng(12))
    assert z.mean() == pytest.approx(x.mean(), abs=4 * share * x.std() / np.sqrt(len(x)))
    assert z.var() / x.var() == pytest.approx(1 + share**2, rel=0.02)
    assert np.cov(z, y)[0, 1] == pytest.approx(np.cov(x, y)[0, 1], rel=0.03)
    assert np.corrcoef(z, x)[0, 1] == pytest.approx(1 / np.sqrt(1 + share**2), rel=0.01)


@pytest.mark.parametrize("percent", [1, 5, 15, 100])
def test_rank_swapping_keeps_the_column_and_bounds_the_loss_of_correlation(percent: int) -> None:
    """Moore 1996: the values of the column stay the same. Ranks move by at most the window w of n,
    so the rank correlation is at least 1 - 6 (w / n)^2.
    """
    values = np.random.default_rng(4).lognormal(size=4_000)
    made = swap_ranks(values, percent, np.random.default_rng(9))
    assert sorted(made) == sorted(values)
    ranks, after = values.argsort().argsort(), made.argsort().argsort()
    window = len(values) * percent // 100 + 1
    assert np.abs(after - ranks).max() < window
    assert np.corrcoef(ranks, after)[0, 1] >= 1 - 6 * (window / len(values)) ** 2
    assert (made != values).mean() > 0.9
