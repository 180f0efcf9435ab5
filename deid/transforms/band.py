"""`band(10)`: replaces a number with its band of width 10, `60-69`; ages over 89 with `90+`."""

from __future__ import annotations

import math
from dataclasses import dataclass

from deid.transforms.arguments import coarsen, positive_number, residue_of_coarse, spell_number
from deid.transforms.contract import Outcome, TransformContext
from safe_harbor import OLDEST_AGE, Residue


@dataclass(frozen=True, slots=True)
class Band:
    """Bands of a whole width show both ends (`60-69`); bands of other widths look like `0.5-<1`."""

    width: float
    name: str = "band"
    needs_crosswalk: bool = False

    def residues(self, entity: str) -> frozenset[Residue]:
        return residue_of_coarse(entity)

    def apply(self, value: str, context: TransformContext) -> Outcome:
        return coarsen(value, context, lambda number: self._band(number, context.entity == "AGE"))

    def _band(self, number: float, age: bool) -> str:
        low = math.floor(number / self.width + 1e-9) * self.width
        if self.width != int(self.width):
            return f"{spell_number(low)}-<{spell_number(low + self.width)}"
        high = low + self.width - 1
        high = min(high, OLDEST_AGE) if age else high
        return spell_number(low) if high == low else f"{spell_number(low)}-{spell_number(high)}"


def make_band(argument: str) -> Band:
    """The transform for a band width in the unit of the column."""
    return Band(positive_number("band", argument))
