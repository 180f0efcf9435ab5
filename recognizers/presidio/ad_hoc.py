"""Patterns and lists of words given with a request; their entity type may be unknown to us."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import re2

# As Presidio reads patterns: `.` is any character, `^` begins a line, letter case is ignored.
EXPRESSION_FLAGS = "(?ism)"
EXPRESSION_MEMORY = 1 << 20


@dataclass(frozen=True, slots=True)
class AdHocPattern:
    """A regular expression of RE2 (linear time) and the entity that it finds.

    With `whole`, a match must not begin or end within a word. Raises ValueError, without quoting
    the expression, if RE2 cannot read it.

    >>> AdHocPattern("TICKET", "desk", r"t-[0-9]+", 0.8).find("See T-17.")
    [(4, 8)]
    """

    entity: str
    source: str
    regex: str = field(repr=False)
    score: float
    name: str = ""
    whole: bool = False

    def __post_init__(self) -> None:
        compile_expression(self.regex)

    @classmethod
    def of_words(cls, entity: str, source: str, words: Sequence[str], score: float) -> AdHocPattern:
        """The pattern of a list of words, the longest first, each matched as a whole word."""
        longest = sorted(filter(None, words), key=len, reverse=True)
        regex = "|".join(map(re2.escape, longest))
        return cls(entity, source, regex, score, "deny_list", whole=True)

    @property
    def steps(self) -> int:
        """The instructions of the compiled expression; at worst, each is run at each byte."""
        return int(compile_expression(self.regex).programsize)

    def find(self, text: str, on_match: Callable[[], None] = lambda: None) -> list[tuple[int, int]]:
        """Half-open spans in code points of the text, in order.

        `on_match` is called at every match, even an empty one, and may raise to stop the search.
        """
        found = []
        for match in compile_expression(self.regex).finditer(text):
            on_match()
            start, end = match.span()
            if start < end and (not self.whole or stands_alone(text, start, end)):
                found.append((start, end))
        return found


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether no letter, digit or underscore adjoins the span."""
    around = text[max(0, start - 1) : start] + text[end : end + 1]
    return not any(c.isalnum() or c == "_" for c in around)


@lru_cache(maxsize=64)
def compile_expression(regex: str) -> Any:
    options = re2.Options()
    options.max_mem = EXPRESSION_MEMORY
    options.log_errors = False
    try:
        return re2.compile(EXPRESSION_FLAGS + regex, options)
    except re2.error:
        raise ValueError("not a regular expression of RE2") from None
