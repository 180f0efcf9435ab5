"""The usual words of names, and names that data models publish whole."""

from __future__ import annotations

import csv
import re
from functools import cache
from importlib.resources import files

from deid.naming.kinds import words_of_kind
from deid.vocabularies.data_models import is_table, published_names
from recognizers import is_header_word, word_evidence

_CDISC = re.compile(r"[A-Z][A-Z0-9]{1,7}")
# `(0010,0040) PatientSex`: the group and element number of a DICOM tag.
_DICOM_TAG = re.compile(r"\(00[0-5][0-9A-F],[0-9A-F]{4}\)\s*")
_MIN_LETTERS = 3
# Initials have three letters, rarely four.
_LEAST_ABBREVIATED = 5
_VOWELS = frozenset("aeiouy")


@cache
def _listed_names(name: str) -> frozenset[str]:
    text = (files("deid.naming") / f"{name}.txt").read_text("utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return frozenset(word for line in lines for word in line.split())


@cache
def _published_words() -> frozenset[str]:
    """The words of published names written with `_` or in camel case."""
    words = (re.findall(r"[a-z]{3,}", name.casefold()) for name in published_names() if "_" in name)
    return frozenset(word for found in words for word in found)


@cache
def _cdisc() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    text = (files("deid.naming") / "cdisc.csv").read_text("utf-8")
    rows = [(row["sort"], row["names"].split()) for row in csv.DictReader(text.splitlines())]
    found = {
        sort: frozenset(n for s, names in rows if s == sort for n in names) for sort, _ in rows
    }
    return found["domain"], found["suffix"], found["whole"]


def without_tag(name: str) -> str:
    """The name without the DICOM tag before it; a tag alone is returned unchanged."""
    return _DICOM_TAG.sub("", name, count=1) or name


def is_published_name(name: str) -> bool:
    """Whether the name is a column or a table of a published model, ignoring case."""
    bare = name.strip()
    return bare.casefold() in _folded_names() or is_table(bare) or _is_cdisc(bare)


@cache
def _folded_names() -> frozenset[str]:
    return frozenset(name.casefold() for name in published_names())


def _is_cdisc(name: str) -> bool:
    """Whether the name is a variable of SDTM or ADaM: `AETERM`, `LBSTRESN`, `TRT01P`."""
    if not _CDISC.fullmatch(name.upper()) or name not in (name.upper(), name.lower()):
        return False
    domains, suffixes, whole = _cdisc()
    upper = name.upper()
    numbered = re.sub(r"\d{1,2}", "xx", upper, count=1)
    return upper in whole or numbered in whole or (upper[:2] in domains and upper[2:] in suffixes)


@cache
def is_name_word(word: str) -> bool:
    """Whether the lowercase word is a usual word of column and file names."""
    if any(word in _listed_names(name) for name in ("header_words", "extract_words")):
        return True
    if word in _published_words() or _has_no_vowel(word):
        return True
    if len(word) >= _MIN_LETTERS and is_header_word(word):
        return True
    singular = word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s")
    plural = len(singular) > _MIN_LETTERS and singular != word and not word_evidence(word).family
    return plural and is_name_word(singular)


def _has_no_vowel(word: str) -> bool:
    """Whether the word is an abbreviation too long for initials, and no name: `dgns`."""
    if len(word) < _LEAST_ABBREVIATED or not word.isascii() or _VOWELS & set(word):
        return False
    known = word_evidence(word)
    return word.isalpha() and max(known.given, known.family, known.place) == 0


@cache
def split_compound(word: str) -> tuple[str, ...] | None:
    """Split a compound into words of names (`birthdate`); None if that is not possible.

    The last part may be short (`visitid`); the first only if it is a common abbreviation
    (`labdate`).
    """
    for end in range(len(word) - 2, _MIN_LETTERS - 1, -1):
        head, rest = word[:end], word[end:]
        if not is_name_word(head) or (len(head) < _MIN_COMPOUND_PART and head not in _BEGINNINGS):
            continue
        if rest in _ENDINGS or (len(rest) >= _MIN_COMPOUND_PART and is_name_word(rest)):
            return (head, rest)
        if len(head) >= _MIN_COMPOUND_PART and (found := split_compound(rest)) is not None:
            return (head, *found)
    return None


_MIN_COMPOUND_PART = 4
_BEGINNINGS = words_of_kind("run-together-first")
_ENDINGS = words_of_kind("run-together-last")


def cdisc_names() -> list[str]:
    """Variables of SDTM and ADaM: those listed in full, and each listed suffix with one domain."""
    domains, suffixes, whole = _cdisc()
    first = min(domains)
    return sorted({name.replace("xx", "01") for name in whole} | {first + s for s in suffixes})
