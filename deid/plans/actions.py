"""Finds, by trial, the transform of `deid scrub` that has the effect of a plan's level."""

from __future__ import annotations

from datetime import date

from deid.transforms.contract import TransformContext
from deid.transforms.register import transform
from risk import Hierarchy
from safe_harbor import Identifier

# Candidate actions for the levels of each kind, the finest first.
CANDIDATES = {
    "age": tuple(f"band({width})" for width in (2, 3, 4, 5, 10, 15, 20, 25, 30, 40, 45, 50)),
    "icd10cm": tuple(f"truncate({length})" for length in (6, 5, 4, 3)),
}
# The date does not matter for cells without dates.
UNUSED_DATE = date(2001, 1, 1)


def action_of(kind: str, hierarchy: Hierarchy, level: int) -> str | None:
    """The first action that turns every leaf into its label at that level, or None."""
    labels, groups = hierarchy.labels[level], hierarchy.groups[level]
    told = [
        (_text(leaf), _text(labels[group]))
        for leaf, group in zip(hierarchy.leaves, groups, strict=True)
    ]
    return next((a for a in CANDIDATES.get(kind, ()) if told and _leaves(a, kind, told)), None)


def _text(value: object) -> str:
    """The value as text; a missing value as an empty cell."""
    return "" if value is None else str(value)


def _leaves(action: str, kind: str, told: list[tuple[str, str]]) -> bool:
    entity = "AGE" if kind == "age" else ""
    context = TransformContext(Identifier.DATES, entity, UNUSED_DATE, where="column")
    made = transform(action)
    return all(made.apply(leaf, context).text == label for leaf, label in told)
