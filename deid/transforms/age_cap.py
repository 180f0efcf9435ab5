"""`age_cap`: ages up to 89 stay; older ages become `90+`: 164.514(b)(2)(i)(C)."""

from __future__ import annotations

from dataclasses import dataclass

from deid.transforms.contract import Outcome, TransformContext
from safe_harbor import NINETY_OR_OLDER, Residue, cap_age


@dataclass(frozen=True, slots=True)
class AgeCap:
    """Cap an age. In a column, a value that cannot be read as an age is removed.

    In text a finding already means an age over 89, so it becomes `90+` in any spelling.
    """

    name: str = "age_cap"
    needs_crosswalk: bool = False

    def residues(self, entity: str) -> frozenset[Residue]:
        return frozenset({Residue.AGE, Residue.AGE_90_PLUS, Residue.NOTHING})

    def apply(self, value: str, context: TransformContext) -> Outcome:
        if context.where == "text":
            return Outcome(NINETY_OR_OLDER, Residue.AGE_90_PLUS)
        age = cap_age(value, over_89=context.over_89)
        return Outcome(age.text, age.residue)


TRANSFORM = AgeCap()
