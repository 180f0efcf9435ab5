"""Rows of questions and answers: what stands in the row's label says of its value what a header
says of a column. `What is your ZIP code?` beside `05301` is a ZIP, whatever the other rows hold."""

from __future__ import annotations

import re

from recognizers.columns_headers import header_words, rule_of
from recognizers.columns_memory import remembered
from recognizers.columns_shapes import is_code, is_null, listed
from safe_harbor import Identifier, read_age

_LABELS = frozenset(
    ["question", "attribute", "variable", "field", "parameter", "element", "label", "prompt",
     "characteristic", "item", "qlabel", "qnam"]
)  # fmt: skip
_ANSWERS = frozenset(
    ["value", "answer", "response", "result", "val", "reading", "numeric", "string", "qval"]
)
_SHORT_NUMBER = re.compile(r"[-+<>]{0,2}\d{0,4}(?:\.\d+)?\s*%?")
_STAYS = ("state", "year")


def is_label_header(header: str) -> bool:
    """Does the column say what another column of the row holds?"""
    words = [word for word in header_words(header) if word not in ("name", "text")]
    return bool(words) and words[-1] in _LABELS


def is_answer_header(header: str) -> bool:
    """Does the column hold what another column of the row names?"""
    return not _ANSWERS.isdisjoint(header_words(header))


@remembered
def labelled_identifier(label: str, value: str) -> Identifier | None:
    """The identifier that the value is by its label; None for what may stand, or says yes or no.

    Short numbers are answers to something else, but for ZIP codes without their zero and for ages
    over 89.
    """
    rule = rule_of(label)
    if rule is None or rule.identifier is None or rule.shape in _STAYS:
        return None
    if is_null(value) or listed("flag", value) or is_code(value):
        return None
    if rule.shape.startswith("age"):
        age = read_age(value)
        return rule.identifier if age is None or age.over_89 else None
    short = bool(_SHORT_NUMBER.fullmatch(value.strip())) and len(value.strip()) < 4
    if _SHORT_NUMBER.fullmatch(value.strip()) and (short or rule.shape != "zip"):
        return None
    return rule.identifier
