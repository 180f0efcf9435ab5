"""Names recognized by their form: capitalized names side by side."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from recognizers.entities import PERSON
from recognizers.evidence.matching import Hit, matches
from recognizers.evidence.names.cues import CAPITAL_WORD
from recognizers.evidence.names.word_evidence import (
    NAME_PARTICLES,
    STOPS,
    called_after,
    clinical,
    is_worded,
    personal,
)
from recognizers.text.normalized_text import NormalizedText
from recognizers.words import gazetteers

NAME_RUN = (
    rf"\b({CAPITAL_WORD}(?: (?:{CAPITAL_WORD}|[A-Z]\.?|"
    r"(?:de|la|van|von|der|del|bin|al|dos|da)\b)){1,4})"
)


def side_by_side(page: NormalizedText) -> Iterator[Hit]:
    """Capitalized names side by side, in mixed case, none of them a clinical word."""
    for start, end in matches(NAME_RUN, page):
        value = page.text[start:end]
        words = [w.strip(".") for w in value.split()]
        if value.isupper() or any(w.lower() in STOPS for w in words) or len(words[-1]) < 2:
            continue
        telling = [w for w in words if len(w) > 1 and w.lower() not in NAME_PARTICLES]
        if len(telling) < 2 or any(clinical(w) or is_worded(w) or lettered(w) for w in telling):
            continue
        if personal(telling[0], telling[-1]):
            given = gazetteers.first_name(telling[0]) > 9
            score = 0.92 if widespread(page.text, telling, end) else 0.7 if given else 0.55
            yield Hit(start, end, PERSON, score, "names side by side")


def lettered(word: str) -> bool:
    """Whether the word is an abbreviation, as in `MRx OD`, rather than a name."""
    return not word[1:].islower() and len(word) < 4


THING = re.compile(r"[ -]([A-Za-z]+)")


def widespread(text: str, words: Sequence[str], end: int) -> bool:
    """Whether the words are a very frequent given name and surname, and not part of an eponym.

    `Robert Smith` in `Robert Smith, whose tests` is such a name; `Jackson Pratt drain` is not.
    """
    first, last = words[0], words[-1]
    if len(words) > 3 or gazetteers.first_name(first) < 17 or gazetteers.surname(last) < 14:
        return False
    thing = THING.match(text, end)
    return not thing or not (thing.group(1)[0].isupper() or called_after(thing.group(1)))
