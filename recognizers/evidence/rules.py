# ruff: noqa: E501 -- a pattern reads best on one line
"""What a file of rules is made of: patterns, labels, context, and what runs them.

All patterns are RE2 (linear time) on ASCII bytes; look-around is done by `before` and `after`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, ClassVar, NamedTuple

import re2

from recognizers.entities import ENTITIES
from recognizers.evidence.context import Context, weigh, window
from recognizers.evidence.prefilter import Prefilter, options
from recognizers.finding import Finding
from recognizers.text.normalized_text import NormalizedText
from recognizers.words.gazetteers import plain_list

# A value that identifies a thing: pieces of letters and digits, at least one digit.
ID = (
    r"(?:(?:[A-Z]{1,6}|[a-z])[-/_. ]{1,2}){0,3}[A-Za-z]{0,8}\d[A-Za-z0-9]*"
    r"(?:[-/._^][A-Za-z0-9]+)*(?: {1,2}\d[A-Za-z0-9]*(?:[-/.][A-Za-z0-9]+)*| [A-Z]{1,2}\b)*"
)
# What may stand between a label and its value.
LINK = (
    r"(?:[ ]?(?:#s?|nos?\b\.?|num(?:ber)?s?\b|id\b|ids\b|code\b|is\b|was\b|of\b|ending(?: in)?\b|"
    r"ends(?: in)?\b|last ?(?:4|four)\b|digits\b|\(s\)|\([A-Za-z .]{1,14}\))[ .:]{0,2}){0,4}"
    r"[ \t]*[:=#>~*_\"|.\-]{0,4}[ \t_*#\"'(\[]{0,30}"
)


ANYWHERE, NOWHERE = re2._Anchor.UNANCHORED, (-1, -1)


@dataclass(frozen=True, slots=True)
class Pattern:
    """`regex` has one group, the value. `before`/`after`: characters that may not adjoin it."""

    name: str
    regex: str
    entity: str
    score: float
    before: str = ""
    after: str = ""
    check: Callable[[str], float] | None = None
    context: Context | None = None

    def __post_init__(self) -> None:
        if self.entity not in ENTITIES:
            raise ValueError(f"{self.name}: unknown entity")


@dataclass(frozen=True, slots=True)
class Label:
    """Words that announce a value to their right, or below them as a column's header."""

    name: str
    words: str
    entity: str
    score: float
    value: str = ID
    column: bool = True
    glued: bool = False
    keep: Callable[[str], bool] | None = None
    # What the label is when these words end before the value: `mg/dL` is no driver's licence.
    not_left: str = ""


class Hit(NamedTuple):
    """A match in the normalised text, before context."""

    start: int
    end: int
    entity: str
    score: float
    rule: str


PREFILTER = Prefilter()


@cache
def compiled(regex: str) -> tuple[Any, int]:
    """The search for a pattern, and the group that holds the value (0: all)."""
    program = re2.compile(regex.encode("ascii"), options(32 << 20))
    PREFILTER.add(regex)
    # The wrapper round this search costs more time than the search.
    return program._regexp.Match, 1 if program.groups else 0


def present(regex: str, page: NormalizedText) -> bool:
    """May the pattern be in the page?"""
    if regex in page.absent:
        return False
    number = PREFILTER.number(regex)
    if number is None or number in page.prefiltered:
        return True
    prefilter(number, page)
    return regex not in page.absent


def prefilter(number: int, page: NormalizedText) -> Sequence[Finding]:
    """Asks one group of the prefilter, which finds nothing by itself."""
    page.prefiltered.add(number)
    page.absent.update(PREFILTER.absent(number, page.data))
    return ()


def prefilters() -> list[Callable[[NormalizedText], Sequence[Finding]]]:
    """One for each group of the prefilter."""
    PREFILTER.gather()
    return [partial(prefilter, number) for number in range(len(PREFILTER))]


NONE: Iterator[tuple[int, int]] = iter(())


