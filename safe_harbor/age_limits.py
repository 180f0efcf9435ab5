"""Ages: 89 stays, 90 goes, 164.514(b)(2)(i)(C).

An age over 89 may only stand as `90+`, whether it is told or shown by a birth year. HHS leaves
infants an age in months, days or hours (preamble to the rule of December 2000). The reference date,
on which a person's age is judged, is always an argument.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from safe_harbor.ages import OLDEST_AGE, AgeUnit, read_age
from safe_harbor.birth_bounds import Born, bound_birth
from safe_harbor.numerals import plain_line
from safe_harbor.partial_dates import PartialDate
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


def cap_age(value: object, *, over_89: bool = False) -> CappedAge:
    """An age as it may stay: itself up to 89, `90+` above, nothing when it cannot be read.

    Ages of three years and more lose months, days and fractions; younger ones keep them.
    With `over_89`, what else is known shows a person now over 89 (`birth_bounds`), and an earlier
    age would give the birth year back: it becomes `90+` as well.
    """
    age = read_age(value)
    if age is None:
        return CappedAge("")
    if age.over_89 or over_89:
        return CappedAge(NINETY_OR_OLDER)
    whole = age.unit is AgeUnit.YEARS and age.number == age.years
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
    over = bound_birth([Born(PartialDate(year, month, day))], reference).shows_over_89(reference)
    return NINETY_OR_OLDER if over else str(year)
