"""Names of schools, practices, congregations, funeral homes and firms: `Roosevelt Elementary`."""

from __future__ import annotations

import re
from functools import lru_cache

from recognizers.columns.cells.kinds import WARDS, is_care_unit, is_kind_word
from recognizers.columns.cells.memory import remembered
from recognizers.columns.cells.phrases import is_closed_word, is_published_value
from recognizers.columns.cells.shapes import LEAST_BEARERS, is_listed
from recognizers.words.folder import WORDS
from recognizers.words.gazetteers import (
    city,
    clinical_word,
    county,
    eponym,
    first_name,
    plain_list,
    surname,
)
from recognizers.words.word_lists import common_words
from safe_harbor import csv_rows

LONGEST_NAME, WELL_BORNE, OFTEN_BORNE = 60, 12, 18
# `Bath Hospital`: before these, even a town whose name is a clinical word counts.
_TOWN_HOUSES = frozenset(["Hospital", "HOSPITAL"])
# The most words of a name beside a kind.
LONGEST_BESIDE = 2
_NUMBERED_BRANCH = re.compile(r"(?:\s+|\s*#\s?|\s+no\.? ?)\d{1,5}$", re.IGNORECASE)
_WORD_OF_HOUSE = re.compile(r"&|[^\W_]+(?:['’./&-][^\W_]+)*")
# `Smith-Jones`, `O'Connor`: one part that is a name is enough.
_PARTS_OF_WORD = re.compile(r"['’&-]")
_OWNERS_END = re.compile(r"['’][sS]$")
# `IU Pediatrics`: a facility named by its initials.
_CALLED_BY_LETTERS = re.compile(r"[A-Z]{2,4}")
# Lower-case words in names that are otherwise capitalized.
_PARTICLES = frozenset(["&", "and", "at", "de", "del", "for", "in", "la", "of", "on", "the", "y"])
_FIRM_LISTS = ("places/chains", "places/acronyms_alone")


@lru_cache(maxsize=1)
def _name_parts() -> dict[str, frozenset[str]]:
    """Return, for each part of a name (`head`, `own`, `kind`, ...), its words in lower case."""
    found: dict[str, frozenset[str]] = {}
    for row in csv_rows(WORDS / "columns" / "organizations.csv"):
        known = found.get(row["part"], frozenset())
        found[row["part"]] = known | frozenset(row["values"].split("|"))
    return found


@lru_cache(maxsize=1)
def _firms() -> frozenset[str]:
    return _name_parts()["firm"].union(*map(plain_list, _FIRM_LISTS))


@remembered
def is_organization(text: str) -> bool:
    """Whether the text names a certain school, facility or firm, not only a kind (`Walk-in
    Clinic`).

    >>> is_organization("Roosevelt Elementary"), is_organization("Walmart #1234")
    (True, True)
    """
    bare = _NUMBERED_BRANCH.sub("", text.strip())
    words = _WORD_OF_HOUSE.findall(bare.title() if bare.islower() else bare)
    if not words or len(text) > LONGEST_NAME or is_published_value(text) or is_care_unit(text):
        return False
    if " ".join(bare.casefold().split()) in _name_parts()["plan"]:
        return False
    if _is_firm_alone(bare) or _is_somebodys(words) or _has_own_name(words):
        return True
    return _has_name_beside_kind(words)


def is_firm(text: str) -> bool:
    """Whether the text is a chain store or a large employer, even if its name is also a word
    (`Target`).
    """
    return " ".join(text.casefold().split()) in _firms()


def _is_firm_alone(text: str) -> bool:
    """Whether the text has a firm's name that is no ordinary word, alone or in `Walmart Bakery`."""
    words = text.casefold().split()
    if is_firm(text) and (len(words) > 1 or is_proper_noun(words[0])):
        return True
    starts = (" ".join(words[:count]) for count in range(1, len(words)))
    return any(start in _firms() and is_proper_noun(start.split(" ")[-1]) for start in starts)


def _is_somebodys(words: list[str]) -> bool:
    """Whether the text is only a possessive such as `Mayo's`, not a clinical one such as
    `Crohn's`.
    """
    owner = _OWNERS_END.sub("", words[0])
    alone = len(words) == 1 and owner != words[0]
    return alone and is_proper_noun(owner) and _is_name_of_house(owner)


