"""What a table's column is: what the rules say of it, and what columns like it were.

The rules know headers and lists; the trees have learned from columns that somebody read. A column
that no rule explains is kept where the trees are sure, one that a rule keeps is withheld where
they are sure of the contrary, and a header that names an identifier is overruled where they are
surest.
"""

from __future__ import annotations

from collections.abc import Sequence

from recognizers.columns.cells.answers import is_answer_list
from recognizers.columns.cells.conformance import conforms
from recognizers.columns.cells.shapes import is_code, is_filler_value
from recognizers.columns.genomic import GENOMIC
from recognizers.columns.judging import judged_by_rules
from recognizers.columns.learned.column_odds import ColumnOdds, SurenessLimits
from recognizers.columns.majority import majorities
from recognizers.columns.profiles import ColumnProfile, kept_profile, unsure

#: Fewer cells say too little.
LEAST_CELLS = 8
# The closest first. What fits none of them is withheld all the same.
_SHAPES = ("number", "score", "result", "concept", "code", "version", "term", "unit", "measure")
_FITTING = 0.9
# Where a header names these, no odds overrule it. Of what is coarsened, days alone are open: the
# others stay as far as the rule lets them.
_NAMED_SHAPES = ("name", "ssn", "phone", "email")
_DAYS = ("date", "date_part")
_LISTED_SHAPES = ("sex", "race", "marital", "language", "country", "relation", "answer", "care_unit")
_WHY = "columns with such headers and values stay"
_WHY_NOT = "columns with such headers and values identify somebody"


def profile(header: str, values: Sequence[str | None]) -> ColumnProfile:
    """What the column seems to be, from its header and a sample of its values, in order.

    Nulls and placeholders say nothing. Fails closed: what neither a rule nor the trees explain is
    `unsure`.
    """
    seen = [value.strip() for value in values if value is not None and not is_filler_value(value)]
    ruled = judged_by_rules(header, seen)
    if len(seen) < LEAST_CELLS or GENOMIC in ruled.reasons or not _is_open(ruled):
        return ruled
    odds = ColumnOdds.load()
    return decided(ruled, seen, _odds(odds, header, seen, len(seen) / len(values)), odds.limits)


def decided(
    ruled: ColumnProfile, seen: Sequence[str], odds: float, limits: SurenessLimits
) -> ColumnProfile:
    """What the rules say of a column, unless the log odds that it stays say otherwise."""
    if ruled.kind == "keep":
        doubted = odds < limits.doubts and not _is_vouched_by_list(ruled.shape, seen)
        return unsure(_WHY_NOT) if doubted else ruled
    least = limits.keeps if ruled.kind == "unsure" else limits.overrules
    shape = _shape(seen) if odds >= least else None
    return ruled if shape is None else kept_profile(shape, 0.8, _WHY)


def _is_open(ruled: ColumnProfile) -> bool:
    """May the odds change what the rules say?"""
    if ruled.kind == "quasi":
        return ruled.shape in _DAYS
    if ruled.kind == "identifier":
        return ruled.shape not in _NAMED_SHAPES
    return ruled.kind in ("keep", "unsure")


def _is_vouched_by_list(shape: str, seen: Sequence[str]) -> bool:
    """Is each cell on a list of answers, or of a published form?"""
    if shape == "code":
        return sum(map(is_code, seen)) >= _FITTING * len(seen)
    return is_answer_list(shape) or shape in _LISTED_SHAPES


def _odds(odds: ColumnOdds, header: str, seen: Sequence[str], filled: float) -> float:
    """The odds of all cells, or of those that agree where a few foreign ones do not."""
    samples = [*majorities(seen), seen]
    return max(odds.that_stays(header, sample, filled) for sample in samples)


def _shape(seen: Sequence[str]) -> str | None:
    for shape in _SHAPES:
        if sum(conforms(shape, value) for value in seen) >= _FITTING * len(seen):
            return shape
    return None
