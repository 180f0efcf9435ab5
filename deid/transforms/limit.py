"""`top_code(85)`: `85+` for 85 and above. `bottom_code(18)`: `<18` for values below 18."""

from __future__ import annotations

from dataclasses import dataclass

from deid.transforms.arguments import coarsen, positive_number, residue_of_coarse, spell_number
from deid.transforms.contract import Outcome, TransformContext
from safe_harbor import NINETY_OR_OLDER, OLDEST_AGE, Residue


@dataclass(frozen=True, slots=True)
class CodedLimit:
    """Values within the limit stay as written."""

    name: str
    at: float
    needs_crosswalk: bool = False

    def residues(self, entity: str) -> frozenset[Residue]:
        return residue_of_coarse(entity)

    def apply(self, value: str, context: TransformContext) -> Outcome:
        top = f"{spell_number(min(self.at, OLDEST_AGE + 1))}+"
        oldest = top if self.name == "top_code" else NINETY_OR_OLDER
        return coarsen(value, context, lambda number: self._told(number, value.strip()), oldest)

    def _told(self, number: float, written: str) -> str:
        if self.name == "top_code" and number >= self.at:
            return f"{spell_number(self.at)}+"
        if self.name == "bottom_code" and number < self.at:
            return f"<{spell_number(self.at)}"
        return written


def make_top_code(argument: str) -> CodedLimit:
    """`top_code`; for an age the limit is 90 at most."""
    return CodedLimit("top_code", positive_number("top_code", argument))


def make_bottom_code(argument: str) -> CodedLimit:
    """`bottom_code`."""
    return CodedLimit("bottom_code", positive_number("bottom_code", argument))
