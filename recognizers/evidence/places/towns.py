# ruff: noqa: E501 -- a pattern reads best on one line
"""(B) Towns after a word of place."""

from __future__ import annotations

from collections.abc import Iterator

from recognizers.entities import CITY
from recognizers.evidence.matching import Hit, matches
from recognizers.evidence.names.word_evidence import clinical
from recognizers.text.normalized_text import NormalizedText
from recognizers.words import gazetteers

MOVING = (
    r"\b(?:in|from|to|near|nr|above|below|outside|around|lives in|born in|moved to|resides in|travel(?:ed|ing)? to|drove to|flight to|flew to|visiting|via|toward|back to|raised in|grew up in|"
    r"drives? in from|resident of|native of|north of|south of|east of|west of|outside of|hospital in|clinic in|facility in|went to|shelter in|church in) ((?:(?:St|Ft|Mt|San|Santa|Los|Las|El|La|New|North|South|East|West|Fort|Port|Lake|Mount|Saint|Palm|Del|Grand|Little|Big|Cape|Old|Green|Great)\.? )?[A-Z][a-z]+(?:[ -][A-Z][a-z]+){0,2})"
)


def cities(page: NormalizedText) -> Iterator[Hit]:
    """A name of a US place after a word of place; a common word or a clinical one is not enough."""
    for start, end in matches(MOVING, page):
        words = page.text[start:end].split()
        for size in range(len(words), 0, -1):
            name = " ".join(words[:size])
            low = name.lower()
            if (
                gazetteers.city(low)
                and not clinical(low)
                and (size > 1 or gazetteers.common_word(low) < 23)
            ):
                yield Hit(start, start + len(name), CITY, 0.7, "place after its preposition")
                break
