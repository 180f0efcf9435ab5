"""Kinds of departments and places (`Cardiology`, `Emergency room`), as opposed to their names.

Every word must be on a list. A word for a hospital (`hospital`, `center`) may have only words
beside it that never make a name: `Acute care hospital` is a kind, `General Hospital` may be one's
name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from recognizers.columns.cells.memory import remembered
from recognizers.columns.cells.phrases import GIVEN, may_be_somebody
from recognizers.columns.cells.shapes import LEAST_BEARERS, is_listed
from recognizers.words.folder import WORDS
from recognizers.words.gazetteers import city, clinical_word, first_name, surname
from safe_harbor import csv_rows

LONGEST_KIND, INITIALS_OF_KIND = 80, 3
MANY_KINDS, MOSTLY_KINDS = 0.6, 0.9
#: The shapes of columns of which only kinds are released.
KIND_SHAPES = frozenset(["care_unit", "kind"])
ONLY_KINDS = "only cells that are kinds of places are released"
_WORD_OF_KIND = re.compile(r"&|\w+(?:['’&][^\W_]+)*")
# Grades of care, which are no ward's number: `Level II`, `Type A Hospital`.
_LEVEL = re.compile(r"\b(?:level|type)\W{0,2}(?:i{1,3}|iv|v|[1-5]|[a-e])\b", re.IGNORECASE)
_GAP_IN_PAIR = re.compile(r"\W+")
WARDS = frozenset(["ward", "wards"])
_NO_KINDS_OF_WARD = frozenset(["at", "by", "for", "from", "of", "to", "with", "level", "room"])
# Headers under which a short form may be a name or initials.
_NAMES_OF_PERSONS = ("name", "organization", "city", "county", "street", "account", "plan")
_WHOLE_KINDS = ("specialty", "disposition")
_EVERY_PART = ("unit", "place", "beside", "house", "of_house")


@lru_cache(maxsize=1)
def _kind_words() -> dict[str, frozenset[str]]:
    return {
        row["part"]: frozenset(row["values"].split("|"))
        for row in csv_rows(WORDS / "columns" / "kinds.csv")
    }


@lru_cache(maxsize=1)
def _joined_words() -> re.Pattern[str]:
    """The words that are no names together: `day surgery`, but not `day`."""
    pairs = sorted(_kind_words()["pair"], key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, pairs))})(?!\w)")


@remembered
def is_care_unit(text: str) -> bool:
    """Whether the text is a kind of department or place, without number, wing or name.

    >>> is_care_unit("Emergency room"), is_care_unit("Mercy Cardiology"), is_care_unit("4 West")
    (True, False, False)
    """
    spaced = " ".join(text.replace("_", " ").split())
    if any(map(_is_first_name, _WORD_OF_KIND.findall(spaced))):
        return False
    low = spaced.casefold()
    if low in _kind_words()["phrase"] or any(is_listed(name, text) for name in _WHOLE_KINDS):
        return True
    joined = _joined_words().sub(
        lambda pair: _GAP_IN_PAIR.sub("_", pair[0]), _LEVEL.sub("level", low)
    )
    words = _WORD_OF_KIND.findall(joined)
    if not words or len(text) > LONGEST_KIND or not all(map(_is_of_kinds, words)):
        return False
    return _has_kind_word(words) and not _is_of_a_name(words) and not _is_ward_of_a_name(words)


@remembered
def is_kind(text: str) -> bool:
    """Whether the text is a kind of department or place even under a header of names.

    Short forms (`ED`) and words that persons bear as names are none.
    """
    if max(map(len, re.findall(r"[^\W\d_]+", text)), default=0) <= INITIALS_OF_KIND:
        return False
    return is_care_unit(text) and not may_be_somebody(text)


def is_kind_word(word: str) -> bool:
    """Whether the lists of kinds have the word, in any case."""
    return _is_of_kinds(word.casefold())


def _is_of_kinds(word: str) -> bool:
    if "_" in word or word in WARDS:
        return True
    return any(word in _kind_words()[part] for part in _EVERY_PART) or is_listed("care_unit", word)


def _has_kind_word(words: list[str]) -> bool:
    """Whether a word tells the kind; a lone word must be no common name or town."""
    if len(words) == 1 and _is_borne_or_town(words[0]):
        return False
    telling = _kind_words()["unit"] | _kind_words()["place"] | _kind_words()["house"]
    beside = _kind_words()["beside"]
    if any("_" in word for word in words):
        return True
    return any(w in telling or (is_listed("care_unit", w) and w not in beside) for w in words)


def _is_ward_of_a_name(words: list[str]) -> bool:
    """Whether no kind stands before `ward`, which is also a surname: `home with Ward`."""
    told = (_kind_words()["unit"] | _kind_words()["beside"]) - _NO_KINDS_OF_WARD
    starts = [at for at, word in enumerate(words) if word in WARDS]
    return any(at == 0 or words[at - 1] not in told for at in starts)


def _is_first_name(word: str) -> bool:
    """Whether a short form is written as a first name: `Ed`, unlike `ED`."""
    short = word.istitle() and len(word) <= INITIALS_OF_KIND
    return short and first_name(word) >= GIVEN


def _is_borne_or_town(word: str) -> bool:
    if len(word) <= INITIALS_OF_KIND:
        return False
    return max(first_name(word), surname(word)) >= GIVEN or bool(city(word))


def _is_of_a_name(words: list[str]) -> bool:
    """Whether the words beside a hospital may be its name: `General Hospital`."""
    rest = [word for word in words if word not in _kind_words()["house"]]
    if len(rest) == len(words):
        return False
    return not rest or not all(_is_beside_house(word) for word in rest)


def _is_beside_house(word: str) -> bool:
    return "_" in word or word in _kind_words()["of_house"]


def _tells_place(text: str) -> bool:
    """Whether a word tells a department or place, and not only how urgent a visit is."""
    told = _kind_words()["unit"] | _kind_words()["place"] | _kind_words()["house"] | WARDS
    words = _WORD_OF_KIND.findall(text.replace("_", " ").casefold())
    return not told.isdisjoint(words)


@remembered
def _has_more_than_kind(text: str) -> bool:
    """Whether a capitalized town or name of persons stands beside a kind: `ICU Leeds`."""
    words = _WORD_OF_KIND.findall(text.replace("_", " "))
    others = [word for word in words if word[:1].isupper() and not is_kind_word(word)]
    if not others or not _tells_place(text):
        return False
    return any(
        not clinical_word(w) and (city(w) or max(first_name(w), surname(w)) >= LEAST_BEARERS)
        for w in others
    )


def kind_shape(named: str, seen: Sequence[str]) -> str | None:
    """Return the shape of a column of kinds under a header that names something else, else None.

    `named` is the shape that the header names, "" for none. Nearly all cells must be kinds, but
    only most under a header of facilities or if a cell has a name beside a kind: each other cell
    is blanked.
    """
    is_one = is_kind if named in _NAMES_OF_PERSONS else is_care_unit
    told, different = sum(map(is_one, seen)), set(seen)
    of_place = named == "facility"
    if not told or not (of_place or any(is_kind(v) and _tells_place(v) for v in different)):
        return None
    may_be_fewer = is_one is is_care_unit and (of_place or any(map(_has_more_than_kind, different)))
    if told < (MANY_KINDS if may_be_fewer else MOSTLY_KINDS) * len(seen):
        return None
    return "kind" if is_one is is_kind else "care_unit"
