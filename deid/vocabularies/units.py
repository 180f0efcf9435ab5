"""Units of measure: the UCUM grammar, and clinical spellings of units."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from deid.vocabularies.lists import read_vocabulary
from deid.vocabularies.numbers import has_long_number, looks_personal
from deid.vocabularies.wording import DESCRIPTION, names_nobody
from deid.vocabularies.words import word_list
from recognizers import is_town_name, may_be_somebody, plain_unit

_PREFIXES = "da|[YZEPTGMkhdcmunpfazy]"
# Binary prefixes are for bits and bytes only; with other units they would match Kim and Gil.
_BINARY_UNIT = "[KMGT]i(?:bit|By)"
# Customary units of length, area, volume and weight; units of antibodies, by test.
_CUSTOMARY = (
    r"\[(?:in|ft|yd|mi|fth|rd|lk|ch|rch|rlk|mil|acr|twp|sct|srd|smi|nmi|kn|gal|bbl|qt|pt|gil|foz|fdr|"
    r"min|crd|bu|pk|dqt|dpt|cup|tbs|tsp|pc|gr|lb|oz|dr|scwt|lcwt|ston|lton|Btu|in_i'H2O|in_i'Hg)"
    r"(?:_(?:us|br|i|av|tr|ap|m|IT|th|39|59|60))?\]"
)
_IMMUNOLOGICAL = r"\[[AGMP]P[A-Z]?(?:'?Ig[AGM])?'U\]"
_UCUM_ANNOTATION = re.compile(r"\{([^{}]{0,60})\}")
_UNIT_SIGN = re.compile(r"[^\W\d_]|[%\[\]'°]")
# A unit without a letter: a power of ten, a hundred, or only an annotation.
_UNITLESS = re.compile(r"(?:/?1(?:0{0,6}|0[*^]\d{1,2}))+|\W*")
_OPERATORS = re.compile(r"[/.()]+")
# `1.73m2`, `x10*3`: a figure and its unit as one word.
_COUNTED_UNIT = re.compile(r"(?:x(?=10)|\d+(?:\.\d+)?(?=[a-z]))([a-z\d*]+)")
_UNIT_SEPARATOR = re.compile(r"[\s/.*()]+")


@cache
def _simple() -> re.Pattern[str]:
    """The pattern of one unit with its prefix and exponent."""
    atoms = {
        row["metric"]: "|".join(map(re.escape, row["atoms"].split()))
        for row in read_vocabulary("units")
    }
    prefixed = rf"(?:{_PREFIXES})?(?:{atoms['1']})|{_BINARY_UNIT}"
    unit = rf"(?:{prefixed}|{_CUSTOMARY}|{_IMMUNOLOGICAL}|{atoms['0']}|\d{{1,6}}(?:[*^]\d{{1,2}})?)"
    return re.compile(rf"{unit}(?:[+-]?\d{{1,2}})?")


@lru_cache(maxsize=1 << 14)
def is_measure_unit(text: str) -> bool:
    """Whether the text is a UCUM unit (with known words in braces) or a clinical spelling."""
    text = plain_unit(text.strip())
    if len(text) > 60 or looks_personal(text) or has_long_number(text) or _is_town_instead(text):
        return False
    if not all(map(_is_annotation, _UCUM_ANNOTATION.findall(text))):
        return False
    bare = _UCUM_ANNOTATION.sub("", text)
    if not _UNIT_SIGN.search(bare):
        return _UNITLESS.fullmatch(bare) is not None
    if all(not part or _is_part(part) for part in _OPERATORS.split(bare)):
        return True
    return all(_is_written(piece) for piece in _UNIT_SEPARATOR.split(bare) if piece)


def _is_town_instead(text: str) -> bool:
    """Whether the text is the name of a town, even if each of its words may stay alone."""
    return is_town_name(text) and not names_nobody(text, DESCRIPTION)


def _is_annotation(text: str) -> bool:
    """Whether an annotation may stay: known words, or short forms of what is counted."""
    return names_nobody(text, DESCRIPTION) or all(
        part.casefold() in word_list("unit_annotations") for part in re.findall(r"\w+", text)
    )


def _is_part(part: str) -> bool:
    return _simple().fullmatch(part) is not None


@lru_cache(maxsize=1 << 14)
def is_known_unit(text: str) -> bool:
    """Whether the text is a unit of measure built from known units: `10*3/uL`, `mm Hg`."""
    text = plain_unit(text.strip())
    if not is_measure_unit(text) or not all(map(str.isascii, re.findall(r"[^\W\d_]", text))):
        return False
    bare = _UCUM_ANNOTATION.sub("", text)
    if all(not part or _is_part(part) for part in _OPERATORS.split(bare)):
        return True
    return all(_is_listed_unit(piece) for piece in _UNIT_SEPARATOR.split(bare) if piece)


def _is_listed_unit(piece: str) -> bool:
    low = piece.strip("[]%-+^,").casefold()
    if not low or low.isdigit() or low in word_list("written_units") or _is_part(piece):
        return True
    counted = _COUNTED_UNIT.fullmatch(low)
    return counted is not None and _is_part(counted[1])


def _is_written(piece: str) -> bool:
    """Whether the piece is a unit or known words, and not a word that may be a name."""
    if _is_listed_unit(piece):
        return True
    return names_nobody(piece, DESCRIPTION) and not (piece.isalpha() and may_be_somebody(piece))


@lru_cache(maxsize=1 << 14)
def is_measurement(text: str) -> bool:
    """Whether the text is a number, range or ratio with its unit, or known words."""
    if looks_personal(text) or _is_town_instead(text):
        return False
    rest = re.sub(r"[-+<>=~≤≥±]|\d+(?:[.,]\d+)*(?:[eE][-+]?\d{1,2}\b)?", " ", text)
    return all(is_measure_unit(piece) or names_nobody(piece, DESCRIPTION) for piece in rest.split())
