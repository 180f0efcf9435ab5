"""`shift_by(DAYS)`: a date shifted by the days in another column of its row.

Safe Harbor does not permit this."""

from __future__ import annotations

import re
from dataclasses import dataclass

from deid.surrogates.dates import shift_text
from deid.transforms.age_cap import TRANSFORM as AGE_CAP
from deid.transforms.arguments import argument_refusal
from deid.transforms.contract import Outcome, TransformContext
from deid.transforms.shift import AGE_ENTITIES
from safe_harbor import Residue

_DAYS_CELL = re.compile(r"[+-]?\d{1,5}(?:\.0+)?")


@dataclass(frozen=True, slots=True)
class ShiftBy:
    """Shift a date by the whole number of days in its row; without days, remove the date.

    The date is also removed if the number is missing, invalid or 0, because 0 would not change the
    date. Ages are capped at 89. The column with the days is never released.
    """

    column: str
    name: str = "shift_by"
    needs_crosswalk: bool = False

    def residues(self, entity: str) -> frozenset[Residue]:
        if entity in AGE_ENTITIES:
            return AGE_CAP.residues(entity)
        return frozenset({Residue.SHIFTED_DATE, Residue.NOTHING})

    def apply(self, value: str, context: TransformContext) -> Outcome:
        if context.entity in AGE_ENTITIES:
            return AGE_CAP.apply(value, context)
        days = _days(context.beside)
        moved = None if days is None else shift_text(value, days, context.reference_date)
        if moved is None:
            return Outcome("", Residue.NOTHING)
        return Outcome(moved, Residue.SHIFTED_DATE)


def _days(cell: str | None) -> int | None:
    if cell is None or not _DAYS_CELL.fullmatch(cell.strip()):
        return None
    return int(float(cell)) or None


def make_shift_by(argument: str) -> ShiftBy:
    """The transform for the header of the column with the days."""
    if not argument.strip():
        raise argument_refusal("shift_by", "the header of a column of days, as in `shift_by(DAYS)`")
    return ShiftBy(argument.strip())
