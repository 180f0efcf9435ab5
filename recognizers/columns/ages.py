"""Whether numbers may be ages over 89, which are no longer released one by one."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from itertools import takewhile

from recognizers.columns.cells.computed import antilogarithm
from recognizers.columns.cells.memory import remembered
from safe_harbor import OLDEST_AGE, read_age

_MOSTLY_AGES, _FIVES, _FULL, _MOST_SENTINELS = 0.9, 5, 100, 3
_LONGEST_LIVED = 122
# Numbers from here on, and negative ones, stand for an unknown age: `777`, `999`, `-9`.
_LEAST_UNKNOWN = 777
# All are at least that old, or half of them are: counts, lengths of stay and doses are smaller.
_GROWN, _MOSTLY_GROWN = 15, 30
# Ages with decimals differ by more years than temperatures and saturations do.
_YEARS_APART = 30
_NUMBER_OF_YEARS = re.compile(r"-?(?:\d{1,7}(?:\.\d+)?|\.\d+)")
_AROUND_AGE = re.compile(
    r"(?i)^[<>~=≤≥ ]+|\s*(?:y\.?o|y|yrs?|years?(?: old)?|mos?|months?|w|wks?|weeks?|d|days?)\.?$"
)
_AGE_GROUP = re.compile(r"(\d{2,3})(?: ?(?:-|to) ?(\d{2,3})|\+)")
_OPEN_BAND = re.compile(r"(?:>|≥) ?=? ?(\d{2,3})")


def may_be_old_ages(seen: Sequence[str]) -> bool:
    """Whether nearly all values are numbers that may be ages, mostly of adults, some over 89.

    A few other values may be words. Up to three numbers (`999`, `-9`) may stand for an unknown age.
    """
    told = (_AROUND_AGE.sub("", value) for value in seen)
    figures = [float(value) for value in told if _NUMBER_OF_YEARS.fullmatch(value)]
    known = [figure for figure in figures if 0 <= figure < _LEAST_UNKNOWN]
    if len(figures) < _MOSTLY_AGES * len(seen) or not are_ages_over_89(known):
        return False
    ages = sorted(figure for figure in figures if 0 <= figure <= _LONGEST_LIVED)
    if len(set(figures) - set(ages)) > _MOST_SENTINELS:
        return False
    if _are_percents_or_doses(figures):
        return False
    if any(figure % 1 for figure in ages) and ages[-1] - ages[0] < _YEARS_APART:
        return False
    return ages[0] >= _GROWN or ages[len(ages) // 2] >= _MOSTLY_GROWN


def _are_percents_or_doses(figures: Sequence[float]) -> bool:
    """Whether nearly all are multiples of five, and 100 is more frequent than 90 and 95, as it is
    among no ages, also if they were rounded.
    """
    in_fives = sum(figure % _FIVES == 0 for figure in figures)
    full = figures.count(_FULL)
    return in_fives >= _MOSTLY_AGES * len(figures) and full > figures.count(90) + figures.count(95)


def are_ages_over_89(figures: Sequence[float]) -> bool:
    """Whether nearly all numbers are small enough for ages and some are over 89."""
    ages = [figure for figure in figures if 0 <= figure < _LONGEST_LIVED + 1]
    return len(ages) >= _MOSTLY_AGES * len(figures) and max(ages, default=0) > OLDEST_AGE


def may_be_logarithms_of_ages(seen: Sequence[str]) -> bool:
    """Whether the values are logarithms of whole numbers that may be ages, at least one over 89."""
    powers = list(takewhile(bool, map(antilogarithm, seen)))
    return 0 < len(powers) == len(seen) and may_be_old_ages([f"{power:g}" for power in powers])


def tell_old_ages(different: Set[str]) -> bool:
    """Whether a value says that it is an age over 89: with its unit, or as a group of ages."""
    return any(map(_tells_old_age, different)) or _are_bands_of_old_ages(different)


@remembered
def _tells_old_age(value: str) -> bool:
    """Whether the value is an age over 89 with its unit (`93 y`), or a group of such ages (`90-94`,
    `95+`).
    """
    if (match := _AGE_GROUP.fullmatch(value)) is not None:
        first, last = int(match[1]), int(match[2] or _LONGEST_LIVED)
        least = OLDEST_AGE if match[2] else OLDEST_AGE + 2  # `90+` may be released
        return least <= first < last <= _LONGEST_LIVED
    age = read_age(value) if any(map(str.isalpha, value)) else None
    return age is not None and age.years > OLDEST_AGE


def _are_bands_of_old_ages(different: Set[str]) -> bool:
    """Whether a value is an open band over 90 (`>=97`), and another is a band (`45-64`)."""
    bands = any((match := _AGE_GROUP.fullmatch(value)) and match[2] for value in different)
    opened = (_OPEN_BAND.fullmatch(value) for value in different if bands)
    return any(match and OLDEST_AGE + 1 < int(match[1]) <= _LONGEST_LIVED for match in opened)