def matches(regex: str, page: NormalizedText) -> Iterator[tuple[int, int]]:
    """Spans of the first group (of the whole match where there is none)."""
    return spans(regex, page) if present(regex, page) else NONE


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


class Rules:
    """A file of rules. Subclasses give `word`, tables and, where needed, `more`.

    In Presidio it stands as an `EntityRecognizer` of `recognizers.presidio.adapter`.
    """

    word: ClassVar[str]
    patterns: ClassVar[Sequence[Pattern]] = ()
    labels: ClassVar[Sequence[Label]] = ()
    around: ClassVar[Context] = Context()

    def entities(self) -> Sequence[str]:
        """Types that only `more` makes."""
        return ()

    def supported(self) -> list[str]:
        """Every type it may find."""
        tables = {p.entity for p in self.patterns} | {x.entity for x in self.labels}
        return sorted(tables | set(self.entities()))

    def load(self) -> None:
        """Compiles every pattern, so that a fault shows at start."""
        for _ in self.hits(NormalizedText.of("")):
            pass

    def hits(self, page: NormalizedText) -> Iterator[Hit]:
        for pattern in self.patterns:
            if present(pattern.regex, page):
                yield from pattern_hits(pattern, page, self.around)
        for label in self.labels:
            yield from label_hits(label, page)
        yield from self.more(page)

    def more(self, page: NormalizedText) -> Iterator[Hit]:
        """What tables cannot say."""
        yield from ()

    def search(self, page: NormalizedText) -> list[Finding]:
        """Findings in offsets of the text as read; they may overlap."""
        found = []
        for hit in self.hits(page):
            start, end = page.normal.place(hit.start, hit.end)
            score = min(max(hit.score, 0.0), 1.0)
            word = ENTITIES[hit.entity]
            found.append(Finding(start, end, word, hit.entity, score, self.word))
        return found


def pattern_hits(pattern: Pattern, page: NormalizedText, context: Context) -> Iterator[Hit]:
    text = page.text
    for start, end in matches(pattern.regex, page):
        if pattern.before and start and text[start - 1] in expanded(pattern.before):
            continue
        if pattern.after and adjoined(text, end, pattern.after):
            continue
        score = pattern.score
        if pattern.check:
            score += pattern.check(text[start:end])
        score = weigh(page, start, end, score, pattern.context or context)
        if score > 0:
            yield Hit(start, end, pattern.entity, min(score, 0.99), pattern.name)


def adjoined(text: str, end: int, spec: str) -> bool:
    """Does a character that denies the match follow? A full stop or hyphen does only before more."""
    if end >= len(text) or text[end] not in expanded(spec):
        return False
    return text[end] not in ".-/" or text[end + 1 : end + 2].isalnum()


@cache
def expanded(spec: str) -> frozenset[str]:
    """The characters of a class such as `0-9A-Z.`."""
    return frozenset(c for c in map(chr, range(128)) if re.match(f"[{spec}]", c))


@cache
def label_regex(words: str, value: str) -> str:
    return rf"(?i:\b(?:{words})(?:\b|s\b|[^A-Za-z0-9\n])){LINK}({value})"


@cache
def glued_regex(words: str) -> str:
    return rf"(?i:\b(?:{words}))(\d[A-Za-z0-9]*(?:[-/.][A-Za-z0-9]+)*)\b"


@cache
def header_regex(words: str) -> str:
    edges = r"(?:^|[\t|\n]|  )[ *_#]*", r"[ :.#*_]*(?:$|[\t|\n\r]|  )"
    return rf"(?i){edges[0]}((?:{words})[ ]?(?:#|no\.?|number|id)?){edges[1]}"


# How far a label may stand from its value, in characters.
APART = 48


