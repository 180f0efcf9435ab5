"""Which of many patterns may match in a text, found in one pass for each group of patterns.

Few of the rules' patterns match in any one text, so a separate search for each pattern would waste
a pass over the text for most of them. Patterns that begin alike share a group, whose automaton then
has fewer states. `Shapes` does the same for a short value: it finds which of many shapes the value
has.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any

import re2

from recognizers.text.normalized_text import NormalizedText

GROUP = 12
MEMORY = 16 << 20
# Matches every text except the empty one: a group that does not find it ran out of memory.
ALWAYS = r"(?s)\A."
ANYTHING = r"(?s).*"


def options(memory: int) -> Any:
    """Options for one byte per character, without log messages, which could show a text."""
    made = silent(memory)
    made.encoding = re2.Options.Encoding.LATIN1
    return made


def silent(memory: int) -> Any:
    made = re2.Options()
    made.max_mem = memory
    made.log_errors = False
    return made


class Prefilter:
    """Expressions in groups of `GROUP`; an expression not yet in a group may match in any text."""

    def __init__(self) -> None:
        self._groups: list[tuple[Any, list[str]]] = []
        self._grouped: set[str] = set()
        self._waiting: set[str] = set()
        self._lock = Lock()

    def add(self, regex: str) -> None:
        """Add an expression, which `gather` will put into a group."""
        with self._lock:
            if regex not in self._grouped:
                self._waiting.add(regex)

    def gather(self, least: int = GROUP) -> None:
        """Put the waiting expressions into groups; fewer than `least` left over keep waiting."""
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
        """Record in each page the expressions that do not match in it.

        Each group searches all pages before the next does, so its automaton stays in the cache.
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
    """Compile all the expressions into one automaton; number 0 is `ALWAYS`."""
    made = re2.Set.SearchSet(options(MEMORY))
    for regex in (ALWAYS, *regexes):
        made.Add(regex.encode("ascii"))
    made.Compile()
    # The bare set, because re2's wrapper costs one more call per match.
    return made._set


class Shapes:
    """Finds which of many expressions match a whole value; none may have look-around."""

    def __init__(self, expressions: Sequence[str]) -> None:
        self._every = list(range(len(expressions)))
        self._set = re2.Set.FullMatchSet(silent(MEMORY))
        for expression in (*expressions, ANYTHING):
            self._set.Add(expression)
        self._set.Compile()

    def of(self, value: str) -> list[int]:
        """The numbers of the matching expressions in order, or all numbers if memory ran out."""
        found = self._set.Match(value) or ()
        return sorted(found)[:-1] if len(self._every) in found else self._every
