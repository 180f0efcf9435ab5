"""Words of the clinic for the places `{word}`, `{Word}`, `{WORD}`, `{Eponym}`, `{EPONYM}`.

They are ordinary text: what a model must leave alone, in the very sentences that hold names.
"""

from __future__ import annotations

import random
import re
from dataclasses import replace
from functools import cache

from recognizers.gazetteers import levels, plain_list
from training.notes import Note

PLACE = re.compile(r"\{(word|eponym)\}", re.IGNORECASE)


@cache
def clinical(kind: str) -> tuple[str, ...]:
    """Terms of the lists of `recognizers`, those of the clinic or those named after a person."""
    if kind == "eponym":
        return tuple(sorted({*levels("clinical/eponyms"), *plain_list("clinical/more_eponyms")}))
    return tuple(sorted(word for word in levels("clinical/items") if len(word) > 4))


def medicine(frame: Note, chance: random.Random) -> Note:
    """The frame with fresh clinical words at its places."""

    def term(place: re.Match[str]) -> str:
        kind = place.group(1)
        word = chance.choice(clinical(kind.lower()))
        return word.upper() if kind.isupper() else word.title() if kind[0].isupper() else word

    pieces = tuple(
        piece if piece.label else replace(piece, text=PLACE.sub(term, piece.text))
        for piece in frame.pieces
    )
    return Note(frame.id, pieces)
