"""Propensity-score distance: how well a model distinguishes released records from the original
ones.

Woo, Reiter, Oganian & Karr 2009; Snoke et al. 2018 (pMSE). A logistic regression on both tables
together predicts which table a record is from. With c the share of released records, the distance
is the mean squared difference between the predicted probabilities and c: 0 if the tables cannot be
told apart, and at most c (1 - c).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.utility.analysis_columns import ReleasedPair, midpoints

_MOST_ROWS = 50_000
_MOST_LABELS = 30
_STEPS = 50
_RIDGE = 1e-6


@dataclass(frozen=True)
class PropensityDistance:
    """`pmse` and its largest possible value; their `ratio` is between 0 and 1."""

    pmse: float
    largest: float

    @property
    def ratio(self) -> float:
        return self.pmse / self.largest if self.largest else 0.0

    def as_json(self) -> dict[str, Any]:
        return {"pmse": self.pmse, "largest": self.largest, "ratio": self.ratio}


def propensity_distance(pair: ReleasedPair) -> PropensityDistance | None:
    """The distance over all columns; None if nothing was released.

    Numbers enter with their squares, bands as midpoints; missing numbers as the mean with an
    indicator. Categories enter as indicators if their labels are the same in both tables, because a
    coarser label alone would reveal the table of every record.
    """
    if not pair.after.rows or not pair.before.rows:
        return None
    pair = pair.sampled(_MOST_ROWS)
    features = [f for name in pair.before.names for f in _features(pair, name)]
    released = np.repeat([0.0, 1.0], [pair.before.rows, pair.after.rows])
    share = released.mean()
    if not features:
        return PropensityDistance(0.0, float(share * (1 - share)))
    design = np.column_stack([np.ones(len(released)), *features])
    chances = _logistic(design, released)
    return PropensityDistance(float(((chances - share) ** 2).mean()), float(share * (1 - share)))


def _features(pair: ReleasedPair, name: str) -> list[NDArray[np.float64]]:
    before, after = pair.before.column(name), pair.after.column(name)
    if name in pair.numeric:
        numbers = np.concatenate((midpoints(before), midpoints(after)))
        missing = np.isnan(numbers)
        if missing.all() or np.isnan(midpoints(after)).all():
            return []
        numbers = np.where(missing, numbers[~missing].mean(), numbers)
        scaled = _scaled(numbers)
        curved = [scaled, _scaled(scaled**2)]
        return [*curved, _scaled(missing.astype(float))] if missing.any() else curved
    labels = {str(v) for v in before.values}
    if not {str(v) for v in after.values} <= labels:
        return []
    found: list[NDArray[np.float64]] = []
    counts = np.bincount(before.codes, minlength=before.cardinality)
    for code in np.argsort(-counts)[1:_MOST_LABELS].tolist():
        there = [i for i, value in enumerate(after.values) if value == before.values[code]]
        column = np.concatenate((before.codes == code, np.isin(after.codes, there)))
        found.append(_scaled(column.astype(float)))
    return found


def _scaled(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    spread = numbers.std()
    return np.asarray((numbers - numbers.mean()) / (spread if spread > 0 else 1.0))


def _logistic(design: NDArray[np.float64], target: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probabilities that Newton's method fits.

    A ridge penalty makes the fit possible if the tables are separated completely; it is too small
    to matter otherwise.
    """
    weights = np.zeros(design.shape[1])
    ridge = _RIDGE * len(target) * np.eye(design.shape[1])
    for _ in range(_STEPS):
        chances = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        slope = design.T @ (target - chances) - ridge @ weights
        curve = (design * (chances * (1 - chances))[:, None]).T @ design + ridge
        step = np.linalg.solve(curve, slope)
        weights += step
        if np.abs(step).max() < 1e-8:
            break
    return np.asarray(1 / (1 + np.exp(-np.clip(design @ weights, -30, 30))))
