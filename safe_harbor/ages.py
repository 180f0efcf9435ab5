"""Reads ages written in digits, in words, as a decade or as a name for a decade.

`age_limits` applies the limit of 89.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from safe_harbor.numerals import digits_for_words, spellings

OLDEST_AGE = 89
LONGEST_LIFE = 130


class AgeUnit(StrEnum):
    """The unit of an age."""

    YEARS = "years"
    MONTHS = "months"
    WEEKS = "weeks"
    DAYS = "days"
    HOURS = "hours"
    MINUTES = "minutes"


_A_YEAR: Mapping[AgeUnit, float] = MappingProxyType(
    {
        AgeUnit.YEARS: 1,
        AgeUnit.MONTHS: 12,
        AgeUnit.WEEKS: 365.25 / 7,
        AgeUnit.DAYS: 365.25,
        AgeUnit.HOURS: 365.25 * 24,
        AgeUnit.MINUTES: 365.25 * 24 * 60,
    }
)


@dataclass(frozen=True)
class Age:
    """An age: a number (not negative) and its unit.

    `open_ended` marks a lower bound or a decade: `>89`, `in her 80s`.
    """

    number: float
    unit: AgeUnit = AgeUnit.YEARS
    open_ended: bool = False

    def __post_init__(self) -> None:
        if not self.number >= 0:
            raise ValueError("an age cannot be negative")

    @property
    def years(self) -> int:
        """Age in completed years."""
        return int(self.number / _A_YEAR[self.unit] + 1e-9)

    @property
    def over_89(self) -> bool:
        """Whether the age must become `90+`. `89+` and `over 89` include 90, so they count, too."""
        return self.years > OLDEST_AGE or (self.open_ended and self.years == OLDEST_AGE)


def read_age(value: object) -> Age | None:
    """The age in a cell or phrase, or None if the whole text is not an age.

    The age may be in digits or words, with or without a unit (a bare number is years), a sex or
    `old`. It may also be in the form of DICOM (`093Y`) or UCUM (`93 a`), a decade (`in her 90s`) or
    a name for a decade (`nonagenarian`). A compound age is converted to the smaller unit: `2 y 3
    mo` is 27 months. Numbers above 130 years are not ages.
    """
    for text in spellings(value):
        if len(text) > _LONGEST_PHRASE:
            return None
        text = text.strip(" .,;:()[]\"'")
        age = (
            _age_from_name(text)
            or _age_from_decade(text)
            or _banded(text)
            or _age_from_number(text)
        )
        if age and age.years <= LONGEST_LIFE:
            return age
    return None


_LONGEST_PHRASE = 80
_DECADES = {
    "sexagenarian": 60,
    "septuagenarian": 70,
    "octogenarian": 80,
    "nonagenarian": 90,
    "centenarian": 100,
    "supercentenarian": 110,
}
_PLURAL_TENS = {
    "twenties": 20,
    "thirties": 30,
    "forties": 40,
    "fifties": 50,
    "sixties": 60,
    "seventies": 70,
    "eighties": 80,
    "nineties": 90,
}
_UNIT_PATTERNS: tuple[tuple[str, AgeUnit], ...] = (
    (r"years?|yrs?|años?|y\.?r?s?|yo|a", AgeUnit.YEARS),
    (r"months?|mes(?:es)?|mths?|mnths?|mons?|mos?|m", AgeUnit.MONTHS),
    (r"weeks?|semanas?|wks?|wk\.?s?|w", AgeUnit.WEEKS),
    (r"days?|d[ií]as?|d", AgeUnit.DAYS),
    (r"hours?|hrs?|h", AgeUnit.HOURS),
    (r"minutes?|mins?|min", AgeUnit.MINUTES),
)
_DICOM_UNITS = {"y": AgeUnit.YEARS, "m": AgeUnit.MONTHS, "w": AgeUnit.WEEKS, "d": AgeUnit.DAYS}
_ANY_UNIT = "|".join(f"(?P<{unit.value}>{pattern})" for pattern, unit in _UNIT_PATTERNS)
_WORDS_BEFORE_AGE = re.compile(
    r"(?:(?:pt|patient|he|she|they|who|is|was|now|turned|turns|turning|age[ds]?|at|of|the|an?|"
    r"approximately|approx|about|around|nearly|almost|ca?|attained|male|female|man|woman|[mf](?=[\s/]*\d))"
    r"(?:\.|\b|(?<=[mf])(?=\d))[\s:=,/~]*)+"
)
_IN_A_DECADE = re.compile(
    r"(?:in\s+)?(?:(?:his|her|their|the|my)\s+)?"
    r"(?:(?:(?:early|mid|late|middle)(?:[\s-]+to[\s-]+)?[\s-]*)+)?"
    r"(?P<decade>\d{1,2}0['’]?s|[a-z]+ties)"
)
_UNDER = re.compile(r"(?:<(?!=)|under|less than|younger than|below)\s*")
_BAND = re.compile(
    r"(?:ages?\s+)?(\d{1,3})\s*(?:-|to)\s*(\d{1,3})(?:\s*(?:years?|yrs?|y|yo)\b(?: old)?)?"
)
_BOUND = re.compile(r"(?:>=?|≥|over|above|older than|at least|greater than|more than)\s*")
_TAIL = re.compile(
    r"[\s/,.-]*(?:(?:of age|age|something|some|odd|pico|olds?|o|birthday|bday|male|female|man|"
    r"woman|gentleman|lady|boy|girl|infant|m|f|w|wm|wf|bm|bf|patient|pt|young|"
    r"now|today|tomorrow)\b[\s/,.-]*)*"
)
_NUMBER_OR_ORDINAL = re.compile(
    r"(\d{1,6}(?:\.\d+)?)(st|nd|rd|th)?\b|(\d{1,6}(?:\.\d+)?)(?=[a-z+])"
)
_AFTER_NUMBER_UNIT = re.compile(rf"[\s-]*(?:{_ANY_UNIT})(?:\b\.?|(?=/))(?:['’]s?)?")
_OR_OLDER = re.compile(
    r"\s*(?:\+|plus\b|or (?:older|over|more|above)\b|and (?:older|over|above|up)\b)"
)


def _age_from_name(text: str) -> Age | None:
    """The age in `nonagenarian`, `newborn`, `DOL 3`, DICOM's `018W` or ISO 8601's `P93Y`."""
    word = _WORDS_BEFORE_AGE.sub("", text, count=1) if _WORDS_BEFORE_AGE.match(text) else text
    word = word.removesuffix("s").strip()
    if word in _DECADES:
        return Age(_DECADES[word], open_ended=True)
    if word in {"newborn", "neonate", "nb"}:
        return Age(0, AgeUnit.DAYS)
    life = re.fullmatch(r"(?:day of life|dol)[\s#:-]*(\d{1,3})", text)
    if life:
        return Age(int(life[1]), AgeUnit.DAYS)
    coded = re.fullmatch(r"(\d{3})([ymwd])|p(\d{1,3})([ymwd])", text)
    return Age(int(coded[1] or coded[3]), _DICOM_UNITS[coded[2] or coded[4]]) if coded else None


def _age_from_decade(text: str) -> Age | None:
    """The first year of the decade in `in her 90s` or `mid-eighties`."""
    found = _IN_A_DECADE.fullmatch(
        _WORDS_BEFORE_AGE.sub("", text, count=1) if _WORDS_BEFORE_AGE.match(text) else text
    )
    if not found:
        return None
    word = found["decade"]
    if word in _PLURAL_TENS:
        return Age(_PLURAL_TENS[word], open_ended=True)
    digits = re.sub(r"\D", "", word)
    return Age(int(digits), open_ended=True) if digits and int(digits) <= 120 else None


def _banded(text: str) -> Age | None:
    """The lower end of an age band such as `85-89`; None if the band crosses the limit."""
    band = _BAND.fullmatch(text)
    if not band or not int(band[1]) < int(band[2]):
        return None
    below, above = int(band[2]) <= OLDEST_AGE, int(band[1]) > OLDEST_AGE
    return Age(int(band[1]), open_ended=True) if below or above else None


def _age_from_number(text: str) -> Age | None:
    """Return the age that a number and the words around it state."""
    if lead := _WORDS_BEFORE_AGE.match(text):
        text = text[lead.end() :]
    under = _UNDER.match(text)
    bound = _BOUND.match(text)
    if limit := under or bound:
        text = text[limit.end() :]
    first = _number_and_unit(digits_for_words(text))
    if first is None:
        return None
    number, unit, rest = first
    more = _number_and_unit(re.sub(r"^[\s,]*(?:and )?[\s,]*", "", rest), with_unit=True)
    if more and unit is not None and more[1] is not None:
        number, unit, rest = _compound(number, unit, more[0], more[1]), more[1], more[2]
    opened = _OR_OLDER.match(rest)
    rest = rest[opened.end() :] if opened else rest
    tail = _TAIL.match(rest)
    if rest[tail.end() if tail else 0 :].strip(" .,;:)-'"):
        return None
    if under:
        number = max(number - 1, 0)
    return Age(number, unit or AgeUnit.YEARS, open_ended=bool(opened or bound))


def _number_and_unit(
    text: str, with_unit: bool = False
) -> tuple[float, AgeUnit | None, str] | None:
    """The number at the start, its unit if any, and the rest of the text."""
    found = _NUMBER_OR_ORDINAL.match(text)
    if not found:
        return None
    number, rest = float(found[1] or found[3]), text[found.end() :]
    sex = re.match(r"\s*/?[mfw]\b(?!\s*\.?\s*o)", rest)
    unit = None if sex and not with_unit else _AFTER_NUMBER_UNIT.match(rest)
    if with_unit and not unit:
        return None
    if not unit or not unit.lastgroup:
        return number, None, rest
    return number, AgeUnit(unit.lastgroup), rest[unit.end() :]


def _compound(number: float, unit: AgeUnit, more: float, lesser: AgeUnit) -> float:
    """`2 years and 3 months` in months."""
    return number * round(_A_YEAR[lesser] / _A_YEAR[unit], 6) + more
