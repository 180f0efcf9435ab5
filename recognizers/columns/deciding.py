"""What a table's column is: what the rules say of it, and what columns like it were.

The rules know headers and lists; the trees have learned from columns that somebody read. A column
that no rule explains is kept where the trees are sure, one that a rule keeps is withheld where
they are sure of the contrary, and a header that names an identifier is overruled where they are
surest.
"""

from __future__ import annotations

from collections.abc import Sequence

from recognizers.columns.cells.conformance import conforms
from recognizers.columns.cells.shapes import is_code, is_filler_value
from recognizers.columns.doubts import suspicion
from recognizers.columns.headers import rule_of
from recognizers.columns.judging import judged_by_rules
from recognizers.columns.learned.column_odds import ColumnOdds, SurenessLimits
from recognizers.columns.majority import majorities
from recognizers.columns.profiles import ANYTHING, MISFITS, ColumnProfile, kept_profile, unsure

#: Fewer cells say too little.
LEAST_CELLS = 15
# The closest first. What fits none of them is withheld all the same.
_SHAPES = ("number", "score", "result", "concept", "code", "version", "term", "unit", "measure")
_FITTING = 0.9
# Where a header names these, no odds overrule it.
_NAMED_SHAPES = ("name", "organization", "facility", "city", "county", "email", "coordinates")
# Kept shapes that leave room for a number or a name of somebody.
_OPEN_SHAPES = (
    *("number", "measure", "term", "result", "short_code", "sequence", "concept", "unit"),
    *("version", "flag", "code"),
)
_WHY = "columns with such headers and values stay"
_WHY_NOT = "columns with such headers and values identify somebody"


def profile(header: str, values: Sequence[str | None]) -> ColumnProfile:
    """What the column seems to be, from its header and a sample of its values, in order.

    Nulls and placeholders say nothing. Fails closed: what neither a rule nor the trees explain is
    `unsure`.
    """
    seen = [value.strip() for value in values if value is not None and not is_filler_value(value)]
    ruled = judged_by_rules(header, seen)
    if len(seen) < LEAST_CELLS or not _is_open(ruled, header, seen):
        return ruled
    odds = ColumnOdds.load()
    told = _odds(odds, header, seen, len(seen) / len(values))
    return decided(ruled, seen, told, odds.limits, odds.knows(header))


def decided(
    ruled: ColumnProfile, seen: Sequence[str], odds: float, limits: SurenessLimits, named: bool
) -> ColumnProfile:
    """What the rules say of a column, unless the log odds that it stays say otherwise; `named` if
    its header holds a word that was met.
    """
    if ruled.kind == "keep":
        return unsure(_WHY_NOT) if odds < limits.doubts else ruled
    known = limits.keeps if named else limits.nameless
    least = known if ruled.kind == "unsure" else limits.overrules
    if odds < least or (shape := _shape(seen)) is None:
        return ruled
    why = suspicion(seen, named=named)
    return kept_profile(shape, 0.8, _WHY) if why is None else unsure(*ruled.reasons[:1], why)


def _is_open(ruled: ColumnProfile, header: str, seen: Sequence[str]) -> bool:
    """May the odds change what the rules say? Not where these have a suspicion."""
    if ruled.kind == "keep":
        rule = rule_of(header)
        coded = ruled.shape == "code" and sum(map(is_code, seen)) >= _FITTING * len(seen)
        # Where the values have ruled out what the header names, the odds would ask it again.
        contrary = rule is not None and rule.kind in ("identifier", "quasi")
        return ruled.shape in _OPEN_SHAPES and not coded and not contrary
    if ruled.kind == "unsure":
        return ruled.reasons[-1].endswith((ANYTHING, MISFITS))
    return ruled.kind == "identifier" and ruled.shape not in _NAMED_SHAPES


def _odds(odds: ColumnOdds, header: str, seen: Sequence[str], filled: float) -> float:
    """The odds of all cells, or of those that agree where a few foreign ones do not."""
    samples = [*majorities(seen), seen]
    return max(odds.that_stays(header, sample, filled) for sample in samples)


def _shape(seen: Sequence[str]) -> str | None:
    for shape in _SHAPES:
        if sum(conforms(shape, value) for value in seen) >= _FITTING * len(seen):
            return shape
    return None
