"""Columns as an analyst would code them: numbers (a band as its midpoint) or categories."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite

import numpy as np
from numpy.typing import NDArray

from risk.spellings.spans import Span, parse_span
from risk.tables.coding import CodedColumn, CodedTable

#: A column counts as numeric if at most this share of its records are not numbers.
_ODD_SHARE = 0.1
_FEW_NUMBERS = 2
_FEWEST_KEYS = 20


@dataclass(frozen=True, eq=False, repr=False)
class ReleasedPair:
    """The same columns before and after a release.

    `kept[row]` is True for the rows of `before` that are in `after`, in the same order.
    `categories` are columns whose digits are not numbers (ZIP codes).
    """

    before: CodedTable
    after: CodedTable
    kept: NDArray[np.bool_]
    categories: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if self.before.names != self.after.names or int(self.kept.sum()) != self.after.rows:
            raise ValueError("the tables have different columns or rows")

    @property
    def numeric(self) -> tuple[str, ...]:
        """The columns that are numbers before the release."""
        return tuple(
            c.name
            for c in self.before.columns
            if c.name not in self.categories and analysis_numbers(c) is not None
        )

    def sampled(self, most: int) -> ReleasedPair:
        """The pair with at most `most` rows, evenly spaced, so that every run compares the same
        rows."""
        step = -(-self.before.rows // most)
        if step <= 1:
            return self
        chosen = np.zeros(self.before.rows, bool)
        chosen[::step] = True
        return ReleasedPair(
            self.before.take(chosen),
            self.after.take(chosen[self.kept]),
            self.kept[chosen],
            self.categories,
        )


def analysis_numbers(column: CodedColumn) -> NDArray[np.float64] | None:
    """Return the numbers of a column, row by row; None for a column of categories.

    A value that is not a number is NaN. A band counts as its midpoint, an open end (90+) as its
    bound.
    """
    numbers = midpoints(column)
    present = np.array([value is not None for value in column.values] or [False])[column.codes]
    if not present.any() or np.isnan(numbers[present]).mean() > _ODD_SHARE:
        return None
    if len(np.unique(numbers[~np.isnan(numbers)])) < _FEW_NUMBERS:
        return None
    return numbers


def numbers_rows(column: CodedColumn) -> bool:
    """Whether a column has at least twenty rows and a different whole number in each.

    Such a column is a key, which no analysis averages.
    """
    if column.cardinality < max(_FEWEST_KEYS, len(column.codes)):
        return False
    return all(str(value).isdecimal() for value in column.values)


def midpoints(column: CodedColumn) -> NDArray[np.float64]:
    """Return `analysis_numbers` of a column that is known to hold numbers: a starred
    value is NaN.
    """
    spans = [None if value is None else parse_span(str(value)) for value in column.values]
    closed = [(s.low + s.high) / 2 for s in spans if s and isfinite(s.low) and isfinite(s.high)]
    low, high = (min(closed), max(closed)) if closed else (-inf, inf)
    reach = high - low if closed else inf
    values = [_analysis_number(span, low - reach, high + reach) for span in spans]
    return np.asarray(np.array(values or [np.nan])[column.codes])


def _analysis_number(span: Span | None, least: float, most: float) -> float:
    """Return the midpoint of a span; for an open end, its bound.

    The result is NaN if the bound is far from all other numbers: `90+` among years of birth is an
    age.
    """
    if span is None:
        return np.nan
    if isfinite(span.low) and isfinite(span.high):
        return (span.low + span.high) / 2
    bound = span.low if isfinite(span.low) else span.high
    return bound if least <= bound <= most else np.nan
