"""Columns that their header does not explain, judged by their values alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from recognizers.columns.categories import are_categories
from recognizers.columns.cells.conformance import conforms, is_measured
from recognizers.columns.cells.kinds import ONLY_KINDS, kind_shape
from recognizers.columns.cells.shapes import is_listed, shape_of
from recognizers.columns.coordinates import may_be_coordinates
from recognizers.columns.profiles import (
    ANYTHING,
    BY_SHAPE,
    ColumnProfile,
    kept_profile,
    of_kind,
    of_shape,
    unsure,
)
from recognizers.columns.values import (
    LEAST_SERIALS,
    MOST,
    are_bare_numbers,
    are_called_strangely,
    are_serials,
    most_of,
    mostly_prose,
    share_measured,
    share_of_names,
)
from recognizers.text.measures import is_unit

ANSWER_LISTS = ("sex", "race", "marital", "language", "country", "relation", "flag")
_GESTATION_CELL = re.compile(r"[1-4]\d ?w(?:k|ks|eeks?)? ?[0-6] ?d(?:ays?)?", re.IGNORECASE)
_PERCENT = re.compile(r"\d{1,3}(?:\.\d+)?\s?%")
_BRACKETS_AND_DEGREES = re.compile(r"[ \[\]\u00b0]")
_ZERO_FRACTION_ALONE = re.compile(r"\d+\.0")
# A day number of FileMan, Excel or Unix, or a key.
_LONG_BEFORE_POINT = re.compile(r"\d{5,}\.\d")
_PRESSURE = re.compile(r"(\d{2,3})/(\d{2,3})(?: ?mm ?hg)?", re.IGNORECASE)
_RANGE_CELL = re.compile(
    r"[<>≤≥]=?\s?\d{1,4}(?:\.\d+)?|\d{1,4}(?:\.\d+)?\s?(?:-|–|to)\s?\d{1,4}(?:\.\d+)?"
)
_GRADED = re.compile(r"(?i)[1-4]\+|\+{1,4}|neg(?:ative)?|pos(?:itive)?|trace|tr")


def by_values(seen: Sequence[str], shapes: Counter[str], why: str) -> ColumnProfile:
    """Return the profile of a column from its values alone; it is often `unsure`."""
    if not seen:
        return kept_profile("empty", 0.9, why, "every value is null")
    most = most_of(shapes)
    if most in BY_SHAPE and not (most == "state" and len(set(seen)) < 3):
        return of_shape(most, 0.9, why)
    if mostly_prose(shapes, 0.2):
        return of_kind("text", "", "text", 0.85, why, "the values are prose")
    if (kinds := kind_shape("", seen)) is not None:
        return kept_profile(kinds, 0.85, why, ONLY_KINDS)
    # An age with a unit is an age; a bare number may be anything.
    if shape_of_content(seen) == "result":
        return kept_profile("result", 0.8, why, "the values are results")
    if shapes["age"] >= MOST * len(seen) and not all(v.isdigit() for v in seen):
        return of_kind("quasi", "AGE", "age", 0.85, why, "the values are ages")
    if seen and all(_GESTATION_CELL.fullmatch(value) for value in seen):
        return kept_profile("number", 0.8, why, "the values are weeks and days of a pregnancy")
    if seen and all(_PERCENT.fullmatch(value) for value in seen):
        return kept_profile("number", 0.8, why, "the values are percentages")
    if (fitted := refit(seen)) is not None and not _may_be_initials(fitted, seen):
        return kept_profile(fitted, 0.85, why, f"the values are on the list {fitted}")
    if may_be_coordinates(seen):
        return unsure(why, "the values may be coordinates")
    if share_measured(seen) >= 0.5 and all(conforms("number", v) for v in seen):
        return kept_profile("number", 0.8, why, "the values are measurements")
    if (content := shape_of_content(seen)) is not None:
        return kept_profile(content, 0.8, why, f"the values are of kind {content}")
    if are_categories(seen):
        return kept_profile("term", 0.8, why, "the values are a few English or clinical words")
    if share_of_names(seen) >= 0.5 or are_called_strangely(seen):
        return of_kind("identifier", "PERSON", "name", 0.7, why, "the values look like names")
    return unsure(why, ANYTHING)


def refit(seen: Sequence[str]) -> str | None:
    """The closed shape that at least 99 in 100 values fit; None if there is none."""
    for shape in (*ANSWER_LISTS, "route", "blood_type", "region", "code"):
        fitting = sum(
            is_listed(shape, v) or (shape == "code" and shape_of(v) == "code") for v in seen
        )
        if fitting >= 0.99 * len(seen):
            return shape
    return None


def _may_be_initials(shape: str, seen: Sequence[str]) -> bool:
    """Whether unexplained values may be initials (one or two letters) or ages (plain numbers)."""
    letters = all(len(value) <= 2 and value.isalpha() for value in seen)
    few = shape in ("sex", "flag", "route") or (bool(shape) and len(set(seen)) <= 2)
    return are_bare_numbers(seen) or (letters and not few)


def shape_of_content(seen: Sequence[str]) -> str | None:
    """The shape of clinical values: units, pressures, ranges or short results; None for others."""
    if len(seen) < LEAST_SERIALS:
        return None
    if all(is_unit(_BRACKETS_AND_DEGREES.sub("", v)) for v in seen) and any(
        "/" in v or "%" in v for v in seen
    ):
        return "unit"
    if all(_is_pressure(v) for v in seen):
        return "measure"
    decimals = sum(_has_fraction(v) for v in seen) >= 0.2 * len(seen)
    if decimals and all(
        _RANGE_CELL.fullmatch(v) or conforms("number", v) or is_measured(v) for v in seen
    ):
        return None if are_serials(seen) else "measure"
    graded = sum(bool(_GRADED.fullmatch(v)) for v in seen) >= 0.3 * len(seen)
    graded = graded and all(_GRADED.fullmatch(v) or is_listed("flag", v) for v in seen)
    return "result" if graded else None


def _is_pressure(value: str) -> bool:
    match = _PRESSURE.fullmatch(value)
    return match is not None and 60 <= int(match[1]) <= 260 and 30 <= int(match[2]) <= 160


def _has_fraction(value: str) -> bool:
    """Whether the value has a decimal that is not zero, as whole numbers from a program have."""
    decimal = "." in value and not _ZERO_FRACTION_ALONE.fullmatch(value)
    return decimal and not _LONG_BEFORE_POINT.search(value)
