"""Where expressions match in a text. All expressions are RE2 (linear time) on ASCII bytes.

Few of the expressions match in any one text, so a separate search for each would waste a pass over
the text for most of them. The prefilter finds which expressions may match, in one pass for each
group of expressions. Expressions that begin alike share a group, whose automaton then has fewer
states.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from threading import Lock
from typing import Any, NamedTuple, Protocol

import re2

from recognizers.constants import constant_group
from recognizers.text.normalized_text import NormalizedText

ANYWHERE, NOWHERE = re2._Anchor.UNANCHORED, (-1, -1)
LATIN1, UTF8 = re2.Options.Encoding.LATIN1, re2.Options.Encoding.UTF8
PROGRAM_MEMORY, GROUP_MEMORY, AD_HOC_MEMORY = 32 << 20, 16 << 20, 1 << 20
GROUP = 12
# Matches every text except the empty one: a group that does not find it ran out of memory.
ALWAYS = r"(?s)\A."
NEVER = -1.0
# The strength of evidence that looks like an identifier but is not one.
AGAINST = 0.0
# The strengths of what functions see, by their rules.
STRENGTHS = constant_group("strengths")


class Seen(NamedTuple):
    """`row` found an entity from `start` to `end`, in code points.

    `strength` is the row's own score, `AGAINST` (0) to 1. `NEVER` excludes the span as an
    identifier, regardless of other evidence. The offsets that a rule returns are those of the
    normalized text; `Rules.search` returns offsets in the text as read.
    """

    start: int
    end: int
    entity: str
    strength: float
    row: str

    @property
    def table(self) -> str:
        """The table of the row."""
        return self.row.partition("/")[0]


Search = Callable[[NormalizedText], Iterable[Seen]]


class TextRule(Protocol):
    """A row of a table, or a function with the expressions that it searches for."""

    @property
    def expressions(self) -> Iterable[str]:
        """The rule finds nothing in a text in which none of them matches; empty if unknown."""

    def hits(self, page: NormalizedText, /) -> Iterable[Seen]:
        """What the rule sees in a text."""


class Prefilter:
    """Expressions in groups of `GROUP`; an expression not yet in a group may match in any text."""

    def __init__(self) -> None:
        self._groups: list[tuple[Any, list[str]]] = []
        self._grouped: frozenset[str] = frozenset()
        self._waiting: set[str] = set()
        self._lock = Lock()

    def add(self, regex: str) -> None:
        """Add an expression, which `gather` will put into a group."""
        with self._lock:
            if regex not in self._grouped:
                self._waiting.add(regex)

    def gather(self, least: int = GROUP) -> None:
        """Put the waiting expressions into groups; fewer than `least` left over keep waiting."""
        if len(self._waiting) < least:
            return
        with self._lock:
            waiting = sorted(self._waiting)
            for start in range(0, len(waiting) - least + 1, GROUP):
                regexes = [ALWAYS, *waiting[start : start + GROUP]]
                together = re2.Set.SearchSet(options(GROUP_MEMORY))
                for regex in regexes:
                    together.Add(regex.encode("ascii"))
                together.Compile()
                # The bare set, because re2's wrapper costs one more call per match.
                self._groups.append((together._set, regexes))
                self._grouped |= {*regexes}
            self._waiting -= self._grouped

    def ask(self, pages: Sequence[NormalizedText]) -> None:
        """Record in each page which expressions were asked for, and which of them may match.

        Each group searches all pages before the next does, so its automaton stays in the cache.
        """
        with self._lock:
            groups, asked = [*self._groups], self._grouped
        for search, regexes in groups:
            for page in pages:
                found = search.Match(page.data)
                known = found and 0 in found
                page.present.update(map(regexes.__getitem__, found) if known else regexes)
        for page in pages:
            page.asked = asked


PREFILTER = Prefilter()


def options(memory: int, encoding: Any = LATIN1) -> Any:
    """Options without log messages, which could show a text; Latin-1 has one byte a character."""
    made = re2.Options()
    made.max_mem, made.log_errors, made.encoding = memory, False, encoding
    return made


@cache
def compiled(regex: str) -> tuple[Any, int]:
    """The search function of an expression, and the group that holds the value (0: the match)."""
    program = re2.compile(regex.encode("ascii"), options(PROGRAM_MEMORY))
    PREFILTER.add(regex)
    # re2's Python wrapper takes more time than the search itself.
    return program._regexp.Match, 1 if program.groups else 0


def may_match(regex: str, page: NormalizedText) -> bool:
    """Whether the prefilter found an expression in a page, or was not asked for it."""
    return regex in page.present or regex not in page.asked


def matches(regex: str, page: NormalizedText) -> list[tuple[int, int]]:
    """The spans of the first group, or of the whole match if there is no group."""
    found: list[tuple[int, int]] = []
    if not may_match(regex, page):
        return found
    search, number = compiled(regex)
    data, at = page.data, 0
    last = len(data)
    while at <= last and (match := search(ANYWHERE, data, at, last))[0] != NOWHERE:
        if match[number][0] < match[number][1]:
            found.append(match[number])
        at = match[0][1] + (match[0][1] == at)
    return found


def matches_of(regexes: Iterable[str], page: NormalizedText) -> Iterator[tuple[int, int]]:
    """The spans of several expressions, one expression after the other."""
    for regex in regexes:
        yield from matches(regex, page)


def adjoined(text: str, end: int, spec: str) -> bool:
    """Whether a character of `spec` follows; `.`, `-` and `/` need a letter or digit next."""
    if end >= len(text) or text[end] not in expanded(spec):
        return False
    return text[end] not in ".-/" or text[end + 1 : end + 2].isalnum()


@cache
def expanded(spec: str) -> frozenset[str]:
    """The characters of a class such as `0-9A-Z.`."""
    return frozenset(c for c in map(chr, range(128)) if re.match(f"[{spec}]", c))


@dataclass(frozen=True, slots=True)
class AdHocPattern:
    """A regular expression given with a request, and the entity that it finds, known here or not.

    It is read as Presidio reads patterns: `.` is any character, `^` begins a line, letter case is
    ignored. With `whole`, a match must not begin or end within a word. Raises ValueError, without
    quoting the expression, if RE2 cannot read it.

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
        compiled_ad_hoc(self.regex)

    @classmethod
    def of_words(cls, entity: str, source: str, words: Sequence[str], score: float) -> AdHocPattern:
        """The pattern of a list of words, the longest first, each matched as a whole word."""
        longest = sorted(filter(None, words), key=len, reverse=True)
        regex = "|".join(map(re2.escape, longest))
        return cls(entity, source, regex, score, "deny_list", whole=True)

    @property
    def steps(self) -> int:
        """The instructions of the compiled expression; at worst, each is run at each byte."""
        return int(compiled_ad_hoc(self.regex).programsize)

    def find(self, text: str, on_match: Callable[[], None] = lambda: None) -> list[tuple[int, int]]:
        """Half-open spans in code points of the text, in order.

        `on_match` is called at every match, even an empty one, and may raise to stop the search.
        """
        found = []
        for match in compiled_ad_hoc(self.regex).finditer(text):
            on_match()
            start, end = match.span()
            around = text[max(0, start - 1) : start] + text[end : end + 1]
            adjoins = any(c.isalnum() or c == "_" for c in around)
            if start < end and not (self.whole and adjoins):
                found.append((start, end))
        return found


@lru_cache(maxsize=64)
def compiled_ad_hoc(regex: str) -> Any:
    try:
        return re2.compile("(?ism)" + regex, options(AD_HOC_MEMORY, UTF8))
    except re2.error:
        raise ValueError("not a regular expression of RE2") from None
