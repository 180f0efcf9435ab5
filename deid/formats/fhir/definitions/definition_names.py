"""Whether the name of a FHIR definition or guide consists of words that name nobody."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from itertools import pairwise

from deid.formats.fhir.definitions.element_types import resource_types
from deid.naming import is_vouched
from deid.vocabularies import is_known_word
from recognizers import is_town_name, word_evidence

# Prefixes of published names, with numbers that name nobody.
_NUMBERED_PREFIX = re.compile(r"iso21090(?=-)|C4(?:BB|DIC)|v2-\d{4}(?=$|-)|v[23](?=-)")
_RUN = re.compile(r"\d+|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]+")
_LONGEST_ABBREVIATION = 5
# The least log2 of the bearers of a surname or given name beside an initial: `jdoe`.
_BORNE_BESIDE_INITIAL = 10


def is_impersonal_name(name: str) -> bool:
    """Whether each word of the name is published, ordinary or a short abbreviation, and no words
    together name a person, a town, a facility or a number.

    >>> is_impersonal_name("us-core-patient"), is_impersonal_name("toledo-mercy-general")
    (True, False)
    """
    runs = [
        run
        for part in _NUMBERED_PREFIX.sub("", name, count=1).split("-")
        for run in _runs_of_name(part)
    ]
    others = [run for run in runs if not _is_guide_word(run)]
    if any(is_town_name(" ".join(pair)) for pair in pairwise(others)):
        return False
    if not all(run.isdigit() or is_vouched(run) or _is_harmless(run) for run in others):
        return False
    told = [run for run in others if run.isdigit() or is_vouched(run)]
    return not told or is_vouched(" ".join(told))


def _runs_of_name(part: str) -> list[str]:
    """The words and numbers of a part of a name; a published part is one word."""
    return [part] if _is_guide_word(part) else _RUN.findall(part)


def _is_harmless(word: str) -> bool:
    """Whether a word that no header has is an abbreviation, or ordinary and no name."""
    low = word.casefold()
    if word_evidence(low).is_name or word_evidence(low.removesuffix("s")).is_name:
        return False
    is_short = len(low) <= _LONGEST_ABBREVIATION and not _hides_name(low)
    return is_short or is_known_word(word)


def _hides_name(word: str) -> bool:
    """Whether a name of three letters or more stands in the word beside an initial."""
    return any(
        len(name) > 2 and word_evidence(name).bearers >= _BORNE_BESIDE_INITIAL
        for name in (word[1:], word[:-1])
    )


def _is_guide_word(word: str) -> bool:
    return word.casefold() in _guide_words()


@cache
def _guide_words() -> frozenset[str]:
    """Words of guides, and the types of resources."""
    text = (files("deid.formats.fhir.definitions") / "guide_words.txt").read_text("utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    words = {word for line in lines for word in line.split()}
    return frozenset(words | {name.casefold() for name in resource_types()})
