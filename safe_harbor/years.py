"""The year of a date, the only part that may stay: 164.514(b)(2)(i)(C).

Reads the forms of dates in extracts of health records. A value that is not clearly one date in one
year becomes empty. In `03/04/2023` the month comes first, as in the United States, unless only the
other order is a valid date; the order never changes the year.
"""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

from safe_harbor.age_limits import NINETY_OR_OLDER, birth_year
from safe_harbor.date_forms import readings
from safe_harbor.day_counts import day_counted
from safe_harbor.numerals import spellings
from safe_harbor.partial_dates import PartialDate

EARLIEST_YEAR = 1850
YEARS_AHEAD = 50
# A count that gives a later year has another origin: SAS seconds begin in 1960.
COUNTED_AHEAD = 1


def year_of(value: object, reference: date, birth: bool = False) -> str:
    """Reduce a date to its year: four digits, `90+`, or empty if the date cannot be read.

    `90+` replaces a date so early that anyone alive then is over 89 on the reference date.
    With `birth`, two-digit years are never in the future. Placeholders (1/1/1900, 01/01/0001,
    9999-12-31) become empty. No value raises an error.
    """
    if str(value).strip() == NINETY_OR_OLDER:
        return NINETY_OR_OLDER
    found = read_date(value, reference, birth)
    return birth_year(found.year, reference, found.month, found.day) if found else ""


def read_date(
    value: object, reference: date, birth: bool = False, counted: bool = False
) -> PartialDate | None:
    """The date in a cell, as far as it is known; None if there is none or it is a placeholder.

    A two-digit year is the latest such year that is not after the reference year (with a reference
    date in 2026, 26 is 2026 and 27 is 1927). For a birth, it is the latest such year that does not
    put the date after the reference date, and two digits alone are a year. With `counted`, for date
    columns, a number may count days or seconds: see `day_counted`.
    """
    iso = _ISO_DAY.fullmatch(value) if isinstance(value, str) else None
    if iso and (found := _read_iso_day(iso[1], reference, birth)):
        return found
    for line in spellings(_without_zero_fraction(value)):
        text = _QUOTES.sub("", line.strip(' ,;"`'))
        if len(text) > _LONGEST_DATE:
            return None
        if birth and re.fullmatch(r"\d\d", text):
            text = f"'{text}"
        for written, month, day in readings(text):
            found = _valid(_full_year(written, month, day, reference, birth), month, day)
            if found and not _placeholder(found, reference, birth):
                return found
        if counted and (reached := day_counted(text, birth)):
            found = PartialDate(reached.year, reached.month, reached.day)
            ahead = reached.year > reference.year + COUNTED_AHEAD
            return None if ahead or _placeholder(found, reference, birth) else found
    return None


_LONGEST_DATE = 80
# A day as most tables write it, with or without its time.
_ISO_DAY = re.compile(
    r"(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?:[T ]\d\d:\d\d:\d\dZ?)?", re.ASCII
)
_QUOTES = re.compile(r"^'(?!\d\d$)|'$")
_PLACEHOLDERS = frozenset(
    {(1900, 1, 1), (1900, 1, None), (1899, 12, 30), (1899, 12, 31), (1901, 1, 1), (1899, 1, 1)}
)


def _without_zero_fraction(value: object) -> object:
    """Return dates as ISO text, and text of whole numbers without their `.0`."""
    if isinstance(value, date):
        return value.isoformat().replace("T", " ")
    if isinstance(value, str):
        return re.sub(r"^(\s*(?:\d{4}|\d{6}|\d{8}|\d{12}|\d{14}))\.0+\s*$", r"\1", value)
    return value


@lru_cache(maxsize=1 << 15)
def _read_iso_day(text: str, reference: date, birth: bool) -> PartialDate | None:
    """The day in an ISO date, cached; None if it is invalid or a placeholder."""
    found = _valid(int(text[:4]), int(text[5:7]), int(text[8:]))
    return None if found is None or _placeholder(found, reference, birth) else found


def _valid(year: int, month: int | None, day: int | None) -> PartialDate | None:
    try:
        return PartialDate(year, month, day)
    except ValueError:
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
    """Whether the date is one that systems write for "unknown"."""
    if (found.year, found.month, found.day) in _PLACEHOLDERS:
        return True
    latest = reference.year + (0 if birth else YEARS_AHEAD)
    return not EARLIEST_YEAR <= found.year <= latest
