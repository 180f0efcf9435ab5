"""A random code in place of the value, its key in the crosswalk: 164.514(c)."""

from __future__ import annotations

from dataclasses import dataclass

from deid.errors import DeidError
from deid.transforms.contract import CodeSource, Outcome, TransformContext
from safe_harbor import Residue


def allocator_of(context: TransformContext) -> CodeSource:
    """The desk of the job. Raises `DeidError` where the job has no crosswalk."""
    if context.allocate is None:
        raise DeidError(
            "crosswalk-missing",
            "the policy draws codes, and no crosswalk is given",
            hint="name one with --crosswalk, made by `deid crosswalk init`",
        )
    return context.allocate


@dataclass(frozen=True, slots=True)
class RandomCode:
    """Put a random code in place of the value; the same identifier has the same code."""

    name: str = "code"
    needs_crosswalk: bool = True

    def residues(self, entity: str) -> frozenset[Residue]:
        return frozenset({Residue.RANDOM_CODE})

    def apply(self, value: str, context: TransformContext) -> Outcome:
        code = allocator_of(context)(context.identifier, context.person, value)
        return Outcome(code, Residue.RANDOM_CODE)


TRANSFORM = RandomCode()
