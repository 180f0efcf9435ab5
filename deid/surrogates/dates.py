"""Shifts dates by a number of days in their written form; times, words and spaces stay."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from datetime import date, timedelta

_MONTH_NUMBERS = {name.lower(): n for n, name in enumerate(calendar.month_name) if name}
_MONTH_NUMBERS |= {name.lower(): n for n, name in enumerate(calendar.month_abbr) if name} | {
    "sept": 9
}
_WEEKDAY_NUMBERS = {name.lower(): n for n, name in enumerate(calendar.day_name)}
_WEEKDAY_NUMBERS |= {name.lower(): n for n, name in enumerate(calendar.day_abbr)}
_WEEKDAY_NUMBERS |= {"tues": 1, "thur": 3, "thurs": 3}


def _any_word(words: dict[str, int]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


# The parts of a date; `~` is replaced by the name of the form.
_LAYOUT_PARTS = {
    "<M>": r"(?P<m~>\d{1,2})",
    "<D>": r"(?P<d~>\d{1,2})",
    "<Y>": r"(?P<y~>\d{4})(?!\d)",
    "<YY>": r"(?P<y~>\d{4}|'?\d{2})(?!\d)",
    "<MON>": rf"(?P<m~>{_any_word(_MONTH_NUMBERS)})\b\.?",
    "<DAY>": r"(?P<d~>\d{1,2})(?P<t~>st|nd|rd|th)?\b",
}
# All forms, the longest first. A date in any other form cannot be shifted.
_DATE_LAYOUTS = {
    "iso": r"(?<!\d)(?P<y~>\d{4})(?P<s~>[-/.])<M>(?P=s~)<D>(?!\d)",
    "hl7": r"(?<!\d)(?P<y~>\d{4})(?P<m~>\d{2})(?P<d~>\d{2})(?:\d{4}|\d{6})?(?!\d)",
    "us": r"(?<!\d)<M>(?P<s~>[-/.])<D>(?P=s~)<YY>",
    "mdy": r"<MON>\s*<DAY>,?\s*(?P<y~>\d{4}|'\d{2})(?!\d)",
    "dmy": r"<DAY>[\s-]*(?:of\s+)?<MON>,?[\s-]*<YY>",
    "md": r"<MON>\s*<DAY>",
    "dm": r"<DAY>\s*(?:of\s+)?<MON>",
    "my": r"<MON>,?\s*(?:of\s+)?(?P<y~>\d{4}|'\d{2})(?!\d)",
    "nmy": r"(?<![\d/])<M>[/-]<Y>",
    "nmd": r"(?<![\d/])<M>[/-]<D>(?![\d/])",
    "time": r"\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s*[ap]\.?m\.?)?(?:\s*(?:z|[+-]\d{2}:?\d{2}))?",
    "year": r"(?<!\d)(?:19|20)\d{2}(?!\d)",
    "month": r"\b<MON>",
    "weekday": rf"\b(?:{_any_word(_WEEKDAY_NUMBERS)})\b\.?",
}


# Words allowed between the parts. A holiday, season or number in words would reveal the old date.
_DATE_LINKS = frozenset(
    """of the at on in to and or from by since until till through thru around about early mid late
    a p m am pm h hr hrs hours noon midnight t z utc gmt est edt cst cdt mst mdt pst pdt
    d o b dob born admitted adm seen dated between before after week day night morning afternoon
    evening approx approximately circa ca""".split()  # noqa: SIM905
)


def _compiled() -> re.Pattern[str]:
    pieces = []
    for name, form in _DATE_LAYOUTS.items():
        for part, pattern in _LAYOUT_PARTS.items():
            form = form.replace(part, pattern)
        pieces.append(f"(?P<{name}>{form.replace('~', f'_{name}')})")
    return re.compile("|".join(pieces), re.IGNORECASE)


_PIECES = _compiled()


def shift_text(value: str, days: int, reference: date) -> str | None:
    """The text with every date shifted by `days`, or None if a part cannot be read.

    A date without a year is placed in the year of `reference` (February 29 in the last leap year),
    a date without a day in mid-month, and a year alone in mid-year.
    """
    unread = _PIECES.sub(" ", value)
    told = set(re.findall(r"[^\W_]+", unread.lower()))
    if not told <= _DATE_LINKS or not _PIECES.search(value):
        return None
    try:
        return _PIECES.sub(lambda found: _moved_date(found, days, reference), value)
    except (ValueError, OverflowError):
        return None


def _moved_date(found: re.Match[str], days: int, reference: date) -> str:
    form, text = str(found.lastgroup), found[0]
    if form == "time":
        return text
    if form == "weekday":
        return _weekday(text, days)
    if form == "year":
        return str((date(int(text), 7, 1) + timedelta(days)).year)
    parts = {
        name: found[f"{name}_{form}"] for name in "ymdt" if _has_group(found, f"{name}_{form}")
    }
    if form == "us" and int(parts["m"]) > 12 >= int(parts["d"]):
        parts["m"], parts["d"] = parts["d"], parts["m"]
        new = _new(parts, form, text, days, reference)
        new["m"], new["d"] = new["d"], new["m"]
    else:
        new = _new(parts, form, text, days, reference)
    return _put(found, {f"{name}_{form}": part for name, part in new.items()})


def _has_group(found: re.Match[str], group: str) -> bool:
    return group in found.re.groupindex and found[group] is not None


def _new(parts: dict[str, str], form: str, text: str, days: int, reference: date) -> dict[str, str]:
    """Year, month, day and ordinal ending of the shifted date, each written like the old one."""
    day = parts.get("d")
    start = _first_day(parts.get("y"), _month(parts["m"]), int(day) if day else None, reference)
    moved = start + timedelta(days)
    numbers = [part for part in (parts["m"], day or "") if part.isdigit()]
    full = form in ("iso", "hl7") or (form == "dmy" and "-" in text)
    # 12/31/1999 does not show whether May 8 is written 05/08 or 5/8; most systems write zeros.
    full = full or (form == "us" and len(text) == len("12/31/1999"))
    width = 2 if full or any(number[0] == "0" for number in numbers) else 1
    # "May" is both the full name and the abbreviation; between hyphens, it is the abbreviation.
    short = "-" in text and len(parts["m"]) == 3
    new = {"m": _like(parts["m"], moved.month, width, short)}
    if day is not None:
        new["d"] = str(moved.day).zfill(width)
    if "y" in parts:
        new["y"] = _year_like(parts["y"], moved.year)
    if "t" in parts:
        new["t"] = _ordinal_suffix(moved.day)
    return new


def _first_day(year: str | None, month: int, day: int | None, reference: date) -> date:
    if year is None:
        whole = reference.year
        while month == 2 and day == 29 and not calendar.isleap(whole):
            whole -= 1
    else:
        whole = _full(year.lstrip("'"), reference)
    return date(whole, month, 15 if day is None else day)


def _full(year: str, reference: date) -> int:
    if len(year) != 2:
        return int(year)
    return reference.year - (reference.year - int(year)) % 100


def _put(found: re.Match[str], parts: dict[str, str]) -> str:
    text, at = [], found.start()
    for name in sorted(parts, key=found.start):
        text += [found.string[at : found.start(name)], parts[name]]
        at = found.end(name)
    return "".join(text) + found.string[at : found.end()]


def _month(text: str) -> int:
    return int(text) if text.isdigit() else _MONTH_NUMBERS[text.lower()]


def _like(text: str, month: int, width: int, short: bool) -> str:
    return str(month).zfill(width) if text.isdigit() else _month_like(text, month, short)


def _month_like(text: str, month: int, short: bool = False) -> str:
    long = text.lower() in (name.lower() for name in calendar.month_name) and not short
    return _month_cased((calendar.month_name if long else calendar.month_abbr)[month], text)


def _year_like(text: str, year: int) -> str:
    if text.startswith("'"):
        return f"'{year % 100:02d}"
    return f"{year % 100:02d}" if len(text) == 2 else f"{year:04d}"


def _weekday(text: str, days: int) -> str:
    word = text.rstrip(".")
    names = calendar.day_name if word.lower().endswith("day") else calendar.day_abbr
    name = names[(_WEEKDAY_NUMBERS[word.lower()] + days) % 7]
    return _month_cased(name, word) + text[len(word) :]


def _month_cased(name: str, original: str) -> str:
    change: Callable[[str], str] = str.title
    if original.isupper():
        change = str.upper
    elif original.islower():
        change = str.lower
    return change(name)


def _ordinal_suffix(day: int) -> str:
    return "th" if day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
