"""How many people are unique when the population is not known: estimates from the sample.

Zayatz 1991; Pitman's sampling formula (Hoshino 2001); slide negative binomial (Chen & McNulty
1998) with the number of classes by Shlosser's modified estimator (Haas & Stokes 1998, Sh3); the
decision rule of Dankar et al. 2012 that picks among them; Skinner & Elliot 2002; Benedetti &
Franconi 1998. ARX 3.9.2 codes the SNB's pair equation and Shlosser's denominator wrongly and
returns 0; the forms below are derived from the model's generating function.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from math import exp, log, log1p
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import psi

from risk.classes import Classes, Sizes
from risk.errors import RiskError

#: Above this many people for each possible cell the estimators are wrong by factors.
SATURATED = 0.5
_REPLICATES = 100


@dataclass(frozen=True, eq=False)
class Frequencies:
    """`times[i]` classes hold `sizes[i]` records of a sample drawn with `fraction` from
    `population` people."""

    sizes: Sizes
    times: Sizes
    fraction: float
    population: float

    @classmethod
    def of(
        cls, histogram: tuple[Sizes, Sizes], fraction: float, population: float | None = None
    ) -> Frequencies:
        sizes, times = histogram
        if not 0 < fraction <= 1:
            raise RiskError(
                "a sampling fraction lies above 0 and at most at 1", code="bad-fraction"
            )
        records = float((sizes * times).sum())
        if population is None or not records:
            return cls(sizes, times, fraction, records / fraction)
        if population < records:
            raise RiskError("the population is smaller than the sample", code="bad-fraction")
        return cls(sizes, times, records / population, population)

    @cached_property
    def records(self) -> int:
        return int((self.sizes * self.times).sum())

    @cached_property
    def classes(self) -> int:
        return int(self.times.sum())

    def number(self, size: int) -> int:
        """How many classes hold exactly `size` records."""
        return int(self.times[self.sizes == size].sum())


@dataclass(frozen=True)
class Estimate:
    """An estimated number with the interval that holds 95 % of its class-bootstrap replicates;
    `value` is None where the estimator has no solution, and `failure` says why."""

    value: float | None
    low: float | None = None
    high: float | None = None
    failure: str = ""


@dataclass(frozen=True)
class Estimates:
    """Population uniques by each estimator, and the two measures of a match."""

    fraction: float
    population: float
    zayatz: Estimate
    pitman: Estimate
    snb: Estimate
    dankar: Estimate
    dankar_picked: str
    skinner_elliot: Estimate
    benedetti_franconi: float | None
    people_per_cell: float
    warnings: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        named = {
            "zayatz": self.zayatz,
            "pitman": self.pitman,
            "snb": self.snb,
            "dankar": self.dankar,
            "skinner_elliot": self.skinner_elliot,
        }
        return {
            **{name: found.value for name, found in named.items()},
            "benedetti_franconi": self.benedetti_franconi,
            "dankar_picked": self.dankar_picked,
            "intervals": {name: [found.low, found.high] for name, found in named.items()},
            "failures": {name: f.failure for name, f in named.items() if f.failure},
            "sampling_fraction": self.fraction,
            "population_size": self.population,
            "people_per_cell": self.people_per_cell,
            "warnings": list(self.warnings),
        }


def estimate(
    classes: Classes,
    fraction: float,
    *,
    population: float | None = None,
    generator: np.random.Generator | None = None,
) -> Estimates:
    """Estimate the population's uniques from a simple random sample of it.

    `fraction` is the sampling fraction, `population` the number of people (records / fraction by
    default). Intervals come from 100 replicates in which each class is drawn again (Poisson
    counts); they show the error of sampling, not that of a wrong model.
    """
    frequencies = Frequencies.of(classes.histogram, fraction, population)
    generator = generator or np.random.default_rng(0)
    replicates = _resampled(frequencies, generator)
    found = {
        name: _with_interval(function, frequencies, replicates)
        for name, function in _ESTIMATORS.items()
    }
    found["pitman"] = _pitman_with_interval(frequencies, replicates)
    if frequencies.fraction >= 1:
        known = float(frequencies.number(1))
        found |= dict.fromkeys(("zayatz", "pitman", "snb"), Estimate(known, known, known))
    picked = dankar_rule(fraction, found["zayatz"].value, found["snb"].value)
    space = float(np.prod([float(c.cardinality) for c in classes.table.columns]))
    crowding = frequencies.population / max(space, 1.0)
    return Estimates(
        fraction=fraction,
        population=frequencies.population,
        zayatz=found["zayatz"],
        pitman=found["pitman"],
        snb=found["snb"],
        dankar=found[picked],
        dankar_picked=picked,
        skinner_elliot=found["skinner_elliot"],
        benedetti_franconi=expected_matches(frequencies),
        people_per_cell=crowding,
        warnings=_warnings(frequencies, found, crowding),
    )


def zayatz(f: Frequencies) -> float:
    """Sample uniques that are population uniques, the sample's class sizes standing in for the
    population's, grossed up by the fraction (Zayatz 1991)."""
    ones = f.number(1)
    if ones == 0:
        return 0.0
    chance = _one_drawn(f)
    share = ones * chance[f.sizes == 1][0] / float((f.times * chance).sum())
    return float(ones * share * f.population / f.records)


