"""Patterns that codes, units and descriptions must not contain: dates and personal numbers."""

from __future__ import annotations

import re

_MONTH_PATTERN = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY, _NUMBERED, _YEAR = r"(?:0?[1-9]|[12]\d|3[01])", r"(?:0?[1-9]|1[0-2])", r"(?:19|20)\d{2}"
_DATED_NUMBERS = (
    rf"(?<![\w./-])(?:{_NUMBERED}([-/]){_DAY}|{_DAY}([-/]){_NUMBERED})(?:\1|\2)\d{{2}}(?![\w./-])",
    rf"(?<![\w./-]){_DAY}[-/.]{_DAY}[-/.]{_YEAR}(?!\d)",
    rf"(?<![\d.]){_YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:\d{{4}}|\d{{6}})?(?![\d.])",
    rf"(?<!\d){_DAY}[-/. ]?{_MONTH_PATTERN}[-/., ]{{0,2}}(?:19|20)?\d{{2}}(?!\d)",
    rf"\b{_MONTH_PATTERN}[-/. ]?(?:\d{{1,2}}[-/., ]{{1,2}})?{_YEAR}(?!\d)",
    r"(?<![\d.-])(?:\+?1[-. ])?(?:\(\d{3}\)[-. ]?|\d{3}[-. ])\d{3}[-. ]?\d{4}(?![\d.-])",
    r"(?<![\d.-])\d{3}([-. ])\d{2}\3\d{4}(?![\d.-])",
)
_SOMEBODY = re.compile("|".join(_DATED_NUMBERS), re.ASCII | re.IGNORECASE)
# Drug units can reach millions: `1000000 UNT`.
_LONG_NUMBER = re.compile(r"(?<![\d.])\d{7,}(?!\d|\s?(?:UNT|units?|IU)\b)", re.IGNORECASE)


def looks_personal(text: str) -> bool:
    """Whether the text contains a date, a telephone number or a social security number."""
    return _SOMEBODY.search(text) is not None


def has_long_number(text: str) -> bool:
    """Whether the text has seven adjacent digits without a unit, as record numbers have."""
    return _LONG_NUMBER.search(text) is not None
