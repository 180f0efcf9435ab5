"""Decide whether a name is approved: whether it may be released unchanged.

Every word must be a usual word of column or file names, or a word of English or medicine that is
not the name of a person or place. A name is refused if it has an unlisted word, a person's name, a
number that may identify, or words that together look like a person, a facility or a street. A rare
word is not approved for being rare: a word that is on no list may be a name.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from deid.naming.kinds import words_of_kind
from deid.naming.numbers import tells_age, tells_number
from deid.naming.parts import NamePart, parts_of
from deid.naming.vocabulary import (
    is_name_word,
    is_naming_word,
    is_published_name,
    split_compound,
    without_tag,
)
from recognizers import held_shape, is_town_name, word_evidence

MAX_NAME_LENGTH, MAX_NAME_PARTS = 200, 40
# A word counts as a name if log2 of its bearers is at most `_MARGIN` below log2 of its use in
# texts. `_BORNE` is the least log2 count of bearers that makes a surname or given name likely.
_MARGIN, _BORNE = 9, 10
# A word with this many bearers (log2) is a name; a word with this many ZIP codes is a town.
_OFTEN_GIVEN, _OFTEN_FAMILY, _OFTEN_TOWN = 12, 13, 2
_RARE_WORD = 20_000
_LONGEST_JOINED = 5
# Bearers (log2) that make two adjacent header words a given name and a surname.
_GIVEN_AMONG_WORDS, _FAMILY_AMONG_WORDS = 13, 16
_FAMILY_BEHIND_TITLE = 14
# A usual word with this many bearers (log2) is an owner's name if it is next to a measure or is a
# whole file name.
_OWNER, _OFTEN_GIVEN_ALONE = 14, 14
_EXTREMES = frozenset(("max", "min"))
_FACILITY = words_of_kind("facility")
# Words for a street, town or county, and the words that may stand before them.
_LOCALITY = words_of_kind("locality")
_LOCALITY_WORDS = words_of_kind("of-locality")
_TITLE_WORDS = words_of_kind("title")
_WORDS_OF_ROLES = words_of_kind("role")
_EPONYM_NOUNS = words_of_kind("eponym-noun")
_STREETS, _PARTICLES = words_of_kind("street"), words_of_kind("particle")
# Words for measures and for documents of a person, and other words found next to a measure.
_MEASURES, _DOCUMENTS = words_of_kind("measure"), words_of_kind("document")
_BESIDE_MEASURE = words_of_kind("beside-measure")
_NEVER_OWNERS = _BESIDE_MEASURE | words_of_kind("numbered-person")


@lru_cache(maxsize=1 << 15)
def is_vouched(name: str) -> bool:
    """Whether the name may be released unchanged.

    >>> is_vouched("bp_systolic_mmHg"), is_vouched("glucose_john_smith"), is_vouched("HR_04MAR21")
    (True, False, False)
    """
    name = without_tag(name)
    if is_published_name(name):
        return True
    if not name.strip() or len(name) > MAX_NAME_LENGTH or held_shape(name) is not None:
        return False
    parts = parts_of(name)
    if not parts or len(parts) > MAX_NAME_PARTS:
        return False
    words = _joined_parts(parts)
    if tells_age(parts) or tells_number(words) or not all(map(_is_known, words)):
        return False
    return not (
        _names_person(words)
        or _names_place(words)
        or _has_lone_eponym(words)
        or _names_owner(words, _MEASURES)
    )


def names_owner(name: str) -> bool:
    """Whether a file name shows the person whom the file is about: `Brown.txt`, `mark_notes.csv`.

    In headers, such words are approved, because there they do not name a person.
    """
    words = _joined_parts(parts_of(name) or ())
    if is_published_name(name) or not words:
        return False
    if len(words) == 1:
        if words[0].text in _NEVER_OWNERS:
            return False
        known = word_evidence(words[0].text)
        return known.given > _OFTEN_GIVEN_ALONE or known.family >= _FAMILY_AMONG_WORDS
    return _names_owner(words, _MEASURES | _DOCUMENTS)


def tells_together(name: str) -> bool:
    """Whether words and numbers, each harmless alone, together show a day or a person."""
    parts = parts_of(name)
    words = _joined_parts(parts) if parts else ()
    return parts is None or tells_number(words) or _names_person(words)


def _joined_parts(parts: Sequence[NamePart]) -> tuple[NamePart, ...]:
    """Join parts that form one word: `hb` `a` `1` `c`, `icd` `10`, `e` `mail`."""
    found: list[NamePart] = []
    place = 0
    while place < len(parts):
        size = next(
            (n for n in range(_LONGEST_JOINED, 1, -1) if _is_one_word(parts[place : place + n], n)),
            1,
        )
        text = "".join(part.text for part in parts[place : place + size])
        words = _compound_words(text) if size == 1 else (text,)
        found.append(NamePart(words[0], parts[place].between))
        found += [NamePart(word, "") for word in words[1:]]
        place += size
    return tuple(found)


def _compound_words(word: str) -> tuple[str, ...]:
    """The words of a compound (`birthdate`), or the word itself."""
    if word.isdigit() or is_name_word(word):
        return (word,)
    known = word_evidence(word)
    named = known.is_name or known.rank is not None
    return (word,) if named else split_compound(word) or (word,)


def _is_one_word(parts: Sequence[NamePart], size: int) -> bool:
    """Whether the parts together are one header word, although some of them are no words alone."""
    if len(parts) < size or all(len(part.text) > 2 and not part.is_number for part in parts):
        return False
    if parts[0].is_number and not parts[1].between:
        return False
    return is_naming_word("".join(part.text for part in parts))


def _is_known(part: NamePart) -> bool:
    """Whether the part is a number, a single letter, or an approved word."""
    word = part.text
    if part.is_number or len(word) == 1 or is_name_word(word):
        return True
    known = word_evidence(word)
    if known.eponym and known.written < known.family + _MARGIN:
        return True  # `_has_lone_eponym` requires the noun that goes with it
    return len(word) > 2 and _is_plain_word(word)


def _is_plain_word(word: str) -> bool:
    """Whether the word is English or medical rather than the name of a person or place."""
    known = word_evidence(word)
    if known.given >= _OFTEN_GIVEN or known.family >= _OFTEN_FAMILY or known.place >= _OFTEN_TOWN:
        return False
    if known.bearers > max(known.written - _MARGIN, 0):
        return False
    if known.rank is None:
        return known.clinical
    singular = word.removesuffix("s")
    if singular != word and len(singular) > 2 and not _is_plain_word(singular):
        return is_name_word(singular) or word_evidence(singular).rank is None
    rare = known.rank >= _RARE_WORD and not known.clinical
    return not rare or (known.bearers == 0 and known.place == 0)


def _names_person(parts: Sequence[NamePart]) -> bool:
    """Whether the parts hold initials, a given name and surname, or a title and a surname."""
    texts = [part.text for part in parts if not part.is_number]
    if any(len(one) == 1 == len(other) for one, other in pairwise(texts)):
        return True
    return any(
        _are_given_and_family(one, other)
        or _are_given_and_family(other, one)
        or (one in _TITLE_WORDS and word_evidence(other).family >= _FAMILY_BEHIND_TITLE)
        or (one in _TITLE_WORDS | _WORDS_OF_ROLES and _may_be_surname(other))
        or (one in _PARTICLES and _is_borne(other) and not is_name_word(other))
        or (len(one) == 1 and (_may_be_surname(other) or _is_common_surname(other)))
        or (len(other) == 1 and (_may_be_surname(one) or _is_common_surname(one)))
        for one, other in pairwise(texts)
    )


def _names_owner(parts: Sequence[NamePart], owned: frozenset[str]) -> bool:
    """Whether the words that are not in `owned` may be a person's name: `brown_bp`, `li_hr`."""
    texts = [part.text for part in parts if not part.is_number and len(part.text) > 1]
    others = [text for text in texts if text not in owned]
    return 0 < len(others) < len(texts) and all(map(_may_own, others))


