"""Ages: 89 stays, 90 goes, 164.514(b)(2)(i)(C).

An age over 89 may only stand as `90+`, whether it is told or shown by a birth year. HHS leaves
infants an age in months, days or hours (preamble to the rule of December 2000). The reference date,
on which a person's age is judged, is always an argument.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from safe_harbor.ages import OLDEST_AGE, Age, Unit, read_age
from safe_harbor.numerals import plain_line
from safe_harbor.residues import Residue

NINETY_OR_OLDER = "90+"


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
        return CappedAge(plain_line(value))
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
