"""Dates that systems write as one number: spreadsheet days, seconds since 1970, FileMan's days.

Of a number alone nobody can be sure; it is asked for only in a cell that is to be a date. Five
digits are a spreadsheet's day (of other counts, SAS's and Unix's reach five digits for days that
lie in the same years, and are written bare far less often), but before 1970 only of a birth.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta

_SPREADSHEET = date(1899, 12, 30)
_UNIX = date(1970, 1, 1)
_UNIX_AS_SPREADSHEET = (_UNIX - _SPREADSHEET).days
_DAY = 86_400
_SHEET = re.compile(r"(\d{5})(?:\.\d{1,12})?")
_EPOCH = re.compile(r"(-?\d{9,10})(?:\.\d{1,9})?|(-?\d{12,13})(?:\.0+)?")
# Numbers of days; if all of them lie so, years.
_DAYS = re.compile(r"(-?\d{1,5})(?:\.0+)?")
_FIRST_YEAR, _LAST_YEAR = 1850, 2100
# The VA's: years since 1700, month, day, and the time of day as a fraction.
_FILEMAN = re.compile(r"([23]\d{2})(\d{2})(\d{2})(?:\.\d{1,6})?")


def day_counted(text: str, birth: bool = False) -> date | None:
    """The day that a number counts to, None for what is no such number."""
    if found := _SHEET.fullmatch(text):
        days = int(found[1])
        return _after(_SPREADSHEET, days) if birth or days >= _UNIX_AS_SPREADSHEET else None
    if found := _EPOCH.fullmatch(text):
        seconds = int(found[1]) if found[1] else int(found[2]) // 1000
        return _after(_UNIX, seconds // _DAY) if seconds > 0 or (birth and seconds) else None
    if found := _FILEMAN.fullmatch(text):
        try:
            return date(1700 + int(found[1]), int(found[2]), int(found[3]))
        except ValueError:
            return None
    return None


def may_be_counted_otherwise(texts: Iterable[str]) -> bool:
    """Are births nothing but numbers of days, none of them after 1970 as a spreadsheet's?

    Those of SAS (from 1960) and of Unix (from 1970) all lie there, below zero, or below 10,000: a
    year read from them may be wrong by 60 or 70 years, so nobody should read one.
    """
    days = [int(found[1]) if (found := _DAYS.fullmatch(text.strip())) else None for text in texts]
    years = bool(days) and all(d is not None and _FIRST_YEAR <= d <= _LAST_YEAR for d in days)
    counted = bool(days) and all(d is not None and d < _UNIX_AS_SPREADSHEET for d in days)
    return counted and not years


def _after(start: date, days: int) -> date | None:
    try:
        return start + timedelta(days=days)
    except OverflowError:
        return None
