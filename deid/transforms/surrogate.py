"""`surrogate`: a made-up value in the form of the real one, consistent per person."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from deid.surrogates import Draws, replace, words_to_avoid
from deid.transforms.code import allocator_of
from deid.transforms.contract import Outcome, TransformContext
from deid.transforms.shift import TRANSFORM as SHIFT
from safe_harbor import Identifier, Residue


@dataclass(frozen=True, slots=True)
class Surrogate:
    """Draw a made-up name, address or number of the same form and keep it in the crosswalk.

    Dates are shifted and ages capped as by `shift`. Safe Harbor does not permit shifted dates, so a
    Safe Harbor policy uses `year` and `age_cap`.
    """

    name: str = "surrogate"
    needs_crosswalk: bool = True
    below: Callable[[int], int] = field(default=secrets.randbelow, repr=False)

    def residues(self, entity: str) -> frozenset[Residue]:
        if entity in _DATES:
            return SHIFT.residues(entity)
        return frozenset({Residue.SURROGATE})

    def apply(self, value: str, context: TransformContext) -> Outcome:
        if context.identifier is Identifier.DATES:
            return SHIFT.apply(value, context)
        known = context.known
        mine = (value, *(found.value for found in known or ()))
        draws = Draws(allocator_of(context).keep, context.person, words_to_avoid(mine), self.below)
        made = replace(context.identifier, context.entity, value, draws)
        return Outcome(made, Residue.SURROGATE)


_DATES = frozenset(
    ["DATE_TIME", "WEEKDAY", "AGE", "AGE_OVER_89", "BIRTH_DATE", "BIRTH_YEAR", "BIRTH_YEAR_OVER_89"]
)
TRANSFORM = Surrogate()
