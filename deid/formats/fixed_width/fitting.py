"""Fits a released cell into a place of fixed width: whole, visibly shortened, or blank.

No cell is cut silently: half a number or half a code could be taken for another one.
"""

from __future__ import annotations

import re

_WHOLE_TAG = re.compile(r"\[([A-Z][A-Z _]*)(?:-(\d+))?\]")
_NUMBERED = re.compile(r"(?:ID-|#)(\d{1,9})")
CUT_MARK = "..."
# Text is not shortened to fit into a place narrower than this.
LEAST_TEXT = 12


def fitted_cell(cell: str, width: int, codec: str = "") -> str:
    """The text to write for a cell in a place of `width` characters, or bytes of the codec.

    If the cell does not fit, a tag loses its brackets, the tag of a key becomes `#17`, and a text
    of several words ends after a word with `...`. Any other cell that does not fit is left out.

    >>> [fitted_cell("[NAME]", n) for n in (6, 5, 3)], fitted_cell("[ID-17]", 3)
    (['[NAME]', 'NAME', ''], '#17')
    >>> fitted_cell("Seen by [NAME] today for a cough", 20), fitted_cell("19430501", 6)
    ('Seen by [NAME]...', '')
    """
    if size_of(cell, codec) <= width:
        return cell
    if tag := _WHOLE_TAG.fullmatch(cell):
        bare = cell[1:-1]
        shorter = [bare, f"#{tag[2]}"] if tag[2] else [bare]
        return next((one for one in shorter if len(one) <= width), "")
    if width < LEAST_TEXT:
        return ""
    return _cut_text(cell, width - len(CUT_MARK), codec)


def size_of(text: str, codec: str = "") -> int:
    """The length of a text in characters, or in bytes of the codec."""
    return len(text.encode(codec, "replace")) if codec else len(text)


def _cut_text(text: str, room: int, codec: str) -> str:
    left = text[: room + 1]
    while left and (size_of(left, codec) > room or left.count("[") > left.count("]")):
        left = left.rpartition(" ")[0]
    return left.rstrip() + CUT_MARK if left.strip() else ""


def key_of_place(cell: str, keys: int) -> str:
    """A cell of a release in which `keys` keys were numbered, with `#17` read as the key's tag.

    >>> key_of_place("#17", 20), key_of_place("#17", 3)
    ('[ID-17]', '#17')
    """
    found = _NUMBERED.fullmatch(cell) if keys else None
    return f"[ID-{found[1]}]" if found and 0 < int(found[1]) <= keys else cell
