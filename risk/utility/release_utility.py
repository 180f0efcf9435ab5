"""All measures of utility of one release."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from risk.tables.coding import CodedTable
from risk.utility.analysis_columns import ReleasedPair
from risk.utility.moments import ColumnMoments, Correlation, column_moments, correlations
from risk.utility.propensity import PropensityDistance, propensity_distance
from risk.utility.regression import ComparedTerm, compare_regressions


@dataclass(frozen=True)
class ReleaseUtility:
    """The utility of a release, before and after.

    It has the records, means and deviations, correlations and, if requested, a regression, and the
    propensity-score distance.
    """

    records: tuple[int, int]
    moments: tuple[ColumnMoments, ...]
    correlations: tuple[Correlation, ...]
    outcome: str | None
    terms: tuple[ComparedTerm, ...]
    propensity: PropensityDistance | None

    @property
    def largest_change(self) -> float | None:
        """The largest change of a correlation; None if no pair can be compared."""
        found = [abs(c.after - c.before) for c in self.correlations if c.after is not None]
        return max(found, default=None)

    def as_json(self) -> dict[str, Any]:
        return {
            "records": {"before": self.records[0], "after": self.records[1]},
            "columns": [found.as_json() for found in self.moments],
            "correlations": [found.as_json() for found in self.correlations],
            "largest_change_of_a_correlation": self.largest_change,
            "regression": {
                "outcome": self.outcome,
                "terms": [term.as_json() for term in self.terms],
            }
            if self.outcome
            else None,
            "propensity_score_distance": self.propensity.as_json() if self.propensity else None,
        }


def compare_release(
    before: CodedTable,
    after: CodedTable,
    kept: np.ndarray[Any, np.dtype[np.bool_]],
    regression: tuple[str, tuple[str, ...]] | None = None,
    categories: Collection[str] = (),
) -> ReleaseUtility:
    """Measure the utility of a release with the same columns; `kept` marks the rows that were
    released.

    `regression` names an outcome and its predictors, `categories` lists columns whose digits are
    not numbers.
    """
    pair = ReleasedPair(before, after, kept, frozenset(categories))
    return ReleaseUtility(
        records=(before.rows, after.rows),
        moments=column_moments(pair),
        correlations=correlations(pair),
        outcome=regression[0] if regression else None,
        terms=compare_regressions(pair, *regression) if regression else (),
        propensity=propensity_distance(pair),
    )
