"""Phrases that published vocabulary approves: clinical terms, words of closed lists.

A word list has `Rose` and `Long` as well as `Rose Bengal` and `Long QT`. So a phrase must contain a
clinical word, every other word must be on a list, and no part of it may be a person's name or a
statement about a person.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise

from recognizers.columns.cells.answers import is_long_answer
from recognizers.columns.cells.memory import remembered
from recognizers.columns.cells.shapes import is_listed
from recognizers.words.folder import WORDS
from recognizers.words.gazetteers import (
    city,
    clinical_word,
    common_word,
    eponym,
    first_name,
    is_listed_word,
    plain_list,
    surname,
)
from safe_harbor import csv_rows

LONGEST_PHRASE = 300
# Binary logarithms of the bearers of a name (2020 Census) and of the count of a word in text.
GIVEN, FAMILY, PAIRED, TOGETHER, EVERYDAY = 12, 15, 9, 25, 23
_PHRASE_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_XRAY = re.compile(r"(?i)\bx[- ]ray")
_FIVE_DIGITS = re.compile(r"\d{5,}")
_TITLED = re.compile(
    r"\b(?:dr|mr|mrs|ms|miss|prof|rev|sr|md|do|rn|np|pa|attn|c/o)\b(?! ?[-/])", re.IGNORECASE
)
# Endings of Greek and Latin terms, and stems of drug names (WHO, INN stem book).
_MEDICAL = re.compile(
    r"(?i)[a-z]{3,}(?:ectom(?:y|ies)|otomy|ostomy|plasty|scopy|graphy|metry|pathy|trophy|plegia|"
    r"algia|itis|osis|oses|emia|aemia|uria|penia|ectasis|emesis|rrhea|rrhage|sclerosis|stenosis|"
    r"megaly|opia|acusis|lysis|centesis|pexy|desis|tripsy|ampsia|phagia|phasia|kinesia|cytosis|opsy|ation|"
    r"cillin|cycline|mycin|micin|floxacin|azole|pril|sartan|statin|olol|dipine|gliptin|gliflozin|"
    r"glutide|tidine|prazole|triptan|setron|caine|zepam|zolam|barbital|mab|tinib|ciclib|parib|"
    r"vir|azine|oxetine|triptyline|thiazide|semide|parin|grel|xaban|gatran|sone|solone|terol|"
    r"tropium|lukast|dronate|formin|glitazone|coxib|profen|adone|codone|morphone)"
)
# Words in sentences about persons; terms in terminologies do not contain them.
_TOLD_WORDS = (
    "he she his her him hers they their them i my me we our us you your who whom am was were is "
    "are been had did does said says saw asked told tells spoke talk talks talked lives lived "
    "living moved works worked working drove drives came went goes wants wanted wishes called "
    "calls call phone phoned text texted email see seen sees ask tell met meets meet notify "
    "paged pager cousin neighbor neighbour friend fiance boyfriend girlfriend landlord wife "
    "husband pastor mayor senator governor street road avenue highway celebrity lawyer plumber "
    "teacher sheriff"
)
_TOLD = frozenset(_TOLD_WORDS.split())
_SMALL_WORDS = (
    "of the a an and or in on at to for by with without from not no non due as per than other "
    "unspecified nos nec via plus"
)
_SMALL_IN_PHRASE = frozenset(_SMALL_WORDS.split())
# Words at the end of facility names; `Pain clinic` and `Skilled nursing facility` are kinds.
_HOUSES_WORDS = (
    "hospital clinic center centre infirmary hospice manor harbor college university school "
    "academy church parish prison shelter ranch lab laboratory laboratories"
)
_HOUSES = frozenset(_HOUSES_WORDS.split())
# Lists whose values may occur in any column of closed vocabulary.
_PHRASE_LISTS = (
    *("flag", "severity", "smoking", "disposition", "visit", "specialty", "triage", "stage"),
    *("form", "specimen", "payer_class", "education_level", "route", "blood_type", "body_site"),
    *("care_unit", "employment", "color"),
)
# A text of letters and numbers below 1000, in which no numbers are joined to a date.
_PLAIN_MARKS = re.compile(r"(?:[A-Za-z ,.;:()<>=%+/-]|(?<!\d)\d{1,3}(?!\d))*", re.ASCII)
_NUMBERS_JOINED = re.compile(r"\d\s?[-/]\s?\d|\d\.\d+\.\d|\d\)?\s+\(?\d")
_TAG = re.compile(r" \(([a-z/ -]+)\)$")
# Lists whose words, in lower case within a phrase, are clinical even if they are everyday words.
_OF_THE_BODY = ("body_site", "clinical_nouns", "specimen")
# The maximum number of long words in a person's name of several words.
_MOST_CALLED = 3
_SETS = ("sex", "race", "marital", "relation")
# Lists that are ignored: countries and languages belong only in their own columns.
_UNITS_OF_HEADERS = ("header_unit", "doubtful_unit", "measured")
_WORDLESS = frozenset(
    [
        *("null", "placeholder", "country", "language", "gene", "region", *_UNITS_OF_HEADERS),
        *("trial", "trial_joining"),
    ]
)


def is_published_phrase(text: str, knows: Callable[[str], bool] = is_listed_word) -> bool:
    """Whether published vocabulary contains the phrase or its words, regardless of the column.

    `knows` tests whether any list has a word; at least one word must be on a clinical list.
    """
    text = _XRAY.sub("xray", " ".join(text.split()))
    if len(text) > LONGEST_PHRASE or _FIVE_DIGITS.search(text):
        return False
    if is_published_value(text) or is_trial_phrase(text):
        return True
    words = _PHRASE_WORD.findall(text)
    if not words or _is_organization_name(text, words) or may_be_somebody(text):
        return False
    long = [word for word in words if len(word) > 2 and word.casefold() not in _SMALL_IN_PHRASE]
    if not all(is_closed_word(w) or knows(w) or is_medical_form(w) for w in long):
        return False
    # `Two Bulls`, `Brave Heart`: names may have two or three words, and one may be a term.
    unsure = [word for word in long if not _is_sure(word)]
    called = 2 <= len(long) <= _MOST_CALLED and all(map(str.istitle, words))
    if called and not all(map(clinical_word, unsure)):
        return False
    sure = len(long) - len(unsure)
    if not all(map(_is_short, words if sure < 2 else filter(_is_called_shortly, words))):
        return False
    tag = _TAG.search(text)
    if tag is not None and is_listed("finding_tags", tag[1]):
        return len(words) > 1
    # A lone word that is not a name is a clinical statement.
    return (2 * sure >= len(long) > 0) or (len(words) == 1 and len(long) == 1)


@remembered
def is_published_value(text: str) -> bool:
    """Whether the whole value, of three letters or more, is on a list that any closed column may
    use.
    """
    if sum(c.isalpha() for c in text) < 3:
        return False
    if any(is_listed(name, text) for name in _PHRASE_LISTS) or is_long_answer(text):
        return True
    return any(is_listed(name, text) for name in _SETS) and not may_be_somebody(text)


@remembered
def is_trial_phrase(text: str) -> bool:
    """Whether a text has only words of the design of trials, small numbers and one letter.

    >>> is_trial_phrase("1 hr 45 min predose"), is_trial_phrase("Randomized to Arm A Toledo")
    (True, False)
    """
    if not _PLAIN_MARKS.fullmatch(text) or _NUMBERS_JOINED.search(text):
        return False
    words = re.findall(r"[A-Za-z]+", text)
    letters = [word for word in words if len(word) == 1 and not is_listed("trial_joining", word)]
    is_numbered = not letters and any(map(str.isdigit, text))
    if len(words) > 1 and not is_numbered and may_be_somebody(text):  # `Day, J`
        return False
    others = [word for word in words if word not in letters]
    told = any(is_listed("trial", word) for word in others)
    known = all(is_listed("trial", w) or is_listed("trial_joining", w) for w in others)
    return told and known and len(letters) <= 1


@remembered
def may_be_somebody(text: str) -> bool:
    """Whether the value may be a person's name, even if its words are also common words (`Rose
    Long`).
    """
    words = [word for word in _PHRASE_WORD.findall(text) if len(word) > 1]
    if not words:
        return False
    if len(words) == 1:
        given, family = first_name(words[0]), surname(words[0])
        if clinical_word(words[0]) and given < PAIRED and family < FAMILY:
            return False
        return max(given, family) >= GIVEN or bool(city(text))
    if any(map(_is_given_only, words)):
        return True
    return any(_is_name_pair(a, b) or _is_name_pair(b, a) for a, b in pairwise(words))


@lru_cache(maxsize=1)
def _closed_words() -> frozenset[str]:
    rows = [
        row for row in csv_rows(WORDS / "columns" / "values.csv") if row["shape"] not in _WORDLESS
    ]
    words = {w for row in rows for w in _PHRASE_WORD.findall(row["values"].casefold())}
    return frozenset(w for w in words if first_name(w) < PAIRED and surname(w) < GIVEN)


def is_closed_word(word: str) -> bool:
    """Whether the word is on one of the short lists in `words/columns/values.csv`."""
    low = word.casefold()
    return low in _closed_words() or low.removesuffix("s") in _closed_words()


@remembered
def is_medical_form(word: str) -> bool:
    """Whether the word has the form of a medical term or drug name (`Spirometry`), and is no
    surname.
    """
    if surname(word) or first_name(word):
        return False
    american = word.casefold().replace("ae", "e").replace("oe", "e")
    return bool(_MEDICAL.fullmatch(word)) or (
        american != word.casefold() and (clinical_word(american) or clinical_word(f"{american}s"))
    )


def _is_name_pair(first: str, last: str) -> bool:
    """Whether the words are a common first name and a common surname."""
    given, family = first_name(first), surname(last)
    small = first.casefold() in _SMALL_IN_PHRASE or last.casefold() in _SMALL_IN_PHRASE
    return min(given, family) >= PAIRED and given + family >= TOGETHER and not small


def _is_given_only(word: str) -> bool:
    """Whether the word is a very common first name, on no closed list, and no lower-case term."""
    term = clinical_word(word) and word.islower()
    return first_name(word) >= FAMILY and not term and not is_closed_word(word)


def is_told_of_somebody(text: str) -> bool:
    """Whether the text is a sentence about a person, a title with a name, a facility, or a
    street.
    """
    words = _PHRASE_WORD.findall(text)
    return bool(words) and _is_organization_name(text, words)


def names_house(text: str) -> bool:
    """Whether the text is the name of a hospital, laboratory or school, and not only "hospital"."""
    words = _PHRASE_WORD.findall(text)
    bare = (re.sub(r"['’]s$", "", word) for word in words[:-1])
    own = any(not is_listed_word(word) or first_name(word) >= GIVEN for word in bare)
    return own and _names_house(words)


def _names_house(words: list[str]) -> bool:
    return words[-1].casefold() in _HOUSES and not all(map(_is_of_house, words[:-1]))


def _is_organization_name(text: str, words: list[str]) -> bool:
    if _names_house(words):
        return True
    low = {word.casefold() for word in words}
    street = words[-1].casefold() in plain_list("known/street_types") and len(words) > 1
    return street or bool(low & _TOLD) or _TITLED.search(text) is not None


def _is_of_house(word: str) -> bool:
    """Whether the word tells the kind of a clinic: a listed or clinical word that is no name."""
    return is_closed_word(word) or (bool(clinical_word(word)) and not may_be_somebody(word))


def _is_sure(word: str) -> bool:
    """Whether the word is surely a term: on a closed list, or clinical and not a common name."""
    if is_closed_word(word) or is_medical_form(word):
        return True
    if word.islower() and any(is_listed(name, word) for name in _OF_THE_BODY):
        return True
    borne = max(first_name(word), surname(word))
    known = bool(clinical_word(word) or eponym(word))
    return known and borne < GIVEN and (not borne or common_word(word) < EVERYDAY)


def _is_called_shortly(word: str) -> bool:
    """Whether the word is a capitalized name of two letters (`Wu`, `Bo`)."""
    return len(word) == 2 and word.istitle() and max(first_name(word), surname(word)) >= GIVEN


def _is_short(word: str) -> bool:
    """Whether a two-letter word is a known short form or small word; True for any other length."""
    if len(word) != 2 or word.casefold() in _SMALL_IN_PHRASE:
        return True
    low = word.casefold()
    return bool(clinical_word(word)) or is_closed_word(word) or low in plain_list("clinical/units")
