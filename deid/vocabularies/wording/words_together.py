"""Words that together may name a person, a town or a facility, although each is harmless alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from deid.vocabularies.wording.known_words import LONGEST_UNKNOWN, is_own_word
from deid.vocabularies.wording.readings import TextWord, humps_of
from deid.vocabularies.wording.usual_words import is_name_word
from deid.vocabularies.wording.word_kinds import words_of_kind
from deid.vocabularies.wording.words_alone import is_plain_word
from recognizers import (
    is_borne,
    is_told_of_somebody,
    is_town_name,
    may_be_somebody,
    word_evidence,
)

# The most adjacent words that may spell one name together (`TwoBulls`, `Hot Springs`).
_LONGEST_SPELLED = 3
# The most letters of a run that is no word beside digits (`PAN4`).
_SHORT_RUN = 3
# Beside an initial, a title or the like, a word counts as a name if at least this many people
# (log2) have it as a surname or given name.
BORNE_BESIDE = 10
# Two adjacent header words are a given name and a surname if at least this many people (log2) have
# them as names.
_GIVEN_AMONG_WORDS, _FAMILY_AMONG_WORDS = 13, 16
_FAMILY_BEHIND_TITLE = 14
# If this many people (log2) have a usual word as their name, the word is an owner's name next to a
# measure or as a whole file name.
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


def adjacent(texts: Sequence[str], least: int = 2) -> Iterator[Sequence[str]]:
    """The runs of `least` to three adjacent words."""
    for size in range(least, _LONGEST_SPELLED + 1):
        yield from (texts[at : at + size] for at in range(len(texts) - size + 1))


def name_town(words: Sequence[TextWord]) -> bool:
    """Whether two or three adjacent words are the name of a town."""
    return any(is_town_name(" ".join(run)) for run in adjacent([word.text for word in words]))


def name_town_in_code(runs: Sequence[TextWord]) -> bool:
    """Whether a code is the name of a town, or holds one that is no plain word (`AKRON_ED`)."""
    words = [hump.text.casefold() for run in runs for hump in humps_of(run.text)]
    words = [word for word in words if not word.isdecimal()]
    if _is_town_alone(words) or (len(words) > 1 and is_town_name(" ".join(words))):
        return True
    return any(map(_is_town_alone, adjacent(words))) or any(map(_is_rare_town, words))


def _is_town_alone(words: Sequence[str]) -> bool:
    return is_town_name(" ".join(words)) and not all(map(is_plain_word, words))


def _is_rare_town(word: str) -> bool:
    """Whether the word is a town, no everyday word and no clinical one."""
    known = word_evidence(word)
    return known.rank is None and not known.clinical and _is_town_alone([word])


def are_borne_names(runs: Sequence[TextWord]) -> bool:
    """Whether all words of a code are names; beside digits, three letters are no word."""
    words = [run.text for run in runs if not run.is_number]
    long = [word for word in words if len(word) > LONGEST_UNKNOWN]
    if not long or (len(words) < len(runs) and all(len(word) <= _SHORT_RUN for word in words)):
        return False
    rare = [word for word in long if _is_rare_name(word)]
    if not all(word in rare or is_borne(word) for word in long):
        return False
    return bool(rare) or may_be_somebody(" ".join(words))


def _is_rare_name(word: str) -> bool:
    """Whether a few people bear the word, and it is no everyday word and no clinical one."""
    known = word_evidence(word.casefold())
    is_word = known.rank is not None or known.clinical or known.eponym or is_own_word(word)
    return len(word) > _SHORT_RUN and known.bearers > 0 and not is_word


def spell_name(words: Sequence[TextWord]) -> bool:
    """Whether adjacent words that are joined, or one word alone, are a name."""
    texts = [word.text for word in words]
    runs = adjacent(texts) if len(texts) > 1 else [texts]
    return any(word_evidence("".join(run)).is_name for run in runs)


def tell_of_somebody(words: Sequence[TextWord]) -> bool:
    """Whether several words describe a person or end with a word for a facility."""
    texts = [word.text for word in words]
    return len(texts) > 1 and (texts[-1] in _FACILITY or is_told_of_somebody(" ".join(texts)))


def names_person(parts: Sequence[TextWord]) -> bool:
    """Whether the parts hold initials, a given name and surname, or a title and a surname."""
    if any(_is_initial(one) and _is_initial(other) for one, other in pairwise(parts)):
        return True
    texts = [part.text for part in parts if not part.is_number]
    return any(
        _are_given_and_family(one, other)
        or _are_given_and_family(other, one)
        or (one in _TITLE_WORDS and word_evidence(other).family >= _FAMILY_BEHIND_TITLE)
        or (one in _TITLE_WORDS | _WORDS_OF_ROLES and _may_be_surname(other))
        or (one in _PARTICLES and word_evidence(other).is_name and not is_name_word(other))
        or (len(one) == 1 and (_may_be_surname(other) or _is_common_surname(other)))
        or (len(other) == 1 and (_may_be_surname(one) or _is_common_surname(one)))
        for one, other in pairwise(texts)
    )


def _is_initial(part: TextWord) -> bool:
    return len(part.text) == 1 and not part.is_number


def names_measured_owner(parts: Sequence[TextWord]) -> bool:
    """Whether the words beside a measure may be a person's name: `brown_bp`, `li_hr`."""
    return _names_owner(parts, _MEASURES)


