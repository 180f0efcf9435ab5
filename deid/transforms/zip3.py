"""`zip3`: the first three ZIP digits where more than 20,000 people live: 164.514(b)(2)(i)(B)."""

from __future__ import annotations

from dataclasses import dataclass

from deid.transforms.contract import Outcome, TransformContext
from deid.transforms.tag import tag_of
from safe_harbor import Residue, zip3


@dataclass(frozen=True, slots=True)
class ZipPrefix:
    """`05301-2218` becomes `053`; a prefix that the policy's census restricts becomes `000`."""

    name: str = "zip3"
    needs_crosswalk: bool = False

    def residues(self, entity: str) -> frozenset[Residue]:
        return frozenset({Residue.ZIP3, Residue.TAG, Residue.NOTHING})

    def apply(self, value: str, context: TransformContext) -> Outcome:
        found = zip3(value, context.census)
        if not found.text and context.where == "text":
            return Outcome(tag_of(context, value), Residue.TAG)
        return Outcome(found.text, found.residue)


TRANSFORM = ZipPrefix()
