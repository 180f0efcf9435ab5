"""Estimators of population uniques: compared with reference values and simulated populations, and
where they fail.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import digamma, gammaln
from scipy.stats import hypergeom

from risk.errors import RiskError
from risk.estimators import matches, pitman, snb, zayatz
from risk.estimators.estimation import dankar_rule, estimate
from risk.estimators.frequencies import Frequencies
from risk.tables.classes import Classes
from risk.tables.reading import read_table


def frequencies(sizes: list[int], fraction: float, population: float | None = None) -> Frequencies:
    distinct, times = np.unique(sizes, return_counts=True)
    return Frequencies.of((distinct, times), fraction, population)


def sampled(classes: np.ndarray, fraction: float, seed: int = 3) -> list[int]:
    """Class sizes of a simple random sample of people from classes of these sizes."""
    owner = np.repeat(np.arange(len(classes)), classes)
    drawn = np.random.default_rng(seed).choice(owner, int(len(owner) * fraction), replace=False)
    counted = np.bincount(drawn)
    return counted[counted > 0].tolist()


#: Samples of Adult on six quasi-identifiers: fraction, number of classes by size, and reference
#: values.
SAMPLES = [
    (
        0.05,
        {1: 744, 2: 129, 3: 45, 4: 22, 5: 24, 6: 8, 7: 9, 8: 3, 9: 2, 10: 1},
        {
            "zayatz": 7893.263245739132,
            "pitman": 4170.830981889637,
            "snb": 5670.95347938824,
            "shlosser": 7878.129996070149,
        },
    ),
    (
        0.1,
        {
            1: 1151,
            2: 229,
            3: 78,
            4: 42,
            5: 23,
            6: 26,
            7: 16,
            8: 14,
            9: 16,
            10: 7,
            11: 10,
            12: 5,
            14: 1,
            15: 5,
            17: 1,
            20: 1,
        },
        {
            "zayatz": 5688.998748069519,
            "pitman": 4517.552517050506,
            "snb": 3672.6276470812354,
            "shlosser": 6548.862594568631,
        },
    ),
    (
        0.2,
        {
            1: 1762,
            2: 360,
            3: 152,
            4: 71,
            5: 51,
            6: 34,
            7: 19,
            8: 21,
            9: 17,
            10: 13,
            11: 10,
            12: 20,
            13: 9,
            14: 11,
            15: 9,
            16: 5,
            17: 9,
            18: 4,
            19: 5,
            20: 5,
            22: 5,
            23: 2,
            24: 1,
            25: 4,
            26: 2,
            27: 2,
            28: 1,
            29: 1,
            34: 2,
        },
        {
            "zayatz": 4961.195328530745,
            "pitman": 4657.133636905657,
            "snb": 4701.947893721897,
            "shlosser": 7217.369959924558,
        },
    ),
]


@pytest.mark.parametrize(("fraction", "times", "reference"), SAMPLES)
def test_estimates_of_adult_samples_agree_with_the_reference(
    fraction: float, times: dict[int, int], reference: dict[str, float]
) -> None:
    """Zayatz, Pitman and SNB agree to 1e-6 given the population, and to 1e-4 given only the
    fraction, whose rounding changes the population by two people. ARX's own SNB finds no root here.
    """
    histogram = np.array(list(times)), np.array(list(times.values()))
    known = Frequencies.of(histogram, fraction, 30162)
    assert snb.shlosser(known) == pytest.approx(reference["shlosser"], rel=1e-9)
    estimators = {
        "zayatz": zayatz.zayatz_uniques,
        "pitman": pitman.pitman_uniques,
        "snb": snb.snb_uniques,
    }
    for name, uniques in estimators.items():
        assert uniques(known) == pytest.approx(reference[name], rel=1e-6)
        assert uniques(Frequencies.of(histogram, fraction)) == pytest.approx(
            reference[name], rel=1e-4
        )


@pytest.mark.parametrize(
    ("theta", "alpha", "expected"),
    [
        (408.9352812034915, 0.5399042237492503, 4170.830981889637),
        (348.61431185048616, 0.5742590221406408, 4517.552517050506),
        (313.65901395899095, 0.5907676125053317, 4657.133636905657),
    ],
)
def test_pitman_uniques_at_the_reference_parameters(
    monkeypatch, theta: float, alpha: float, expected: float
) -> None:
    monkeypatch.setattr(pitman, "pitman_parameters", lambda *_: (theta, alpha))
    found = frequencies([1, 2], 0.1, 30162.0)
    assert pitman.pitman_uniques(found) == pytest.approx(expected, rel=1e-9)


def test_pitman_parameters_maximise_the_likelihood() -> None:
    found = frequencies(sampled(np.random.default_rng(1).zipf(2.0, 3000).clip(1, 500), 0.2), 0.2)
    theta, alpha = pitman.pitman_parameters(found)

    def likelihood(t: float, a: float) -> float:
        i = np.arange(1, found.classes)
        taken = np.log(t + i * a).sum() - (gammaln(t + found.records) - gammaln(t + 1))
        return float(taken + (found.times * (gammaln(found.sizes - a) - gammaln(1 - a))).sum())

    best = likelihood(theta, alpha)
    for dt, da in [(1.01, 1), (0.99, 1), (1, 1.01), (1, 0.99)]:
        assert likelihood(theta * dt, alpha * da) < best
    ratio = theta / alpha
    slope = (digamma(ratio + found.classes) - digamma(ratio + 1)) / alpha
    assert slope == pytest.approx(digamma(theta + found.records) - digamma(theta + 1), rel=1e-8)


def test_zayatz_by_its_definition() -> None:
    """The share of sample uniques that are population uniques, from the hypergeometric
    distribution.
    """
    found = frequencies([1] * 50 + [2] * 20 + [3] * 10 + [9], 0.1, 1290.0)
    chance = hypergeom.pmf(1, 1290, found.sizes, found.records)
    share = 50 * chance[0] / (found.times * chance).sum()
    expected = 50 * share * 1290 / found.records
    assert zayatz.zayatz_uniques(found) == pytest.approx(expected, rel=1e-9)


def test_shlosser_by_haas_and_stokes() -> None:
    """Sh3 of Haas & Stokes 1998, written out. ARX's denominator has a misplaced parenthesis."""
    q, times = 0.2, {1: 50, 2: 20, 3: 10}
    first = sum(i * q**2 * (1 - q**2) ** (i - 1) * f for i, f in times.items())
    second = sum((1 - q) ** i * ((1 + q) ** i - 1) * f for i, f in times.items())
    third = sum((1 - q) ** i * f for i, f in times.items())
    fourth = sum(i * q * (1 - q) ** (i - 1) * f for i, f in times.items())
    expected = 80 + 50 * first / second * (third / fourth) ** 2
    found = frequencies([i for i, f in times.items() for _ in range(f)], q)
    assert snb.shlosser(found) == pytest.approx(expected, rel=1e-12)


