"""Which of many patterns are in a text at all: one pass over it for a whole group of them.

Few of the rules' patterns are in any one text, and to ask each by itself takes a pass each.
Patterns that begin alike share a group: together they come to fewer states of the automaton.
The same of a short value: which of many shapes it has.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any

import re2

from recognizers.text.normalized_text import NormalizedText

GROUP = 12
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


class Prefilter:
    """Expressions in groups of `GROUP`; those in no group yet may be in any text."""

    def __init__(self) -> None:
        self._groups: list[tuple[Any, list[str]]] = []
        self._grouped: set[str] = set()
        self._waiting: set[str] = set()
        self._lock = Lock()

    def add(self, regex: str) -> None:
        """Take in an expression, which stands in a group once they are gathered."""
        with self._lock:
            if regex not in self._grouped:
                self._waiting.add(regex)

    def gather(self, least: int = GROUP) -> None:
        """Put the expressions that wait into groups of `least` or more."""
        with self._lock:
            waiting = sorted(self._waiting)
            for start in range(0, len(waiting) - least + 1, GROUP):
                regexes = waiting[start : start + GROUP]
                self._groups.append((group(regexes), regexes))
                self._grouped.update(regexes)
                self._waiting.difference_update(regexes)

    def __len__(self) -> int:
        return len(self._groups)

    def ask(self, pages: Sequence[NormalizedText]) -> None:
        """Tell each page which expressions are not in it.

        A group goes through all pages before the next begins, so its automaton stays in the cache.
        """
        for asked, regexes in self._groups:
            for page in pages:
                found = asked.Match(page.data)
                if found and 0 in found:
                    places = set(found)
                    page.absent.update(
                        [r for place, r in enumerate(regexes, 1) if place not in places]
                    )


PREFILTER = Prefilter()


def group(regexes: list[str]) -> Any:
    """One automaton for all of them; 0 is the number of `ALWAYS`."""
    made = re2.Set.SearchSet(options(MEMORY))
    for regex in (ALWAYS, *regexes):
        made.Add(regex.encode("ascii"))
    made.Compile()
    # The wrapper round its match costs a call.
    return made._set


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
