"""`top_code(85)` leaves `85+` for 85 and above, `bottom_code(18)` `<18` for what is below 18."""

from __future__ import annotations

from dataclasses import dataclass

from deid.transforms.arguments import left_of, number_in, positive, spelled
from deid.transforms.contract import Context, Outcome
from safe_harbor import OLDEST_AGE, Residue


@dataclass(frozen=True, slots=True)
class Limit:
    """Values on the near side of the limit stay as they are written."""

    name: str
    at: float
    needs_crosswalk: bool = False

    def residues(self, entity: str) -> frozenset[Residue]:
        return left_of(entity)

    def apply(self, value: str, context: Context) -> Outcome:
        number = number_in(value, context)
        if number is None:
            return Outcome("", Residue.NOTHING)
        if isinstance(number, str):
            top = min(self.at, OLDEST_AGE + 1)
            text = f"{spelled(top)}+" if self.name == "top_code" else number
            return Outcome(text, Residue.AGE_90_PLUS)
        left = Residue.AGE if context.entity == "AGE" else Residue.VALUE
        if self.name == "top_code" and number >= self.at:
            return Outcome(f"{spelled(self.at)}+", left)
        if self.name == "bottom_code" and number < self.at:
            return Outcome(f"<{spelled(self.at)}", left)
        return Outcome(value.strip(), left)


def make_top(argument: str) -> Limit:
    """`top_code`; for an age the limit is 90 at most."""
    return Limit("top_code", positive("top_code", argument))


def make_bottom(argument: str) -> Limit:
    """`bottom_code`."""
    return Limit("bottom_code", positive("bottom_code", argument))