def test_snb_recovers_a_population_drawn_from_its_model(monkeypatch) -> None:
    """Given the true number of classes, the corrected equations are within 3 % of the truth."""
    generator = np.random.default_rng(8)
    sizes = 1 + generator.negative_binomial(1.5, 0.4, 600_000)
    monkeypatch.setattr(snb, "shlosser", lambda _: 600_000.0)
    found = frequencies(sampled(sizes, 0.2), 0.2, float(sizes.sum()))
    truth = int((sizes == 1).sum())
    assert snb.snb_uniques(found) == pytest.approx(truth, rel=0.03)


def test_individual_risk_is_the_mean_of_one_over_a_negative_binomial() -> None:
    generator = np.random.default_rng(2)
    for size, people in [(1, 10), (2, 40), (5, 9), (40, 400)]:
        drawn = size + generator.negative_binomial(size, size / people, 400_000)
        found = matches.individual_risk(np.array([size * 1.0]), np.array([people * 1.0]))
        assert float(found[0]) == pytest.approx(float((1 / drawn).mean()), rel=0.02)
    certain = matches.individual_risk(np.array([4.0]), np.array([4.0]))
    assert certain[0] == pytest.approx(0.25)


def test_skinner_elliot_by_its_formula() -> None:
    found = frequencies([1] * 30 + [2] * 10, 0.1)
    assert matches.skinner_elliot(found) == pytest.approx(3 / (3 + 18))


@pytest.mark.parametrize(
    ("fraction", "by_zayatz", "by_snb", "picked"),
    [
        (0.1, 1.0, 2.0, "pitman"),
        (0.2, 3.0, 2.0, "snb"),
        (0.2, 1.0, 2.0, "zayatz"),
        (0.2, 1.0, None, "zayatz"),
    ],
)
def test_dankars_rule(fraction: float, by_zayatz: float, by_snb: float | None, picked: str) -> None:
    assert dankar_rule(fraction, by_zayatz, by_snb) == picked


def test_adult_estimates_lie_near_the_truth_with_intervals(adult, figures) -> None:
    quasi = figures["quasi_identifiers"]["Q6"]
    table = read_table(adult, quasi)
    drawn = np.random.default_rng(20261121).choice(table.rows, 6032, replace=False)
    found = estimate(Classes.of(table.take(drawn)), 0.2, population=30162)
    for one in (found.zayatz, found.pitman, found.snb):
        assert one.value is not None and one.low is not None and one.high is not None
        assert one.low <= one.value <= one.high
        assert abs(one.value / 4907 - 1) < 0.1
    assert found.dankar_picked == "snb" and not any("nearly all" in w for w in found.warnings)


def test_a_nearly_full_cell_space_is_reported() -> None:
    generator = np.random.default_rng(4)
    table = {"a": generator.integers(0, 50, 5000), "b": generator.integers(0, 20, 5000)}
    found = estimate(Classes.of(table), 0.05)
    assert found.people_per_cell == pytest.approx(100)
    assert any("nearly all possible cells" in warning for warning in found.warnings)


@pytest.mark.parametrize("column", [[], [1], [1, 1, 1], [1, 2, 3], [1, 1, 2, 2]])
@pytest.mark.parametrize("fraction", [0.05, 0.5, 1.0])
def test_no_table_breaks_an_estimator(column: list[int], fraction: float) -> None:
    found = estimate(Classes.of({"a": column}), fraction).as_json()
    for name in ("zayatz", "pitman", "snb", "dankar", "skinner_elliot"):
        value = found[name]
        assert value is None or (isinstance(value, float) and np.isfinite(value))


def test_the_whole_population_needs_no_estimate() -> None:
    found = estimate(Classes.of({"a": [1, 2, 2, 3]}), 1.0)
    assert found.zayatz.value == found.pitman.value == found.snb.value == 2.0


@pytest.mark.parametrize("fraction", [0.0, -1.0, 1.5])
def test_a_fraction_outside_of_zero_and_one_is_refused(fraction: float) -> None:
    with pytest.raises(RiskError):
        estimate(Classes.of({"a": [1, 2]}), fraction)
