"""Calendar facts: how to read a known date, holidays, and numbers in words."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from recognizers.known.text import fold
from recognizers.words.expressions import SHARED

MONTH_NUMBERS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb febr", "march mar", "april apr", "may", "june jun",
            "july jul", "august aug", "september sept sep", "october oct", "november nov",
            "december dec",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
ENGLISH_MONTHS = frozenset(MONTH_NUMBERS)
_OTHER_MONTHS = """enero janvier|febrero fevrier|marzo mars|abril avril|mayo mai|junio juin|
julio juillet|agosto aout|septiembre setiembre septembre|octubre octobre|noviembre novembre|
diciembre decembre"""
MONTH_NUMBERS |= {
    name: number
    for number, names in enumerate(_OTHER_MONTHS.split("|"), 1)
    for name in names.split()
}
MONTH_GROUP = "(?P<month>" + "|".join(sorted(MONTH_NUMBERS, key=len, reverse=True)) + ")"
CENTURY_PIVOT = 27
"""Two-digit years from this one to 99 are read as 19xx; only ages depend on it."""

_COUNTED_UNITS = ["zero", *SHARED.texts["UNITS"].split("|"), *SHARED.texts["TEENS"].split("|")]
_COUNTED_TENS = {w: 10 * n for n, w in enumerate(SHARED.texts["TENS"].split("|"), 2)}
_ORDINALS = SHARED.texts["ORDINALS"].split("|")


def number_words() -> dict[str, int]:
    """The numbers `zero` to `ninety nine`, with spaces instead of hyphens."""
    table = {word: n for n, word in enumerate(_COUNTED_UNITS)}
    for tens, value in _COUNTED_TENS.items():
        table[tens] = value
        table |= {f"{tens} {_COUNTED_UNITS[n]}": value + n for n in range(1, 10)}
    return table


def ordinal_words() -> dict[str, int]:
    """The ordinals `first` to `thirty first`."""
    table = {word: n for n, word in enumerate(_ORDINALS, 1)}
    table |= {f"twenty {_ORDINALS[n - 1]}": 20 + n for n in range(1, 10)}
    return table | {"thirtieth": 30, "thirty first": 31}


@dataclass(frozen=True, slots=True, order=True)
class Day:
    """A calendar day; the year may be unknown (0)."""

    year: int
    month: int
    day: int


_ISO = re.compile(r"^\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_COMPACT_VALUE = re.compile(r"^\s*(\d{4})(\d{2})(\d{2})(?:\d{4,6})?(?:[.+-]\d+)?\s*$")
_NUMERIC_VALUE = re.compile(r"^\s*(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{2}|\d{4})(?!\d)")
_NAMED_VALUES = (
    re.compile(
        rf"^\s*(?:[a-z]+,\s*)?(?P<day>\d{{1,2}})[-\s./]*(?:of\s)?{MONTH_GROUP}[a-z]*[-\s,./']*(?P<year>\d{{2,4}})?"
    ),
    re.compile(
        rf"^\s*(?:[a-z]+,\s*)?{MONTH_GROUP}[a-z]*[-\s./]*(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[-\s,./']*(?P<year>\d{{2,4}})?"
    ),
)
_PAIR_VALUE = re.compile(r"^\s*(\d{1,2})[/-](\d{1,2})\s*$")
_MONTH_ALONE = re.compile(rf"^\s*{MONTH_GROUP}\.?(?:\s+(\d{{4}}))?\s*$")
_PLACEHOLDER_YEARS = frozenset({1, 1111, 1800, 1801, 1899, 1900, 1901, 2099, 2999, 9999})


def full_year(year: int) -> int:
    """The four-digit year of a two-digit or four-digit one."""
    if year > 99:
        return year
    return year + (1900 if year >= CENTURY_PIVOT else 2000)


def _day(year: int, month: int, day: int) -> Day | None:
    if not 1 <= month <= 12 or not 1 <= day <= monthrange(year or 2000, month)[1]:
        return None
    return Day(year, month, day)


def read_day(value: str) -> Day | None:
    """Read a known date in any usual format, month first if ambiguous; None if unreadable."""
    text = fold(value)
    if match := _ISO.match(text) or _COMPACT_VALUE.match(text):
        year, month, day = match.groups()
        known = _year_first(year, month, day)
        return known or (_reread(text) if int(year) < 100 else None)
    if match := _NUMERIC_VALUE.match(text):
        first, second, year = (int(g) for g in match.groups())
        year = full_year(year)
        return _day(year, first, second) or _day(year, second, first)
    if match := _PAIR_VALUE.match(text):
        first, second = (int(g) for g in match.groups())
        return _day(0, first, second) or _day(0, second, first)
    for pattern in _NAMED_VALUES:
        if match := pattern.match(text):
            year = int(match["year"]) if match["year"] else 0
            return _day(
                full_year(year) if year else 0, MONTH_NUMBERS[match["month"]], int(match["day"])
            )
    return None


@lru_cache(maxsize=1 << 14)
def _year_first(year: str, month: str, day: str) -> Day | None:
    """The day of these figures. It is kept, because patients have dates in common."""
    told = int(year), int(month), int(day)
    return _day(*told) or _day(told[0], told[2], told[1])


def read_month(value: str) -> tuple[int, int] | None:
    """The month and the year (or 0) of a value without a day; None for other values."""
    match = _MONTH_ALONE.match(fold(value))
    return (MONTH_NUMBERS[match["month"]], int(match[2] or 0)) if match else None


def _reread(text: str) -> Day | None:
    digits = re.sub(r"\D", "", text)[:8]
    return _day(int(digits[4:]), int(digits[:2]), int(digits[2:4])) if len(digits) == 8 else None


def is_placeholder_day(day: Day) -> bool:
    """Whether a date is a placeholder for a missing one: 1/1/1900, 12/31/9999 and the like."""
    return day.year in _PLACEHOLDER_YEARS


_FIXED = {
    "new years day": (1, 1), "new year's day": (1, 1), "new years": (1, 1), "new year's": (1, 1),
    "new year's eve": (12, 31), "new years eve": (12, 31), "groundhog day": (2, 2),
    "valentine's day": (2, 14), "valentines day": (2, 14), "valentine's": (2, 14),
    "leap day": (2, 29), "pi day": (3, 14), "st patrick's day": (3, 17),
    "st. patrick's day": (3, 17),
    "saint patrick's day": (3, 17), "st patricks day": (3, 17), "st paddy's day": (3, 17),
    "april fools day": (4, 1), "april fool's day": (4, 1), "april fools": (4, 1),
    "april fools' day": (4, 1), "earth day": (4, 22), "may day": (5, 1), "cinco de mayo": (5, 5),
    "juneteenth": (6, 19), "canada day": (7, 1), "fourth of july": (7, 4), "4th of july": (7, 4),
    "july 4th": (7, 4), "independence day": (7, 4), "bastille day": (7, 14), "halloween": (10, 31),
    "hallowe'en": (10, 31), "all saints day": (11, 1), "all saints' day": (11, 1),
    "all souls day": (11, 2), "veterans day": (11, 11), "veteran's day": (11, 11),
    "veterans' day": (11, 11), "armistice day": (11, 11), "remembrance day": (11, 11),
    "guy fawkes": (11, 5), "st nicholas day": (12, 6), "pearl harbor day": (12, 7),
    "christmas eve": (12, 24), "xmas eve": (12, 24), "christmas day": (12, 25),
    "christmas": (12, 25), "xmas": (12, 25), "boxing day": (12, 26), "epiphany": (1, 6),
    "three kings day": (1, 6), "candlemas": (2, 2), "flag day": (6, 14), "patriots day": (4, 19),
}  # fmt: skip


def _nth(year: int, month: int, weekday: int, n: int) -> date:
    if n < 0:
        last = date(year, month, monthrange(year, month)[1])
        return last - timedelta((last.weekday() - weekday) % 7)
    first = date(year, month, 1)
    return first + timedelta((weekday - first.weekday()) % 7 + 7 * (n - 1))


def _easter(year: int) -> date:
    """Gregorian Easter (Meeus, Astronomical Algorithms, 1991, chapter 8)."""
    a, b, c = year % 19, year // 100, year % 100
    d = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    e = (32 + 2 * (b % 4) + 2 * (c // 4) - d - c % 4) % 7
    f = d + e - 7 * ((a + 11 * d + 22 * e) // 451) + 114
    return date(year, f // 31, f % 31 + 1)


def _moving(year: int) -> dict[str, date]:
    easter = _easter(year)
    thanks = _nth(year, 11, 3, 4)
    return {
        "mlk day": _nth(year, 1, 0, 3), "martin luther king day": _nth(year, 1, 0, 3),
        "presidents day": _nth(year, 2, 0, 3), "president's day": _nth(year, 2, 0, 3),
        "presidents' day": _nth(year, 2, 0, 3), "mother's day": _nth(year, 5, 6, 2),
        "mothers day": _nth(year, 5, 6, 2), "memorial day": _nth(year, 5, 0, -1),
        "father's day": _nth(year, 6, 6, 3), "fathers day": _nth(year, 6, 6, 3),
        "labor day": _nth(year, 9, 0, 1), "columbus day": _nth(year, 10, 0, 2),
        "indigenous peoples day": _nth(year, 10, 0, 2), "thanksgiving": thanks,
        "black friday": thanks + timedelta(1), "easter": easter, "easter sunday": easter,
        "easter monday": easter + timedelta(1), "good friday": easter - timedelta(2),
        "ash wednesday": easter - timedelta(46), "mardi gras": easter - timedelta(47),
        "palm sunday": easter - timedelta(7), "pentecost": easter + timedelta(49),
        "mother s day": _nth(year, 5, 6, 2), "thanksgiving day": thanks,
    }  # fmt: skip


def holidays_on(days: frozenset[Day]) -> frozenset[str]:
    """The holidays that fall on any of the days; movable ones need the year."""
    return frozenset(
        name for day in days for name in _holidays_in(day.year).get((day.month, day.day), ())
    )


def all_holidays() -> frozenset[str]:
    """The names of all holidays."""
    return frozenset((*_FIXED, *_moving(2000)))


@lru_cache(maxsize=1 << 8)
def _holidays_in(year: int) -> dict[tuple[int, int], set[str]]:
    """The names of the holidays of a year by month and day."""
    days = dict(_FIXED)
    if 1583 <= year <= 9998:
        days |= {name: (day.month, day.day) for name, day in _moving(year).items()}
    found: dict[tuple[int, int], set[str]] = {}
    for name, when in days.items():
        found.setdefault(when, set()).add(name)
    return found
