"""Which of many patterns are in a text at all: one pass over it for a whole group of them.

Few of the rules' patterns are in any one text, and to ask each by itself takes a pass each.
"""

from __future__ import annotations

from threading import Lock
from typing import Any

import re2

GROUP = 32
MEMORY = 16 << 20
# In every text but the empty one: a group that does not find it ran out of memory.
ALWAYS = b"(?s)."

Place = tuple[int, int]


def options(memory: int) -> Any:
    """ASCII bytes, one a character, and no message that could show a text."""
    made = re2.Options()
    made.encoding = re2.Options.Encoding.LATIN1
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