def _may_own(word: str) -> bool:
    known = word_evidence(word)
    if word in _BESIDE_MEASURE:
        return False
    return (
        known.bearers >= _OWNER if is_name_word(word) else known.bearers >= _BORNE or known.eponym
    )


def _may_be_surname(word: str) -> bool:
    return not is_name_word(word) and word_evidence(word).family >= _BORNE


def _is_common_surname(word: str) -> bool:
    """Whether the surname is so common that a letter next to it is an initial: `J_Brown`."""
    return word_evidence(word).family > _FAMILY_AMONG_WORDS


def _are_given_and_family(given: str, family: str) -> bool:
    if given in _EXTREMES or len(given) < 3 or len(family) < 3:
        return False
    borne = word_evidence(given).given, word_evidence(family).family
    if is_name_word(given) and is_name_word(family):
        return borne[0] >= _GIVEN_AMONG_WORDS and borne[1] >= _FAMILY_AMONG_WORDS
    if is_name_word(given):
        return borne[0] >= _GIVEN_AMONG_WORDS and borne[1] >= _BORNE
    least = _FAMILY_AMONG_WORDS if is_name_word(family) else _BORNE
    return borne[0] >= _BORNE and borne[1] >= least


def _names_place(parts: Sequence[NamePart]) -> bool:
    """Whether the parts hold a town, a house number, or a facility or locality with a name."""
    texts = [part.text for part in parts if not part.is_number]
    for size in (1, 2, 3):
        for start in range(len(texts) - size + 1):
            words = texts[start : start + size]
            if is_town_name(" ".join(words)) and not _are_no_town(words):
                return True
    if any(
        one.is_number
        and not (other.is_number or len(other.text) < 3)
        and not (is_name_word(other.text) or _is_medical(other.text))
        for one, other in pairwise(parts)
    ):
        return True
    if _is_address(parts):
        return True
    if any(other in _LOCALITY and one not in _LOCALITY_WORDS for one, other in pairwise(texts)):
        return True
    return any(
        other in _FACILITY and not (is_name_word(one) or len(one) <= 2) and not _is_medical(one)
        for one, other in pairwise(texts)
    )