def pitman(f: Frequencies, near: float | None = None) -> float:
    """Gamma(theta+1) / Gamma(theta+alpha) N^alpha at the maximum likelihood of the Pitman sampling
    formula (Hoshino 2001). Raises `ArithmeticError` where there is no inner maximum."""
    from scipy.special import gammaln

    theta, alpha = pitman_parameters(f, near)
    grown = alpha * np.log(f.population)
    return float(np.exp(gammaln(theta + 1) - gammaln(theta + alpha) + grown))


def pitman_parameters(f: Frequencies, near: float | None = None) -> tuple[float, float]:
    """(theta, alpha) of the Pitman sampling formula, 0 < alpha < 1, theta > -alpha: of the inner
    maxima of the likelihood the highest, or the one `near` an alpha, to six digits."""
    from scipy.optimize import brentq

    if f.number(1) in (0, f.records) or f.classes < 2:
        raise ArithmeticError("the sample has no uniques, or nothing else")
    if near is not None:
        ends = max(1e-3, near - 0.1), min(0.999, near + 0.1)
        if _pitman_slope(ends[0], f) > 0 >= _pitman_slope(ends[1], f):
            alpha = brentq(_pitman_slope, *ends, args=(f,), xtol=1e-7)
            return _pitman_theta(alpha, f), alpha
    grid = [0.001, *(np.arange(1, 25) / 25).tolist(), 0.999]
    slopes = [_pitman_slope(alpha, f) for alpha in grid]
    found = []
    for i, (left, right) in enumerate(pairwise(slopes)):
        if left > 0 >= right:
            ends = grid[i], grid[i + 1]
            found.append(brentq(_pitman_slope, *ends, args=(f,), xtol=1e-13, rtol=1e-13))
    if not found:
        raise ArithmeticError("the likelihood has no inner maximum")
    best = max(found, key=lambda alpha: _pitman_likelihood(alpha, f))
    return _pitman_theta(best, f), best


def snb(f: Frequencies) -> float:
    """K beta^alpha for population classes of 1 + NegativeBinomial(alpha, beta) people, from the
    sample's uniques and pairs (Chen & McNulty 1998). Raises `ArithmeticError` without a root."""
    alpha, beta, classes = snb_parameters(f)
    return float(classes * beta**alpha)


def snb_parameters(f: Frequencies) -> tuple[float, float, float]:
    """(alpha, beta, K). With q = 1 - fraction, c = 1 - beta and d = 1 - c q, a class leaves one
    record with chance pi beta^alpha d^-(alpha+1) (d + alpha c q), and two with chance
    pi^2/2 beta^alpha d^-(alpha+2) alpha c (2 d + (alpha+1) c q)."""
    from scipy.optimize import brentq

    ones, twos = f.number(1), f.number(2)
    if ones == 0 or twos == 0 or f.fraction == 1:
        raise ArithmeticError("the sample has no uniques or no pairs")
    total = shlosser(f)
    grid = 1 / (1 + np.exp(-np.linspace(-18, 12, 601)))
    gaps = _snb_gap(grid, f, total)
    turns = np.flatnonzero(np.diff(gaps < 0))
    if not len(turns):
        raise ArithmeticError("the equations of the SNB have no root")
    first = int(turns[-1])
    beta = brentq(_snb_gap, grid[first], grid[first + 1], args=(f, total), xtol=1e-14, rtol=1e-12)
    return float(_snb_alpha(beta, f)), beta, total


