"""A pending write to a crosswalk."""

from __future__ import annotations

from collections import Counter
from typing import Any

from deid.crosswalk.audit.proofs import unpacked_weight
from deid.crosswalk.stores.stored_rows import BookState


class WriteBatch:
    """The audit events of one write, and their effect on the book."""

    def __init__(self, state: BookState) -> None:
        self.state = state
        self.weight = unpacked_weight(state.head.weight)
        self.changes = 0
        self.broken = False
        self._events: list[dict[str, Any]] = []
        self._given: Counter[str] = Counter()

    def record_event(self, event: str, *, change: bool, **details: Any) -> None:
        """Record an event. `change` says whether it changes the book."""
        self._events.append({"event": event, **details})
        self.changes += change

    def record_entries(self, kind: str, count: int, weight: int) -> None:
        """Record new entries; all entries of one write are one batch."""
        self.changes += not self._given
        self._given[kind] += count
        self.weight += weight

    @property
    def events(self) -> list[dict[str, Any]]:
        """All recorded events."""
        batch = [{"event": "allocate", "entries": dict(self._given)}] if self._given else []
        return batch + self._events
