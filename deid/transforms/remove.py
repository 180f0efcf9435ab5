"""`remove`: the value is removed, and nothing replaces it."""

from __future__ import annotations

from dataclasses import dataclass

from deid.transforms.contract import Outcome, TransformContext
from safe_harbor import Residue


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove the value and leave nothing."""

    name: str = "remove"
    needs_crosswalk: bool = False

    def residues(self, entity: str) -> frozenset[Residue]:
        return frozenset({Residue.NOTHING})

    def apply(self, value: str, context: TransformContext) -> Outcome:
        return Outcome("", Residue.NOTHING)


TRANSFORM = Remove()
