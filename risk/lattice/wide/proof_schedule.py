"""When a search for constraints stops to prove a bound, and which bound."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

#: Constraints before the first proof, and how many more before each next one.
_FIRST_DUE, _GROWTH = 60, 2.5
#: The proofs of a bound at the end, each as long as the longest of the last ones.
_LONGER = 3.0
#: The most of the time that is kept for proofs, and the least.
_MOST_KEPT, _LEAST_KEPT = 0.5, 0.12
#: Draws without a node before dearer nodes are drawn.
_MOST_MISSED = 8
#: The share of what is unproven below which the least loss itself is asked for.
_CLOSE = 0.03
#: How much of what is left above a bound that failed is hoped for once there are more constraints.
_HOPE = 0.4
#: The share of the time left that one proof may take; its seconds without a time limit.
_SHARE, _PROOF_SECONDS = 0.6, 5.0


class ProofSchedule:
    """Learning and proving take turns; the last part of the time is for proofs."""

    def __init__(self, seconds_left: Callable[[], float]) -> None:
        self.seconds_left = seconds_left
        self.whole = self.started = seconds_left()
        self.kept = _LEAST_KEPT * self.whole
        self.due = self.at = float(_FIRST_DUE)
        self.longest = 0.0
        self.reach, self.missed = 0.5, 0
        self.ceiling, self.asked = inf, 0.0

    def is_due(self, constraints: int) -> bool:
        """Whether to prove now: enough has been learned since, there is nothing to learn from, or
        the time is short."""
        kept = min(_MOST_KEPT * self.whole, self.kept * max(1.0, constraints / self.at))
        short = self.whole < inf and self.seconds_left() < kept
        return short or constraints >= self.due or self.reach > 1 - _CLOSE

    def aim(self, low: float, high: float) -> float:
        """The loss of the nodes to learn from, between the lower bound and the best."""
        return low + self.reach * (high - low)

    def drawn(self, found: bool) -> None:
        """Whether there was such a node; after some without one, dearer nodes are next."""
        self.missed = 0 if found else self.missed + 1
        if self.missed >= _MOST_MISSED:
            self.reach, self.missed = self.reach + 0.03 * (1 - self.reach), 0

    def target(self, low: float, high: float) -> float | None:
        """The bound to prove, halfway to the last one that was not; None if the least loss itself
        is close."""
        self.started = self.seconds_left()
        ceiling = min(high, self.ceiling)
        self.asked = (low + ceiling) / 2
        if ceiling - low <= _CLOSE * abs(high):
            self.ceiling = inf
            return None
        return self.asked

    def seconds(self) -> float:
        """The most seconds of a proof; another one may follow."""
        return _PROOF_SECONDS if self.whole == inf else max(0.1, _SHARE * self.seconds_left())

    def tried(self, constraints: int, high: float, *, raised: bool) -> None:
        """After a proof: more constraints may raise the bound above the one that failed."""
        spent = self.started - self.seconds_left() if self.whole < inf else 0.0
        if not raised:
            self.ceiling = self.asked
        if constraints >= self.due:
            self.due = _GROWTH * constraints
            self.ceiling = min(high, self.ceiling)
            self.ceiling += _HOPE * (high - self.ceiling)
        self.reach = min(self.reach, 1 - 2 * _CLOSE)
        if self.whole < inf:
            longest = max(spent, self.longest) if constraints < _GROWTH * self.at else spent
            self.longest, self.at = longest, max(1.0, constraints)
            self.kept = max(_LEAST_KEPT * self.whole, _LONGER * longest)
