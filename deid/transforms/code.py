"""`code`: a random code in place of the value, kept in the crosswalk: 164.514(c)."""

from __future__ import annotations

from dataclasses import dataclass

from deid.errors import DeidError
from deid.transforms.contract import CodeSource, Outcome, TransformContext
from safe_harbor import Residue


def allocator_of(context: TransformContext) -> CodeSource:
    """The job's source of codes. Raises `DeidError` if the job has no crosswalk."""
    if context.allocate is None:
        raise DeidError(
            "crosswalk-missing",
            "the policy needs a crosswalk for codes, and none is given",
            hint="give one with --crosswalk; `deid crosswalk init` creates it",
        )
    return context.allocate


@dataclass(frozen=True, slots=True)
class RandomCode:
    """Replace the value with a random code; the same identifier always gets the same code."""

    name: str = "code"
    needs_crosswalk: bool = True

    def residues(self, entity: str) -> frozenset[Residue]:
        return frozenset({Residue.RANDOM_CODE})

    def apply(self, value: str, context: TransformContext) -> Outcome:
        code = allocator_of(context)(context.identifier, context.person, value)
        return Outcome(code, Residue.RANDOM_CODE)


TRANSFORM = RandomCode()
