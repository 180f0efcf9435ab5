"""Word lists of this folder, short codes, and abbreviations of laboratory tests."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_SHORT_CODE_WORD = re.compile(r"[A-Z]{1,2}|[a-z]|[A-Za-z]{0,3}[-./]?\d{1,4}[A-Za-z]?|\W{1,3}")


@cache
def word_list(name: str) -> frozenset[str]:
    """The lines of a word list in this folder, in lower case, without comments."""
    text = (files("deid.vocabularies") / f"{name}.txt").read_text("utf-8")
    lines = (line.strip() for line in text.splitlines())
    return frozenset(line.casefold() for line in lines if line and not line.startswith("#"))


def is_laboratory_test(text: str) -> bool:
    """Whether the text is an abbreviation of a laboratory test, in capitals: `CREAT`.

    Some abbreviations are also names, so ask only where a test is meant.
    """
    return text.isupper() and text.casefold() in word_list("laboratory_tests")


def is_short_code(text: str) -> bool:
    """Whether a code is too short to identify: two capitals, or four digits with few letters."""
    return _SHORT_CODE_WORD.fullmatch(text) is not None
