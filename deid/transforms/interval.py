"""`interval(ADMIT_DATE)`: the days since another date of the row. The result is not a date."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from deid.transforms.arguments import argument_refusal
from deid.transforms.contract import Outcome, TransformContext
from safe_harbor import Residue, read_date

# An interval this long can only start or end at a birth.
NINETY_YEARS = 90 * 365 + 22
_BIRTH_OR_AGE = ("BIRTH_DATE", "BIRTH_YEAR", "AGE")


@dataclass(frozen=True, slots=True)
class Interval:
    """The days between two dates, negative before the index date; nothing if a date is incomplete,
    or if the two dates are ninety years or more apart.

    An interval from or to a birth is an age in days, so for a birth date the residue is the value.
    """

    column: str
    name: str = "interval"
    needs_crosswalk: bool = False

    def residues(self, entity: str) -> frozenset[Residue]:
        if entity in _BIRTH_OR_AGE:
            return frozenset({Residue.VALUE, Residue.INTERVAL, Residue.NOTHING})
        return frozenset({Residue.INTERVAL, Residue.NOTHING})

    def apply(self, value: str, context: TransformContext) -> Outcome:
        day, start = (_whole_date(cell, context) for cell in (value, context.beside))
        if day is None or start is None:
            return Outcome("", Residue.NOTHING)
        days = (day - start).days
        if abs(days) >= NINETY_YEARS and context.entity not in _BIRTH_OR_AGE:
            return Outcome("", Residue.NOTHING)
        return Outcome(str(days), Residue.INTERVAL)


def _whole_date(cell: str | None, context: TransformContext) -> date | None:
    if cell is None:
        return None
    found = read_date(cell, context.reference_date, birth=False, counted=True)
    return None if found is None else found.whole


def make_interval(argument: str) -> Interval:
    """The transform for the header of the index date column."""
    if not argument.strip():
        raise argument_refusal(
            "interval", "the header of the index date, as in `interval(ADMIT_DATE)`"
        )
    return Interval(argument.strip())
