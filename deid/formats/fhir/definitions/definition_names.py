"""The words that names of FHIR definitions and guides may have, for the judgment of words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from deid.formats.fhir.definitions.element_types import resource_types
from deid.vocabularies import is_known_word
from deid.vocabularies.wording import NAME, Use, names_nobody
from deid.vocabularies.wording.readings import TextWord, humps_of
from deid.vocabularies.wording.words_together import BORNE_BESIDE, name_town
from recognizers import word_evidence

# Prefixes of published names, with numbers that name nobody.
_NUMBERED_PREFIX = re.compile(r"iso21090(?=-)|C4(?:BB|DIC)|v2-\d{4}(?=$|-)|v[23](?=-)")
_LONGEST_ABBREVIATION = 5


def _without_prefix(name: str) -> str:
    return _NUMBERED_PREFIX.sub("", name, count=1)


def _unpublished_words(name: str) -> tuple[TextWord, ...]:
    """The words and numbers that no guide has; a part that a guide has is one word."""
    parts = (part for part in name.split("-") if not _is_guide_word(part))
    return tuple(word for p in parts for word in humps_of(p) if not _is_guide_word(word.text))


def _has_strange_word(words: Sequence[TextWord]) -> bool:
    return not all(_is_told(word) or _is_harmless(word.text) for word in words)


def _tells_together(words: Sequence[TextWord]) -> bool:
    """Whether the words that headers have, and the numbers, tell somebody together."""
    told = [word.text for word in words if _is_told(word)]
    return bool(told) and not names_nobody(" ".join(told), NAME)


def _is_told(word: TextWord) -> bool:
    return word.is_number or names_nobody(word.text, NAME)


def _is_harmless(word: str) -> bool:
    """Whether a word that no header has is an abbreviation, or ordinary and no name."""
    low = word.casefold()
    if word_evidence(low).is_name or word_evidence(low.removesuffix("s")).is_name:
        return False
    is_short = len(low) <= _LONGEST_ABBREVIATION and not _hides_name(low)
    return is_short or is_known_word(word)


def _hides_name(word: str) -> bool:
    """Whether a name of three letters or more stands in the word beside an initial: `jdoe`."""
    return any(
        len(name) > 2 and word_evidence(name).bearers >= BORNE_BESIDE
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


# The name of a definition or a guide: published words, header words and short abbreviations.
DEFINITION_NAME = Use(
    bare=_without_prefix,
    read=_unpublished_words,
    of_words=(
        ("place", name_town),
        ("unlisted", _has_strange_word),
        ("person", _tells_together),
    ),
)
