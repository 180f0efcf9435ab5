"""`tag`: `[NAME]`, or `[NAME-1]` numbered within a patient."""

from __future__ import annotations

from dataclasses import dataclass

from deid.transforms.contract import Outcome, TransformContext
from recognizers import LABELS
from safe_harbor import Residue

_TAGS = {entity: label for label, entity in LABELS.items()} | {
    "LOCATION": "PLACE",
    "COORDINATES": "PLACE",
    "MAC_ADDRESS": "IP",
    "AGE_OVER_89": "AGE",
    "BIRTH_YEAR_OVER_89": "BIRTHYEAR",
}


def tag_of(context: TransformContext, value: str) -> str:
    """The tag for this value."""
    label = _TAGS.get(context.entity, context.identifier.upper().removesuffix("S"))
    if context.numbering is None:
        return f"[{label}]"
    return f"[{label}-{context.numbering.number(label, value)}]"


@dataclass(frozen=True, slots=True)
class Tag:
    """Replace the value with the name of its category."""

    name: str = "tag"
    needs_crosswalk: bool = False

    def residues(self, entity: str) -> frozenset[Residue]:
        return frozenset({Residue.TAG})

    def apply(self, value: str, context: TransformContext) -> Outcome:
        return Outcome(tag_of(context, value), Residue.TAG)


TRANSFORM = Tag()
