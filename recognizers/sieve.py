"""Which of many patterns are in a text at all: one pass over it for a whole group of them.

Few of the rules' patterns are in any one text, and to ask each by itself takes a pass each. The same
of a short value: which of many shapes it has.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any

import re2

GROUP = 16
MEMORY = 16 << 20
# In every text but the empty one: a group that does not find it ran out of memory.
ALWAYS = rb"(?s)\A."
ANYTHING = r"(?s).*"

Place = tuple[int, int]


def options(memory: int) -> Any:
    """ASCII bytes, one a character, and no message that could show a text."""
    made = silent(memory)
    made.encoding = re2.Options.Encoding.LATIN1
    return made


def silent(memory: int) -> Any:
    made = re2.Options()
    made.max_mem = memory
    made.log_errors = False
    return made


class Sieve:
    """Patterns in groups of `GROUP`; those of a group that is not full yet are in any text."""

    def __init__(self) -> None:
        self._full: list[Any] = []
        self._waiting: list[bytes] = []
        self._lock = Lock()

    def add(self, regex: bytes) -> Place:
        """Where the pattern will be asked for: its group, its number there."""
        with self._lock:
            place = len(self._full), len(self._waiting) + 1
            self._waiting.append(regex)
            if len(self._waiting) == GROUP:
                self._full.append(group(self._waiting))
                self._waiting = []
        return place

    @property
    def full(self) -> int:
        """How many groups are full."""
        return len(self._full)

    def found(self, number: int, data: bytes) -> frozenset[int] | None:
        """The numbers of a group's patterns that are in the text; None where that is not known."""
        if number >= len(self._full):
            return None
        numbers = frozenset(self._full[number].Match(data) or ())
        return numbers if 0 in numbers else None


def group(regexes: list[bytes]) -> Any:
    made = re2.Set.SearchSet(options(MEMORY))
    for regex in (ALWAYS, *regexes):
        made.Add(regex)
    made.Compile()
    return made


class Shapes:
    """Which of many expressions, none of which looks around, match all of a value."""

    def __init__(self, expressions: Sequence[str]) -> None:
        self._every = list(range(len(expressions)))
        self._set = re2.Set.FullMatchSet(silent(MEMORY))
        for expression in (*expressions, ANYTHING):
            self._set.Add(expression)
        self._set.Compile()

    def of(self, value: str) -> list[int]:
        """Their numbers in order; all of them where that is not known."""
        found = self._set.Match(value) or ()
        return sorted(found)[:-1] if len(self._every) in found else self._every
