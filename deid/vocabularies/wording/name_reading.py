"""Read a name as words: parts that form one word are joined, and compounds are split."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from deid.vocabularies.wording.compounds import split_compound
from deid.vocabularies.wording.readings import TextWord, parts_of
from deid.vocabularies.wording.usual_words import is_name_word, is_naming_word
from recognizers import word_evidence

_MOST_PARTS = 40
_LONGEST_JOINED = 5
_WORD_WITH_ACCENTS = re.compile(r"[A-Za-zÀ-ÖØ-öø-ÿ]{3,}")


def words_of_name(name: str) -> tuple[TextWord, ...] | None:
    """The words of a name; None if it has too many parts, or a character that no name has."""
    parts = parts_of_name(name)
    return None if parts is None or len(parts) > _MOST_PARTS else _joined_parts(parts)


def words_of_path(path: str) -> tuple[TextWord, ...] | None:
    """The words of a path of keys, however long."""
    parts = parts_of_name(path)
    return None if parts is None else _joined_parts(parts)


def parts_of_name(name: str) -> tuple[TextWord, ...] | None:
    """The parts of a name, with words such as `Diagnóstico` read without their accents.

    Only usual words of names are: `Liège` and `Brás` are no words without accents.
    """
    return parts_of(_WORD_WITH_ACCENTS.sub(_plain_word, unicodedata.normalize("NFC", name)))


def _plain_word(match: re.Match[str]) -> str:
    apart = unicodedata.normalize("NFD", match[0])
    plain = "".join(sign for sign in apart if not unicodedata.combining(sign))
    word = plain.casefold()
    usual = plain.isascii() and is_naming_word(word) and not word_evidence(word).is_name
    return plain if usual else match[0]


def _joined_parts(parts: Sequence[TextWord]) -> tuple[TextWord, ...]:
    """Join parts that form one word: `hb` `a` `1` `c`, `icd` `10`, `e` `mail`."""
    found: list[TextWord] = []
    place = 0
    while place < len(parts):
        size = next(
            (n for n in range(_LONGEST_JOINED, 1, -1) if _is_one_word(parts[place : place + n], n)),
            1,
        )
        text = "".join(part.text for part in parts[place : place + size])
        words = _compound_words(text) if size == 1 else (text,)
        found.append(TextWord(words[0], parts[place].between))
        found += [TextWord(word, "") for word in words[1:]]
        place += size
    return tuple(found)


def _compound_words(word: str) -> tuple[str, ...]:
    """The words of a compound (`birthdate`), or the word itself."""
    if word.isdigit() or is_name_word(word):
        return (word,)
    known = word_evidence(word)
    named = known.is_name or known.rank is not None
    return (word,) if named else split_compound(word) or (word,)


def _is_one_word(parts: Sequence[TextWord], size: int) -> bool:
    """Whether the parts together are one header word, although some are not words alone."""
    if len(parts) < size or all(len(part.text) > 2 and not part.is_number for part in parts):
        return False
    if parts[0].is_number and not parts[1].between:
        return False
    return is_naming_word("".join(part.text for part in parts))
