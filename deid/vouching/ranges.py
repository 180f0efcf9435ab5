"""The range of a column's numbers, from a histogram of all of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from safe_harbor import OLDEST_AGE

# Histogram bins per octave: a quantile is known to within 5 %.
BINS_PER_OCTAVE = 16
_OFFSET = 1 << 12
LEAST, MANY = 5, 20
# The share trimmed at each end, so that foreign numbers (up to 3 %) do not set the range.
TRIMMED = 0.04
# How far a legitimate outlier may lie beyond the trimmed range, as a multiple of the distance from
# the median to the end of that range.
SPANS, FACTOR = 5.0, 2.0
# Amounts above `SKEWED` are skewed: an outlier may be up to `LARGEST_RATIO` times as large.
SKEWED, LARGEST_RATIO = 1_000.0, 20.0
# Whole numbers up to `LARGEST_GRADE` are grades of a scale.
LARGEST_GRADE, GRADED, NEARLY_ALL = 30.0, 1.7, 0.95
# The least share of a column's numbers that each grade must have; the least share of a column's
# cells that must be numbers.
SUPPORTED, RARE = 0.01, 0.02
# The margin for the width of a bin and around zero.
BIN_MARGIN = 0.1
UNKNOWN_LIMIT, FEW_LIMIT = 10_000.0, 1_000.0


@dataclass(frozen=True, slots=True)
class Range:
    """The numbers that the column approves, both ends included.

    `whole` is set if whole numbers of five digits and more are included; a column of fractions has
    none. `is_known` is set if the range was learned from the column.
    """

    low: float = -UNKNOWN_LIMIT
    high: float = UNKNOWN_LIMIT
    whole: bool = True
    is_known: bool = False

    def has(self, number: float) -> bool:
        """Whether the number is in the range."""
        return self.low <= number <= self.high


def bin_of(number: float) -> int:
    """The bin of a number, by sign and magnitude."""
    size = abs(number)
    if size < 1e-9:
        return 0
    place = int(min(math.log2(size), 60.0) * BINS_PER_OCTAVE // 1) + _OFFSET
    return place if number > 0 else -place


def range_of(bins: Mapping[int, int], fractions: int, cells: int) -> Range:
    """The range of a column from the counts of its numbers per bin, of its fractions and of its
    cells.

    Fewer than five numbers define no range: the range is then that of four-digit numbers, or empty
    if the column has many other cells.
    """
    total = sum(bins.values())
    if total < max(LEAST, RARE * cells):
        return Range() if cells < MANY else Range(0.0, 0.0)
    own = [_bin_middle(place) for place, n in bins.items() if n >= max(LEAST, TRIMMED * total)]
    if total >= MANY and not fractions and (reach := _scale(bins, total)):
        return _with_harmless(-reach, reach, whole=True)
    share = TRIMMED if total >= MANY else 0.25
    least, middle, most = _quantiles(bins, total, (share, 0.5, 1 - share))
    high = max([_beyond(most, middle), most * FACTOR, *(size * (1 + BIN_MARGIN) for size in own)])
    if total < MANY:
        high = max(high, FEW_LIMIT)
    # A negative number (a day before the first, a deficit) is not an identifier.
    low = min(-_beyond(-least, -middle), -high)
    return _with_harmless(low, high, whole=fractions < 0.8 * total)


def _with_harmless(low: float, high: float, *, whole: bool) -> Range:
    """The range, extended by numbers that are too small for an age over 89 or a number of a person.
    For example, a seventh visit is rare but does not identify a person.
    """
    return Range(min(low, -OLDEST_AGE), max(high, OLDEST_AGE), whole, is_known=True)


def _scale(bins: Mapping[int, int], total: int) -> float:
    """The largest value of a scale with few grades; 0 if the numbers are not grades."""
    own = {place: n for place, n in bins.items() if n >= max(LEAST, SUPPORTED * total)}
    largest = max((abs(_bin_middle(place)) for place in own), default=0.0)
    whole = sum(own.values()) >= NEARLY_ALL * total
    return float(largest * GRADED) if whole and 0 < largest <= LARGEST_GRADE else 0.0


def _beyond(end: float, middle: float) -> float:
    """Return how far above `end` a number of the column may lie."""
    reach = end + SPANS * (end - middle) + BIN_MARGIN * abs(end)
    if end < SKEWED or middle <= 0:
        return reach
    ratio: float = (end / middle) ** 1.5
    return max(reach, end * min(ratio, LARGEST_RATIO))


def _quantiles(
    bins: Mapping[int, int], total: int, shares: Iterable[float]
) -> tuple[float, float, float]:
    found = []
    for share in shares:
        rank, seen = share * (total - 1), 0
        for place in sorted(bins):
            seen += bins[place]
            if seen > rank:
                found.append(_bin_middle(place))
                break
    low, middle, high = found
    return low, middle, high


def _bin_middle(place: int) -> float:
    """The middle of a bin."""
    if place == 0:
        return 0.0
    size: float = 2.0 ** ((abs(place) - _OFFSET + 0.5) / BINS_PER_OCTAVE)
    return size if place > 0 else -size


def histogram(numbers: Iterable[float]) -> Counter[int]:
    """The number of values in each bin."""
    return Counter(map(bin_of, numbers))