def label_hits(label: Label, page: NormalizedText) -> Iterator[Hit]:
    """The value to the right of its label, then the column under a label that fills its cell."""
    found = list(matches(label_regex(label.words, label.value), page))
    if label.glued:
        found += matches(glued_regex(label.words), page)
    for start, end in found:
        if label.not_left and window(label.not_left, "end").search(page.left(start, APART)):
            continue
        start = begun(page.text, start, end)
        kept = trimmed(page.text, start, undated(page.text, start, end))
        value = page.text[start:kept]
        if kept > start and not resulting(value) and (label.keep is None or label.keep(value)):
            yield Hit(start, kept, label.entity, label.score, label.name)
    if not label.column:
        return
    for start, end in matches(header_regex(label.words), page):
        yield from column_hits(label, page, start, end)


def column_hits(label: Label, page: NormalizedText, start: int, end: int) -> Iterator[Hit]:
    shape = re.compile(rf"[ _*#]*({label.value})")
    for left, right in page.below(start, end):
        match = shape.match(page.text, left, right)
        if not match or (label.keep and not label.keep(match.group(1))):
            break
        left, right = match.span(1)
        kept = trimmed(page.text, left, undated(page.text, left, right))
        if kept > match.start(1):
            yield Hit(match.start(1), kept, label.entity, label.score - 0.1, f"{label.name} column")


RESULT = re.compile(r"([A-Z]{2,6}) +\d{1,3}(?:\.\d+)?")
HAPPENED = re.compile(
    r"(?:LEFT|AVAIL|CALLED|MADE|SENT|SEEN|DONE|BACK|HERE|AT|BY|TO) +(?:[01]\d|2[0-3])[0-5]\d"
)


def resulting(value: str) -> bool:
    """A short form of the clinic with its figure, no number of a label: `last visit, QRS 128`."""
    if HAPPENED.fullmatch(value):
        return True
    match = RESULT.fullmatch(value)
    return match is not None and match.group(1).lower() in plain_list("names/short_forms")


FIELD_WORDS_LISTED = "lot lots sn ser no nos id number ref exp mrn fin csn acct dob npi dea lic card cert file rev icd cpt dx mi ms mr at on in the of for to is x st rm bed age"
FIELD_WORDS = frozenset(FIELD_WORDS_LISTED.split())
FIELD_WORD = re.compile(r"([A-Za-z]+)[ .:#]+")


def begun(text: str, start: int, end: int) -> int:
    """The start of an id without another label's word before it."""
    while True:
        word = FIELD_WORD.match(text, start, end)
        if not word or word.group(1).lower() not in FIELD_WORDS:
            return start
        start = word.end()


def trimmed(text: str, start: int, end: int) -> int:
    """The end of an id without what only stands beside it: an age, a sex, a date."""
    while end > start:
        value, rest = text[start:end], text[end : end + 6]
        last = value.rsplit(" ", 1)
        if len(last) == 2 and beside(last[1], rest):
            end -= len(last[1]) + 1
            continue
        bare = value.rstrip(" .,;:/_-")
        if len(bare) == len(value):
            break
        end = start + len(bare)
    return end


DAY_INSIDE = re.compile(
    r"(?:\d{1,2} {1,2})?(?<![^ ])\d{1,2}(?:/\d{1,2}(?:/\d{2,4})?|\.\d{1,2}\.\d{2,4})(?= )"
)


def undated(text: str, start: int, end: int) -> int:
    """The end of an id before a day with its hour: `visit 10/12 0900`."""
    match = DAY_INSIDE.search(text[start : end + 1])
    return start + match.start() if match else end


def beside(piece: str, rest: str) -> bool:
    if re.fullmatch(
        r"\d{1,2}/\d{1,2}(/\d{2,4})?|[A-Z]{1,2}|\d{1,3}[MFmf]|\d{1,3}[yY][oO]?|\d{1,2}:\d\d", piece
    ):
        return True
    return piece.isdigit() and bool(re.match(r"[ -]?(?:y|[MFmf]\b|x\b|mg|:\d)", rest))


def luhn(digits: str) -> bool:
    """ISO/IEC 7812-1, Annex B."""
    total = 0
    for place, char in enumerate(reversed(digits)):
        value = int(char) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0