def _has_own_name(words: list[str]) -> bool:
    """Whether a name precedes a word like `Clinic`; the name must not begin in lower case."""
    if words[0][:1].islower():
        return False
    low = [word.casefold() for word in words]
    for count in range(min(3, len(words) - 1), 0, -1):
        head, own = " ".join(low[-count:]), words[:-count]
        if any(word.islower() and word not in _PARTICLES for word in own):
            return False
        named = any(map(_is_name_of_house, own)) or _are_initials(own[-1])
        if head in _name_parts()["head"]:
            named = named or (words[-1] in _TOWN_HOUSES and any(map(_is_town_word, own)))
            return named or (words[-1][:1].isupper() and any(map(_tells_which, own)))
        if head in _name_parts()["head_of_name"] and named:
            return True
        if head in _name_parts()["head_of_two"] and (named or len(own) > 1):
            return True
    return _starts_as_name(low, words)


def _has_name_beside_kind(words: list[str]) -> bool:
    """Whether a name stands before or behind a kind of place: `Cardiology Springfield`."""
    cuts = [(words[:cut], words[cut:]) for cut in range(1, len(words))]
    sides = [pair for cut in cuts for pair in (cut, cut[::-1]) if len(pair[1]) <= LONGEST_BESIDE]
    return any(
        any(map(_may_name_place, name)) and _is_beside_name(" ".join(kind)) for kind, name in sides
    )


def _is_beside_name(kind: str) -> bool:
    return is_care_unit(kind) or kind.casefold() in WARDS


@remembered
def _may_name_place(word: str) -> bool:
    """Whether a capitalized word is a town or borne by persons, and is no clinical word."""
    if not word[:1].isupper() or is_kind_word(word) or is_listed("color", word):
        return False
    bearers = max(first_name(word), surname(word))
    other = clinical_word(word) or eponym(word)
    if _CALLED_BY_LETTERS.fullmatch(word) or (other and bearers < OFTEN_BORNE):
        return False
    is_common = word.casefold() in common_words()
    return bearers >= (WELL_BORNE if is_common else LEAST_BEARERS) or (
        _is_town_word(word) and not is_common
    )


def _is_town_word(word: str) -> bool:
    return bool(city(word)) and not is_kind_word(word)


def _starts_as_name(low: list[str], words: list[str]) -> bool:
    """Whether the words begin like `University of Nebraska` or `St Luke's`, not `St John's
    Wort`.
    """
    if "of" in low[1:-1]:
        place = low.index("of", 1)
        first = " ".join(low[:place])
        return first in _name_parts()["first"] and any(map(_is_name_of_house, words[place + 1 :]))
    if low[0] not in _name_parts()["saint"] or len(words) != 2:
        return False
    return _is_name_of_house(_OWNERS_END.sub("", words[1]))


def _are_initials(word: str) -> bool:
    """Whether the word is in capitals and is no English word, clinical word or kind of facility."""
    return bool(_CALLED_BY_LETTERS.fullmatch(word)) and is_proper_noun(word) and not _is_kind(word)


def _tells_which(word: str) -> bool:
    """Whether the word identifies the facility, rather than only its kind."""
    return word[:1].isupper() and not _is_kind(word) and not clinical_word(word)


@remembered
def _is_name_of_house(word: str) -> bool:
    """Whether the word can be a facility's own name: a saint, number, person, town or
    proper noun.
    """
    if word.casefold() in _name_parts()["own"]:
        return True
    return not _is_kind(word) and any(map(_is_name_in_house, _PARTS_OF_WORD.split(word)))


def _is_name_in_house(word: str) -> bool:
    low = word.casefold()
    if not word[:1].isupper() or len(word) < 3 or _is_kind(word):
        return False
    bearers = max(first_name(word), surname(word))
    least = WELL_BORNE if low in common_words() else LEAST_BEARERS
    placed = (city(word) or county(word)) and not clinical_word(word)
    return bearers >= least or bool(placed) or is_proper_noun(word)


def _is_kind(word: str) -> bool:
    low = word.casefold()
    return low in _name_parts()["kind"] or low in plain_list("places/common") or is_closed_word(low)


def is_proper_noun(word: str) -> bool:
    """Whether the word is neither an English nor a clinical word."""
    low = word.casefold()
    return low.isalpha() and low not in common_words() and not clinical_word(low)
