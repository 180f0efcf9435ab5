"""What the word lists contain about a word as a name, as a place and as a word of English."""

from __future__ import annotations

from dataclasses import dataclass

from recognizers.columns.cells.scores import score_names
from recognizers.words.gazetteers import (
    city,
    clinical_word,
    common_word,
    county,
    eponym,
    first_name,
    surname,
)
from recognizers.words.memory import kept
from recognizers.words.word_lists import common_words


@dataclass(frozen=True, slots=True)
class WordEvidence:
    """Evidence about a word; levels are binary logarithms of counts, 0 if a list lacks the word.

    `given`, `family`: people with the name in the 2020 Census. `place`: ZIP codes of the town or
    county of this name. `written`: how often the word occurs in running text. `rank`: its rank
    among everyday English words without proper nouns; None for all other words. `clinical`: whether
    diagnoses, drugs or charts use it. `eponym`: whether a disease, sign, score or device has this
    name.
    """

    given: int
    family: int
    place: int
    written: int
    rank: int | None
    clinical: bool
    eponym: bool

    @property
    def bearers(self) -> int:
        """The level of the more frequent of given name and surname."""
        return max(self.given, self.family)

    @property
    def is_name(self) -> bool:
        """Whether any person or place has this name."""
        return max(self.bearers, self.place) > 0

    @property
    def is_ordinary(self) -> bool:
        """Whether the word is an everyday or a clinical word."""
        return self.rank is not None or self.clinical


@kept
def word_evidence(word: str) -> WordEvidence:
    """Return the evidence of the word lists about the word, ignoring case.

    >>> word_evidence("glucose").clinical, word_evidence("glucose").family
    (True, 0)
    """
    low = word.casefold()
    return WordEvidence(
        given=first_name(low),
        family=surname(low),
        place=max(city(low), county(low)),
        written=common_word(low),
        rank=common_words().get(low),
        clinical=clinical_word(low),
        eponym=eponym(low) or low in score_names(),
    )


def is_town_name(text: str) -> bool:
    """Whether the text, of one word or several, is the name of a town or county in the United
    States.
    """
    return bool(city(text.casefold()) or county(text.casefold()))
