"""`keep`: the unchanged value. The rule decides whether a policy may use it."""

from __future__ import annotations

from dataclasses import dataclass

from deid.transforms.contract import Outcome, TransformContext
from safe_harbor import Residue

_KEPT_PLACE_RESIDUES = {
    "CITY": Residue.TOWN,
    "US_ZIP_CODE": Residue.ZIP5,
    "US_STATE": Residue.STATE,
}


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep the value."""

    name: str = "keep"
    needs_crosswalk: bool = False

    def residues(self, entity: str) -> frozenset[Residue]:
        return frozenset({_KEPT_PLACE_RESIDUES.get(entity, Residue.VALUE)})

    def apply(self, value: str, context: TransformContext) -> Outcome:
        return Outcome(value, _KEPT_PLACE_RESIDUES.get(context.entity, Residue.VALUE))


TRANSFORM = Keep()
