"""Words of descriptions and codes: English words, clinical words, words of published displays, and
compounds of such words.
"""

from __future__ import annotations

import re
from functools import lru_cache

from deid.vocabularies.wording.readings import HUMP
from deid.vocabularies.words import word_list
from recognizers import is_borne, is_listed_word, is_lone_name

_ROMAN_NUMERAL = re.compile(
    r"M{0,3}(?:C[MD]|D?C{0,3})(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})", re.IGNORECASE
)
# Prefixes of joined family names: `VanHorn`, `DeYoung`.
_NAME_PARTICLE = re.compile(
    r"d|da|de|del|den|der|di|do|dos|du|el|fitz|la|le|lo|mac|mc|o|san|st|van|von", re.IGNORECASE
)
# The most adjacent letters that need not be a word.
LONGEST_UNKNOWN = 2
# The least number of letters of a word that is read as American if its spelling is British
# (`hypoaesthesia`).
_LEAST_RESPELLED = 8
# A known word with one of these prefixes is still known: `pretransplant`, `microalbuminuria`.
_BEFORE = re.compile(
    r"(?:anti|auto|bio|broncho|cardio|cerebro|chemo|cyto|dermato|dys|electro|endo|epi|"
    r"extra|gastro|haemato|hemato|hemo|hepato|hetero|homo|hydro|hyper|hypo|immuno|infra|inter|intra|"
    r"iso|laryngo|macro|mega|meta|micro|mono|multi|musculo|myo|nano|naso|nephro|neuro|non|onco|ophthalmo|"
    r"ortho|osteo|oto|pan|para|per|peri|pharmaco|pharyngo|photo|pneumo|poly|post|pre|pseudo|psycho|pyo|radio|"
    r"recto|retro|rhino|semi|sero|sub|super|supra|tachy|thrombo|thoraco|tracheo|trans|tri|ultra|uro|"
    r"utero|vaso|ventriculo)(?=[a-z]{5})",
    re.IGNORECASE,
)


@lru_cache(maxsize=1 << 16)
def is_known_word(word: str) -> bool:
    """Whether the word is English, clinical or in published displays, and is not a surname.

    A word joined from such words counts too. Words in other alphabets do not.
    """
    if not word.isascii():
        return False
    if is_own_word(word) or (_ROMAN_NUMERAL.fullmatch(word) and len(word) <= 5):
        return True
    if is_listed_word(word) and (word.islower() or not is_lone_name(word)):
        return True
    before = _BEFORE.match(word)
    if before is not None and not is_lone_name(word) and _is_ordinary_word(word[before.end() :]):
        return True
    american = word.casefold().replace("ae", "e").replace("oe", "e")
    if american != word.casefold() and len(american) >= _LEAST_RESPELLED and not is_borne(word):
        return is_known_word(american)
    humps = HUMP.findall(word)
    if humps and _NAME_PARTICLE.fullmatch(humps[0]):
        return False
    return 1 < len(humps) <= 6 and all(
        len(hump) <= LONGEST_UNKNOWN or _is_ordinary_word(hump) for hump in humps
    )


def _is_ordinary_word(word: str) -> bool:
    return is_own_word(word) or (is_listed_word(word) and not is_lone_name(word))


def is_own_word(word: str) -> bool:
    """Whether the word is among the words of published displays or this project's own few words."""
    low = word.casefold()
    forms = (low, low.removesuffix("s"), low.removesuffix("es"))
    return any(
        form in word_list("display_words") or form in word_list("more_words") for form in forms
    )
