"""The usual words of names, and names that data models publish whole."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from deid.naming.kinds import words_of_kind
from deid.vocabularies.cdisc.variables import cdisc_names, is_cdisc_variable
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
    """Whether the name is a variable of SDTM, SEND or ADaM: `AETERM`, `BWSTRESN`, `TRT01P`."""
    if not _CDISC.fullmatch(name.upper()) or name not in (name.upper(), name.lower()):
        return False
    upper = name.upper()
    return is_cdisc_variable(upper) or any(
        _has_fragment(upper, fragment) for fragment in cdisc_names("fragment")
    )


def _has_fragment(upper: str, fragment: str) -> bool:
    """Whether the name is a variable, or a word of headers, before a naming fragment of ADaM:
    `COUNTRYN`, `SODIUMBL`.

    A fragment of one letter may be an initial, so only a variable may stand before it.
    """
    stem = upper.removesuffix(fragment)
    if stem == upper or len(stem) < _MIN_LETTERS or word_evidence(upper).bearers:
        return False
    word = stem.casefold()
    if is_cdisc_variable(stem):
        return True
    return len(fragment) > 1 and _is_compound_word(word) and not _may_hold_name(word)


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
    if len(word) >= _MIN_LETTERS and is_header_word(word):
        return True
    singular = word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s")
    plural = len(singular) > _MIN_LETTERS and singular != word and not word_evidence(word).family
    return plural and is_naming_word(singular)


def _has_no_vowel(word: str) -> bool:
    """Whether the word is an abbreviation too long for initials, and no name: `dgns`."""
    if len(word) < _LEAST_ABBREVIATED or not word.isascii() or _VOWELS & set(word):
        return False
    return word.isalpha() and not word_evidence(word).is_name


@cache
def split_compound(word: str) -> tuple[str, ...] | None:
    """Split a compound into words (`birthdate`, `smokeyrs`, `testoffer`); None if that is not
    possible, or if the compound may hold a name (`labmoreno`).

    Words of fewer than four letters count only if `word_kinds.csv` lists them for their place.
    """
    found = _words_run_together(word, True)
    return None if found is None or len(found) < 2 or _may_hold_name(word) else found


@cache
def _words_run_together(word: str, is_start: bool) -> tuple[str, ...] | None:
    if _is_compound_word(word) or (not is_start and word in _ENDINGS):
        return (word,)
    for end in range(len(word) - 2, 1, -1):
        head = word[:end]
        if not (_is_compound_word(head) or head in (_BEGINNINGS if is_start else _MIDDLES)):
            continue
        if (found := _words_run_together(word[end:], False)) is not None:
            return (head, *found)
    return None


@cache
def _is_compound_word(word: str) -> bool:
    """Whether the word is long and common enough to be told in a compound, and no name."""
    known = word_evidence(word)
    rare = known.bearers <= max(_RARELY_BORNE, known.written - _NAME_MARGIN)
    if len(word) < _MIN_COMPOUND_WORD or known.place > 1 or not rare:
        return False
    return is_naming_word(word) or (known.rank is not None and known.rank < _EVERYDAY)


@cache
def _may_hold_name(word: str) -> bool:
    """Whether a name stands in the word, between other names, a compound's words and letters."""
    return any(
        _is_told_name(word[start:end], word[:start], word[end:])
        for start in range(len(word) - _MIN_COMPOUND_WORD + 1)
        for end in range(start + _MIN_COMPOUND_WORD, len(word) + 1)
        if end - start < len(word)
    )


def _is_told_name(word: str, before: str, after: str) -> bool:
    """Whether the word is a name here; an everyday word is one beside a name or a title."""
    if not _is_borne_in_compound(word):
        return False
    if _is_compound_word(word):
        beside = before in _LIKE_INITIALS or _is_short_name(before) or _is_short_name(after)
        return beside and _is_often_borne(word)
    if not (before and after) and (len(before + after) == 1 or _is_compound_part(before + after)):
        return True
    return _is_often_borne(word) and all(not side or _are_parts(side) for side in (before, after))


@cache
def _are_parts(word: str) -> bool:
    """Whether words and frequent names run together make up the text."""
    if _is_compound_part(word) and (len(word) < _MIN_COMPOUND_WORD or _is_told_among_many(word)):
        return True
    return any(_are_parts(word[:end]) and _are_parts(word[end:]) for end in range(2, len(word) - 1))


def _is_told_among_many(word: str) -> bool:
    return word in _ENDINGS or _is_compound_word(word) or _is_often_borne(word)


def _is_compound_part(word: str) -> bool:
    return (
        word in _BEGINNINGS | _ENDINGS | _LIKE_INITIALS
        or _is_compound_word(word)
        or _is_borne_in_compound(word)
        or _is_short_name(word)
    )


def _is_borne_in_compound(word: str) -> bool:
    known = word_evidence(word)
    borne = known.bearers >= _BORNE_IN_COMPOUND or known.place > 0
    return borne and len(word) >= _MIN_COMPOUND_WORD


def _is_short_name(word: str) -> bool:
    return len(word) == _MIN_LETTERS and _is_often_borne(word)


def _is_often_borne(word: str) -> bool:
    known = word_evidence(word)
    return known.bearers >= _OFTEN_BORNE or known.place >= _LARGE_TOWN


_MIN_COMPOUND_WORD = 4
# A word of a compound is among this many everyday words or on a list. Log2 of its bearers is at
# most the first number, or at most log2 of its use in texts less the second.
_EVERYDAY, _RARELY_BORNE, _NAME_MARGIN = 1_500, 8, 9
# The least log2 of the bearers of a name beside one word of a compound; and of a name of three
# letters, a name among several words, and an everyday word that is a name beside one or a title.
_BORNE_IN_COMPOUND, _OFTEN_BORNE = 6, 12
_LARGE_TOWN = 2  # log2 of its ZIP codes
_MIDDLES = words_of_kind("run-together-anywhere")
_BEGINNINGS = words_of_kind("run-together-first") | _MIDDLES
_ENDINGS = words_of_kind("run-together-last")
_LIKE_INITIALS = words_of_kind("title") | {"no"}
