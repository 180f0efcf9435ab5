"""Find by trial the transform of `deid scrub` that has the same result as a level of a plan."""

from __future__ import annotations

from datetime import date

from deid.transforms.contract import TransformContext
from deid.transforms.register import transform
from risk import Hierarchy
from safe_harbor import Identifier

# For each kind of hierarchy, the actions that may give the same result as a level, the finest
# first.
CANDIDATES = {
    "age": tuple(f"band({width})" for width in (2, 3, 4, 5, 10, 15, 20, 25, 30, 40, 45, 50)),
    "icd10cm": tuple(f"truncate({length})" for length in (6, 5, 4, 3)),
}
# Any reference date will do: the actions tried here do not depend on it.
UNUSED_DATE = date(2001, 1, 1)


def action_of(kind: str, hierarchy: Hierarchy, level: int) -> str | None:
    """Return the first action that turns every leaf into its label at that level, or None."""
    labels, groups = hierarchy.labels[level], hierarchy.groups[level]
    told = [
        (_text_or_empty(leaf), _text_or_empty(labels[group]))
        for leaf, group in zip(hierarchy.leaves, groups, strict=True)
    ]
    return next((a for a in CANDIDATES.get(kind, ()) if told and _leaves(a, kind, told)), None)


def _text_or_empty(value: object) -> str:
    """A value as text; a missing value is an empty cell."""
    return "" if value is None else str(value)


def _leaves(action: str, kind: str, told: list[tuple[str, str]]) -> bool:
    entity = "AGE" if kind == "age" else ""
    context = TransformContext(Identifier.DATES, entity, UNUSED_DATE, where="column")
    made = transform(action)
    return all(made.apply(leaf, context).text == label for leaf, label in told)
