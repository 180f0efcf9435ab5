"""Many spans of a text, asked whether they overlap another one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

from recognizers.finding import Finding


class Cover:
    """Asks in logarithmic time whether any of many spans overlaps one."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        spans = sorted((f.start, f.end) for f in findings)
        self.starts = [start for start, _ in spans]
        self.reach = list(accumulate((end for _, end in spans), max))

    def touches(self, start: int, end: int) -> bool:
        place = bisect_left(self.starts, end) - 1
        return place >= 0 and self.reach[place] > start
