"""Numbers, ranges and open-ended groups of numbers, in the spellings that tables use.

`39`, `39.0`, `39 years`, `80-84`, `80 to 84`, `[80,85)`, `80-<85`, `80s`, `90+`, `90 or older`,
`>89`, `under 5`, `1936 or earlier`. All code in this package that reads ages, years or numbers uses
this module.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import ceil, floor, inf, isfinite, nextafter

_SPAN_NUMBER = r"([+-]?\d+(?:\.\d+)?)"
_AGE_UNIT = r"\s*(?:y|yr|yrs|years?|years? old|y/?o)?\s*"
_LEAD = r"^(?:ages?|aged|year|born)?\s*"
_SINGLE = re.compile(rf"{_LEAD}([+-]?\d+(?:\.\d*)?(?:e[+-]?\d+)?){_AGE_UNIT}$", re.IGNORECASE)
_BETWEEN = re.compile(
    rf"{_LEAD}([\[(]?)\s*{_SPAN_NUMBER}\s*(?:-|–|—|to|and|,|\.\.\.?|:)\s*(<?)\s*{_SPAN_NUMBER}{_AGE_UNIT}([\])]?)$",
    re.IGNORECASE,
)
_AND_MORE = re.compile(
    rf"{_LEAD}{_SPAN_NUMBER}{_AGE_UNIT}"
    rf"(?:\+|plus|(?:and|or|&) (?:over|older|above|more|up|later|after|greater)){_AGE_UNIT}$",
    re.IGNORECASE,
)
_AND_LESS = re.compile(
    rf"{_LEAD}{_SPAN_NUMBER}{_AGE_UNIT}"
    r"(?:-|(?:and|or|&) (?:under|younger|less|below|earlier|before))$",
    re.IGNORECASE,
)
_TEN_YEARS = re.compile(rf"{_LEAD}(\d+0)'?s$", re.IGNORECASE)
_COMPARED = re.compile(
    rf"{_LEAD}(<=|≤|>=|≥|<|>|over|above|older than|more than|after|under|below|younger than|"
    rf"less than|before|up to|at least|at most){_AGE_UNIT}{_SPAN_NUMBER}{_AGE_UNIT}$",
    re.IGNORECASE,
)
_INFANT = re.compile(
    r"^(\d+(?:\.\d+)?)\s*(mo|mos|months?|w|wk|wks|weeks?|d|days?|h|hr|hrs|hours?)"
    r"(?: old)?$",
    re.IGNORECASE,
)
_FROM = {">=", "≥", "at least"}
_ABOVE = {">", "over", "above", "older than", "more than", "after"}
_UP_TO = {"<=", "≤", "up to", "at most"}


@dataclass(frozen=True)
class Span:
    """The numbers from `low` to `high`, both included; an open end is infinite."""

    low: float
    high: float

    @property
    def single(self) -> bool:
        return self.low == self.high

    def whole(self) -> tuple[int | None, int | None]:
        """The whole numbers inside; None for an open end. `39.5` gives 39."""
        if self.single:
            return floor(self.low), floor(self.low)
        low = ceil(self.low) if isfinite(self.low) else None
        return low, (floor(self.high) if isfinite(self.high) else None)


def parse_span(text: str) -> Span | None:
    """The numbers that a text stands for; None if it names none.

    >>> parse_span("80-84"), parse_span("90 or older").low, parse_span("nan")
    (Span(low=80.0, high=84.0), 90.0, None)
    """
    text = text.strip()
    if found := _SINGLE.match(text):
        number = float(found[1])
        return Span(number, number) if isfinite(number) else None
    if found := _AND_MORE.match(text):
        return Span(float(found[1]), inf)
    if found := _COMPARED.match(text):
        return _comparison(found[1].lower(), float(found[2]))
    if found := _AND_LESS.match(text):
        return Span(-inf, float(found[1]))
    if found := _BETWEEN.match(text):
        return _range(found[1], found[2], found[4], ")" if found[3] else found[5])
    if (found := _TEN_YEARS.match(text)) and not found[1].endswith("00"):
        return Span(float(found[1]), float(found[1]) + 9)
    return None


def parse_age_span(text: str) -> Span | None:
    """Read a span of ages in years, as `parse_span` does: 18 months is age 1, 3 days is age 0."""
    if found := _INFANT.match(text.strip()):
        months = float(found[1]) if found[2].lower().startswith("m") else 0.0
        return Span(months // 12, months // 12)
    return parse_span(text)


def _comparison(sign: str, number: float) -> Span:
    if sign in _FROM:
        return Span(number, inf)
    if sign in _ABOVE:
        return Span(nextafter(number, inf), inf)
    if sign in _UP_TO:
        return Span(-inf, number)
    return Span(-inf, nextafter(number, -inf))


def _range(opening: str, first: str, last: str, closing: str) -> Span | None:
    """A range; `1930-35` is short for 1930-1935, and a round bracket excludes its end."""
    low, high = float(first), float(last)
    if low >= 1000 > high >= 0 and len(last) == 2:
        high += low // 100 * 100
    if opening == "(":
        low = nextafter(low, inf)
    if closing == ")":
        high = nextafter(high, -inf)
    return Span(low, high) if low <= high else None
