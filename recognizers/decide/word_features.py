"""What the published lists and its letters say of one word, as numbers."""

from __future__ import annotations

from collections.abc import Sequence
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
LISTED_FEATURES = frozenset(WORD_FEATURES).difference(WRITTEN)


@cache
def lists() -> tuple[frozenset[str], ...]:
    """The closed lists, in the order of the last features."""
    peoples, places = plain_list("names/peoples"), plain_list("places/common")
    drugs, states = plain_list("clinical/more_drugs"), plain_list("known/states")
    listed = (STOPS, NOBODY, SHORT_FORMS, peoples, places, drugs, DOTTED_FORMS)
    return (*listed, NAME_PARTICLES, NAME_SUFFIXES, NEVER_NAMES, states)


@kept
def word_row(word: str) -> tuple[float, ...]:
    """The values of `WORD_FEATURES`."""
    low = word.lower()
    return (
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


def shapes_of(words: Sequence[str]) -> NDArray[np.float32]:
    """How each word is written: in capitals, in figures, and so on."""
    place = WORD_FEATURES.index("shape")
    return np.array([word_row(word)[place] for word in words], np.float32)
