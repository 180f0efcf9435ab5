"""What the word lists say of a word, as one small number that goes into the model beside it."""

from __future__ import annotations

from bisect import bisect

from recognizers.words import gazetteers

# Powers of two. Bearers of a name against times the word stands in running text:
# a word, rather a word, rather a name, a name.
NAMELY = (-11, -6, 0)
# Times a word stands in running text, and inhabitants of a place.
COMMON, LARGE = (1, 18, 22, 25), (1, 4)
GIVEN = 9
NAMES, WORDS, PLACES = 1 + 2 * (len(NAMELY) + 1), len(COMMON) + 1, len(LARGE) + 1
KINDS = NAMES * WORDS * 2 * PLACES


def kind(word: str) -> int:
    """0 for what no list holds, below `KINDS`: how much a name, a word, of the clinic, a place."""
    if not word.isalpha() or len(word) < 2:
        return 0
    common = gazetteers.common_word(word)
    clinical = gazetteers.clinical_word(word) or gazetteers.eponym(word)
    listed = named(word, common) * WORDS + bisect(COMMON, common)
    return (listed * 2 + clinical) * PLACES + bisect(LARGE, gazetteers.city(word))


def named(word: str, common: int) -> int:
    """0 no name; then how far more a name than a word, odd of surnames, even of given names."""
    first = gazetteers.first_name(word)
    bearers = max(first, gazetteers.surname(word))
    return 1 + 2 * bisect(NAMELY, bearers - common) + (first >= GIVEN) if bearers else 0
