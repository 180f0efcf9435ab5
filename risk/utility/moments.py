"""Means, standard deviations and correlations before and after a release."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.utility.analysis_columns import ReleasedPair, midpoints


@dataclass(frozen=True)
class ColumnMoments:
    """The mean and standard deviation of a column before and after.

    The figures after are None if the release has no number in the column.
    """

    column: str
    mean: tuple[float, float | None]
    deviation: tuple[float, float | None]

    def as_json(self) -> dict[str, Any]:
        return {
            "column": self.column,
            "mean": {"before": self.mean[0], "after": self.mean[1]},
            "standard_deviation": {"before": self.deviation[0], "after": self.deviation[1]},
        }


@dataclass(frozen=True)
class Correlation:
    """Pearson's correlation of two columns."""

    columns: tuple[str, str]
    before: float
    after: float | None

    def as_json(self) -> dict[str, Any]:
        return {"columns": list(self.columns), "before": self.before, "after": self.after}


def column_moments(pair: ReleasedPair) -> tuple[ColumnMoments, ...]:
    """Return the moments of each numeric column.

    The figures after the release use the released rows only.
    """
    found = []
    for name in pair.numeric:
        before, after = _both(pair, name)
        mean, deviation = _moments(before), _moments(after)
        assert mean is not None
        if deviation is None:
            found.append(ColumnMoments(name, (mean[0], None), (mean[1], None)))
        else:
            found.append(ColumnMoments(name, (mean[0], deviation[0]), (mean[1], deviation[1])))
    return tuple(found)


def correlations(pair: ReleasedPair) -> tuple[Correlation, ...]:
    """The correlation of every pair of numeric columns that both vary."""
    columns = {name: _both(pair, name) for name in pair.numeric}
    found = []
    for one, other in combinations(columns, 2):
        before = _pearson(columns[one][0], columns[other][0])
        if before is not None:
            after = _pearson(columns[one][1], columns[other][1])
            found.append(Correlation((one, other), before, after))
    return tuple(found)


def _both(pair: ReleasedPair, name: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return midpoints(pair.before.column(name)), midpoints(pair.after.column(name))


def _moments(numbers: NDArray[np.float64]) -> tuple[float, float] | None:
    known = numbers[~np.isnan(numbers)]
    if not len(known):
        return None
    return float(known.mean()), float(known.std(ddof=1)) if len(known) > 1 else 0.0


def _pearson(one: NDArray[np.float64], other: NDArray[np.float64]) -> float | None:
    known = ~(np.isnan(one) | np.isnan(other))
    one, other = one[known], other[known]
    if len(one) < 2 or not one.std() or not other.std():
        return None
    return float(np.corrcoef(one, other)[0, 1])
