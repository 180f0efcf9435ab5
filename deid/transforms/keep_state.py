"""`keep_state`: states may stay; 164.514(b)(2)(i)(B) covers subdivisions *smaller than a state*."""

from __future__ import annotations

from dataclasses import dataclass

from deid.transforms.contract import Outcome, TransformContext
from deid.transforms.tag import tag_of
from safe_harbor import Residue, is_state


@dataclass(frozen=True, slots=True)
class KeepState:
    """Keep the value only if it is a state of the United States."""

    name: str = "keep_state"
    needs_crosswalk: bool = False

    def residues(self, entity: str) -> frozenset[Residue]:
        return frozenset({Residue.STATE, Residue.TAG, Residue.NOTHING})

    def apply(self, value: str, context: TransformContext) -> Outcome:
        if is_state(value):
            return Outcome(value.strip(), Residue.STATE)
        if context.where == "column":
            return Outcome("", Residue.NOTHING)
        return Outcome(tag_of(context, value), Residue.TAG)


TRANSFORM = KeepState()
