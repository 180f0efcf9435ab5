"""Where expressions match in a text. All expressions are RE2 (linear time) on ASCII bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple, TypeVar

import re2

from recognizers.evidence.prefilter import PREFILTER, options
from recognizers.text.normalized_text import NormalizedText

ANYWHERE, NOWHERE = re2._Anchor.UNANCHORED, (-1, -1)
PROGRAM_MEMORY = 32 << 20


class Hit(NamedTuple):
    """A match of a row or function, in offsets of the normalized text; `rule` is the row's name."""

    start: int
    end: int
    entity: str
    score: float
    rule: str


@cache
def compiled(regex: str) -> tuple[Any, int]:
    """The search function of an expression, and the group that holds the value (0: the match)."""
    program = re2.compile(regex.encode("ascii"), options(PROGRAM_MEMORY))
    PREFILTER.add(regex)
    # re2's Python wrapper takes more time than the search itself.
    return program._regexp.Match, 1 if program.groups else 0


NONE: Iterator[tuple[int, int]] = iter(())


def matches(regex: str, page: NormalizedText) -> Iterator[tuple[int, int]]:
    """The spans of the first group, or of the whole match if there is no group."""
    return NONE if regex in page.absent else spans(regex, page)


E = TypeVar("E", str, tuple[Any, ...])


def present(table: Iterable[E], page: NormalizedText) -> list[E]:
    """Return the entries whose expression may be in the page; in a tuple it is the first item."""
    absent = page.absent
    if not absent:
        return list(table)
    return [e for e in table if (e if isinstance(e, str) else e[0]) not in absent]


def spans(regex: str, page: NormalizedText) -> Iterator[tuple[int, int]]:
    search, group = compiled(regex)
    data, at = page.data, 0
    last = len(data)
    while at <= last:
        found = search(ANYWHERE, data, at, last)
        if found[0] == NOWHERE:
            return
        start, end = found[group]
        if start < end:
            yield start, end
        at = found[0][1] + (found[0][1] == at)


def adjoined(text: str, end: int, spec: str) -> bool:
    """Whether a character of the class `spec` follows; `.`, `-` and `/` need a letter or digit
    next.
    """
    if end >= len(text) or text[end] not in expanded(spec):
        return False
    return text[end] not in ".-/" or text[end + 1 : end + 2].isalnum()


@cache
def expanded(spec: str) -> frozenset[str]:
    """The characters of a class such as `0-9A-Z.`."""
    return frozenset(c for c in map(chr, range(128)) if re.match(f"[{spec}]", c))
