"""The three derived metrics of El Emam 2011 (appendix, equations 1, 3, 5) for any theta_j."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.measures.thresholds import Threshold


@dataclass(frozen=True)
class Score:
    """The three metrics of one attacker.

    `at_risk` is the share of records above tau (R_a), `maximum` is the highest risk of any record
    (R_b), and `average` is the expected share of records re-identified (R_c). All are None for a
    table without rows. `smallest` is the class size that gives the maximum, kept so that decisions
    are exact.
    """

    at_risk: float | None
    maximum: float | None
    average: float | None
    smallest: float | None = None

    def __post_init__(self) -> None:
        for value in (self.at_risk, self.maximum, self.average):
            if value is not None and not 0.0 <= value <= 1.0:
                raise ValueError("a risk must be between 0 and 1")

    def as_json(self) -> dict[str, float | None]:
        return {"at_risk": self.at_risk, "maximum": self.maximum, "average": self.average}


@dataclass(frozen=True, eq=False)
class MetricInput:
    """The input of a metric.

    `sample[j]` are the records in class j, `population[j]` the people who match it (None if no
    population is known); `threshold` is the threshold.
    """

    sample: NDArray[np.int64]
    population: NDArray[np.float64] | None
    threshold: Threshold

    @property
    def held(self) -> NDArray[np.float64]:
        """F_j, never below f_j, because the people in the table are part of the population."""
        if self.population is None:
            return self.sample.astype(np.float64)
        return np.maximum(self.sample, self.population)


def score(records: NDArray[Any], sizes: NDArray[Any], threshold: Threshold) -> Score:
    """Score groups of `records` people. The risk of each person in a group is 1/`sizes`.

    The average is summed exactly, so the order of the groups does not change any digit.
    """
    total = int(records.sum())
    if total == 0:
        return Score(None, None, None)
    at_risk = int(records[threshold.is_above(sizes)].sum()) / total
    smallest = float(sizes.min())
    average = min(1.0, exact_sum(records / sizes) / total)
    return Score(at_risk, 1.0 / smallest, average, smallest)


def exact_sum(values: NDArray[np.float64]) -> float:
    """The correctly rounded sum, independent of the order (Shewchuk)."""
    return fsum(values.tolist())
