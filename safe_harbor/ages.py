"""Ages: 89 stays, 90 goes, 164.514(b)(2)(i)(C).

An age over 89 may only stand as `90+`, whether written in digits, in words, or shown by a birth
year. HHS leaves infants an age in months, days or hours (preamble to the rule of December 2000).
The reference date, on which a person's age is judged, is always an argument.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from types import MappingProxyType

from safe_harbor.residues import Residue

OLDEST_AGE = 89
NINETY_OR_OLDER = "90+"
LONGEST_LIFE = 130


class Unit(StrEnum):
    """The unit an age is told in."""

    YEARS = "years"
    MONTHS = "months"
    WEEKS = "weeks"
    DAYS = "days"
    HOURS = "hours"
    MINUTES = "minutes"


_A_YEAR: Mapping[Unit, float] = MappingProxyType(
    {
        Unit.YEARS: 1,
        Unit.MONTHS: 12,
        Unit.WEEKS: 365.25 / 7,
        Unit.DAYS: 365.25,
        Unit.HOURS: 365.25 * 24,
        Unit.MINUTES: 365.25 * 24 * 60,
    }
)


@dataclass(frozen=True)
class Age:
    """An age as told: a number (not negative) and its unit.

    `open_ended` marks an age told as a lower bound or a decade: `>89`, `in her 80s`.
    """

    number: float
    unit: Unit = Unit.YEARS
    open_ended: bool = False

    def __post_init__(self) -> None:
        if not self.number >= 0:
            raise ValueError("an age is not negative")

    @property
    def years(self) -> int:
        """Whole years completed."""
        return int(self.number / _A_YEAR[self.unit] + 1e-9)

    @property
    def over_89(self) -> bool:
        """Whether only `90+` may stand for it. `89+` and `over 89` include 90: they go too."""
        return self.years > OLDEST_AGE or (self.open_ended and self.years == OLDEST_AGE)


@dataclass(frozen=True)
class CappedAge:
    """What may stand for an age: itself as written, `90+`, or nothing if it could not be read."""

    text: str

    def __str__(self) -> str:
        return self.text

    @property
    def residue(self) -> Residue:
        """What is left behind."""
        if self.text == NINETY_OR_OLDER:
            return Residue.AGE_90_PLUS
        return Residue.AGE if self.text else Residue.NOTHING


def read_age(value: object) -> Age | None:
    """The age that a cell or a phrase tells, or None when the whole of it does not tell one.

    Understands digits and words, with or without a unit (a bare number is years), the sex or
    `old` beside it, DICOM (`093Y`) and UCUM (`93 a`) forms, decades (`in her 90s`) and the names
    for them (`nonagenarian`). Compound ages count in their first unit and the rest: `2 y 3 mo` is
    27 months. Numbers above 130 years are no ages.
    """
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, float):
        value = f"{value:.10g}"
    text = " ".join(str(value).casefold().translate(_DASHES).split()).strip(" .,;:()[]\"'")
    if len(text) > _LONGEST_PHRASE:
        return None
    age = _named(text) or _decade(text) or _counted(text)
    return age if age and age.years <= LONGEST_LIFE else None


def cap_age(
    value: object,
    *,
    seen: date | None = None,
    reference: date | None = None,
    born: date | None = None,
) -> CappedAge:
    """An age as it may stay: itself up to 89, `90+` above, nothing when it cannot be read.

    Ages of three years and more lose months, days and fractions; younger ones keep them.
    With `seen` (date of the visit) and `reference`, an age that gives away the birth year of a
    person now over 89 becomes `90+` as well: see `gives_away_over_89`.
    """
    age = read_age(value)
    if age is None:
        return CappedAge("")
    given_away = (
        seen is not None
        and reference is not None
        and gives_away_over_89(age, seen, reference, born)
    )
    if age.over_89 or given_away:
        return CappedAge(NINETY_OR_OLDER)
    whole = age.unit is Unit.YEARS and age.number == age.years
    if whole or age.years < 3:
        return CappedAge(" ".join(str(value).split()))
    return CappedAge(str(age.years))


def age_on(born: date, day: date) -> int:
    """Whole years of age on a day. Born on 29 February, a year is completed on 1 March.

    Negative for a day before birth.
    """
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


def oldest_birth_year(reference: date) -> int:
    """The earliest birth year of which nobody can be over 89 in the year of the reference date.

    The year before it is HHS's "on or before 1920" for a service in 2010.
    """
    return reference.year - OLDEST_AGE


def birth_year(year: int, reference: date, month: int | None = None, day: int | None = None) -> str:
    """A birth year as it may stay: itself, or `90+` when the person is over 89 at the reference.

    With a whole date the birthday decides; of a year alone, or a year and month, every person who
    could be 90 counts as 90.
    """
    if month is None:
        over = year < oldest_birth_year(reference)
    else:
        first_birthday = (year + 90, month, day or 1)
        over = first_birthday <= (reference.year, reference.month, reference.day)
    return NINETY_OR_OLDER if over else str(year)


def gives_away_over_89(age: Age, seen: date, reference: date, born: date | None = None) -> bool:
    """Whether an earlier age beside the year of the visit shows a person now over 89.

    "All elements of dates (including year) indicative of such age": 87 in 2021 is a birth year of
    1933 or 1934, which shows 90 or more in 2026. With the birth date the answer is exact; without
    it, anybody who could be over 89 counts. False for a visit on or after the reference date,
    where the age itself tells all.
    """
    if born is not None:
        return age_on(born, reference) > OLDEST_AGE
    if seen >= reference:
        return age.over_89
    return age.years + age_on(seen, reference) + 1 > OLDEST_AGE


_LONGEST_PHRASE = 80
_DASHES = {ord(dash): "-" for dash in "‐‑‒–—―−"}
_DECADES = {
    "sexagenarian": 60,
    "septuagenarian": 70,
    "octogenarian": 80,
    "nonagenarian": 90,
    "centenarian": 100,
    "supercentenarian": 110,
}
_TENS = {
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}
_BELOW_TWENTY = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_ONES = {word: number for number, word in enumerate(_BELOW_TWENTY.split())}
_ORDINALS = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fifth": 5,
    "eighth": 8,
    "ninth": 9,
    "twelfth": 12,
}
_PLURAL_TENS = {word[:-1] + "ies": number for word, number in _TENS.items()}
_UNITS: tuple[tuple[str, Unit], ...] = (
    (r"years?|yrs?|y\.?r?s?|yo|a", Unit.YEARS),
    (r"months?|mths?|mnths?|mons?|mos?|m", Unit.MONTHS),
    (r"weeks?|wks?|wk\.?s?|w", Unit.WEEKS),
    (r"days?|d", Unit.DAYS),
    (r"hours?|hrs?|h", Unit.HOURS),
    (r"minutes?|mins?|min", Unit.MINUTES),
)
_CODED = {"y": Unit.YEARS, "m": Unit.MONTHS, "w": Unit.WEEKS, "d": Unit.DAYS}
_ANY_UNIT = "|".join(f"(?P<{unit.value}>{pattern})" for pattern, unit in _UNITS)
_LEAD = re.compile(
    r"(?:(?:pt|patient|he|she|they|who|is|was|now|turned|turns|turning|age[ds]?|at|of|the|an?|"
    r"approximately|approx|about|around|nearly|almost|ca?|attained|male|female|man|woman|[mf](?=[\s/]*\d))"
    r"(?:\.|\b|(?<=[mf])(?=\d))[\s:=,/~]*)+"
)
_BOUND = re.compile(r"(?:>=?|≥|over|above|older than|at least|greater than|more than)\s*")
_TAIL = re.compile(
    r"[\s/,.-]*(?:(?:of age|age|something|some|odd|olds?|o|birthday|bday|male|female|man|woman|"
    r"gentleman|lady|boy|girl|infant|m|f|w|wm|wf|bm|bf|patient|pt|young|now|today|tomorrow)\b[\s/,.-]*)*"
)
_NUMBER = re.compile(r"(\d{1,6}(?:\.\d+)?)(st|nd|rd|th)?\b|(\d{1,6}(?:\.\d+)?)(?=[a-z+])")
_UNIT = re.compile(rf"[\s-]*(?:{_ANY_UNIT})(?:\b\.?|(?=/))(?:['’]s?)?")
_OPEN = re.compile(r"\s*(?:\+|plus\b|or (?:older|over|more|above)\b|and (?:older|over|above|up)\b)")


def _named(text: str) -> Age | None:
    """`nonagenarian`, `newborn`, `DOL 3`; DICOM's `018W`, ISO 8601's `P93Y`."""
    word = _LEAD.sub("", text, count=1) if _LEAD.match(text) else text
    word = word.removesuffix("s").strip()
    if word in _DECADES:
        return Age(_DECADES[word], open_ended=True)
    if word in {"newborn", "neonate", "nb"}:
        return Age(0, Unit.DAYS)
    life = re.fullmatch(r"(?:day of life|dol)[\s#:-]*(\d{1,3})", text)
    if life:
        return Age(int(life[1]), Unit.DAYS)
    coded = re.fullmatch(r"(\d{3})([ymwd])|p(\d{1,3})([ymwd])", text)
    return Age(int(coded[1] or coded[3]), _CODED[coded[2] or coded[4]]) if coded else None


def _decade(text: str) -> Age | None:
    """`in her 90s`, `mid-eighties`: the first year of the decade."""
    found = re.fullmatch(
        r"(?:.{0,20}\b)?(?:in )?(?:his|her|their|the|my)?\s*(?:(?:early|mid|late)(?:dle)?[\s-]+)?"
        r"(?P<decade>\d{1,2}0['’]?s|[a-z]+ies)",
        text,
    )
    if not found:
        return None
    word = found["decade"]
    if word in _PLURAL_TENS:
        return Age(_PLURAL_TENS[word], open_ended=True)
    digits = re.sub(r"\D", "", word)
    return Age(int(digits), open_ended=True) if digits and int(digits) <= 120 else None


def _counted(text: str) -> Age | None:
    """A number and what stands around it."""
    if lead := _LEAD.match(text):
        text = text[lead.end() :]
    bound = _BOUND.match(text)
    if bound:
        text = text[bound.end() :]
    first = _measure(_digits_for_words(text))
    if first is None:
        return None
    number, unit, rest = first
    more = _measure(re.sub(r"^[\s,]*(?:and )?[\s,]*", "", rest), with_unit=True)
    if more and unit is not None and more[1] is not None:
        number, unit, rest = _compound(number, unit, more[0], more[1]), more[1], more[2]
    opened = _OPEN.match(rest)
    rest = rest[opened.end() :] if opened else rest
    tail = _TAIL.match(rest)
    if rest[tail.end() if tail else 0 :].strip(" .,;:)-'"):
        return None
    return Age(number, unit or Unit.YEARS, open_ended=bool(opened or bound))


def _measure(text: str, with_unit: bool = False) -> tuple[float, Unit | None, str] | None:
    """The number at the start, its unit if it has one, and the rest."""
    found = _NUMBER.match(text)
    if not found:
        return None
    number, rest = float(found[1] or found[3]), text[found.end() :]
    sex = re.match(r"\s*/?[mfw]\b(?!\s*\.?\s*o)", rest)
    unit = None if sex and not with_unit else _UNIT.match(rest)
    if with_unit and not unit:
        return None
    if not unit or not unit.lastgroup:
        return number, None, rest
    return number, Unit(unit.lastgroup), rest[unit.end() :]


def _compound(number: float, unit: Unit, more: float, lesser: Unit) -> float:
    """`2 years and 3 months` in months."""
    return number * round(_A_YEAR[lesser] / _A_YEAR[unit], 6) + more


def _digits_for_words(text: str) -> str:
    """A number in words at the start of the text, turned into digits."""
    words = re.match(r"[a-z]+(?:[\s-]+[a-z]+)*", text)
    if not words:
        return text
    total, used = None, 0
    for token in re.finditer(r"[a-z]+", words[0]):
        step = _add_word(total, token[0])
        if step is None:
            break
        total, used = step, token.end()
    if total is None:
        return text
    return f"{total}{text[used:]}"


def _add_word(total: int | None, word: str) -> int | None:
    """The total after one more number word, or None if it is none."""
    if word == "hundred" or word == "hundredth":
        return (total or 1) * 100 if (total or 1) < 10 else None
    if word == "and":
        return total if total is not None and total >= 100 else None
    if word.endswith("ieth"):
        word = word[:-4] + "y"
    value = _TENS.get(word, _ONES.get(word, _ORDINALS.get(word)))
    if value is None and word.endswith("th"):
        value = _ONES.get(word[:-2])
    if value is None:
        return None
    if total is None:
        return value
    room = total % 100
    fits = (room == 0 and total >= 100) or (room >= 20 and room % 10 == 0 and value < 10)
    return total + value if fits else None