def names_owner_of_file(words: Sequence[TextWord]) -> bool:
    """Whether a file name shows the person whom the file is about: `Brown.txt`, `mark_notes.csv`.

    In headers, such words are approved, because there they do not name a person.
    """
    if len(words) != 1:
        return _names_owner(words, _MEASURES | _DOCUMENTS)
    known = word_evidence(words[0].text)
    often = known.given > _OFTEN_GIVEN_ALONE or known.family >= _FAMILY_AMONG_WORDS
    return often and words[0].text not in _NEVER_OWNERS


def _names_owner(parts: Sequence[TextWord], owned: frozenset[str]) -> bool:
    """Whether the words that are not in `owned` may be a person's name: `brown_bp`, `li_hr`."""
    texts = [part.text for part in parts if not part.is_number and len(part.text) > 1]
    others = [text for text in texts if text not in owned]
    return 0 < len(others) < len(texts) and all(map(_may_own, others))


def _may_own(word: str) -> bool:
    known = word_evidence(word)
    if word in _BESIDE_MEASURE:
        return False
    return (
        known.bearers >= _OWNER
        if is_name_word(word)
        else known.bearers >= BORNE_BESIDE or known.eponym
    )


def _may_be_surname(word: str) -> bool:
    return not is_name_word(word) and word_evidence(word).family >= BORNE_BESIDE


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
        return borne[0] >= _GIVEN_AMONG_WORDS and borne[1] >= BORNE_BESIDE
    least = _FAMILY_AMONG_WORDS if is_name_word(family) else BORNE_BESIDE
    return borne[0] >= BORNE_BESIDE and borne[1] >= least


def names_place(parts: Sequence[TextWord]) -> bool:
    """Whether the parts hold a town, a house number, or a facility or locality with a name."""
    texts = [part.text for part in parts if not part.is_number]
    if any(is_town_name(" ".join(run)) and not _are_no_town(run) for run in adjacent(texts, 1)):
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


def _is_address(parts: Sequence[TextWord]) -> bool:
    """Whether the parts hold a number, a street name and a word for a street: `123_main_st`."""
    return any(
        one.is_number and other.text in _STREETS and word_evidence(two.text).bearers >= BORNE_BESIDE
        for one, two, other in zip(parts, parts[1:], parts[2:], strict=False)
    )


def _are_no_town(words: Sequence[str]) -> bool:
    """Whether the words are header words, or a single word that is more likely a score or an
    English word than a town.
    """
    if len(words) > 1:
        return all(map(is_name_word, words))
    return is_name_word(words[0]) or word_evidence(words[0]).eponym or is_plain_word(words[0])


def _is_medical(word: str) -> bool:
    known = word_evidence(word)
    return known.clinical and known.bearers < BORNE_BESIDE and known.place == 0


def has_lone_eponym(parts: Sequence[TextWord]) -> bool:
    """Whether a word is an eponym's surname, but without the eponym's noun (score, disease)."""
    texts = [part.text for part in parts]
    return _EPONYM_NOUNS.isdisjoint(texts) and any(
        not (part.is_number or len(part.text) == 1 or is_name_word(part.text))
        and word_evidence(part.text).eponym
        and word_evidence(part.text).is_name
        and not is_plain_word(part.text)
        for part in parts
    )
