"""Descriptions of the levels of a hierarchy: "in bands of 5 years", "first three digits"."""

from __future__ import annotations

from itertools import pairwise

from risk.hierarchies.bands import BandRule
from risk.hierarchies.hierarchy import Hierarchy
from risk.hierarchies.rules import HierarchyRule

_KIND_WORDS: dict[str, tuple[str, ...]] = {
    "age": (
        "whole years",
        "whole years, 90 and over as one",
        "in bands of 5 years, 90 and over as one",
        "in bands of 10 years, 90 and over as one",
        "in bands of 20 years, 80 and over as one",
    ),
    "year": ("years", "in bands of 5 years", "in bands of 10 years", "in bands of 20 years"),
    "zip": ("ZIP codes", "first three digits", "states", "Census divisions", "Census regions"),
    "state": ("states", "Census divisions", "Census regions"),
    "icd10cm": ("diagnosis codes", "three-character categories", "blocks", "chapters"),
}
_DATE_WORDS = ("days", "months", "quarters", "years", "bands of 5 years", "bands of 10 years")


def level_words(hierarchy: Hierarchy, level: int, rule: HierarchyRule | None) -> str:
    """Describe what a release at this level shows of the column, without any of its values."""
    last = len(hierarchy.labels) - 1
    if level == last and len(hierarchy.labels[level]) == 1:
        return "not shown (one value for all)"
    kind = "" if rule is None else rule.kind
    if kind in _KIND_WORDS and level < len(_KIND_WORDS[kind]):
        return _KIND_WORDS[kind][level]
    if kind == "date" and level:
        return f"in {_DATE_WORDS[len(_DATE_WORDS) - last + level]}"
    if isinstance(rule, BandRule) and level:
        return _band_words(rule.cuts[level - 1])
    if not level:
        return "as recorded"
    many = len(hierarchy.labels[level])
    return f"{len(hierarchy.leaves):,} values as {many:,}"


def _band_words(cuts: tuple[float, ...]) -> str:
    """The width of the bands if they are all equal, otherwise their number."""
    widths = {round(high - low, 9) for low, high in pairwise(cuts)}
    if len(widths) == 1:
        return f"in bands of {widths.pop():g}"
    return f"in {len(cuts):,} bands"
