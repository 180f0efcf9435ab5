"""A cell that is a measurement and nothing else, in a column of results and remarks."""

from __future__ import annotations

import re

from recognizers.columns.cells.memory import remembered
from recognizers.text.measures import is_unit, plain_unit

_PLAIN_RESULT = re.compile(
    r"[<>=~≤≥]{0,2}\s?[-+]?(?P<whole>0|[1-9]\d{0,3})?(?P<part>[.,]\d{1,4})?"
    r"\s?(?P<unit>%|[A-Za-zµ°%][^\s]{0,15})?"
)
_RESULT_YEAR = re.compile(r"(?:19|20)\d{2}")


@remembered
def is_plain_result(text: str) -> bool:
    """Is it a number of at most four digits before its point, with or without a unit? No year is.

    Such a number is nobody's telephone, address or record in a column whose header says results.
    """
    match = _PLAIN_RESULT.fullmatch(text.strip())
    if match is None or not (match["whole"] or match["part"]):
        return False
    if match["part"] is None and _RESULT_YEAR.fullmatch(match["whole"]):
        return False
    unit = match["unit"]
    return unit is None or unit == "%" or is_unit(plain_unit(unit))
