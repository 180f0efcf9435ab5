"""The profile of a column, from the rules and from boosted trees trained on labeled columns.

The rules use headers and lists; the trees learned from labeled columns. A column that
no rule explains is kept if the trees give it high odds. A column that a rule keeps is withheld if
the trees give it low odds. The trees never overrule a header that names an identifier.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from recognizers.columns.cells.conformance import conforms
from recognizers.columns.cells.kinds import ONLY_KINDS, kind_shape
from recognizers.columns.cells.majority import majorities
from recognizers.columns.cells.shapes import is_filler_value
from recognizers.columns.doubts import doubt_of_numbers, suspicion
from recognizers.columns.headers import names_only_values, names_readings, rule_of
from recognizers.columns.judging import judged_by_rules
from recognizers.columns.learned.column_odds import ColumnOdds, SurenessLimits
from recognizers.columns.learned.of_headers import ends_in_unit
from recognizers.columns.profiles import ANYTHING, MISFITS, ColumnProfile, kept_profile, unsure
from recognizers.columns.values import are_numbered_alike

#: With fewer cells the trees are not used.
LEAST_CELLS = 5
# The trees keep fewer cells only under a header that they know, and they do not doubt fewer cells
# that a rule keeps, unless these differ by numbers only. Among few cells, the numbers of sites,
# beds, days and persons look like answers, counts and, as `12.0345` (site and person), readings.
_ENOUGH_CELLS = 15
_FIGURE_ALONE = re.compile(r"[-+]?(?:\d+(?:\.\d+)?|\.\d+)")
_MOSTLY_NUMBERS = 0.9
_LETTER_OR_NUMBER = re.compile(r"0*[1-9]\d*(?:-\d+|\.0|\.\d{3,4})?|[A-Za-z]")
# The first shape that fits is used. A column that fits no shape stays withheld.
_SHAPES_TO_FIT = (
    *("reading", "wide_reading", "number", "answer", "score", "result", "concept", "code"),
    *("version", "term", "unit", "measure"),
)
_LEAST_FITTING = 0.9
# Kept shapes that may include a person's number or name.
_SHAPES_TO_DOUBT = (
    *("number", "measure", "term", "result", "short_code", "sequence", "concept", "unit"),
    *("version", "flag", "code"),
)
_WHY = "similar columns in the training data identify nobody"
_WHY_NOT = "similar columns in the training data identify people"


def profile(header: str, values: Sequence[str | None]) -> ColumnProfile:
    """Return what the column seems to be, from its header and a sample of its values in row order.

    Nulls and placeholders are ignored. A column that neither a rule nor the trees explain is
    `unsure`, so that it is withheld.
    """
    seen = [value.strip() for value in values if value is not None and not is_filler_value(value)]
    header = telling_part(header, seen)
    ruled = judged_by_rules(header, seen)
    if len(seen) < LEAST_CELLS or not may_be_decided(ruled, header):
        return ruled
    odds = ColumnOdds.load()
    samples = [*majorities(seen), seen]
    # To keep a column that no rule keeps, the odds of every part must suffice.
    pooled = ruled.kind == "keep"
    named = odds.counts.knows(header) or ends_in_unit(header)
    filled = len(seen) / len(values)
    told = max(odds.that_stays(header, sample, filled, pooled) for sample in samples)
    return decided(ruled, seen, told, odds.limits, named=named)


def telling_part(header: str, seen: Sequence[str]) -> str:
    """The header, or "" if it says of numbers only that they are values, and not that they are
    readings: a number under `item` may be an age, a bed or a person.
    """
    if len(seen) < LEAST_CELLS or not names_only_values(header) or names_readings(header):
        return header
    numbers = sum(_FIGURE_ALONE.fullmatch(value) is not None for value in seen)
    if numbers >= _MOSTLY_NUMBERS * len(seen):
        return ""
    doubted = rule_of(header) is None and doubt_of_numbers(seen) is not None
    return "" if doubted else header


def decided(
    ruled: ColumnProfile, seen: Sequence[str], odds: float, limits: SurenessLimits, *, named: bool
) -> ColumnProfile:
    """Return the rules' profile of a column, unless the log odds of keeping it overrule the rules.

    `named` is true if a word of the header occurs in columns that the trees were trained on, or if
    it ends in a unit of measure.
    """
    if ruled.kind == "keep":
        # The numbers of a sequence differ by numbers only, as its header says.
        alike = ruled.shape != "sequence" and are_numbered_alike(set(seen))
        few = len(seen) < _ENOUGH_CELLS and not alike
        return ruled if few or odds >= limits.doubts else _doubted(seen)
    if len(seen) < _ENOUGH_CELLS and not named:
        return ruled
    sure = odds >= (limits.keeps if named else limits.nameless)
    if not sure or (shape := _shape(seen)) is None:
        return ruled
    why = suspicion(seen, named=named) or _few_may_be_numbered(seen)
    return kept_profile(shape, 0.8, _WHY) if why is None else unsure(*ruled.reasons[:1], why)


def _doubted(seen: Sequence[str]) -> ColumnProfile:
    """The profile of a column that the trees doubt: only kinds on a list need no trust."""
    kinds = kind_shape("", seen)
    return unsure(_WHY_NOT) if kinds is None else kept_profile(kinds, 0.8, _WHY_NOT, ONLY_KINDS)


def may_be_decided(ruled: ColumnProfile, header: str) -> bool:
    """Whether the odds may change the rules' profile.

    They may not if the rules suspect an identifier. Nor may they if the values have ruled out what
    the header names, because the odds would rely on the same header.
    """
    if ruled.kind == "keep":
        rule = rule_of(header)
        overruled = rule is not None and rule.kind in ("identifier", "quasi")
        return ruled.shape in _SHAPES_TO_DOUBT and not overruled
    return ruled.kind == "unsure" and ruled.reasons[-1].endswith((ANYTHING, MISFITS))


def _few_may_be_numbered(seen: Sequence[str]) -> str | None:
    """Return why few cells may number sites, beds, days or persons; None if one is 0 or a word."""
    if len(seen) < _ENOUGH_CELLS and all(map(_LETTER_OR_NUMBER.fullmatch, seen)):
        return "so few numbers or letters may be those of sites, days or persons"
    return None


def _shape(seen: Sequence[str]) -> str | None:
    for shape in _SHAPES_TO_FIT:
        if sum(conforms(shape, value) for value in seen) >= _LEAST_FITTING * len(seen):
            return shape
    return None
