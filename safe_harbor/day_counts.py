"""Dates that systems write as one number: spreadsheet days, seconds since 1970, FileMan's days.

Of a number alone nobody can be sure; it is asked for only in a cell that is to be a date. Five
digits are a spreadsheet's day (of other counts, SAS's and Unix's reach five digits for days that
lie in the same years, and are written bare far less often), but before 1970 only of a birth.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

_SPREADSHEET = date(1899, 12, 30)
_UNIX = date(1970, 1, 1)
_UNIX_AS_SPREADSHEET = (_UNIX - _SPREADSHEET).days
_DAY = 86_400
_SHEET = re.compile(r"(\d{5})(?:\.\d{1,12})?")
_EPOCH = re.compile(r"(-?\d{9,10})(?:\.\d{1,9})?|(-?\d{12,13})(?:\.0+)?")
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


def _after(start: date, days: int) -> date | None:
    try:
        return start + timedelta(days=days)
    except OverflowError:
        return None
