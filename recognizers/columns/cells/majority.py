"""The cells of a column that agree, without the few cells that deviate.

A column is judged by what nearly all of its cells have in common: a handful of names does not make
a column of grades a column of names. The deviating cells are blanked one by one later.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

LEAST_ROWS, NEARLY_ALL = 20, 0.9
# A common value is in at least this many rows and at least this share of the rows.
LEAST_TIMES, LEAST_SHARE = 3, 0.005
_NUMBER_OR_SHARE = re.compile(
    r"[<>=~≤≥]{0,2}\s*[-+]?\$?\d{1,3}(?:,\d{3})*(?:\.\d+)?%?|[-+]?\d*\.?\d+"
)
_LETTERS, _DIGITS = re.compile(r"[^\W\d_]+"), re.compile(r"\d+")


def majorities(seen: Sequence[str]) -> Iterator[list[str]]:
    """Yield the agreeing cells for each way in which nearly all, but not all, cells agree.

    Cells agree if all are frequent values, if all are numbers, or if all have the same pattern of
    runs of letters and digits.
    """
    if len(seen) < LEAST_ROWS:
        return
    times = Counter(value.casefold() for value in seen)
    least = max(LEAST_TIMES, LEAST_SHARE * len(seen))
    common = [value for value in seen if times[value.casefold()] >= least]
    builds = Counter(map(_build, seen))
    build = builds.most_common(1)[0][0]
    numbers = [value for value in seen if _NUMBER_OR_SHARE.fullmatch(value)]
    alike = [value for value in seen if _build(value) == build and any(map(str.isdigit, value))]
    for agreeing in (common, numbers, alike):
        if NEARLY_ALL * len(seen) <= len(agreeing) < len(seen):
            yield agreeing


def _build(value: str) -> str:
    return _DIGITS.sub("9", _LETTERS.sub("A", value))
