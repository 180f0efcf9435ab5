"""The usual words of the names of columns and files."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from deid.vocabularies.data_models import published_names
from deid.vocabularies.wording.word_kinds import words_of_kind
from recognizers import is_header_word, word_evidence

SHORTEST_WORD = 3
# Initials have three letters, rarely four.
_LEAST_ABBREVIATED = 5
_VOWELS = frozenset("aeiouy")
# Words of headers in other languages that are names in the United States: `Raza`, `Mandal`, `Nome`.
_NAMES = words_of_kind("name-in-english")


@cache
def is_name_word(word: str) -> bool:
    """Whether the lowercase word is a usual word of column and file names."""
    return is_naming_word(word) or _has_no_vowel(word)


@cache
def is_naming_word(word: str) -> bool:
    """Whether a list or a published name has the lowercase word or its singular."""
    if any(word in _listed_names(name) for name in ("header_words", "extract_words")):
        return True
    if word in _published_words():
        return True
    if len(word) >= SHORTEST_WORD and is_header_word(word):
        return word not in _NAMES
    singular = word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s")
    plural = len(singular) > SHORTEST_WORD and singular != word and not word_evidence(word).family
    return plural and is_naming_word(singular)


def _has_no_vowel(word: str) -> bool:
    """Whether the word is an abbreviation, too long for initials, and not a name: `dgns`."""
    if len(word) < _LEAST_ABBREVIATED or not word.isascii() or _VOWELS & set(word):
        return False
    return word.isalpha() and not word_evidence(word).is_name


@cache
def _listed_names(name: str) -> frozenset[str]:
    text = (files("deid.vocabularies.wording") / f"{name}.txt").read_text("utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return frozenset(word for line in lines for word in line.split())


@cache
def _published_words() -> frozenset[str]:
    """The words of published names written with `_` or in camel case."""
    words = (re.findall(r"[a-z]{3,}", name.casefold()) for name in published_names() if "_" in name)
    return frozenset(word for found in words for word in found)
