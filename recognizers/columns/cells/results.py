"""Cells that are only a measurement, in columns of results and remarks."""

from __future__ import annotations

import re

from recognizers.columns.cells.memory import remembered
from recognizers.text.measures import is_unit, plain_unit

_PLAIN_RESULT = re.compile(
    r"[<>=~≤≥]{0,2}\s?[-+]?(?P<whole>0|[1-9]\d{0,3})?(?P<part>[.,]\d{1,4})?"
    r"\s?(?P<unit>%|[A-Za-zµ°%][^\s]{0,15})?"
)
_RESULT_YEAR = re.compile(r"(?:19|20)\d{2}")
_MONTH_AND_YEAR = re.compile(r"\D*\d{1,2}[.,](?:19|20)\d{2}")
# Units with which a number may be an age.
_UNITS_OF_AGE = frozenset((
    "y", "yr", "yrs", "year", "years", "yo", "m", "mo", "mos", "mon", "month", "months",
    "w", "wk", "wks", "week", "weeks", "d", "day", "days",
))  # fmt: skip


@remembered
def is_plain_result(text: str) -> bool:
    """Whether the text is a number of at most four digits before the decimal point, with or without
    unit.

    Years, months with years, and numbers with units of age are not plain results. In a column of
    results, a plain result is not a telephone, address or record number.
    """
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
