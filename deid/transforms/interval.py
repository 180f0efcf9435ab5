"""`interval(ADMIT_DATE)`: the days from another date of the same row, which is no date itself."""

from __future__ import annotations

from dataclasses import dataclass

from deid.transforms.arguments import argument_refusal
from deid.transforms.contract import Outcome, TransformContext
from safe_harbor import Residue, read_date

# Nothing but a birth lies so many days from another date of the same person.
NINETY_YEARS = 90 * 365 + 22
_BIRTHS = ("BIRTH_DATE", "BIRTH_YEAR", "AGE")


@dataclass(frozen=True, slots=True)
class Interval:
    """Days, negative before the index date; nothing where either of the two is no whole date
    or where ninety years lie between them.

    The interval from or to a birth is an age in days, so a birth date leaves its value.
    """

    column: str
    name: str = "interval"
    needs_crosswalk: bool = False

    def residues(self, entity: str) -> frozenset[Residue]:
        if entity in _BIRTHS:
            return frozenset({Residue.VALUE, Residue.INTERVAL, Residue.NOTHING})
        return frozenset({Residue.INTERVAL, Residue.NOTHING})

    def apply(self, value: str, context: TransformContext) -> Outcome:
        found = read_date(value, context.reference_date, birth=False, counted=True)
        day = None if found is None else found.whole
        if day is None or context.index is None:
            return Outcome("", Residue.NOTHING)
        days = (day - context.index).days
        if abs(days) >= NINETY_YEARS and context.entity not in _BIRTHS:
            return Outcome("", Residue.NOTHING)
        return Outcome(str(days), Residue.INTERVAL)


def make_interval(argument: str) -> Interval:
    """The transform with the header of the column that holds the index date."""
    if not argument.strip():
        raise argument_refusal(
            "interval", "the header of the index date, as in `interval(ADMIT_DATE)`"
        )
    return Interval(argument.strip())
