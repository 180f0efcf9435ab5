"""Columns of one figure or letter each, the same few in many rows, that name nobody.

What numbers houses, tells a part of a date, or may be initials is not among them where the header
or the set of values shows it. Other columns of few values are left to the odds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from recognizers.columns.profiles import ColumnProfile, kept_profile
from recognizers.columns.values import are_recurrent

# Different values at the most: seven may be weekdays, and middle initials are more.
_MOST_DIFFERENT, _ROWS_OF_FIGURE, _ROWS_OF_LETTER = 6, 10, 20
_MISSING_CODES = frozenset({"-1", "-4", "-7", "-8", "-9", "-99"})
_ONE_FIGURE = re.compile(r"\d")
_ONE_SYMBOL = re.compile(r"[A-Za-z\d]")
# `ADMMO`: a month or a weekday has few values where a table has few months, or no weekends.
_CALENDAR_HEADER = re.compile(
    r"(?:.*[^A-Za-z])?(?i:mo|mon|mth|dow|dy|wk|qt|qtr|hr|hour)|(?i:.*(?:month|day|week|quarter)s?)|"
    r".*[a-z](?:Mo|Mon|Dow|Wk|Qtr|Hr)|[A-Z\d_]+(?:MO|MON|DOW|WK|QTR|HR)"
)
# A few letters and figures under these number houses and beds, or are the initials of persons.
_HEADER_TOKENS = re.compile(r"[a-z]+")
_OF_PLACES_AND_PERSONS = frozenset((
    "ini", "init", "inits", "initials", "by", "doc", "md", "rn", "bld", "bldg", "building",
    "flr", "floor", "fl", "bed", "rm", "room", "rmbed", "blkgrp", "block", "unit", "ward",
    "wing", "hall", "pod", "suite", "apt", "lot", "box", "bay", "chair", "bedroom",
    "deathbed", "subdistrict", "district", "precinct", "tract",
))  # fmt: skip
_CALENDAR_LETTERS = (frozenset("MTW"), frozenset("JFM"))


def judged_few(header: str, seen: Sequence[str], why: str) -> ColumnProfile | None:
    """The profile of a column of a few short values, None for any other column."""
    if not are_recurrent(seen):
        return None
    if _CALENDAR_HEADER.fullmatch(header) and all(map(str.isdigit, seen)):
        return None
    if not _OF_PLACES_AND_PERSONS.isdisjoint(_HEADER_TOKENS.findall(header.casefold())):
        return None
    if _are_figures(seen):
        return kept_profile("number", 0.8, why, "one figure each, in many rows")
    if _are_letters(seen):
        return kept_profile("flag", 0.8, why, "one letter each, in many rows")
    return None


def _are_figures(seen: Sequence[str]) -> bool:
    """One figure each: codes counted from 0 or 1. Parts of dates begin anywhere.

    Some numbers below zero say that a value is missing: no age and no part of a date is one.
    """
    different = set(seen) - _MISSING_CODES
    often = len(seen) >= _ROWS_OF_FIGURE * len(different) and len(different) <= _MOST_DIFFERENT
    return often and all(map(_ONE_FIGURE.fullmatch, different)) and bool(different & {"0", "1"})


def _are_letters(seen: Sequence[str]) -> bool:
    """One letter each, or a figure: the codes of a category, but of no weekday and no month."""
    different = set(seen)
    often = len(seen) >= _ROWS_OF_LETTER * len(different) and len(different) <= _MOST_DIFFERENT
    if not often or not all(map(_ONE_SYMBOL.fullmatch, different)):
        return False
    if all(map(str.isdigit, different)):
        return False
    letters = {value.upper() for value in different}
    return not any(calendar <= letters for calendar in _CALENDAR_LETTERS)
