"""Units of measure: UCUM by its grammar, and words that the clinic writes for units."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from deid.vocabularies.lists import rows
from deid.vocabularies.numbers import is_long, numbers_somebody
from deid.vocabularies.words import is_worded, word_list

_PREFIXES = "da|Ki|Mi|Gi|Ti|[YZEPTGMkhdcmunpfazy]"
_NOTE = re.compile(r"\{([^{}]{0,60})\}")
_SIGN = re.compile(r"[^\W\d_]|[%\[\]'°]")
# A unit without a letter: a power of ten, a hundred, a note alone.
_BARE = re.compile(r"(?:/?1(?:0{0,6}|0[*^]\d{1,2}))+|\W*")
_OPERATORS = re.compile(r"[/.()]+")
_PIECE = re.compile(r"[\s/.*()]+")


@cache
def _simple() -> re.Pattern[str]:
    """One unit with its prefix and exponent."""
    atoms = {row["metric"]: "|".join(map(re.escape, row["atoms"].split())) for row in rows("units")}
    unit = rf"(?:(?:{_PREFIXES})?(?:{atoms['1']})|{atoms['0']}|\d{{1,6}}(?:[*^]\d{{1,2}})?)"
    return re.compile(rf"{unit}(?:[+-]?\d{{1,2}})?")


@lru_cache(maxsize=1 << 14)
def is_unit(text: str) -> bool:
    """A unit of UCUM (its notes in braces hold known words), or as the clinic writes one."""
    text = text.strip()
    if len(text) > 60 or numbers_somebody(text) or is_long(text):
        return False
    if not all(map(is_worded, _NOTE.findall(text))):
        return False
    bare = _NOTE.sub("", text)
    if not _SIGN.search(bare):
        return _BARE.fullmatch(bare) is not None
    if all(not part or _is_part(part) for part in _OPERATORS.split(bare)):
        return True
    return all(_is_written(piece) for piece in _PIECE.split(bare) if piece)


def _is_part(part: str) -> bool:
    return _simple().fullmatch(part) is not None


@lru_cache(maxsize=1 << 14)
def is_known_unit(text: str) -> bool:
    """The same without words that are no units: `10*3/uL`, `mm Hg`, `cells/uL`."""
    text = text.strip()
    if not is_unit(text) or not all(map(str.isascii, re.findall(r"[^\W\d_\u00b5]", text))):
        return False
    bare = _NOTE.sub("", text)
    if all(not part or _is_part(part) for part in _OPERATORS.split(bare)):
        return True
    return all(_is_listed(piece) for piece in _PIECE.split(bare) if piece)


def _is_listed(piece: str) -> bool:
    low = piece.strip("[]%-+^,").casefold()
    return not low or low.isdigit() or low in word_list("written_units") or _is_part(piece)


def _is_written(piece: str) -> bool:
    return _is_listed(piece) or is_worded(piece)


@lru_cache(maxsize=1 << 14)
def is_reading(text: str) -> bool:
    """A number, range or ratio with its unit, or known words: what may stand for a measure."""
    if numbers_somebody(text):
        return False
    rest = re.sub(r"[-+<>=~≤≥±]|\d+(?:[.,]\d+)*(?:[eE][-+]?\d{1,2}\b)?", " ", text)
    return all(is_unit(piece) or is_worded(piece) for piece in rest.split())
