"""Days, months and quarters of a year, in the spellings that tables use."""

from __future__ import annotations

import re
from datetime import date, datetime

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH_NAME = rf"({'|'.join(_MONTHS)})[a-z]*\.?"
_DAY_FIRST = re.compile(rf"(\d{{1,2}})[- ]{_MONTH_NAME}[-, ]+(\d{{4}})", re.IGNORECASE)
_MONTH_FIRST = re.compile(rf"{_MONTH_NAME} ?(\d{{1,2}})?[-, ]+(\d{{4}})", re.IGNORECASE)
_PARTLY_KNOWN = re.compile(r"(\d{4})[-/](0\d|1[0-2])(?:[-/]00)?")
_QUARTER = re.compile(r"(?:(\d{4})[- ]?Q[1-4]|Q[1-4][- ]?(\d{4}))", re.IGNORECASE)


def parse_day(value: str, order: str = "mdy") -> date | None:
    """Read a calendar day.

    It may be in ISO 8601 (with or without a time), YYYYMMDD, a date with slashes, dashes or dots,
    or a date with the month as a word. The result is None for any other text.
    """
    text = value.strip()
    try:
        return datetime.fromisoformat(text.replace("/", "-") if text[4:5] == "/" else text).date()
    except ValueError:
        pass
    if found := _DAY_FIRST.fullmatch(text):
        return _day_of(int(found[3]), _month_number(found[2]), int(found[1]))
    if (found := _MONTH_FIRST.fullmatch(text)) and found[2]:
        return _day_of(int(found[3]), _month_number(found[1]), int(found[2]))
    parts = text.split(" ")[0].replace("-", "/").replace(".", "/").split("/")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() for part in parts):
        return None
    numbers = dict(zip(order, map(int, parts), strict=True))
    return _day_of(numbers["y"], numbers["m"], numbers["d"]) if len(parts[2]) == 4 else None


def parse_birth(value: str) -> tuple[int, int] | None:
    """Return the year of a date, and how many dates of its precision a year has.

    This is 365 for a day, 12 for a month, 4 for a quarter, 1 for a year (1959-00-00). The result is
    None for any other text.

    >>> parse_birth("3/2/1959"), parse_birth("1959-03"), parse_birth("1959-Q1")
    ((1959, 365), (1959, 12), (1959, 4))
    """
    text = value.strip()
    if day := parse_day(text) or parse_day(text, "dmy"):
        return day.year, 365
    if found := _PARTLY_KNOWN.fullmatch(text):
        return int(found[1]), 1 if found[2] == "00" else 12
    if found := _MONTH_FIRST.fullmatch(text):
        return (int(found[3]), 12) if found[2] is None else None
    if found := _QUARTER.fullmatch(text):
        return int(found[1] or found[2]), 4
    return None


def _month_number(word: str) -> int:
    return _MONTHS.index(word.lower()) + 1


def _day_of(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
