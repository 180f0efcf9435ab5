"""Whether the word lists hold each word of a description, local code or software name."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files

from deid.vocabularies.numbers import has_long_number, looks_personal
from recognizers import is_borne, is_given_name, is_listed_word, is_lone_name
from safe_harbor import is_state

_LETTER_RUN = re.compile(r"[^\W\d_]+")
# `DrugAllergy`, `GUIDValue`: joined words.
_HUMP = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_ROMAN_NUMERAL = re.compile(
    r"M{0,3}(?:C[MD]|D?C{0,3})(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})", re.IGNORECASE
)
_SHORT_CODE_WORD = re.compile(r"[A-Z]{1,2}|[a-z]|[A-Za-z]{0,3}[-./]?\d{1,4}[A-Za-z]?|\W{1,3}")
_ANY_SPACE = re.compile(r"\s")
# Prefixes of joined family names: `VanHorn`, `DeYoung`.
_NAME_PARTICLE = re.compile(
    r"d|da|de|del|den|der|di|do|dos|du|el|fitz|la|le|lo|mac|mc|o|san|st|van|von", re.IGNORECASE
)
# The most adjacent letters that need not be a word: next to digits, and without digits.
SHORT, ALONE = 3, 2
LONGEST_DESCRIPTION = 1000


# A known word with one of these prefixes is still known: `pretransplant`, `microalbuminuria`.
_BEFORE = re.compile(
    r"(?:anti|auto|bio|broncho|cardio|cerebro|chemo|cyto|dermato|dys|electro|endo|epi|"
    r"extra|gastro|haemato|hemato|hemo|hepato|hetero|homo|hydro|hyper|hypo|immuno|infra|inter|intra|"
    r"iso|laryngo|macro|mega|meta|micro|mono|multi|musculo|myo|nano|naso|nephro|neuro|non|onco|ophthalmo|"
    r"ortho|osteo|oto|pan|para|per|peri|pharmaco|photo|pneumo|poly|post|pre|pseudo|psycho|pyo|radio|"
    r"recto|retro|rhino|semi|sero|sub|super|supra|tachy|thrombo|thoraco|tracheo|trans|tri|ultra|uro|"
    r"utero|vaso|ventriculo)(?=[a-z]{5})",
    re.IGNORECASE,
)


@cache
def word_list(name: str) -> frozenset[str]:
    """The lines of a word list in this folder, in lower case, without comments."""
    text = (files("deid.vocabularies") / f"{name}.txt").read_text("utf-8")
    lines = (line.strip() for line in text.splitlines())
    return frozenset(line.casefold() for line in lines if line and not line.startswith("#"))


@lru_cache(maxsize=1 << 16)
def is_known_word(word: str) -> bool:
    """Whether the word is English, clinical or of published displays, and not a surname.

    A word joined from such words counts too. Words in other alphabets do not.
    """
    if not word.isascii():
        return False
    if _is_own_word(word) or (_ROMAN_NUMERAL.fullmatch(word) and len(word) <= 5):
        return True
    if is_listed_word(word) and (word.islower() or not is_lone_name(word)):
        return True
    before = _BEFORE.match(word)
    if before is not None and not is_lone_name(word) and _is_ordinary_word(word[before.end() :]):
        return True
    humps = _HUMP.findall(word)
    if humps and _NAME_PARTICLE.fullmatch(humps[0]):
        return False
    return 1 < len(humps) <= 6 and all(
        len(hump) <= ALONE or _is_ordinary_word(hump) for hump in humps
    )


def _is_ordinary_word(word: str) -> bool:
    return _is_own_word(word) or (is_listed_word(word) and not is_lone_name(word))


def _is_own_word(word: str) -> bool:
    low = word.casefold()
    forms = (low, low.removesuffix("s"), low.removesuffix("es"))
    return any(
        form in word_list("display_words") or form in word_list("more_words") for form in forms
    )


@lru_cache(maxsize=1 << 16)
def has_known_words(text: str) -> bool:
    """Whether a description may stay: every word of three letters and more is on some list.

    It may not stay if it is a single word that is more likely a name (`Smith`, `Graves`), if all
    its words are names, or if it holds a date, a telephone number or a number of seven digits.
    """
    if len(text) > LONGEST_DESCRIPTION or looks_personal(text) or has_long_number(text):
        return False
    runs = _LETTER_RUN.findall(text)
    if _are_names(runs):
        return False
    return all(len(run) <= ALONE or is_known_word(run) for run in runs)


@lru_cache(maxsize=1 << 16)
def is_local_code(text: str) -> bool:
    """Whether a local code may stay.

    It may be digits with a few letters or known words, one or two letters, or a known word that is
    not likely a name. Seven adjacent digits are a number of somebody or something.
    """
    if _ANY_SPACE.search(text) or len(text) > 60 or looks_personal(text) or has_long_number(text):
        return False
    runs = _LETTER_RUN.findall(text)
    if any(letter.isdigit() for letter in text):
        if any(len(run) > SHORT for run in runs) and _are_names(runs):
            return False
        return all((run.isascii() and len(run) <= SHORT) or is_known_word(run) for run in runs)
    return has_known_words(text)


def is_laboratory_test(text: str) -> bool:
    """Whether the text is an abbreviation of a laboratory test, in capitals: `CREAT`.

    Some abbreviations are also names, so ask only where a test is meant.
    """
    return text.isupper() and text.casefold() in word_list("laboratory_tests")


def is_short_code(text: str) -> bool:
    """Whether a code is too short to identify: two capitals, or four digits with few letters."""
    return _SHORT_CODE_WORD.fullmatch(text) is not None


def is_coded(text: str) -> bool:
    """Whether a cell may stay in a column of both codes and descriptions."""
    return is_local_code(text) or has_known_words(text)


def _are_names(runs: list[str]) -> bool:
    """Whether the only word is likely a name, or all words but initials and titles are names."""
    if len(runs) == 1 and _is_rather_a_name(runs[0]):
        return True
    words = [run for run in runs if len(run) > ALONE]
    sure = any(_is_rather_a_name(word) for word in words)
    return sure and all(map(is_borne, words))


def _is_rather_a_name(word: str) -> bool:
    if len(word) <= ALONE:
        return not word.isascii() or (
            word.istitle() and len(word) == ALONE and not _is_own_word(word)
        )
    if _is_own_word(word) or is_state(word):
        return False
    return is_lone_name(word, strict=False) or is_given_name(word)
