"""One write in the making."""

from __future__ import annotations

from collections import Counter
from typing import Any

from deid.crosswalk.audit.proofs import unpacked_weight
from deid.crosswalk.stores.contract import BookState


class WriteBatch:
    """What is to be told to the audit, and what it does to the book."""

    def __init__(self, state: BookState) -> None:
        self.state = state
        self.weight = unpacked_weight(state.head.weight)
        self.changes = 0
        self.broken = False
        self._events: list[dict[str, Any]] = []
        self._given: Counter[str] = Counter()

    def tell(self, event: str, *, change: bool, **details: Any) -> None:
        """Note an event. `change` says that the book is another one after it."""
        self._events.append({"event": event, **details})
        self.changes += change

    def give(self, kind: str, count: int, weight: int) -> None:
        """Note new entries; all of one write are one batch."""
        self.changes += not self._given
        self._given[kind] += count
        self.weight += weight

    @property
    def events(self) -> list[dict[str, Any]]:
        """All that was noted."""
        batch = [{"event": "allocate", "entries": dict(self._given)}] if self._given else []
        return batch + self._events
