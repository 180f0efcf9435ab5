"""How the prefilter reads cells, and whether a cell may hold a date or a form that it lacks."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from recognizers.known.codes import codes as known_codes
from recognizers.known.codes.spoken import (
    _SPOKEN_TENS,
    _SPOKEN_UNITS,
    _TEENS,
    spoken_digits,
)
from recognizers.known.dates import ages as known_ages
from recognizers.known.dates import dates as known_dates
from recognizers.known.dates.calendar import all_holidays
from recognizers.known.features_of_values import LONGEST_WORD, OCR
from recognizers.known.names.initials import BEFORE_INITIALS, CLOSINGS, InitialFinder, letters_from
from recognizers.known.names.marks import SPELLING_ALPHABET
from recognizers.known.names.people import NameIndex
from recognizers.known.places.organizations import canon
from recognizers.known.places.places import _SURE_UNITS
from recognizers.known.text import Text, folded_words

_DATED = (
    known_dates._NUMERIC,
    known_dates._SPACED,
    known_dates._PAIR,
    known_dates._DASHED,
    known_dates._MONTH_YEAR,
    known_dates._YEAR_MONTH,
    known_dates._JULIAN,
    known_dates._COMPACT_PERIOD,
    *known_dates._NAMED,
    known_dates._MONTH_OF,
    known_dates._THE_DAY,
    known_dates._BARE_YEAR,
)
_OLD_AGES = range(90, 131)
# The most cells whose readings are cached.
CELLS_READ = 1 << 12
_PAIRS_OF_SHORT_DAY = 3
# The longest word of each holiday's name: a text that names a holiday contains it.
_HOLIDAY_WORDS = frozenset(max(folded_words(name), key=len) for name in all_holidays())
_SAID = re.compile(r"\b([a-z])\W{1,3}(?:as in|for|like)\W{1,3}\1")


@dataclass(frozen=True, slots=True)
class CellReading:
    """What prefilters look up about a cell. The `repr` hides the cell.

    `is_live` says that the cell may hold a form that is not indexed, and `is_dated` that such a
    form can only be a date or an age. `stream` is the cell's words joined, `runs` are the numbers
    in them, and `rows` are the letters that may be initials.
    """

    text: Text = field(repr=False)
    is_live: bool
    is_dated: bool
    stream: str = field(repr=False)
    runs: frozenset[str] = field(repr=False)
    rows: frozenset[str] = field(repr=False)


@lru_cache(maxsize=CELLS_READ)
def read_cell(cell: str) -> CellReading:
    """Read a cell. Readings are cached, because a cell may be in many groups."""
    text = Text.of(cell)
    more = may_hold_more(cell, text)
    dated = not more and may_be_dated(text)
    stream = "".join(text.words)
    runs = frozenset(_runs_of(text, stream))
    return CellReading(text, more or dated, dated, stream, runs, frozenset(initial_rows(text)))


def _runs_of(text: Text, stream: str) -> Iterator[str]:
    """Runs of letters and digits with at least one digit that begin and end at word boundaries.

    Longer runs are cut to their first characters.
    """
    offsets = [0]
    for word in text.words:
        offsets.append(offsets[-1] + len(word))
    for first in {*offsets[:-1], *known_codes.past_zeros(stream, offsets)}:
        for stop in offsets[bisect_right(offsets, first) :]:
            run = stream[first:stop]
            if len(run) > LONGEST_WORD:
                if any(map(str.isdigit, stream[first:])):
                    yield run[:LONGEST_WORD].translate(OCR)
                break
            if any(map(str.isdigit, run)):
                yield run.translate(OCR)


def may_be_dated(text: Text) -> bool:
    """Whether a date or an age may be found in the text."""
    folded = text.folded
    if not _HOLIDAY_WORDS.isdisjoint(text.words):
        return True
    if any(pattern.search(folded) for pattern in _DATED):
        return True
    compact = known_dates._COMPACT.finditer(folded)
    if any(_may_be_day(match["eight"] or match["six"]) for match in compact):
        return True
    return any(True for _ in known_ages.ages_over_89(folded, _OLD_AGES))


def _may_be_day(digits: str) -> bool:
    """Whether the digits have a month and a day at the positions in a date of that length."""
    pairs = [int(digits[i : i + 2]) for i in range(0, len(digits), 2)]
    orders = [(pairs[0], pairs[1]), (pairs[-2], pairs[-1])]
    orders += [(pairs[1], pairs[0])] if len(pairs) > _PAIRS_OF_SHORT_DAY else []
    return any(0 < month < 13 and 0 < day < 32 for month, day in orders)


def may_hold_more(cell: str, text: Text) -> bool:
    """Whether the text may hold a form of a value other than a word, initials, number or date."""
    folded = text.folded
    words = text.words
    spoken = any(
        word in _SPOKEN_UNITS or word in _TEENS or word in _SPOKEN_TENS
        for word in words
        if word != "o"
    )
    if spoken and (any(map(str.isdigit, words)) or spoken_digits(text)):
        return True
    if any(canon(word) in _SURE_UNITS for word in words):
        return True
    if _SAID.search(folded) or sum(word in SPELLING_ALPHABET for word in words) > 2:
        return True
    for i, word in enumerate(words):
        before = cell[max(0, text.starts[i] - 60) : text.starts[i]]
        if word.isdigit() and any(
            pattern.search(before)
            for pattern in (known_codes._MASK, known_codes._ENDING, known_codes._ENDS_IN)
        ):
            return True
    return bool(words) and _ends_in_letter(text)


def _ends_in_letter(text: Text) -> bool:
    """Whether the text ends with a lone capital, which may be the writer's initial."""
    if len(text.words[-1]) != 1 or not text.original[text.starts[-1]].isupper():
        return False
    if len(text) == 1:
        return True
    return "\n" in text.gap(len(text) - 2) or text.words[-2] in CLOSINGS


def initial_rows(text: Text) -> set[str]:
    """Return the sequences of letters in the text that may be a person's initials."""
    finder = InitialFinder(NameIndex(()))
    rows = set()
    for i, word in enumerate(text.words):
        if len(word) == 1 and word.isalpha():
            _, row = letters_from(text, i)
            if len(row) > 1:
                rows.add(row)
        elif 2 <= len(word) <= 4 and not word.isdigit():
            announced = i == 0 or text.words[i - 1] in BEFORE_INITIALS
            if finder._signs(text, i) or (text.shape(i) == "U" and announced):
                rows.add(word)
    return rows
