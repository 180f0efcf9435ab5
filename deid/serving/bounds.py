"""How much one request may ask for. More is refused as a whole: half an answer looks complete."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool

Result = TypeVar("Result")
STEPS_PER_MATCH = 500
"""Steps that a match costs beside the search for it."""
LETTERS_PER_WORD = 20
"""Characters of a word, on average."""


class BadRequest(Exception):
    """The request is not what the endpoint takes; the code says why, with its HTTP status."""

    def __init__(self, code: str, status: int = 400) -> None:
        super().__init__(code)
        self.code, self.status = code, status


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """Most of everything. Text is found in at some 70 seconds a million characters.

    `characters` counts all texts of a request, `results` those given to `/anonymize` or found by
    `/analyze`; `expression` is the longest pattern or operator parameter, `words` counts those of
    `allow_list` and `deny_list`. `steps` are instructions of patterns times characters of text.
    """

    characters: int = 200_000
    texts: int = 1_000
    results: int = 10_000
    patterns: int = 100
    expression: int = 2_000
    words: int = 5_000
    steps: int = 200_000_000
    waiting: int = 32

    @property
    def body(self) -> int:
        """Bytes of a body: a character in its longest escape, and results with explanations."""
        return (8 << 20) + 12 * self.characters

    def check(self, count: int, most: int, what: str) -> None:
        """Raises `BadRequest` (`WHAT-too-many` or, of characters, `WHAT-too-long`; 413)."""
        if count > most:
            long = what in ("text", "expression", "parameter")
            raise BadRequest(f"{what}-too-{'long' if long else 'many'}", 413)


@dataclass(slots=True)
class PatternBudget:
    """What is left of a request's steps."""

    left: int

    def spend(self, steps: int) -> None:
        """Raises `BadRequest` (`patterns-too-costly`, 413) once there is nothing left."""
        self.left -= steps
        if self.left < 0:
            raise BadRequest("patterns-too-costly", 413)


class RequestQueue:
    """Requests that are worked, as many at once as there are processors, and those that wait."""

    def __init__(self, waiting: int) -> None:
        self._waiting, self._inside = waiting, 0
        self._working = asyncio.Semaphore(os.cpu_count() or 1)

    def __enter__(self) -> None:
        """Raises `BadRequest` (`busy`, 503) where too many wait."""
        if self._inside >= self._waiting:
            raise BadRequest("busy", 503)
        self._inside += 1

    def __exit__(self, *raised: object) -> None:
        self._inside -= 1

    async def work(self, call: Callable[..., Result], *arguments: Any) -> Result:
        """Call in a thread, when it is this request's turn."""
        async with self._working:
            return await run_in_threadpool(call, *arguments)
