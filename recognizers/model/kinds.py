"""What the word lists say of a word, as one small number that goes into the model beside it."""

from __future__ import annotations

from bisect import bisect

from recognizers.words import gazetteers

# Powers of two. Bearers of a name against times the word stands in running text:
# a word, rather a word, rather a name, a name.
NAMELY = (-11, -6, 0)
# Times a word stands in running text, and inhabitants of a place.
COMMON, LARGE = (1, 18, 22, 25), (1, 4)
GIVEN_NAME_FROM = 9
NAMES, WORDS, PLACES = 1 + 2 * (len(NAMELY) + 1), len(COMMON) + 1, len(LARGE) + 1
KIND_COUNT = NAMES * WORDS * 2 * PLACES


def kind(word: str) -> int:
    """0 for what no list holds, below `KIND_COUNT`: how far a name, word, of the clinic, place."""
    if not word.isalpha() or len(word) < 2:
        return 0
    common = gazetteers.common_word(word)
    clinical = gazetteers.clinical_word(word) or gazetteers.eponym(word)
    listed = name_kind(word, common) * WORDS + bisect(COMMON, common)
    return (listed * 2 + clinical) * PLACES + bisect(LARGE, gazetteers.city(word))


def name_kind(word: str, common: int) -> int:
    """0 no name; then how far more a name than a word, odd of surnames, even of given names."""
    first = gazetteers.first_name(word)
    bearers = max(first, gazetteers.surname(word))
    return 1 + 2 * bisect(NAMELY, bearers - common) + (first >= GIVEN_NAME_FROM) if bearers else 0