def _is_address(parts: Sequence[NamePart]) -> bool:
    """Whether the parts hold a number, a street name and a word for a street: `123_main_st`."""
    return any(
        one.is_number and other.text in _STREETS and max(_bearers(two.text)) >= _BORNE
        for one, two, other in zip(parts, parts[1:], parts[2:], strict=False)
    )


def _bearers(word: str) -> tuple[int, int]:
    known = word_evidence(word)
    return known.given, known.family


def _are_no_town(words: Sequence[str]) -> bool:
    """Whether the words are header words, or a single word that is likelier a score or English."""
    if len(words) > 1:
        return all(map(is_name_word, words))
    return is_name_word(words[0]) or word_evidence(words[0]).eponym or _is_plain_word(words[0])


def _is_medical(word: str) -> bool:
    known = word_evidence(word)
    return known.clinical and known.bearers < _BORNE and known.place == 0


def _is_borne(word: str) -> bool:
    return word_evidence(word).is_name


def _has_lone_eponym(parts: Sequence[NamePart]) -> bool:
    """Whether a word is the surname in an eponym, but without the eponym's noun (score,
    disease).
    """
    texts = [part.text for part in parts]
    return _EPONYM_NOUNS.isdisjoint(texts) and any(
        not (part.is_number or len(part.text) == 1 or is_name_word(part.text))
        and word_evidence(part.text).eponym
        and _is_borne(part.text)
        and not _is_plain_word(part.text)
        for part in parts
    )
