"""Limits of one request.

A larger request is refused, because a partial answer would look complete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from anyio import CapacityLimiter, to_thread

from deid.serving import REQUEST_CHARACTERS

Result = TypeVar("Result")
STEPS_PER_MATCH = 500
"""Steps that each match costs in addition to the search."""
LETTERS_PER_WORD = 20
"""Average characters per word."""


class BadRequest(Exception):
    """The request is invalid; the code says why, with its HTTP status.

    `key` is the key at fault. It is "" for a key that this interface does not define, because such
    a key may be a value.
    """

    def __init__(self, code: str, status: int = 400, key: str = "") -> None:
        super().__init__(code)
        self.code, self.status, self.key = code, status, key


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """The limits. The search takes about 70 seconds per million characters.

    `characters` counts the characters of all texts of a request, and `results` counts the results
    given to `/anonymize` or found by `/analyze`. `expression` is the longest pattern or operator
    parameter. `words` counts the words of `allow_list` and `deny_list`. `steps` are instructions of
    patterns times characters of text. Two limits keep the answer small, because results repeat
    parts of the request. `name` is the longest name of a type, recognizer or pattern. `replaced`
    limits the number of results of `/anonymize` times the length of its longest parameter. The
    service holds at most `waiting` requests at once, as long as their bodies fit into `held` bytes.
    """

    characters: int = REQUEST_CHARACTERS
    texts: int = 1_000
    results: int = 10_000
    patterns: int = 100
    expression: int = 2_000
    words: int = 5_000
    name: int = 100
    replaced: int = 2_000_000
    steps: int = 200_000_000
    waiting: int = 512

    @property
    def body(self) -> int:
        """The largest body in bytes, for the longest escapes and explained results."""
        return (8 << 20) + 12 * self.characters

    @property
    def held(self) -> int:
        """The most bytes of the bodies of all requests in the service."""
        return 32 * self.body

    def check(self, count: int, most: int, what: str) -> None:
        """Raise `BadRequest` (413): `WHAT-too-many` or, for lengths, `WHAT-too-long`."""
        if count > most:
            long = what in ("text", "expression", "parameter", "name", "answer")
            raise BadRequest(f"{what}-too-{'long' if long else 'many'}", 413)


@dataclass(slots=True)
class PatternBudget:
    """The remaining steps of a request."""

    left: int

    def spend(self, steps: int) -> None:
        """Spend steps; raise `BadRequest` (`patterns-too-costly`, 413) if none are left."""
        self.left -= steps
        if self.left < 0:
            raise BadRequest("patterns-too-costly", 413)


class RequestQueue:
    """Runs `working` requests at once; `waiting` is the most that may run or wait.

    Besides this, a search waits for a free processor.
    """

    def __init__(self, waiting: int, held: int, working: int) -> None:
        self._waiting, self._inside = waiting, 0
        self._most, self._held = held, 0
        self._working = working

    @contextmanager
    def admit(self) -> Iterator[Callable[[int], None]]:
        """Admit a request. The caller passes the size of each piece read to the yielded function.

        Raises `BadRequest` (`busy`, 503) if the service holds too many requests or bytes.
        """
        if self._inside >= self._waiting:
            raise BadRequest("busy", 503)
        own = 0

        def hold(size: int) -> None:
            nonlocal own
            if self._held + size > self._most:
                raise BadRequest("busy", 503)
            self._held += size
            own += size

        self._inside += 1
        try:
            yield hold
        finally:
            self._inside -= 1
            self._held -= own

    @cached_property
    def _threads(self) -> CapacityLimiter:
        """The limit on threads, created in the event loop that first uses it."""
        return CapacityLimiter(self._working)

    async def work(self, call: Callable[[], Result]) -> Result:
        """Run the call in a thread as soon as one is free."""
        return await to_thread.run_sync(call, limiter=self._threads)
