"""Age limits: ages up to 89 may stay, 90 and over may not, 164.514(b)(2)(i)(C).

An age over 89, stated or shown by a birth year, may stay only as `90+`. HHS allows ages of infants
in months, days or hours (preamble to the rule of December 2000). The reference date, on which a
person's age is computed, is always an argument.
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
    """The permitted form of an age: as written, `90+`, or empty if the age cannot be read."""

    text: str

    def __str__(self) -> str:
        return self.text

    @property
    def residue(self) -> Residue:
        """The residue of the age in the result."""
        if self.text == NINETY_OR_OLDER:
            return Residue.AGE_90_PLUS
        return Residue.AGE if self.text else Residue.NOTHING


def cap_age(value: object, *, over_89: bool = False) -> CappedAge:
    """Reduce an age: up to 89 it stays, over 89 it becomes `90+`; an unreadable age becomes empty.

    Ages from three years lose months, days and fractions; younger ones keep them. Set `over_89` if
    other facts show a person over 89 (`birth_bounds`): an earlier age would reveal the birth year,
    so it becomes `90+` too.
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
    """Age in whole years on a day. After a birth on February 29, a year is complete on March 1.

    Negative for a day before birth.
    """
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


def oldest_birth_year(reference: date) -> int:
    """Return the earliest birth year of people who cannot be over 89 in the reference date's year.

    The year before the result corresponds to HHS's "on or before 1920" for a service in 2010.
    """
    return reference.year - OLDEST_AGE


def birth_year(year: int, reference: date, month: int | None = None, day: int | None = None) -> str:
    """Reduce a birth year: it stays, or becomes `90+` if it shows an age over 89 on `reference`.

    With a full date, the birthday decides. With a year, or a year and month, anyone who could be 90
    counts as 90.
    """
    over = bound_birth([Born(PartialDate(year, month, day))], reference).shows_over_89(reference)
    return NINETY_OR_OLDER if over else str(year)
