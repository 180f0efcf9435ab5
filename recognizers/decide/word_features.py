"""The features of one word from the word lists and from its letters."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from recognizers.evidence.names.word_evidence import (
    DOTTED_FORMS,
    NAME_PARTICLES,
    NAME_SUFFIXES,
    NEVER_NAMES,
    NOBODY,
    SHORT_FORMS,
    STOPS,
)
from recognizers.model.encoding import shape
from recognizers.words import gazetteers
from recognizers.words.gazetteers import plain_list
from recognizers.words.memory import kept

WORD_FEATURES = (
    *("first", "surname", "common", "clinical", "eponym", "city", "county"),
    *("listed", "shape", "length", "digits"),
    *("stop", "nobody", "short form", "people", "place word", "drug", "dotted form"),
    *("particle", "suffix", "never", "state"),
)


WRITTEN = ("shape", "length", "digits")
SHAPE = WORD_FEATURES.index("shape")
LISTED_FEATURES = frozenset(WORD_FEATURES).difference(WRITTEN)


@cache
def lists() -> tuple[frozenset[str], ...]:
    """The closed lists, in the order of the last features."""
    peoples, places = plain_list("names/peoples"), plain_list("places/common")
    drugs, states = plain_list("clinical/more_drugs"), plain_list("known/states")
    listed = (STOPS, NOBODY, SHORT_FORMS, peoples, places, drugs, DOTTED_FORMS)
    return (*listed, NAME_PARTICLES, NAME_SUFFIXES, NEVER_NAMES, states)


@kept
def word_row(word: str) -> bytes:
    """Return the values of `WORD_FEATURES` packed into bytes, so that many words can be joined."""
    low = word.lower()
    values = (
        gazetteers.first_name(word),
        gazetteers.surname(word),
        gazetteers.common_word(word),
        gazetteers.clinical_word(word),
        gazetteers.eponym(word),
        gazetteers.city(word),
        gazetteers.county(word),
        gazetteers.is_listed_word(word),
        shape(word),
        len(word),
        sum(map(str.isdigit, word)),
        *(low in listed for listed in lists()),
    )
    return array("f", values).tobytes()


def word_rows(words: Iterable[str]) -> NDArray[np.float32]:
    """The features of words: (words, `WORD_FEATURES`)."""
    joined = b"".join(map(word_row, words))
    return np.frombuffer(joined, np.float32).reshape(-1, len(WORD_FEATURES))
