"""Reads dates that systems store as one number: spreadsheet days, Unix seconds, FileMan dates.

A number alone is ambiguous, so it is read as a date only in cells that should hold dates. Five
digits are a spreadsheet day (SAS and Unix day counts of the same years also have five digits, but
are rarely written without a format). A spreadsheet day before 1970 is read only as a birth date.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta

_SPREADSHEET = date(1899, 12, 30)
_UNIX = date(1970, 1, 1)
_UNIX_AS_SPREADSHEET = (_UNIX - _SPREADSHEET).days
_SECONDS_PER_DAY = 86_400
_SHEET = re.compile(r"(\d{5})(?:\.\d{1,12})?")
_EPOCH = re.compile(r"(-?\d{9,10})(?:\.\d{1,9})?|(-?\d{12,13})(?:\.0+)?")
# Day counts for `may_be_counted_otherwise`.
_WHOLE_DAYS = re.compile(r"(-?\d{1,5})(?:\.0+)?")
_FIRST_YEAR, _LAST_YEAR = 1850, 2100
# VA FileMan: years since 1700, month, day, and the time of day as a fraction.
_FILEMAN = re.compile(r"([23]\d{2})(\d{2})(\d{2})(?:\.\d{1,6})?")


def day_counted(text: str, birth: bool = False) -> date | None:
    """Return the date that a number represents, or None."""
    if found := _SHEET.fullmatch(text):
        days = int(found[1])
        return _after(_SPREADSHEET, days) if birth or days >= _UNIX_AS_SPREADSHEET else None
    if found := _EPOCH.fullmatch(text):
        seconds = int(found[1]) if found[1] else int(found[2]) // 1000
        return (
            _after(_UNIX, seconds // _SECONDS_PER_DAY)
            if seconds > 0 or (birth and seconds)
            else None
        )
    if found := _FILEMAN.fullmatch(text):
        try:
            return date(1700 + int(found[1]), int(found[2]), int(found[3]))
        except ValueError:
            return None
    return None


def may_be_counted_otherwise(texts: Iterable[str]) -> bool:
    """Whether all birth dates are day counts that, read as spreadsheet days, lie before 1970.

    Birth dates that are counted in days from 1960 (SAS) or from 1970 (Unix) look the same. A year
    read from them could be wrong by 60 or 70 years, so the caller must not read a year from them.
    """
    days = [
        int(found[1]) if (found := _WHOLE_DAYS.fullmatch(text.strip())) else None for text in texts
    ]
    years = bool(days) and all(d is not None and _FIRST_YEAR <= d <= _LAST_YEAR for d in days)
    counted = bool(days) and all(d is not None and d < _UNIX_AS_SPREADSHEET for d in days)
    return counted and not years


def _after(start: date, days: int) -> date | None:
    try:
        return start + timedelta(days=days)
    except OverflowError:
        return None
