"""A limit on the estimated number of people who are unique in the population that was sampled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError, check_fraction
from risk.estimators.estimation import dankar_rule
from risk.estimators.frequencies import Frequencies
from risk.estimators.pitman import pitman_uniques
from risk.estimators.snb import snb_uniques
from risk.estimators.zayatz import zayatz_uniques
from risk.lattice.frequency_table import FrequencyTable
from risk.lattice.limits import check_share
from risk.tables.coding import BooleanArray


def _dankar_uniques(frequencies: Frequencies) -> float:
    found = {name: _solved(_MODELS[name], frequencies) for name in ("pitman", "zayatz", "snb")}
    picked = dankar_rule(frequencies.fraction, found["zayatz"], found["snb"])
    uniques = found[picked]
    if uniques is None:
        raise ArithmeticError("the chosen estimator has no solution")
    return uniques


_MODELS: Mapping[str, Callable[[Frequencies], float]] = {
    "zayatz": zayatz_uniques,
    "pitman": pitman_uniques,
    "snb": snb_uniques,
    "dankar": _dankar_uniques,
}


@dataclass(frozen=True)
class PopulationUniques:
    """At most a share `at_most` of the population is unique, as `model` estimates it from a sample.

    `fraction` is the sampling fraction, and `model` is Zayatz, Pitman, SNB, or Dankar et al.'s
    choice among them. Uniques of the sample are suppressed until the estimate is within the limit;
    a sample without uniques has an estimate of zero. Suppressed people stay in the population: the
    population's size is that of the whole sample divided by `fraction`, so a release after
    suppression is a smaller share of the population (as in ARX). If an estimator has no solution,
    the limit is not met. No lower bound is known, so the search evaluates every node.
    """

    at_most: float
    fraction: float
    model: str = "dankar"

    def __post_init__(self) -> None:
        check_share(self.at_most)
        check_fraction(self.fraction)
        if self.model not in _MODELS:
            raise RiskError(
                "the estimator of population uniques is unknown",
                code="bad-limit",
                hint=f"use one of: {', '.join(_MODELS)}",
            )

    def broken(self, cells: FrequencyTable, gone: BooleanArray) -> BooleanArray:
        sizes = cells.classes.sizes
        gone = gone.copy()
        people = float(round(int(sizes.sum()) / self.fraction))
        unique = np.flatnonzero(~gone & (sizes == 1))
        low, high = 0, len(unique)
        while low < high:
            half = (low + high) // 2
            trial = gone.copy()
            trial[unique[:half]] = True
            low, high = (low, half) if self._holds(sizes[~trial], people) else (half + 1, high)
        gone[unique[:low]] = True
        return gone

    def least(self, cells: FrequencyTable) -> int:
        return 0

    def describe(self) -> dict[str, Any]:
        return {
            "population_uniques": self.at_most,
            "model": self.model,
            "sampling_fraction": self.fraction,
        }

    def _holds(self, sizes: NDArray[np.int64], people: float) -> bool:
        distinct, times = np.unique(sizes[sizes > 0], return_counts=True)
        if not len(distinct) or distinct[0] > 1:
            return True
        frequencies = Frequencies.of((distinct, times.astype(np.int64)), self.fraction, people)
        found = _solved(_MODELS[self.model], frequencies)
        return found is not None and found <= self.at_most * frequencies.population


def _solved(model: Callable[[Frequencies], float], frequencies: Frequencies) -> float | None:
    if frequencies.fraction >= 1:
        return float(frequencies.number(1))
    try:
        return model(frequencies)
    except (ArithmeticError, ValueError):
        return None
