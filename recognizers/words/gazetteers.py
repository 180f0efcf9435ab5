"""Word lists with frequencies: evidence for a name, a place, a common or a clinical word.

Each is read once, on first use, from `words/`; the `SOURCE.md` beside a list names its source.
"""

from __future__ import annotations

import lzma
import re
from functools import cache

from recognizers.words.folder import WORDS
from recognizers.words.memory import kept


@cache
def levels(name: str) -> dict[str, int]:
    """For each item, log2 of its count, at least 1. `name` is the path below `words/`."""
    found: dict[str, int] = {}
    text = lzma.decompress((WORDS / f"{name}.txt.xz").read_bytes()).decode("ascii")
    head, *parts = f"\n{text}".split("\n#")
    found |= dict.fromkeys(filter(None, head.split("\n")), 1)
    for part in parts:
        level, *items = part.split("\n")
        found |= dict.fromkeys(filter(None, items), max(int(level), 1))
    return found


def listed(name: str) -> tuple[str, ...]:
    """The lines of `words/<name>.txt` that are not comments, as written."""
    lines = (WORDS / f"{name}.txt").read_text("ascii").splitlines()
    return tuple(x.strip() for x in lines if x.strip() and not x.startswith("#"))


@cache
def plain_list(name: str) -> frozenset[str]:
    """The lines of `listed(name)` in lower case."""
    return frozenset(x.lower() for x in listed(name))


@kept
def first_name(word: str) -> int:
    """Log2 of a first name's bearers in the 2020 Census; 0 if it is not listed."""
    return levels("names/first").get(word.lower(), 0)


@kept
def surname(word: str) -> int:
    """Log2 of a surname's bearers in the 2020 Census; 0 if it is not listed."""
    return levels("names/surnames").get(word.lower(), 0)


@kept
def bearers(word: str) -> int:
    """Log2 of the bearers of a first name or a surname, the more frequent; 0 if none is listed."""
    return max(first_name(word), surname(word))


@kept
def common_word(word: str) -> int:
    """Log2 of an English word's count in running text; 0 if it is not listed."""
    return levels("common/items").get(word.lower(), 0)


@kept
def clinical_word(word: str) -> bool:
    """Whether the word occurs in names of diagnoses or drugs, or is a clinical abbreviation."""
    low = word.lower()
    return (
        low in levels("clinical/items")
        or low in plain_list("clinical/shorthand")
        or low in plain_list("clinical/more_drugs")
    )


@kept
def eponym(word: str) -> bool:
    """Whether a sign, disease, score, device or operation is named after a person of this name."""
    low = word.lower()
    return low in levels("clinical/eponyms") or low in plain_list("clinical/more_eponyms")


@kept
def city(name: str) -> int:
    return levels("places/cities").get(name.lower(), 0)


def county(name: str) -> int:
    return levels("places/counties").get(name.lower(), 0)


_POSSESSIVE = re.compile(r"['’]s?$")


def is_listed_word(word: str) -> bool:
    """Whether a common or clinical list has the word, as written or without its ending."""
    low = _POSSESSIVE.sub("", word.lower())
    forms = {low, low.removesuffix("s"), low.removesuffix("es"), low.removesuffix("ed")}
    return any(common_word(form) or clinical_word(form) or eponym(form) for form in forms)
