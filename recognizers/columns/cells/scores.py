"""Columns named after a score, a scale or a reading: `Borg`, `child_pugh`, `va_od`, `FiO2`.

Many scores are named after their inventors, so a score's name within a header is no evidence. A
column is kept only if its whole header is such a name and its values fit nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from functools import lru_cache

from recognizers.columns.cells.memory import remembered
from recognizers.words.folder import WORDS
from safe_harbor import csv_rows

LEAST, NEARLY_ALL, DIFFERENT = 5, 0.99, 0.9
# Words that may accompany the name of a score, such as its subject or its unit.
_BESIDE = re.compile(
    r"(?:score|scale|index|total|tot|sum|class|grade|gr|stage|category|cat|level|result|value|val|sc|cc|ph|pre|post|"
    r"num|pct|percent|raw|rank|item|od|os|ou|right|left|mm|cm|um|ms|sec|ml|mg|kg|m|db|deg|min|hr|"
    r"lpm|rpm|mmhg|ng|pg|abs|baseline|admit|admission|discharge|worst|first|last|max|current|type|"
    r"name|ratio|rate|risk|status|q?\d{1,2}|\d{1,2}(?:yr|mo|wk|mth))"
)
_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SCORE = re.compile(
    r"[<>=~≤≥]{0,2}\s?[-+]?\d{1,3}(?:\.\d{1,3})?\s?(?:%|\+|[a-eA-E])?|"
    r"\d{1,3}\s?[-/+]\s?\d{1,3}(?:\s?=\s?\d{1,2})?|\d-\d-\d|20/\d{2,3}\s?[-+]\d|"
    r"(?:CF|HM|LP)\s?@?\s?\d{1,2}\s?(?:ft|')|"
    r"G\d{1,2}(?:P\d{1,4}){0,3}(?:A\d{1,2})?|(?:I{1,3}|IV|VI{0,3})[abcABC]?\d?"
)
_SCORE_OR_DAY = re.compile(r"(?:0?[1-9]|1[0-2])/(0?[1-9]|[12]\d|3[01])")
_SCORE_OR_YEAR = re.compile(r"(?:19|20)\d{2}")
_LONG_WHOLE = re.compile(r"(\d{3,})(?:\.0+)?")
_FIGURE_COMPARED = re.compile(r"[<>=~≤≥]{0,2}\s?([-+]?\d+(?:\.\d+)?)\s?%?")
_SCORE_NUMBER = re.compile(r"[<>=~≤≥]{0,2}\s?[-+]?(?:\d{1,4}(?:\.\d{1,3})?|\.\d{1,3})\s?%?")
_FOUR_FIGURES = re.compile(r"\d{4}")


@lru_cache(maxsize=1)
def _names() -> dict[str, tuple[str, frozenset[str]]]:
    return {
        row["name"]: (row["shape"], frozenset(row["words"].split("|")) - {""})
        for row in csv_rows(WORDS / "columns" / "scores.csv")
    }


def score_names() -> frozenset[str]:
    """The names of scores in the table, in lower case without blanks."""
    return frozenset(_names())


@lru_cache(maxsize=1)
def _elements() -> dict[str, tuple[str, float | None]]:
    """Return the elements of published standards: the cell shape and the maximum, if any,
    by name.
    """
    return {
        row["name"]: (row["shape"], float(row["most"]) if row["most"] else None)
        for row in csv_rows(WORDS / "columns" / "elements.csv")
    }


@lru_cache(maxsize=1)
def _score_words() -> frozenset[str]:
    return frozenset(word for _, words in _names().values() for word in words)


def parted_humps(header: str) -> str:
    """The header with a blank before each capital of camelCase: `lvef Score` for `lvefScore`."""
    return _HUMPS.sub(" ", header)


@remembered
def score_name(header: str) -> str | None:
    """Return the score that the header names, without accompanying words; None if it names none."""
    return _name_among(header, _names())


def _name_among(header: str, known: Container[str]) -> str | None:
    pieces = re.findall(r"[a-z0-9]+", parted_humps(header).casefold())
    while pieces:
        joined = "".join(pieces)
        if joined in known:
            return joined
        if (bare := joined.rstrip("0123456789")) in known:
            return bare
        if _BESIDE.fullmatch(pieces[-1]) and len(pieces) > 1:
            pieces = pieces[:-1]
        elif _BESIDE.fullmatch(pieces[0]) and len(pieces) > 1:
            pieces = pieces[1:]
        else:
            return None
    return None


@remembered
def is_score(value: str) -> bool:
    """Whether the value is a small number, a grade, points out of a maximum, or a listed short
    form.
    """
    return bool(_SCORE.fullmatch(value)) or value in _score_words()


@remembered
def is_reading(value: str) -> bool:
    """Whether the value is a number with at most three digits before the decimal point."""
    return is_wide_reading(value) and _FOUR_FIGURES.search(value.split(".")[0]) is None


@remembered
def is_wide_reading(value: str) -> bool:
    """Whether the value is a number with at most four digits before the decimal point."""
    return bool(_SCORE_NUMBER.fullmatch(value))


def is_short_form(value: str) -> bool:
    """Whether the value is a short form that the table of scores lists for any score."""
    return value in _score_words()


def score_shape(header: str, seen: Sequence[str], fits: Callable[[str, str], bool]) -> str | None:
    """Return the shape of the cells if the header names a score and the cells fit it; else None.

    Years, days of a year, and nearly distinct whole numbers of three digits or more do not fit, as
    they may be identifiers. If the table has a maximum for an element (`DBWT`, `OPTIME`), its
    numbers may all differ, up to the maximum.
    """
    shape, most = _shape_and_most(header) or (_shape_by_name(header), None)
    if shape is None or len(seen) < LEAST:
        return None
    days = [match[1] for value in seen if (match := _SCORE_OR_DAY.fullmatch(value))]
    if len(days) >= 0.3 * len(seen) and len(set(days)) > LEAST:
        return None
    if sum(bool(_SCORE_OR_YEAR.fullmatch(value)) for value in seen) >= 0.3 * len(seen):
        return None
    if nearly_all_differ(seen) if most is None else not _are_within(seen, most):
        return None
    return shape if sum(fits(shape, v) for v in seen) >= NEARLY_ALL * len(seen) else None


def _are_within(seen: Sequence[str], most: float) -> bool:
    numbers = [float(match[1]) for value in seen if (match := _FIGURE_COMPARED.fullmatch(value))]
    return sum(number > most for number in numbers) <= (1 - NEARLY_ALL) * len(seen)


def nearly_all_differ(seen: Sequence[str]) -> bool:
    """Whether half of the cells are whole numbers of three digits or more, nearly all different."""
    whole = [match[1] for value in seen if (match := _LONG_WHOLE.fullmatch(value))]
    return len(whole) >= 0.5 * len(seen) and len(set(whole)) >= DIFFERENT * len(whole)


@remembered
def _shape_and_most(header: str) -> tuple[str, float | None] | None:
    """Return the shape and maximum of the standard element in the header; None if it names none."""
    name = _name_among(header, _elements())
    return None if name is None else _elements()[name]


@remembered
def _shape_by_name(header: str) -> str | None:
    name = score_name(header)
    return None if name is None else _names()[name][0]
