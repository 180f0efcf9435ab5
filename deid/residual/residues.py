"""What the transforms leave in a cell: tags, years, ages and numbers that are no known value."""

from __future__ import annotations

import re
from functools import lru_cache

from safe_harbor import is_state

_TAG, _OVER_89 = re.compile(r"\[[A-Z][A-Z0-9-]*\]"), re.compile(r"90\+(?<!\d90\+)")
# `ID-17` and its UUID replace a key in formats that do not allow brackets (FHIR).
_RESIDUE = re.compile(
    r"(?:\d{3,4}|90\+|\d{1,2}(?: ?[A-Za-z]{1,6}\.?)?|\[[A-Z0-9-]+\]|[-+]?\d{0,4}\.\d+|"
    r"ID-\d{1,12}|00000000-0000-4000-8000-\d{12}|)"
)
_SIGNED_NUMBER = re.compile(r"\s*[-+]?\d+(?:\.\d*)?\s*")


def mask_residues(text: str) -> str:
    """The text with tags and `90+` masked, because the transforms wrote them."""
    for sign, pattern in (("[", _TAG), ("90+", _OVER_89)):
        if sign in text:
            text = pattern.sub(lambda match: "\x1a" * len(match[0]), text)
    return text


@lru_cache(maxsize=1 << 14)
def is_residue(cell: str) -> bool:
    """Whether the whole cell may be the result of a transform: a year, ZIP3, age, state or tag.

    One or two characters, which identify no person by themselves, count as a result, too.
    """
    return (
        len(cell.strip()) < 3
        or bool(_RESIDUE.fullmatch(cell))
        or (len(cell) < 24 and is_state(cell))
    )


def is_number(cell: str) -> bool:
    """Whether the whole cell is one number."""
    return bool(_SIGNED_NUMBER.fullmatch(cell))
