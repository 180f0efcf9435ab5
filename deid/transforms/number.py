"""`number`: `[ID-17]` for a key that joins tables; a key has the same number in the whole job."""

from __future__ import annotations

from dataclasses import dataclass

from deid.transforms.contract import Outcome, TransformContext
from deid.transforms.tag import tag_of
from safe_harbor import Residue


def number_tag(number: int | None) -> str:
    """The tag for a key number."""
    return "[ID]" if number is None else f"[ID-{number}]"


@dataclass(frozen=True, slots=True)
class Number:
    """Replace a key with its number, or with `[ID]` without a number; in text, with a plain tag."""

    name: str = "number"
    needs_crosswalk: bool = False

    def residues(self, entity: str) -> frozenset[Residue]:
        return frozenset({Residue.TAG})

    def apply(self, value: str, context: TransformContext) -> Outcome:
        if context.where == "text":
            return Outcome(tag_of(context, value), Residue.TAG)
        number = None if context.key_number is None else context.key_number(value)
        return Outcome(number_tag(number), Residue.TAG)


TRANSFORM = Number()
