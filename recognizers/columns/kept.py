"""Columns with a harmless header, which are kept if their values fit it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from recognizers.columns.categories import are_categories
from recognizers.columns.cells.conformance import conforms, held_shape, is_measured
from recognizers.columns.cells.kinds import ONLY_KINDS, kind_shape
from recognizers.columns.cells.shapes import CELL_WORD, is_listed, is_lone_name
from recognizers.columns.doubts import are_initials, are_unknown_words, doubt
from recognizers.columns.headers import Rule, header_words
from recognizers.columns.profiles import (
    BY_SHAPE,
    MISFITS,
    ColumnProfile,
    kept_profile,
    of_kind,
    of_rule,
    of_shape,
    unsure,
)
from recognizers.columns.values import (
    MANY_ROWS,
    MOST,
    are_coded,
    are_in_pieces,
    are_long_numbers,
    are_recurrent,
    are_serials,
    are_towns,
    most_of,
    mostly_prose,
    share_measured,
    share_of_names,
)
from recognizers.columns.values_alone import ANSWER_LISTS, by_values, refit
from recognizers.text.measures import is_unit

LONGEST_LABEL = 60
_BRACKETS = re.compile(r"[ \[\]]")
_WARD = re.compile(
    r"(?i)\d{1,4} ?(?:[A-Z]|north|south|east|west|tower|center)(?: ?\w{1,6})?|"
    r"\w?[MSCNP]ICU|CCU|CVU|"
    r"(?:medic|engine|rescue|ambulance|squad|ladder|truck|rig|air|pod) ?\d{1,3}|"
    r"(?:L&D|PACU|PCU|BMT|ED|ER|OR|ward|med ?surg|tele(?:metry)?|step ?down)(?: ?\w{1,3})?"
)
# Kept shapes that may include a person's number.
_UNLISTED_SHAPES = (
    "flag",
    "number",
    "measure",
    "term",
    "brand",
    "short_code",
    "sequence",
    "version",
    "unit",
)
_CODED_LAST = (("procedure",), ("diagnosis",), ("death",), ("cause",), ("injury",))
# Lists about persons: in such a column, a value on no list may be a person's name.
OF_PERSONS = ("sex", "race", "marital", "language", "country")
_PLACED = ("term", "measure", "flag", "short_code", "number", "result")
_FIGURE_SHAPES = ("number", "measure")
_REPEATED_SHAPES = (*_FIGURE_SHAPES, "term", "brand", "unit")
_WORD_SHAPES = ("term", "measure", "brand")


def judged_keep(
    rule: Rule, header: str, seen: Sequence[str], shapes: Counter[str]
) -> ColumnProfile:
    """Return the profile of a column with a harmless header, which is kept only if the values fit
    it.
    """
    if rule.shape in ("term", "unit") and (kinds := kind_shape("unit", seen)) is not None:
        return kept_profile(kinds, 0.85, ONLY_KINDS)
    misfits = sum(not conforms(rule.shape, value) for value in seen)
    # `2054-5` is a race code that reads like a month.
    if rule.shape in OF_PERSONS and seen and misfits <= 0.1 * len(seen):
        return of_rule(rule, "", 0.95, "the values fit the header")
    most = most_of(shapes, 0.5)
    held = sum(held_shape(value) is not None for value in seen)
    if seen and held >= 0.05 * len(seen) and not mostly_prose(shapes):
        if _is_closed(rule, seen):
            return of_rule(rule, "", 0.8, "only cells on the header's list are released")
        if rule.shape in ("measure", "term", "number") and _are_results(seen):
            return kept_profile("result", 0.8, "the values are results; other cells are blanked")
        return by_values(seen, shapes, "the values contradict the header")
    if most in BY_SHAPE and BY_SHAPE[most][0] != "keep" and not _state_for_country(rule, most):
        return of_shape(most, 0.9)
    told = mostly_prose(shapes, 0.2) and (not are_recurrent(seen) or _holds_name(seen))
    if rule.shape in _WORD_SHAPES and told:
        return of_kind("text", "", "text", 0.85, "the values are prose")
    least = 0.5 if are_recurrent(seen) else 0.3
    if rule.shape == "brand" and len(set(seen)) >= 6 and share_of_names(seen) >= 0.8:
        return of_kind("identifier", "PERSON", "name", 0.7, "the values look like names")
    if rule.shape in _PLACED and are_towns(seen):
        return of_kind("identifier", "CITY", "city", 0.7, "the values look like places")
    if rule.shape in ("term", "measure") and share_of_names(seen) >= least:
        return of_kind("identifier", "PERSON", "name", 0.7, "the values look like names")
    if rule.shape in _UNLISTED_SHAPES and (are_serials(seen) or _are_repeated_serials(rule, seen)):
        return unsure(
            f"the header suggests kind {rule.shape}, but the values look like serial numbers"
        )
    if rule.shape == "code" and are_in_pieces(seen):
        return unsure("the header suggests kind code, but the values look like serial numbers")
    if rule.shape == "measure" and are_long_numbers(seen):
        return unsure("the header suggests kind measure, but the values may be ZIP codes or keys")
    if rule.shape == "unit" and "unit" in header_words(header) and _are_wards(seen):
        return of_kind(
            "identifier",
            "FACILITY",
            "facility",
            0.7,
            "the values are hospital units, not units of measure",
        )
    if (why := doubt(rule, header, seen)) is not None:
        return unsure(f"the header suggests kind {rule.shape}", why)
    if misfits > 0.1 * len(seen) and rule.shape in OF_PERSONS and _is_closed(rule, seen):
        return of_rule(rule, "", 0.8, "only cells on the header's list are released")
    if misfits > 0.1 * len(seen):
        other = refit(seen) or _looser(rule, header, seen)
        other = other or ("term" if are_categories(seen) else None)
        if other is None:
            return unsure(f"the header suggests kind {rule.shape}, but {MISFITS}")
        return kept_profile(other, 0.8, f"the values are of kind {other}")
    confidence = 0.95 if seen else 0.9
    return of_rule(rule, "", confidence, "the values fit the header")


def _holds_name(seen: Sequence[str]) -> bool:
    """Whether any word in the values is a person's name."""
    return any(is_lone_name(word) for value in set(seen) for word in CELL_WORD.findall(value))


