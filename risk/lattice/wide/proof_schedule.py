"""The schedule of a wide search.

It decides when the search stops looking for constraints to prove a lower bound, and which bound it
tries to prove.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

#: The number of constraints before the first proof, and the factor by which it grows for each later
#: proof.
_FIRST_DUE, _GROWTH = 60, 2.5
#: The time kept at the end, as a multiple of the longest recent proof.
_LONGER = 3.0
#: The largest and the smallest share of the time that is kept for proofs.
_MOST_KEPT, _LEAST_KEPT = 0.5, 0.12
#: After this many draws without a node, nodes of greater loss are drawn.
_MOST_MISSED = 8
#: If the unproven gap is at most this share of the loss, the next proof looks for the least loss
#: itself.
_CLOSE = 0.03
#: Once there are more constraints, the highest target rises by this share of the distance from the
#: failed bound to the best loss.
_HOPE = 0.4
#: The share of the remaining time that one proof may take, and its seconds if there is no time
#: limit.
_SHARE, _PROOF_SECONDS = 0.6, 5.0


class ProofSchedule:
    """Decides when to search for constraints and when to try a proof.

    The last part of the time is kept for proofs.
    """

    def __init__(self, seconds_left: Callable[[], float]) -> None:
        self.seconds_left = seconds_left
        self.whole = self.started = seconds_left()
        self.kept = _LEAST_KEPT * self.whole
        self.due = self.at = float(_FIRST_DUE)
        self.longest = 0.0
        self.reach, self.missed = 0.5, 0
        self.ceiling, self.asked = inf, 0.0

    def is_due(self, constraints: int) -> bool:
        """Whether to try a proof now.

        This is so if there are enough new constraints, no more nodes to learn from, or little time.
        """
        kept = min(_MOST_KEPT * self.whole, self.kept * max(1.0, constraints / self.at))
        short = self.whole < inf and self.seconds_left() < kept
        return short or constraints >= self.due or self.reach > 1 - _CLOSE

    def aim(self, low: float, high: float) -> float:
        """The largest loss of the nodes to draw next, between the lower bound and the best loss."""
        return low + self.reach * (high - low)

    def drawn(self, found: bool) -> None:
        """Record whether a draw found a node.

        After several draws without one, nodes of greater loss are drawn.
        """
        self.missed = 0 if found else self.missed + 1
        if self.missed >= _MOST_MISSED:
            self.reach, self.missed = self.reach + 0.03 * (1 - self.reach), 0

    def target(self, low: float, high: float) -> float | None:
        """Return the bound to prove, halfway from the proven bound to the last one that could not
        be proven.

        The result is None if the gap is so small that the least loss itself should be computed.
        """
        self.started = self.seconds_left()
        ceiling = min(high, self.ceiling)
        self.asked = (low + ceiling) / 2
        if ceiling - low <= _CLOSE * abs(high):
            self.ceiling = inf
            return None
        return self.asked

    def seconds(self) -> float:
        """The time limit of one proof in seconds; it leaves time for another proof."""
        return _PROOF_SECONDS if self.whole == inf else max(0.1, _SHARE * self.seconds_left())

    def tried(self, constraints: int, high: float, *, raised: bool) -> None:
        """Record the result of a proof.

        Once there are more constraints, a bound above the one that failed may be tried.
        """
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
