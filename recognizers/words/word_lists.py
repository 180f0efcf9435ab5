"""Word lists for judging known values: common words, nicknames, eponyms, placeholders."""

from __future__ import annotations

import gzip
from collections import defaultdict
from functools import cache
from types import MappingProxyType

from recognizers.words.folder import WORDS
from recognizers.words.gazetteers import clinical_word
from recognizers.words.memory import kept
from safe_harbor import csv_rows

# A word up to this rank is so common that a name with the same spelling needs other evidence.
COMMON_RANK = 20_000


@cache
def read_words(name: str) -> frozenset[str]:
    """The words of `words/known/<name>.txt`."""
    text = (WORDS / "known" / f"{name}.txt").read_text("utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return frozenset(word for line in lines for word in line.split())


FUNCTION_WORDS = read_words("function_words")
TITLES = read_words("titles")
KIN = read_words("kin")
CREDENTIALS = read_words("credentials")
SUFFIXES = read_words("suffixes")
PARTICLES = read_words("particles")
EPONYMS = read_words("eponyms")
EPONYM_NOUNS = read_words("eponym_nouns")
PLACEHOLDERS = read_words("placeholders")


@cache
def placeholder_values() -> frozenset[str]:
    """Values that mean "unknown", folded and with spaces for punctuation."""
    path = WORDS / "known" / "placeholder_values.txt"
    lines = path.read_text("utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))


@cache
def common_words() -> MappingProxyType[str, int]:
    """English words in common use (lower case) with their rank, 0 the most frequent."""
    data = (WORDS / "english" / "words.txt.gz").read_bytes()
    words = gzip.decompress(data).decode().split()
    return MappingProxyType({word: rank for rank, word in enumerate(words)})


@kept
def is_common(word: str) -> bool:
    """Whether a name spelled like this word needs other evidence."""
    return word in FUNCTION_WORDS or common_words().get(word, COMMON_RANK) < COMMON_RANK


@kept
def is_word(word: str) -> bool:
    """Whether the word has a meaning of its own, so that it is not read as a misspelled name."""
    return (
        word in FUNCTION_WORDS or word in common_words() or word in EPONYMS or clinical_word(word)
    )


@cache
def _nicknames() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    short: dict[str, set[str]] = defaultdict(set)
    formal: dict[str, set[str]] = defaultdict(set)
    folder = WORDS / "nicknames"
    for name in ("nicknames.csv", "diminutives.csv"):
        for row in csv_rows(folder / name):
            short[row["name"]].add(row["nickname"])
            formal[row["nickname"]].add(row["name"])
    return short, formal


@cache
@kept
def other_forms(name: str) -> frozenset[str]:
    """Return the nicknames of a given name, or the given names of a nickname and their
    nicknames.
    """
    short, formal = _nicknames()
    names = formal.get(name, set())
    beside = {nick for one in names for nick in short[one]} if name not in short else set()
    return frozenset((short.get(name, set()) | names | beside) - {name})