def _are_wards(seen: Sequence[str]) -> bool:
    """Whether some values are wards (`4W`, `MICU`) and fewer than a third are units of measure."""
    different = set(seen)
    units = sum(is_unit(_BRACKETS.sub("", v)) or bool(set(v) & set("/%^")) for v in different)
    wards = sum(bool(_WARD.fullmatch(v)) for v in different)
    return wards >= 1 and units < 0.34 * len(different)


def _are_repeated_serials(rule: Rule, seen: Sequence[str]) -> bool:
    """Whether the distinct values are serial numbers that repeat over many rows of readings."""
    different = sorted(set(seen))
    if rule.shape not in _REPEATED_SHAPES or not are_serials(different):
        return False
    if all(any(c.isalpha() for c in v) and any(c.isdigit() for c in v) for v in different):
        return rule.shape not in _FIGURE_SHAPES or not any(map(is_measured, different))
    rough = sum(value.endswith("00") for value in different)
    return len(different) >= MANY_ROWS and rough < 0.3 * len(different)


def _state_for_country(rule: Rule, most: str) -> bool:
    """Whether codes that look like states may be countries (`CA`, `IN`, `DE`) or short flags."""
    return most == "state" and rule.shape != "term"


def _is_closed(rule: Rule, seen: Sequence[str]) -> bool:
    """Whether half of the cells are on a short list, so that other cells can be blanked."""
    return rule.shape in ANSWER_LISTS and sum(is_listed(rule.shape, v) for v in seen) >= 0.5 * len(
        seen
    )


def _are_results(seen: Sequence[str]) -> bool:
    """Whether most cells are short results that repeat or have fractions."""
    plain = [value for value in seen if conforms("result", value)]
    return len(plain) >= 0.6 * len(seen) and (are_recurrent(plain) or share_measured(plain) >= 0.3)


def _looser(rule: Rule, header: str, seen: Sequence[str]) -> str | None:
    """Return another harmless shape that fits the values; None if no such shape does."""
    if (kinds := kind_shape(rule.shape, seen)) is not None:
        return kinds
    if rule.shape == "number":
        measured = sum(conforms("number", v) or is_measured(v) for v in seen)
        if measured >= MOST * len(seen):
            return "measure"
    if rule.shape in (*ANSWER_LISTS, "number") and are_recurrent(seen):
        fitting = sum(conforms("term", v) and len(v) <= LONGEST_LABEL for v in seen)
        named = share_of_names(seen) > 0 or _holds_name(seen) or are_unknown_words(seen)
        if fitting >= 0.99 * len(seen) and not named and not are_initials(seen):
            return "term"
    if header_words(header)[-1:] in (("code",), ("codes",)):
        if are_coded(seen):
            return "concept"
        if rule.shape in ("short_code", "term") and are_recurrent(seen, 6):
            return "code" if all(conforms("code", v) for v in seen) else None
    coded = header_words(header)[-1:] in _CODED_LAST
    if rule.shape == "term" and coded and not are_serials(seen):
        return "code" if all(conforms("code", v) for v in seen) else None
    return None
