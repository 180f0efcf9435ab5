"""All estimators of population uniques, with intervals and warnings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from risk.estimators import pitman, snb, zayatz
from risk.estimators.frequencies import Frequencies
from risk.estimators.matches import expected_matches, skinner_elliot
from risk.tables.classes import Classes

#: If there are more people than this per possible cell, the estimators are wrong by large factors.
SATURATED = 0.5
_REPLICATES = 100
#: The names of the estimators of population uniques in reports.
ESTIMATOR_TITLES = {
    "zayatz": "Zayatz",
    "pitman": "Pitman",
    "snb": "Slide negative binomial",
    "dankar": "The rule of Dankar et al.",
}


@dataclass(frozen=True)
class Estimate:
    """An estimated number with its 95 % interval.

    The interval holds 95 % of the class-bootstrap replicates. `value` is None if the estimator has
    no solution, and `failure` says why.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    failure: str = ""


@dataclass(frozen=True)
class Estimates:
    """The population uniques by each estimator, and the two measures of match probability."""

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
) -> Estimates:
    """Estimate the population's uniques from a simple random sample of it.

    `fraction` is the sampling fraction, `population` the number of people (records / fraction by
    default). Intervals come from 100 replicates in which each class is drawn again (Poisson
    counts); they show the sampling error, not the error of a wrong model.

    >>> sample = Classes.of({"age": [30, 31, 31, 32, 40, 40, 40, 55]})
    >>> found = estimate(sample, 0.5)
    >>> found.dankar_picked in ("snb", "zayatz")
    True
    """
    frequencies = Frequencies.of(classes.histogram, fraction, population)
    replicates = _resampled(frequencies, np.random.default_rng(0))
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


def dankar_rule(fraction: float, by_zayatz: float | None, by_snb: float | None) -> str:
    """Return the name of the estimator to use: `pitman`, `snb` or `zayatz`.

    Pitman is used up to a sampling fraction of 10 %; above that, SNB, unless Zayatz is lower or SNB
    fails (Dankar et al. 2012, BMC Med Inform Decis Mak 12:66).
    """
    if fraction <= 0.1:
        return "pitman"
    if by_snb is None or (by_zayatz is not None and by_zayatz < by_snb):
        return "zayatz"
    return "snb"


_ESTIMATORS: dict[str, Callable[[Frequencies], float]] = {
    "zayatz": zayatz.zayatz_uniques,
    "snb": snb.snb_uniques,
    "skinner_elliot": skinner_elliot,
}


def _resampled(f: Frequencies, generator: np.random.Generator) -> list[Frequencies]:
    drawn = generator.poisson(f.times, (_REPLICATES, len(f.times)))
    ratio = f.population / f.records if f.records else 1.0
    return [
        Frequencies(f.sizes[t > 0], t[t > 0], f.fraction, float((f.sizes * t).sum()) * ratio)
        for t in drawn
        if t.any()
    ]


def _pitman_with_interval(f: Frequencies, replicates: list[Frequencies]) -> Estimate:
    """Estimate by Pitman's formula, with an interval.

    The search for each replicate's alpha starts near the sample's, which is about ten times faster.
    """
    try:
        _, alpha = pitman.pitman_parameters(f)
    except (ArithmeticError, ValueError) as error:
        return Estimate(None, failure=str(error))
    return _with_interval(
        pitman.pitman_uniques, f, replicates, partial(pitman.pitman_uniques, near=alpha)
    )


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
        return Estimate(value, failure="too many bootstrap replicates have no solution")
    low, high = (float(bound) for bound in np.quantile(found, (0.025, 0.975)))
    return Estimate(value, min(low, value), max(high, value))


def _warnings(f: Frequencies, found: dict[str, Estimate], crowding: float) -> tuple[str, ...]:
    said = []
    if crowding > SATURATED:
        said.append(
            f"nearly all possible cells are occupied ({crowding:,.2f} people for each combination "
            "of values): every estimator can be wrong by a large factor, mostly far too high"
        )
    values: list[float] = [
        e.value for name, e in found.items() if name != "skinner_elliot" and e.value is not None
    ]
    if values and max(values) > 1.5 * min(values):
        said.append("the estimators differ by more than half: report the range, not one estimate")
    for name, e in found.items():
        if e.failure:
            title = ESTIMATOR_TITLES.get(name, "Skinner and Elliot")
            missing = "no value" if e.value is None else "no interval"
            said.append(f"{title}: {missing}, because {e.failure}")
    if f.fraction < 0.049:
        said.append(
            "below a sampling fraction of 5 %, all estimators overestimate on EHR-like data"
        )
    return tuple(said)