def shlosser(f: Frequencies) -> float:
    """The number of classes in the population: Shlosser's estimator as modified by Haas & Stokes
    1998 (Sh3)."""
    q, i, times = f.fraction, f.sizes.astype(np.float64), f.times
    first = float((i * q**2 * (1 - q**2) ** (i - 1) * times).sum())
    with np.errstate(over="ignore", invalid="ignore"):
        grown = (1 - q**2) ** i - (1 - q) ** i
    second = float((grown * times).sum())
    ratio = float(((1 - q) ** i * times).sum()) / float((i * q * (1 - q) ** (i - 1) * times).sum())
    return f.classes + f.number(1) * first / second * ratio**2


def skinner_elliot(f: Frequencies) -> float:
    """The chance that a match to a sample unique is right: pi f1 / (pi f1 + 2 (1-pi) f2)
    (Skinner & Elliot 2002)."""
    ones, twos = f.number(1), f.number(2)
    if ones == 0:
        raise ArithmeticError("the sample has no uniques")
    return f.fraction * ones / (f.fraction * ones + 2 * (1 - f.fraction) * twos)


def individual_risk(sizes: NDArray[np.float64], people: NDArray[np.float64]) -> NDArray[np.float64]:
    """E(1/F | f) for classes of `sizes` records that stand for `people` by their weights: F - f is
    negative binomial with p = f / people (Benedetti & Franconi 1998)."""
    from scipy.special import hyp2f1

    p = np.clip(sizes / people, 1e-12, 1.0)
    small = np.minimum(sizes, 30.0)
    exact = p**small / small * hyp2f1(small, small, small + 1, 1 - p)
    return np.where(p >= 1, 1 / sizes, np.where(sizes <= 30, exact, p / (sizes - (1 - p))))


def expected_matches(f: Frequencies) -> float | None:
    """Expected right matches when all records are tried, every class standing for f / pi people."""
    if not f.records:
        return None
    sizes = f.sizes.astype(np.float64)
    return float((f.times * sizes * individual_risk(sizes, sizes / f.fraction)).sum())


def dankar_rule(fraction: float, by_zayatz: float | None, by_snb: float | None) -> str:
    """Pitman up to a fraction of 10 %; above it SNB, unless Zayatz is lower or SNB fails
    (Dankar et al. 2012, BMC Med Inform Decis Mak 12:66)."""
    if fraction <= 0.1:
        return "pitman"
    if by_snb is None or (by_zayatz is not None and by_zayatz < by_snb):
        return "zayatz"
    return "snb"


_ESTIMATORS: dict[str, Callable[[Frequencies], float]] = {
    "zayatz": zayatz,
    "snb": snb,
    "skinner_elliot": skinner_elliot,
}


