"""Searches texts of concurrent requests together: one run of the network reads many of them."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from deid.text.scrubber import TextFinder
from recognizers import Finding

MOST_TEXTS = 16
MOST_CHARACTERS = 32_000
"""The largest size of a batch. A call with more text is a batch by itself."""


def requests_at_work(workers: int) -> int:
    """The number of one-text requests that fill one batch per worker and one waiting batch.

    >>> requests_at_work(2)
    48
    """
    return MOST_TEXTS * (workers + 1)


@dataclass(eq=False, slots=True)
class _Call:
    """One call: its texts, and what was found or raised."""

    texts: Sequence[str] = field(repr=False)
    found: list[tuple[Finding, ...]] | None = field(default=None, repr=False)
    fault: Exception | None = None

    @property
    def done(self) -> bool:
        return self.found is not None or self.fault is not None


class BatchedFinder:
    """A finder for many threads. At most `workers` threads search at once.

    A call that finds a free worker searches at once, together with the waiting calls. Texts are
    searched independently, so each call gets the same findings as alone. If a batch fails, its
    calls are searched one by one, so that a faulty text makes only its own request fail.
    """

    def __init__(self, finder: TextFinder, workers: int) -> None:
        self._finder, self._free = finder, workers
        self._waiting: deque[_Call] = deque()
        self._changed = threading.Condition()

    def __repr__(self) -> str:
        return f"BatchedFinder({self._free} workers free)"

    def find_all(self, texts: Sequence[str]) -> list[tuple[Finding, ...]]:
        """The findings of each text."""
        own = _Call(texts)
        with self._changed:
            self._waiting.append(own)
        while (batch := self._take(own)) is not None:
            try:
                self._search(batch)
            finally:
                with self._changed:
                    for call in batch:
                        if not call.done:
                            call.fault = RuntimeError("the search was ended")
                    self._free += 1
                    self._changed.notify_all()
        if own.fault is not None:
            raise own.fault
        assert own.found is not None
        return own.found

    def _take(self, own: _Call) -> list[_Call] | None:
        """Wait for a worker and take a batch of waiting calls; None once `own` is answered."""
        with self._changed:
            self._changed.wait_for(lambda: own.done or (self._free > 0 and own in self._waiting))
            if own.done:
                return None
            self._free -= 1
            batch = [self._waiting.popleft()]
            texts, characters = _call_size(batch[0])
            while self._waiting:
                more, longer = _call_size(self._waiting[0])
                texts, characters = texts + more, characters + longer
                if texts > MOST_TEXTS or characters > MOST_CHARACTERS:
                    break
                batch.append(self._waiting.popleft())
            return batch

    def _search(self, batch: Sequence[_Call]) -> None:
        try:
            found = iter(self._finder.find_all([text for call in batch for text in call.texts]))
            for call in batch:
                call.found = [next(found) for _ in call.texts]
        except Exception as fault:
            if len(batch) == 1:
                batch[0].found, batch[0].fault = None, fault
                return
            for call in batch:
                call.found = None
                self._search([call])


def _call_size(call: _Call) -> tuple[int, int]:
    return len(call.texts), sum(map(len, call.texts))
