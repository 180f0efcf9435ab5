"""`year`: the year of a date, the only part that may stay: 164.514(b)(2)(i)(C)."""

from __future__ import annotations

from dataclasses import dataclass

from deid.transforms.contract import Outcome, TransformContext
from deid.transforms.tag import tag_of
from safe_harbor import NINETY_OR_OLDER, Residue, birth_year, read_date


@dataclass(frozen=True, slots=True)
class Year:
    """`03/14/2023` becomes `2023`.

    A date without a year becomes a tag in text, nothing in a column.

    A date early enough to be the birth of someone over 89 shows that age: it becomes a tag in text
    and `90+` in a column. The same applies to the year of a life event in the row of such a person,
    and to a year that a finding marks as showing the age.
    """

    name: str = "year"
    needs_crosswalk: bool = False

    def residues(self, entity: str) -> frozenset[Residue]:
        return frozenset({Residue.YEAR, Residue.AGE_90_PLUS, Residue.TAG, Residue.NOTHING})

    def apply(self, value: str, context: TransformContext) -> Outcome:
        cell = context.where == "column"
        if context.over_89:
            return Outcome(NINETY_OR_OLDER, Residue.AGE_90_PLUS)
        found = read_date(value, context.reference_date, context.birth, counted=cell)
        if found is None or context.entity == "BIRTH_YEAR_OVER_89":
            return _without_year(value, context)
        year = birth_year(found.year, context.reference_date, found.month, found.day)
        if year != NINETY_OR_OLDER:
            return Outcome(str(found.year), Residue.YEAR)
        if cell:
            return Outcome(NINETY_OR_OLDER, Residue.AGE_90_PLUS)
        return _without_year(value, context)


def _without_year(value: str, context: TransformContext) -> Outcome:
    if context.where == "column":
        return Outcome("", Residue.NOTHING)
    return Outcome(tag_of(context, value), Residue.TAG)


TRANSFORM = Year()