def _one_drawn(f: Frequencies) -> NDArray[np.float64]:
    """Chance that a population class of each size leaves exactly one record in the sample
    (hypergeometric), as a running product so that millions of people lose no digits."""
    rest, people = f.population - f.records, f.population
    steps = np.arange(1, int(f.sizes.max()), dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(np.maximum(rest - steps + 1, 0.0)) - np.log(people - steps)
    missed = np.exp(np.concatenate(([0.0], np.cumsum(logs))))
    drawn: NDArray[np.float64] = f.sizes * f.records / people * missed[f.sizes - 1]
    return drawn


def _pitman_theta(alpha: float, f: Frequencies) -> float:
    """The theta that maximises the likelihood for this alpha."""
    from scipy.optimize import brentq

    classes, records = f.classes - 1, f.records - 1

    def slope(log_shift: float) -> float:
        theta = exp(log_shift) - alpha
        taken = _harmonic(theta / alpha + 1, classes) / alpha
        return taken - _harmonic(theta + 1, records)

    low, high = -30.0, log(f.records) + 25
    if slope(low) <= 0:
        return exp(low) - alpha
    if slope(high) >= 0:
        return exp(high) - alpha
    return exp(brentq(slope, low, high, xtol=1e-12, rtol=1e-13)) - alpha


def _pitman_slope(alpha: float, f: Frequencies) -> float:
    """The derivative by alpha of the likelihood at its best theta."""
    from scipy.special import digamma

    theta = _pitman_theta(alpha, f)
    inverse = _harmonic(theta / alpha + 1, f.classes - 1) / alpha
    grown = (f.classes - 1) / alpha - theta / alpha * inverse
    several = f.sizes > 1
    spent = digamma(f.sizes[several] - alpha) - digamma(1 - alpha)
    return float(grown - (f.times[several] * spent).sum())


def _pitman_likelihood(alpha: float, f: Frequencies) -> float:
    from scipy.special import gammaln

    theta = _pitman_theta(alpha, f)
    taken = gammaln(theta / alpha + f.classes) - gammaln(theta / alpha + 1)
    taken += (f.classes - 1) * np.log(alpha)
    drawn = gammaln(theta + f.records) - gammaln(theta + 1)
    spent = (f.times * (gammaln(f.sizes - alpha) - gammaln(1 - alpha))).sum()
    return float(taken - drawn + spent)


def _harmonic(start: float, count: int) -> float:
    """1/start + 1/(start+1) + ... (count terms). Far out the difference of two digammas has no
    digits left, so the logarithm of the ratio is taken there."""
    if start < 1e3:
        return float(psi(start + count) - psi(start))
    first, last = start - 0.5, start + count - 0.5
    return log1p(count / first) + (last**-2 - first**-2) / 24


def _snb_alpha(beta: Any, f: Frequencies) -> Any:
    """The alpha that gives the sample's ratio of pairs to uniques: a quadratic, one root > 0."""
    pi, q, c = f.fraction, 1 - f.fraction, 1 - beta
    d = 1 - c * q
    ratio = f.number(2) / f.number(1)
    square = pi * c * c * q / 2
    linear = pi * c / 2 * (2 * d + c * q) - ratio * d * c * q
    constant = -ratio * d * d
    root = np.sqrt(linear**2 - 4 * square * constant)
    # of the two ways to write the root, the one without cancellation
    return np.where(linear > 0, -2 * constant / (linear + root), (root - linear) / (2 * square))


def _snb_gap(beta: Any, f: Frequencies, total: float) -> Any:
    pi, q, c = f.fraction, 1 - f.fraction, 1 - beta
    alpha, d = _snb_alpha(beta, f), 1 - c * q
    logs = alpha * np.log(beta) - (alpha + 1) * np.log(d) + np.log(d + alpha * c * q)
    return np.log(total * pi) + logs - np.log(f.number(1))


def _resampled(f: Frequencies, generator: np.random.Generator) -> list[Frequencies]:
    drawn = generator.poisson(f.times, (_REPLICATES, len(f.times)))
    ratio = f.population / f.records if f.records else 1.0
    return [
        Frequencies(f.sizes[t > 0], t[t > 0], f.fraction, float((f.sizes * t).sum()) * ratio)
        for t in drawn
        if t.any()
    ]


def _pitman_with_interval(f: Frequencies, replicates: list[Frequencies]) -> Estimate:
    """The replicates are solved near the sample's own alpha, which is some ten times faster."""
    try:
        _, alpha = pitman_parameters(f)
    except (ArithmeticError, ValueError) as error:
        return Estimate(None, failure=str(error))
    return _with_interval(pitman, f, replicates, again=partial(pitman, near=alpha))


def _with_interval(
    function: Callable[[Frequencies], float],
    f: Frequencies,
    replicates: list[Frequencies],
    again: Callable[[Frequencies], float] | None = None,
) -> Estimate:
    try:
        value = function(f)
    except (ArithmeticError, ValueError) as error:
        return Estimate(None, failure=str(error))
    found = []
    for replicate in replicates:
        try:
            found.append((again or function)(replicate))
        except (ArithmeticError, ValueError):
            continue
    if len(found) < _REPLICATES // 2:
        return Estimate(value, failure="the interval's replicates have no solution")
    low, high = (float(bound) for bound in np.quantile(found, (0.025, 0.975)))
    return Estimate(value, min(low, value), max(high, value))


def _warnings(f: Frequencies, found: dict[str, Estimate], crowding: float) -> tuple[str, ...]:
    said = []
    if crowding > SATURATED:
        said.append(
            f"the cell space is nearly full ({crowding:.2g} people for each possible cell): "
            "every estimator is then wrong by factors, mostly far too high"
        )
    values: list[float] = [
        e.value for name, e in found.items() if name != "skinner_elliot" and e.value is not None
    ]
    if values and max(values) > 1.5 * min(values):
        said.append("the estimators differ by more than half: report the range, not one of them")
    said += [f"{name}: {e.failure}" for name, e in found.items() if e.failure]
    if f.fraction < 0.049:
        said.append("below a sampling fraction of 5 % all of them overestimate on EHR-like data")
    return tuple(said)
