"""Columns that only their values explain: a few short ones, each in many rows, that name nobody.

One figure or letter each, yes and no with a published third answer, groups such as `18-44` and
`>=65`. What numbers houses, tells a part of a date or an age over 89, or may be initials is not
among them where the header or the set of values shows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from recognizers.columns.cells.conformance import conforms
from recognizers.columns.cells.phrases import is_published_phrase
from recognizers.columns.profiles import ColumnProfile, kept_profile
from recognizers.columns.values import are_recurrent, may_be_coordinates, share_measured
from safe_harbor import OLDEST_AGE

# Different values at the most: seven may be weekdays, and middle initials are more.
_MOST_DIFFERENT, _ROWS_OF_FIGURE, _ROWS_OF_LETTER = 6, 10, 20
_MOST_GROUPS = 12
_OLDEST_OF_ALL, _PAST_AGES = 122, 120
_LEAST_ANSWERED = 0.5
_YES, _NO = frozenset({"y", "yes"}), frozenset({"n", "no"})
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
_UP_TO_TEN = re.compile(r"\d|10")
_CLOSED_GROUP = re.compile(r"(\d{1,4}(?:\.\d+)?)\s?(?:-|–|to)\s?(\d{1,4}(?:\.\d+)?)")
_OPEN_CLOSED_GROUP = re.compile(r"[<>≤≥]=?\s?(\d{1,4}(?:\.\d+)?)|(\d{1,4}(?:\.\d+)?)\s?\+")
_FIRST_YEAR, _LAST_YEAR = 1880, 2080
_OUT_OF = re.compile(r"(\d{1,3})\s?/\s?(\d{1,3})")
_LAST_MONTH = 12
_LEAST_ROWS, _LEAST_BELOW = 20, 3
_SIGNED = re.compile(r"[-+]?\d{1,3}(?:\.\d{1,2})?")
_NUMERAL_CELL = re.compile(r"I{1,3}|IV|VI{0,3}|IX|X")
_INTERVAL = re.compile(r"(?i)(\d{1,2}) ?(?:d|days?|wks?|weeks?|mos?|mths?|months?|yrs?|years?)")
_NUMBERED_VERSION = re.compile(r"[vV]\d{1,2}(?:\.\d{1,3}){0,3}")


def judged_few(header: str, seen: Sequence[str], why: str) -> ColumnProfile | None:
    """The profile of a column of a few short values, None for any other column."""
    if len(seen) >= _LEAST_ROWS and _are_measured_or_said(seen):
        return kept_profile("result", 0.8, why, "measurements, and few words")
    if len(seen) >= _LEAST_ROWS and _are_signed(seen):
        return kept_profile("number", 0.8, why, "numbers below and above zero")
    if not are_recurrent(seen):
        return None
    if _CALENDAR_HEADER.fullmatch(header) and all(map(str.isdigit, seen)):
        return None
    if not _OF_PLACES_AND_PERSONS.isdisjoint(_HEADER_TOKENS.findall(header.casefold())):
        return None
    for fits, shape, said in _SORTS_OF_FEW:
        if fits(seen):
            return kept_profile(shape, 0.8, why, said)
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


def _are_ranks(seen: Sequence[str]) -> bool:
    """From 0 to 10, and 0 among them: no month and no bed is 0, and weekdays end at 6 or 7."""
    beyond = not {"8", "9", "10"}.isdisjoint(seen)
    return "0" in seen and beyond and all(map(_UP_TO_TEN.fullmatch, seen))


def _are_answers(seen: Sequence[str]) -> bool:
    """`Y`, `N` and `Partial`: half of the cells say yes or no, both are said, and the others are
    published: `Kim` may be who said so.
    """
    different = {value.casefold() for value in seen}
    if len(different) > _MOST_DIFFERENT or not (different & _YES and different & _NO):
        return False
    plain = sum(value.casefold() in _YES | _NO for value in seen)
    return plain >= _LEAST_ANSWERED * len(seen) and all(conforms("answer", v) for v in set(seen))


def _are_groups(seen: Sequence[str]) -> bool:
    """`18-44` and `>=65`: ranges of numbers that do not meet, none of years or of ages over 89."""
    different = set(seen)
    closed = [match for value in different if (match := _CLOSED_GROUP.fullmatch(value))]
    opened = [match for value in different if (match := _OPEN_CLOSED_GROUP.fullmatch(value))]
    if not closed or not 2 <= len(different) <= _MOST_GROUPS:
        return False
    if len(closed) + len(opened) < len(different):
        return False
    bounds = sorted((float(match[1]), float(match[2])) for match in closed)
    apart = all(low < high for low, high in bounds) and all(
        bounds[i][1] <= bounds[i + 1][0] for i in range(len(bounds) - 1)
    )
    ends = [*(end for bound in bounds for end in bound), *(float(m[1] or m[2]) for m in opened)]
    dated = any(_FIRST_YEAR <= end <= _LAST_YEAR for end in ends)
    return apart and not dated and not _tell_old_ages(ends)


def _tell_old_ages(ends: Sequence[float]) -> bool:
    """`90-94`, `>97`: ages over 89, in years or months. Those up to `>120` are days."""
    in_years = any(OLDEST_AGE + 1 < end <= _OLDEST_OF_ALL for end in ends)
    in_months = any(12 * OLDEST_AGE < end <= 12 * _OLDEST_OF_ALL for end in ends)
    return (in_years and max(ends) < _PAST_AGES) or in_months


def _are_parts_of_whole(seen: Sequence[str]) -> bool:
    """`5/10`, `22/30`: so many of one total, which no days of a year have in common."""
    found = [_OUT_OF.fullmatch(value) for value in seen]
    pairs = [(int(match[1]), int(match[2])) for match in found if match]
    totals = {total for _, total in pairs}
    if len(pairs) < len(seen) or len(totals) != 1 or any(part > total for part, total in pairs):
        return False
    total, parts = totals.pop(), {part for part, _ in pairs}
    # A month with its day or year has no 0; a bed of a room is not the last of all.
    return total > 2 and (0 in parts or (total in parts and max(parts) > _LAST_MONTH))


def _are_versions(seen: Sequence[str]) -> bool:
    """`v2`, `v4.1`."""
    return len(set(seen)) <= _MOST_GROUPS and all(map(_NUMBERED_VERSION.fullmatch, seen))


def _are_numerals(seen: Sequence[str]) -> bool:
    """`I`, `II`, `IV`: Roman numerals, one of them of two letters at least."""
    different = set(seen)
    return all(map(_NUMERAL_CELL.fullmatch, different)) and any(len(v) > 1 for v in different)


def _are_intervals(seen: Sequence[str]) -> bool:
    """`6 mo`, `1 yr` and `PRN`: few spans of time, none of which is an age over 89."""
    different = set(seen)
    spans = [match for value in different if (match := _INTERVAL.fullmatch(value))]
    if not spans or len(different) > _MOST_GROUPS or max(int(m[1]) for m in spans) > OLDEST_AGE:
        return False
    other = different - {match[0] for match in spans}
    return len(other) <= 0.5 * len(different) and all(map(is_published_phrase, other))


def _are_measured_or_said(seen: Sequence[str]) -> bool:
    """`0.04`, `<0.001` and `NS`: half of the cells have a decimal point, few others say a word."""
    said = {value for value in seen if not conforms("number", value)}
    few = 0 < len(said) <= _MOST_DIFFERENT and all(conforms("result", value) for value in said)
    return few and share_measured(seen) >= 0.5 and not may_be_coordinates(seen)


def _are_signed(seen: Sequence[str]) -> bool:
    """`-15` to `4`: no age, day or key is below zero. One code may say that a value is missing, and
    a longitude of America is always below.
    """
    below = {value for value in seen if value.startswith("-")}
    often = sum(value in below for value in seen)
    above = [v for v in seen if v not in below and v.strip("+0.") and not set(v) <= {"9", "."}]
    signed = len(below) >= _LEAST_BELOW and often >= 0.1 * len(seen)
    both = len(set(above)) >= _LEAST_BELOW and len(above) >= 0.1 * len(seen)
    return signed and both and all(map(_SIGNED.fullmatch, seen))


_SORTS_OF_FEW: tuple[tuple[Callable[[Sequence[str]], bool], str, str], ...] = (
    (_are_figures, "number", "one figure each, in many rows"),
    (_are_letters, "flag", "one letter each, in many rows"),
    (_are_ranks, "number", "numbers from 0 to 10, again and again"),
    (_are_answers, "answer", "yes and no, and few other answers"),
    (_are_groups, "measure", "the values are a few ranges that do not meet"),
    (_are_parts_of_whole, "measure", "the values are parts of one total"),
    (_are_versions, "version", "the values are a few versions"),
    (_are_numerals, "score", "the values are Roman numerals"),
    (_are_intervals, "measure", "the values are a few spans of time"),
)
