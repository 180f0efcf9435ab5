"""What a table's column is: what the rules say of it, and what columns like it were.

The rules know headers and lists; the trees have learned from columns that somebody read. A column
that no rule explains is kept where the trees are sure, and one that a rule keeps is withheld where
they say otherwise. A header that names an identifier is not theirs to overrule.
"""

from __future__ import annotations

from collections.abc import Sequence

from recognizers.columns.cells.conformance import conforms
from recognizers.columns.cells.majority import majorities
from recognizers.columns.cells.shapes import is_filler_value
from recognizers.columns.doubts import suspicion
from recognizers.columns.headers import rule_of
from recognizers.columns.judging import judged_by_rules
from recognizers.columns.learned.column_odds import ColumnOdds, SurenessLimits
from recognizers.columns.profiles import ANYTHING, MISFITS, ColumnProfile, kept_profile, unsure

#: Fewer cells say too little.
LEAST_CELLS = 15
# The closest first. What fits none of them is withheld all the same.
_SHAPES_TO_FIT = (
    *("reading", "wide_reading", "number", "answer", "score", "result", "concept", "code"),
    *("version", "term", "unit", "measure"),
)
_LEAST_FITTING = 0.9
# Kept shapes that leave room for a number or a name of somebody.
_SHAPES_TO_DOUBT = (
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
    if len(seen) < LEAST_CELLS or not may_be_decided(ruled, header):
        return ruled
    odds = ColumnOdds.load()
    samples = [*majorities(seen), seen]
    told = max(odds.that_stays(header, sample, len(seen) / len(values)) for sample in samples)
    return decided(ruled, seen, told, odds.limits, named=odds.counts.knows(header))


def decided(
    ruled: ColumnProfile, seen: Sequence[str], odds: float, limits: SurenessLimits, *, named: bool
) -> ColumnProfile:
    """What the rules say of a column, unless the log odds that it stays say otherwise.

    `named` tells whether a word of its header was met in any column that was learned from.
    """
    if ruled.kind == "keep":
        return ruled if odds >= limits.doubts else unsure(_WHY_NOT)
    sure = odds >= (limits.keeps if named else limits.nameless)
    if not sure or (shape := _shape(seen)) is None:
        return ruled
    why = suspicion(seen, named=named)
    return kept_profile(shape, 0.8, _WHY) if why is None else unsure(*ruled.reasons[:1], why)


def may_be_decided(ruled: ColumnProfile, header: str) -> bool:
    """May the odds change what the rules say?

    Not where these have a suspicion, nor where the values have ruled out what the header says: the
    odds would ask the header again.
    """
    if ruled.kind == "keep":
        rule = rule_of(header)
        overruled = rule is not None and rule.kind in ("identifier", "quasi")
        return ruled.shape in _SHAPES_TO_DOUBT and not overruled
    return ruled.kind == "unsure" and ruled.reasons[-1].endswith((ANYTHING, MISFITS))


def _shape(seen: Sequence[str]) -> str | None:
    for shape in _SHAPES_TO_FIT:
        if sum(conforms(shape, value) for value in seen) >= _LEAST_FITTING * len(seen):
            return shape
    return None
