"""Cells that are only a measurement, in columns of results and remarks."""

from __future__ import annotations

import re

from recognizers.columns.cells.memory import remembered
from recognizers.text.measures import is_unit, plain_unit

_PLAIN_RESULT = re.compile(
    r"[<>=~≤≥]{0,2}\s?[-+]?(?P<whole>0|[1-9]\d{0,3})?(?P<part>[.,]\d{1,4})?"
    r"\s?(?P<unit>%|[A-Za-zµ°%][^\s]{0,15})?"
)
# A computed number below 1 has more digits, and is no telephone, coordinate or record number.
_SMALL_FRACTION = re.compile(r"[<>=~≤≥]{0,2}\s?[-+]?0\.\d{5,20}")
_RESULT_YEAR = re.compile(r"(?:19|20)\d{2}")
_MONTH_AND_YEAR = re.compile(r"\D*\d{1,2}[.,](?:19|20)\d{2}")
# Units with which a number may be an age.
_UNITS_OF_AGE = frozenset((
    "y", "yr", "yrs", "year", "years", "yo", "m", "mo", "mos", "mon", "month", "months",
    "w", "wk", "wks", "week", "weeks", "d", "day", "days",
))  # fmt: skip

# A duration of ISO 8601: `PT0.5H`. None of its parts reaches 90 years.
_PART = r"(?:\.\d{1,4})?"
_DURATION = (
    rf"[-+]?P(?=[\dT])(?:[1-8]?\d{_PART}Y)?(?:\d{{1,3}}{_PART}M)?(?:\d{{1,3}}{_PART}W)?"
    rf"(?:\d{{1,4}}{_PART}D)?(?:T(?=\d)(?:\d{{1,4}}{_PART}H)?(?:\d{{1,4}}{_PART}M)?"
    rf"(?:\d{{1,5}}{_PART}S)?)?"
)
_DURATIONS = re.compile(f"{_DURATION}(?:/{_DURATION})?")


def is_duration(text: str) -> bool:
    """Whether the text is a duration of ISO 8601 below 90 years, or an interval of two.

    >>> is_duration("-PT15M"), is_duration("P93Y"), is_duration("P")
    (True, False, False)
    """
    return _DURATIONS.fullmatch(text.strip()) is not None


@remembered
def is_plain_result(text: str) -> bool:
    """Whether the text is a number below 1, or a number of at most four digits before the decimal
    point, with or without unit.

    Years, months with years, and numbers with units of age are not plain results. In a column of
    results, a plain result is not a telephone, address or record number.
    """
    if _SMALL_FRACTION.fullmatch(text.strip()):
        return True
    match = _PLAIN_RESULT.fullmatch(text.strip())
    if match is None or not (match["whole"] or match["part"]):
        return False
    if match["part"] is None and _RESULT_YEAR.fullmatch(match["whole"]):
        return False
    if _MONTH_AND_YEAR.match(text.strip()):
        return False
    unit = match["unit"]
    if unit is not None and unit.casefold().strip(".") in _UNITS_OF_AGE:
        return False
    return unit is None or unit == "%" or is_unit(plain_unit(unit))
