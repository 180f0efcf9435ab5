"""`shift`: dates shifted by a random number of days per person.

Safe Harbor does not permit this, because a shifted date is still an element of a date.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from deid.surrogates.dates import shift_text
from deid.transforms.age_cap import TRANSFORM as AGE_CAP
from deid.transforms.code import allocator_of
from deid.transforms.contract import Outcome, TransformContext
from safe_harbor import Residue

AGE_ENTITIES = ("AGE", "AGE_OVER_89")
_SPAN_DAYS = 365
_SPAN_WEEKS = 52


@dataclass(frozen=True, slots=True)
class Shift:
    """Shift all dates of a person by the same 1 to 365 days, forward or back.

    Intervals, order and times stay; with `weeks`, whole weeks are drawn and weekdays stay too. A
    date without a known person, or one that cannot be read completely, is removed. Ages are capped
    at 89.
    """

    name: str = "shift"
    weeks: bool = False
    needs_crosswalk: bool = True
    below: Callable[[int], int] = field(default=secrets.randbelow, repr=False)

    def residues(self, entity: str) -> frozenset[Residue]:
        if entity in AGE_ENTITIES:
            return AGE_CAP.residues(entity)
        return frozenset({Residue.SHIFTED_DATE, Residue.TAG})

    def apply(self, value: str, context: TransformContext) -> Outcome:
        if context.entity in AGE_ENTITIES:
            return AGE_CAP.apply(value, context)
        if context.person is None:
            return Outcome("[DATE]", Residue.TAG)
        moved = shift_text(value, self.days(context), context.reference_date)
        if moved is None:
            return Outcome("[DATE]", Residue.TAG)
        return Outcome(moved, Residue.SHIFTED_DATE)

    def days(self, context: TransformContext) -> int:
        """The shift of this person in days, drawn on first use and kept in the crosswalk."""
        kind = "shift.weeks" if self.weeks else "shift.days"
        return int(allocator_of(context).keep(kind, context.person, "days", self._draw))

    def _draw(self) -> str:
        span, unit = (_SPAN_WEEKS, 7) if self.weeks else (_SPAN_DAYS, 1)
        drawn = self.below(2 * span)
        return str((drawn - span if drawn < span else drawn - span + 1) * unit)


TRANSFORM = Shift()
