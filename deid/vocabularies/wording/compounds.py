"""Compounds, several words written as one: they are split if no reading holds a name."""

from __future__ import annotations

from functools import cache

from deid.vocabularies.wording.usual_words import SHORTEST_WORD, is_naming_word
from deid.vocabularies.wording.word_kinds import words_of_kind
from recognizers import word_evidence

_SHORTEST_COMPOUNDED = 4
# A word of a compound is among this many everyday words or on a list. Log2 of its bearers is at
# most the first number, or at most log2 of its use in texts less the second.
_EVERYDAY, _RARELY_BORNE, _NAME_MARGIN = 1_500, 8, 9
# The least log2 of the bearers of a name beside one word of a compound; and of a name of three
# letters, a name among several words, and an everyday word that is a name beside one or a title.
_BORNE_IN_COMPOUND, _OFTEN_BORNE = 6, 12
_LARGE_TOWN = 2  # log2 of its ZIP codes
_MIDDLE_WORDS = words_of_kind("run-together-anywhere")
_FIRST_WORDS = words_of_kind("run-together-first") | _MIDDLE_WORDS
_LAST_WORDS = words_of_kind("run-together-last")
_TITLES_OR_NO = words_of_kind("title") | {"no"}


@cache
def split_compound(word: str) -> tuple[str, ...] | None:
    """Split a compound into words (`birthdate`, `smokeyrs`, `testoffer`); None if that is not
    possible, or if the compound may hold a name (`labmoreno`).

    Words of fewer than four letters count only if `word_kinds.csv` lists them for their place.
    """
    found = _words_run_together(word, True)
    return None if found is None or len(found) < 2 or may_hold_name(word) else found


@cache
def _words_run_together(word: str, is_start: bool) -> tuple[str, ...] | None:
    if is_compound_word(word) or (not is_start and word in _LAST_WORDS):
        return (word,)
    short = _FIRST_WORDS if is_start else _MIDDLE_WORDS
    for end in range(len(word) - 2, 1, -1):
        head = word[:end]
        if not (is_compound_word(head) or head in short):
            continue
        if (found := _words_run_together(word[end:], False)) is not None:
            return (head, *found)
    return None


@cache
def is_compound_word(word: str) -> bool:
    """Whether the word can be recognized in a compound: it is long, common and not a name."""
    known = word_evidence(word)
    rare = known.bearers <= max(_RARELY_BORNE, known.written - _NAME_MARGIN)
    if len(word) < _SHORTEST_COMPOUNDED or known.place > 1 or not rare:
        return False
    return is_naming_word(word) or (known.rank is not None and known.rank < _EVERYDAY)


@cache
def may_hold_name(word: str) -> bool:
    """Whether the word can be read as a name that is joined with something else."""
    readings = (
        (word[:start], word[start:end], word[end:])
        for start in range(len(word) - _SHORTEST_COMPOUNDED + 1)
        for end in range(start + _SHORTEST_COMPOUNDED, len(word) + 1)
        if end - start < len(word)
    )
    return any(_is_told_name(*reading) for reading in readings)


def _is_told_name(before: str, word: str, after: str) -> bool:
    """Whether the word is a name here.

    Beside a title or a name of three letters, an everyday word is a name. Any other name counts as
    a name beside a letter or a single word. A frequent name also counts among several words.
    """
    if not _is_borne_in_compound(word):
        return False
    if is_compound_word(word):
        titled = before in _TITLES_OR_NO or any(map(_is_short_name, (before, after)))
        return titled and _is_often_borne(word)
    beside = before + after
    if not (before and after) and (len(beside) == 1 or _is_single_part(beside)):
        return True
    return _is_often_borne(word) and all(not side or _are_parts(side) for side in (before, after))


def _is_single_part(word: str) -> bool:
    """Whether the text beside a name is one word, title or name."""
    listed = word in _FIRST_WORDS | _LAST_WORDS | _TITLES_OR_NO
    known = listed or is_compound_word(word)
    return known or _is_borne_in_compound(word) or _is_short_name(word)


@cache
def _are_parts(word: str) -> bool:
    """Whether the text consists of words, titles and frequent names that are joined."""
    if word in _LAST_WORDS or is_compound_word(word):
        return True
    if len(word) >= SHORTEST_WORD and _is_often_borne(word):
        return True
    if len(word) < _SHORTEST_COMPOUNDED and word in _FIRST_WORDS | _TITLES_OR_NO:
        return True
    return any(_are_parts(word[:end]) and _are_parts(word[end:]) for end in range(2, len(word) - 1))


def _is_borne_in_compound(word: str) -> bool:
    known = word_evidence(word)
    borne = known.bearers >= _BORNE_IN_COMPOUND or known.place > 0
    return borne and len(word) >= _SHORTEST_COMPOUNDED


def _is_short_name(word: str) -> bool:
    return len(word) == SHORTEST_WORD and _is_often_borne(word)


def _is_often_borne(word: str) -> bool:
    known = word_evidence(word)
    return known.bearers >= _OFTEN_BORNE or known.place >= _LARGE_TOWN
