"""Names of units spelled out: `milligram per deciliter`, `inch (US)`, `trillion per liter`."""

from __future__ import annotations

import re
from functools import lru_cache

from deid.vocabularies.numbers import looks_personal
from deid.vocabularies.words import word_list
from recognizers import is_borne, is_listed_word, may_be_somebody

_UNIT_WORD = re.compile(r"[A-Za-z]+")
_UNIT_FIGURES = re.compile(r"(?:10\*-?\d{1,2}|\d{1,6}(?:\.\d{1,2})?)%?")
_PREFIX = re.compile(
    r"(?:yotta|zetta|exa|peta|tera|giga|mega|kilo|hecto|deka|deca|deci|centi|milli|micro|nano|pico|"
    r"femto|atto|zepto|yocto|kibi|mebi|gibi|tebi)(?=[a-z])"
)
# Words between the names of units, for their system, their power or a number.
_JOINING_WORDS = (
    "per of and or the to in by a at for square squared cubic cubical cubed fluid long short light "
    "us british uk english imperial international intl apothecary avoirdupois troy metric survey "
    "nautical thermochemical arbitrary mean tropical gregorian sidereal synodal julian "
    "hundred thousand million billion trillion mass body surface area volume number log10"
)
_JOINING = frozenset(_JOINING_WORDS.split())
_LONGEST_UNIT_NAME = 100


@lru_cache(maxsize=1 << 14)
def is_unit_name(text: str) -> bool:
    """Whether the words are units, joining words, and substances that are not person names.

    One word must name a unit. A single word that may name a person (`Newton`) does not count.
    """
    bare = _UNIT_FIGURES.sub(" ", text)
    words = _UNIT_WORD.findall(bare)
    if not words or len(text) > _LONGEST_UNIT_NAME or looks_personal(text):
        return False
    if re.sub(r"[A-Za-z\s()\[\]/,*^'-]", "", bare):
        return False
    units = [word for word in words if _is_unit_word(word)]
    if not units or _may_be_called(words, units):
        return False
    others = [word for word in words if word not in units and word.casefold() not in _JOINING]
    if len(others) > 4 or (others and len(units) < 2 and "per" not in words):
        return False
    return all(is_listed_word(word) and not may_be_somebody(word) for word in others)


def _may_be_called(words: list[str], units: list[str]) -> bool:
    """Whether the words may name a person: units share names with persons (`Rod Gray`)."""
    if any(word.istitle() and is_borne(word) for word in words):
        return True
    joined = any(w.casefold() in _JOINING and not is_borne(w.title()) for w in words)
    return not joined and any(is_borne(word.title()) for word in units)


def _is_unit_word(word: str) -> bool:
    low = word.casefold()
    names = word_list("unit_names")
    bare = _PREFIX.sub("", low, count=1)
    forms = {low, bare, *(form.removesuffix("s") for form in (low, bare))}
    return low in ("feet", "inches") or not names.isdisjoint(forms)
