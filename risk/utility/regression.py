"""A linear regression before and after a release, with the overlap of the intervals.

Karr et al. 2006 (interval overlap): the mean share of the two 95 % intervals that they have in
common; 1 if they are equal, negative (at least -1) if they do not overlap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError
from risk.tables.coding import CodedTable
from risk.utility.analysis_columns import ReleasedPair, midpoints

#: Labels with fewer records join the reference category: their terms would be noise, and would
#: reveal that the labels exist.
_LEAST_RECORDS = 20
_Z = 1.959963984540054
#: The coefficient and standard error of each term.
Fit = dict[str, tuple[float, float]]


@dataclass(frozen=True)
class ComparedTerm:
    """A coefficient with its 95 % interval, before and after the release.

    A figure is None if it cannot be estimated.
    """

    term: str
    before: tuple[float, float, float]
    after: tuple[float, float, float] | None

    @property
    def overlap(self) -> float | None:
        if self.after is None:
            return None
        (_, low, high), (_, other_low, other_high) = self.before, self.after
        common = min(high, other_high) - max(low, other_low)
        widths = (high - low, other_high - other_low)
        if not min(widths):
            return 1.0 if self.before == self.after else 0.0
        return max(-1.0, (common / widths[0] + common / widths[1]) / 2)

    def as_json(self) -> dict[str, Any]:
        keys = ("coefficient", "low", "high")
        return {
            "term": self.term,
            "before": dict(zip(keys, self.before, strict=True)),
            "after": dict(zip(keys, self.after, strict=True)) if self.after else None,
            "overlap": self.overlap,
        }


def compare_regressions(
    pair: ReleasedPair, outcome: str, predictors: Sequence[str]
) -> tuple[ComparedTerm, ...]:
    """Compare least squares of `outcome` on the predictors and a constant, before and after.

    Numbers enter as they are (bands as midpoints), categories as indicators of every label but the
    most frequent before. Labels of fewer than 20 records are joined to that one. Terms of labels
    that occur in only one of the tables cannot be compared and have no figure after. Raises
    `RiskError` for an outcome that is not a number.
    """
    numeric = set(pair.numeric)
    if outcome not in numeric:
        raise RiskError(
            f"the outcome {outcome!r} is not a column of numbers in the comparison",
            code="not-numbers",
            place="--regression",
            hint="name a column that is a quasi-identifier or is written unchanged",
        )
    base = {name: _most_frequent(pair.before, name) for name in predictors if name not in numeric}
    before = _fit(pair.before, outcome, predictors, base)
    after = _fit(pair.after, outcome, predictors, base)
    return tuple(
        ComparedTerm(term, _interval(found), _interval(after[term]) if term in after else None)
        for term, found in before.items()
    )


def _fit(
    table: CodedTable, outcome: str, predictors: Sequence[str], base: dict[str, object]
) -> Fit:
    target = midpoints(table.column(outcome))
    names, columns = ["(constant)"], [np.ones(table.rows)]
    for name in predictors:
        column = table.column(name)
        if name not in base:
            names.append(name)
            columns.append(midpoints(column))
            continue
        counts = np.bincount(column.codes, minlength=column.cardinality)
        for code, value in enumerate(column.values):
            if value != base[name] and counts[code] >= _LEAST_RECORDS and value is not None:
                names.append(f"{name}: {value}")
                columns.append((column.codes == code).astype(np.float64))
    design = np.column_stack(columns)
    known = ~(np.isnan(design).any(axis=1) | np.isnan(target))
    design, target = design[known], target[known]
    varies = [i for i in range(len(names)) if not i or (len(target) and np.ptp(design[:, i]) > 0)]
    design = design[:, varies]
    if len(target) <= len(varies):
        return {}
    return _least_squares(design, target, [names[i] for i in varies])


def _least_squares(
    design: NDArray[np.float64], target: NDArray[np.float64], names: list[str]
) -> Fit:
    inverse = np.linalg.pinv(design.T @ design)
    coefficients = inverse @ (design.T @ target)
    residual = target - design @ coefficients
    variance = float(residual @ residual) / (len(target) - len(names))
    errors = np.sqrt(np.maximum(0.0, variance * np.diag(inverse)))
    return {n: (float(c), float(e)) for n, c, e in zip(names, coefficients, errors, strict=True)}


def _interval(found: tuple[float, float]) -> tuple[float, float, float]:
    coefficient, error = found
    return coefficient, coefficient - _Z * error, coefficient + _Z * error


def _most_frequent(table: CodedTable, name: str) -> object:
    column = table.column(name)
    counts = np.bincount(column.codes, minlength=column.cardinality)
    return column.values[int(counts.argmax())] if len(column.values) else None
