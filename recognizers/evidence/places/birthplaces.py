# ruff: noqa: E501 -- a pattern reads best on one line
"""(B) Where somebody is from, told without a preposition: `Grew up Burns; 2 y at`."""

from __future__ import annotations

from collections.abc import Iterator

from recognizers.entities import CITY
from recognizers.evidence.matching import Hit, matches, present
from recognizers.text.normalized_text import NormalizedText
from recognizers.words import gazetteers
from recognizers.words.gazetteers import plain_list

TOWN_START = r"(?:(?:St|Ft|Mt|San|Santa|Los|Las|El|La|New|North|South|East|West|Fort|Port|Lake|Mount|Saint|Grand|Little|Big)\.? )?"
TOWN = rf"({TOWN_START}[A-Z][a-z]{{2,}}(?:[ -][A-Z][a-z]+){{0,2}})"
GOES_ON = r"(?:[;,.)/&]|[ ]?\n|\z| (?:on|and|in|until|til|till|then|w/|with|age|by|as|near|to|'?\d|x\d|&|before|after|[A-Z][A-Z]\b))"
GREW_UP = rf"\b(?i:grew up|grewup|brought up|childhood) {TOWN}{GOES_ON}"
BORN_OR_RAISED = rf"\b(?i:born(?: (?:and|&) raised)?|born/raised|b/r|raised|reared|moved|relocated) {TOWN}{GOES_ON}"
NATIVE = rf"(?:^|[\n.;:,(] ?|\b[Aa] ){TOWN} native(?:[,;.)]|\n|\z| (?:who|with|w/|and|,))"
# So frequent in running text that it is a word behind `born`, not a town.
WORDY, WORDY_CHILDHOOD = 22, 24


def birthplaces_told(page: NormalizedText) -> Iterator[Hit]:
    """A town of the Census behind what is said of a childhood or a move."""
    for regex, limit in present(
        ((GREW_UP, WORDY_CHILDHOOD), (BORN_OR_RAISED, WORDY), (NATIVE, WORDY_CHILDHOOD)), page
    ):
        for start, end in matches(regex, page):
            name = page.text[start:end]
            if is_birthplace(name, limit):
                yield Hit(start, end, CITY, 0.92, "where somebody is from")


def is_birthplace(name: str, limit: int) -> bool:
    """A place of the Census that is no people or creed, and no word so frequent."""
    low = name.lower()
    if not gazetteers.city(low) or low in plain_list("names/peoples"):
        return False
    return " " in low or gazetteers.common_word(low) < limit
