"""Which of many patterns are in a text at all: one pass over it for a whole group of them.

Few of the rules' patterns are in any one text, and to ask each by itself takes a pass each.
The same of a short value: which of many shapes it has.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any

import re2

GROUP = 16
MEMORY = 16 << 20
# In every text but the empty one: a group that does not find it ran out of memory.
ALWAYS = r"(?s)\A."
ANYTHING = r"(?s).*"


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
    """Patterns in groups of `GROUP`; those of a group that is not full yet may be in any text."""

    def __init__(self) -> None:
        self._full: list[tuple[Any, list[str]]] = []
        self._waiting: list[str] = []
        self._lock = Lock()

    def add(self, regex: str) -> int:
        """The number of the group in which the pattern will be asked for."""
        with self._lock:
            number = len(self._full)
            self._waiting.append(regex)
            if len(self._waiting) == GROUP:
                self._full.append((group(self._waiting), self._waiting))
                self._waiting = []
        return number

    @property
    def full(self) -> int:
        """How many groups are full."""
        return len(self._full)

    def absent(self, number: int, data: bytes) -> set[str]:
        """The patterns of a group that are not in the text: none where that is not known."""
        if number >= len(self._full):
            return set()
        asked, patterns = self._full[number]
        found = asked.Match(data) or ()
        if 0 not in found:
            return set()
        return set(patterns).difference([patterns[place - 1] for place in found if place])


def group(regexes: list[str]) -> Any:
    made = re2.Set.SearchSet(options(MEMORY))
    for regex in (ALWAYS, *regexes):
        made.Add(regex.encode("ascii"))
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
