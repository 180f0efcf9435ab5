"""The words that names of things are made of, and the names that are published whole."""

from __future__ import annotations

import csv
import re
from functools import cache
from importlib.resources import files

from deid.naming.kinds import words_of
from deid.vocabularies.data_models import is_table, published_names
from recognizers import is_header_word, word_evidence

_CDISC = re.compile(r"[A-Z][A-Z0-9]{1,7}")
_FEWEST = 3


@cache
def _listed(name: str) -> frozenset[str]:
    text = (files("deid.naming") / f"{name}.txt").read_text("utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return frozenset(word for line in lines for word in line.split())


@cache
def _published_words() -> frozenset[str]:
    """The words of published names that are written with `_` or in camel case."""
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


def is_published(name: str) -> bool:
    """Is it, letter for letter but for case, a column or a table of a published model?"""
    bare = name.strip()
    return bare.casefold() in _folded() or is_table(bare) or _is_cdisc(bare)


@cache
def _folded() -> frozenset[str]:
    return frozenset(name.casefold() for name in published_names())


def _is_cdisc(name: str) -> bool:
    """`AETERM`, `LBSTRESN`, `TRT01P`: a variable of SDTM or ADaM."""
    if not _CDISC.fullmatch(name.upper()) or name not in (name.upper(), name.lower()):
        return False
    domains, suffixes, whole = _cdisc()
    upper = name.upper()
    numbered = re.sub(r"\d{1,2}", "xx", upper, count=1)
    return upper in whole or numbered in whole or (upper[:2] in domains and upper[2:] in suffixes)


@cache
def is_name_word(word: str) -> bool:
    """Is it a word, in small letters, that names of things are made of?"""
    if word in _listed("header_words") or word in _published_words():
        return True
    if len(word) >= _FEWEST and is_header_word(word):
        return True
    singular = word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s")
    plural = len(singular) > _FEWEST and singular != word and not word_evidence(word).family
    return plural and is_name_word(singular)


@cache
def taken_apart(word: str) -> tuple[str, ...] | None:
    """The words of names that make up the whole of it (`birthdate`), None if they do not.

    Its last part may be short (`visitid`), its first but a common short form (`labdate`).
    """
    for end in range(len(word) - 2, _FEWEST - 1, -1):
        head, rest = word[:end], word[end:]
        if not is_name_word(head) or (len(head) < _WHOLE and head not in _BEGINNINGS):
            continue
        if rest in _ENDINGS or (len(rest) >= _WHOLE and is_name_word(rest)):
            return (head, rest)
        if len(head) >= _WHOLE and (found := taken_apart(rest)) is not None:
            return (head, *found)
    return None


_WHOLE = 4
_BEGINNINGS = words_of("run-together-first")
_ENDINGS = words_of("run-together-last")


def cdisc_names() -> list[str]:
    """Variables of SDTM and ADaM: those named whole, and each suffix with a domain."""
    domains, suffixes, whole = _cdisc()
    first = min(domains)
    return sorted({name.replace("xx", "01") for name in whole} | {first + s for s in suffixes})
