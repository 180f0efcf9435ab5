"""`round(5)`: the nearest multiple of 5, halves to the even multiple; `90+` for ages over 89."""

from __future__ import annotations

from dataclasses import dataclass

from deid.transforms.arguments import coarsen, positive_number, residue_of_coarse, spell_number
from deid.transforms.contract import Outcome, TransformContext
from safe_harbor import NINETY_OR_OLDER, OLDEST_AGE, Residue


@dataclass(frozen=True, slots=True)
class Rounded:
    """Round to multiples of `to`; an age that rounds to 90 or more is `90+`."""

    to: float
    name: str = "round"
    needs_crosswalk: bool = False

    def residues(self, entity: str) -> frozenset[Residue]:
        return residue_of_coarse(entity)

    def apply(self, value: str, context: TransformContext) -> Outcome:
        return coarsen(
            value, context, lambda number: self._nearest(number, context.entity == "AGE")
        )

    def _nearest(self, number: float, age: bool) -> str:
        nearest = round(number / self.to) * self.to
        return NINETY_OR_OLDER if age and nearest > OLDEST_AGE else spell_number(nearest)


def make_round(argument: str) -> Rounded:
    """The transform that rounds to multiples of this number, in the unit of the column."""
    return Rounded(positive_number("round", argument))
