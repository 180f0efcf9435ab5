"""The year of a date, which is all of it that may stay: 164.514(b)(2)(i)(C).

Reads the forms dates take in extracts of health records. Whatever is not surely one date of one
year is nothing. Of `03/04/2023` and the like the month comes first, as in the United States, unless
only the other order makes a date; the order never changes the year.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from safe_harbor.ages import NINETY_OR_OLDER, birth_year

EARLIEST_YEAR = 1850
YEARS_AHEAD = 50


@dataclass(frozen=True)
class PartialDate:
    """A date known to the year, the month or the day."""

    year: int
    month: int | None = None
    day: int | None = None

    def __post_init__(self) -> None:
        date(self.year, self.month or 1, self.day or 1)

    @property
    def whole(self) -> date | None:
        """The day, if it is known."""
        return date(self.year, self.month, self.day) if self.month and self.day else None


def year_of(value: object, reference: date, birth: bool = False) -> str:
    """The year that may stand for a date: four digits, `90+`, or nothing when none can be read.

    `90+` stands for a date so early that whoever was there, or was born then, is over 89 at the
    reference date. With `birth`, two-digit years never lie in the future. Placeholders (1/1/1900,
    01/01/0001, 9999-12-31) are nothing. Never raises for a value.
    """
    if str(value).strip() == NINETY_OR_OLDER:
        return NINETY_OR_OLDER
    found = read_date(value, reference, birth)
    return birth_year(found.year, reference, found.month, found.day) if found else ""


def read_date(value: object, reference: date, birth: bool = False) -> PartialDate | None:
    """The date in a cell, to whatever part of it is known; None for none, and for placeholders.

    A two-digit year is the latest one that is not after the reference year (so 26 is 2026 and 27
    is 1927 when the reference date lies in 2026); for a birth, the latest that is not after the
    reference date.
    """
    text = _as_text(value)
    if len(text) > _LONGEST_DATE:
        return None
    for pattern, build in _FORMS:
        if match := pattern.fullmatch(text):
            found = _first_valid(build(match), reference, birth)
            return None if found is None or _placeholder(found, reference, birth) else found
    return None


def _first_valid(
    readings: Iterator[tuple[str, int | None, int | None]], reference: date, birth: bool
) -> PartialDate | None:
    """The first reading (year as written, month, day) that is a date."""
    for written, month, day in readings:
        year = _full_year(written, month, day, reference, birth)
        try:
            return PartialDate(year, month, day)
        except ValueError:
            continue
    return None


def _full_year(
    written: str, month: int | None, day: int | None, reference: date, birth: bool
) -> int:
    if len(written) != 2:
        return int(written)
    year = reference.year - (reference.year - int(written)) % 100
    latest = (reference.year, reference.month, reference.day)
    return year - 100 if birth and (year, month or 1, day or 1) > latest else year


def _placeholder(found: PartialDate, reference: date, birth: bool) -> bool:
    """Dates that systems write for "not known"."""
    if (found.year, found.month, found.day) in _PLACEHOLDERS:
        return True
    latest = reference.year + (0 if birth else YEARS_AHEAD)
    return not EARLIEST_YEAR <= found.year <= latest


_PLACEHOLDERS = frozenset(
    {(1900, 1, 1), (1900, 1, None), (1899, 12, 30), (1899, 12, 31), (1901, 1, 1), (1899, 1, 1)}
)
_MONTH_NAMES = (
    "january february march april may june july august september october november december"
)
_MONTHS = _MONTH_NAMES.split()
_LONGEST_DATE = 80
_DASHES = {ord(dash): "-" for dash in "‐‑‒–—―−"}
_MONTH = r"(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?P<long>[a-z]*)\.?"
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+)?"
_CLOCK = (
    r"(?:[t\s,:]\s*(?:at\s+|@\s*)?\d{1,2}(?:[:.h]?\d{2})?(?:[:.]\d{2})?(?:[.,]\d{1,9})?"
    r"\s*(?:[ap]\.?m?\.?)?\s*(?:z|[+-]\d{2}:?\d{0,2}|[a-z]{2,4}|[+-]\d{2}:\d{2}\[[\w/]+\])?)?"
)
_LABEL = r"(?:(?:born|b\.|dob|d\.o\.b\.|birth ?date|date of birth|died|on|in|the)[\s:]+)*"
_UNSURE = r"(?:about|around|circa|ca?\.|approximately|approx\.?|est\.?|~|\?)?\s*"
_ORDINAL = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4}|['’]?\d{2})"
_LONG_YEAR = r"(?P<year>\d{4})"
_UNKNOWN = r"(?:\?+|x+|u+n*k*n*|0{1,2}|-{1,2}|_+|\*+)"

Reading = tuple[str, int | None, int | None]


def _as_text(value: object) -> str:
    """The value as one line in lower case."""
    if isinstance(value, date):
        return value.isoformat().casefold().replace("t", " ")
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, float):
        value = f"{value:.0f}" if value == value and value.is_integer() else ""
    text = str(value).translate(_DASHES)
    text = " ".join(text.casefold().split()).strip(' ,;"`')
    text = re.sub(r"^'(?!\d\d$)|'$", "", text)
    return re.sub(r"^(\d{4}|\d{8}|\d{12}|\d{14})\.0+$", r"\1", text)


def _digits(match: re.Match[str]) -> Iterator[Reading]:
    """Year, month and day by name, as far as they stand there."""
    parts = match.groupdict()
    yield match["year"], _known(parts.get("m")), _known(parts.get("d"))


def _known(digits: str | None) -> int | None:
    return int(digits) if digits and digits.isdigit() and int(digits) else None


def _either_order(match: re.Match[str]) -> Iterator[Reading]:
    first, second = int(match["a"]), int(match["b"])
    yield match["year"], first, second
    yield match["year"], second, first


def _day_first(match: re.Match[str]) -> Iterator[Reading]:
    first, second = int(match["a"]), int(match["b"])
    yield match["year"], second, first
    yield match["year"], first, second


def _worded(match: re.Match[str]) -> Iterator[Reading]:
    """A month by its name; nothing if the word only begins like one."""
    word = match["month"] + match["long"]
    numbers = [n for n, name in enumerate(_MONTHS, 1) if name == word or name[:3] == word]
    numbers += [9] if word == "sept" else []
    day = match.groupdict().get("day")
    for number in numbers:
        yield match["year"].lstrip("'’"), number, int(day) if day else None


def _year_only(match: re.Match[str]) -> Iterator[Reading]:
    yield match["year"].lstrip("'’"), None, None


def _day_of_year(match: re.Match[str]) -> Iterator[Reading]:
    if 1 <= int(match["n"]) <= 366 and int(match["year"]) > 0:
        found = date(int(match["year"]), 1, 1) + timedelta(days=int(match["n"]) - 1)
        yield match["year"], found.month, found.day


def _form(
    pattern: str, build: Callable[[re.Match[str]], Iterator[Reading]], clock: bool = True
) -> tuple[re.Pattern[str], Callable[[re.Match[str]], Iterator[Reading]]]:
    return re.compile(_LABEL + _UNSURE + _WEEKDAY + pattern + (_CLOCK if clock else "")), build


_FORMS = (
    # Digits run together: YYYYMMDD and HL7 timestamps of any precision, with fraction and offset.
    _form(
        _LONG_YEAR + r"(?P<m>\d{2})(?:(?P<d>\d{2})(?:\d{2}|\d{4}|\d{6})?)?(?:\.\d{1,9})?"
        r"(?:[+-]\d{4}|z)?",
        _digits,
        clock=False,
    ),
    _form(_LONG_YEAR + r"(?P<m>\d{2})(?P<d>\d{2})", _digits),
    # ISO 8601 and its relatives with slashes or points, CDISC's missing parts as dashes.
    _form(_LONG_YEAR + r"[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})", _digits),
    _form(_LONG_YEAR + r"-(?P<m>\d{1,2}|-)(?:-(?P<d>\d{1,2}|-))?", _digits, clock=False),
    _form(_LONG_YEAR + rf"[-/](?:\d{{1,2}}|{_UNKNOWN})[-/]{_UNKNOWN}", _year_only, clock=False),
    _form(_LONG_YEAR + r"[/.](?P<m>\d{1,2})", _digits, clock=False),
    _form(_LONG_YEAR + r"-(?P<n>\d{3})", _day_of_year),
    # Month, day, year.
    _form(r"(?P<a>\d{1,2})\s?[/-]\s?(?P<b>\d{1,2})\s?[/-]\s?(?P<year>\d{4}|\d{2})", _either_order),
    _form(r"(?P<a>\d{1,2})\.\s?(?P<b>\d{1,2})\.\s?(?P<year>\d{4}|\d{2})", _day_first),
    _form(
        rf"(?:(?:\d{{1,2}}|{_UNKNOWN})[/-]{_UNKNOWN}|{_UNKNOWN}[/-](?:\d{{1,2}}|{_UNKNOWN}))"
        r"[/-](?P<year>\d{4}|\d{2})",
        _year_only,
    ),
    _form(r"(?P<m>\d{1,2})[/.-](?P<year>\d{4})", _digits, clock=False),
    # A month by its name.
    _form(
        _ORDINAL + r"(?:\s?[-/.]\s?|\s+(?:of\s+)?|)" + _MONTH + r"(?:\s?[-/,.]\s?|\s+|)" + _YEAR,
        _worded,
    ),
    _form(
        _MONTH
        + r"(?:\s?[-/.]\s?|\s+(?:the\s+)?|)"
        + _ORDINAL
        + r"(?:\s?[-/,.]\s*|\s+(?:of\s+)?)"
        + _YEAR,
        _worded,
    ),
    _form(_MONTH + r"(?:\s?[-/,.]\s?|\s+(?:of\s+)?|)(?P<year>\d{4}|['’]\d{2})", _worded),
    _form(
        _MONTH
        + r"\s+"
        + _ORDINAL
        + r"\s+\d{1,2}:\d{2}(?::\d{2})?(?:\s+[a-z]{2,4})?\s+"
        + _LONG_YEAR,
        _worded,
    ),
    _form(_LONG_YEAR + r"[\s/.,-]*" + _MONTH + r"(?:[\s/.,-]*" + _ORDINAL + r")?", _worded),
    _form(
        rf"(?:\d{{1,2}}|{_UNKNOWN})[\s/-](?:[a-z]{{3}}|{_UNKNOWN})[\s/-]" + _LONG_YEAR, _year_only
    ),
    # A part of a year, and the year alone.
    _form(r"(?:q[1-4]|[1-4]q|w(?:ee)?k?\s?\d{1,2})[\s/-]*" + _LONG_YEAR, _year_only, clock=False),
    _form(_LONG_YEAR + r"[\s/-]*(?:q[1-4]|[1-4]q|w\d{2}(?:-?\d)?)", _year_only, clock=False),
    _form(
        r"(?:(?:early|mid|late)[\s-]+)?(?:(?:spring|summer|fall|autumn|winter|"
        r"christmas(?: eve| day)?|thanksgiving|easter|new year['’]?s?(?: eve| day)?|halloween|"
        r"(?:labor|memorial|independence) day)"
        r"[\s,]+(?:of\s+)?)?(?:in\s+)?" + _LONG_YEAR,
        _year_only,
        clock=False,
    ),
    _form(r"(?P<year>['’]\d{2})", _year_only, clock=False),
)
