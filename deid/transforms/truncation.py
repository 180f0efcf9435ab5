"""`truncate(3)`: the first three characters of a value.

For an identifier, the result counts as part of the value.
"""

from __future__ import annotations

from dataclasses import dataclass

from deid.transforms.arguments import positive_number
from deid.transforms.contract import Outcome, TransformContext
from safe_harbor import Residue


@dataclass(frozen=True, slots=True)
class Truncation:
    """`truncate(3)` turns `I21.4` into `I21`."""

    length: int
    name: str = "truncate"
    needs_crosswalk: bool = False

    def residues(self, entity: str) -> frozenset[Residue]:
        return frozenset({Residue.VALUE})

    def apply(self, value: str, context: TransformContext) -> Outcome:
        return Outcome(value.strip()[: self.length], Residue.VALUE)


def make_truncate(argument: str) -> Truncation:
    """The transform for the number of characters to keep."""
    return Truncation(int(positive_number("truncate", argument)))
