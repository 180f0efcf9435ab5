"""Rows of questions and answers: a row's label describes its value as a header describes a column.

`05301` beside `What is your ZIP code?` is a ZIP code, whatever the other rows hold.
"""

from __future__ import annotations

import re

from recognizers.columns.cells.memory import remembered
from recognizers.columns.cells.shapes import is_code, is_listed, is_null
from recognizers.columns.headers import header_words, rule_of
from safe_harbor import Identifier, read_age

_LABELS = frozenset(
    ["question", "attribute", "variable", "field", "parameter", "element", "label", "prompt",
     "characteristic", "item", "qlabel", "qnam"]
)  # fmt: skip
_ANSWERS = frozenset(
    ["value", "answer", "response", "result", "val", "reading", "numeric", "string", "qval"]
)
# Counts and measurements, with too few digits for a person's number.
_LABEL_NUMBER = re.compile(r"[-+<>]{0,2}\d*(?:\.\d+)?\s*%?")
_FEW_DIGITS = re.compile(r"[-+<>]{0,2}(?:\d{0,2}|\d{0,3}\.\d{1,2})|\d{0,3}(?:\.\d+)?\s*%")
_FEW_DIGITS_OF_DATE = re.compile(r"[-+<>]{0,2}\d{0,4}(?:\.\d+)?")
_STAYS = ("state", "year")
# Parts of a birth date or another date, however short.
_ELEMENTS = ("birth_date", "birth_year", "date_part")
_CODED_IDENTIFIERS = (Identifier.NAMES, Identifier.PLACES, Identifier.DATES)
# Questions about an identifier that do not contain the word that a header would contain.
_HOW_OLD = re.compile(r"(?i)\bhow old\b")
_ASKED = (
    (Identifier.PLACES, re.compile(r"(?i)\bwhere\b.*\b(?:live|living|reside|stay|grow up)\b")),
    (Identifier.NAMES, re.compile(r"(?i)\bwhere\b.*\b(?:work|working|worked|employed)\b")),
    (Identifier.PHONES, re.compile(r"(?i)\bnumber\b.*\b(?:reach|call|contact)\b")),
)


def is_label_header(header: str) -> bool:
    """Whether the column holds labels for the values in another column."""
    words = [word for word in header_words(header) if word not in ("name", "text")]
    return bool(words) and words[-1] in _LABELS


def is_answer_header(header: str) -> bool:
    """Whether the column holds values that another column labels."""
    return not _ANSWERS.isdisjoint(header_words(header))


@remembered
def labelled_identifier(label: str, value: str) -> Identifier | None:
    """Return the identifier that the label makes of the value; None if the value may be kept.

    Numbers of one or two digits are not the identifier that the label names (`Phone calls a week`),
    except parts of dates and ages over 89. The year of a visit may be kept; a birth year is an
    identifier.
    """
    text = value.strip()
    if is_null(value) or is_listed("flag", value):
        return None
    rule = rule_of(label)
    if rule is None:
        return _over_89(text) if _HOW_OLD.search(label) else _asked(label, text)
    if rule.identifier is None or rule.shape in _STAYS:
        return None
    if rule.shape.startswith("age"):
        return _over_89(text)
    if rule.shape in _ELEMENTS:
        return rule.identifier
    if rule.identifier in _CODED_IDENTIFIERS and rule.shape != "zip" and is_code(value):
        return None
    return None if _is_answer_alone(rule.identifier, text) else rule.identifier


def _is_answer_alone(identifier: Identifier, text: str) -> bool:
    """Whether the text is a number too short for the identifier.

    For dates, this is a year or a count of days.
    """
    few = _FEW_DIGITS_OF_DATE if identifier is Identifier.DATES else _FEW_DIGITS
    return bool(_LABEL_NUMBER.fullmatch(text) and few.fullmatch(text))


def _asked(label: str, text: str) -> Identifier | None:
    asked = next((word for word, question in _ASKED if question.search(label)), None)
    return None if asked is None or _is_answer_alone(asked, text) else asked


def _over_89(text: str) -> Identifier | None:
    age = read_age(text)
    return Identifier.DATES if age is None or age.over_89 else None
