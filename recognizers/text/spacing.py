"""A text with plain single blanks: others made plain, doubled ones halved if every one is."""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass

BETWEEN = re.compile(r"(?<=\S)[^\S\r\n]+(?=\S)")
# Blanks that do not break or are narrow or wide (general category Zs).
BLANKS_MADE_PLAIN = dict.fromkeys(
    [0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000], " "
)
# A table has its gaps between single blanks; a few stay single where a line was typed in later.
FEWEST, SHARE = 8, 0.9


@dataclass(frozen=True, slots=True)
class SingleSpaced:
    """`text` with plain blanks; its character i stands at `places[i]` in the text as written.

    `places` is None where nothing moved, which is so for nearly every text.
    """

    text: str
    places: array[int] | None = None

    @classmethod
    def of(cls, text: str) -> SingleSpaced:
        """
        >>> SingleSpaced.of("Seen  by  Dr.  Okafor  on  the  ward  at  noon  today").text
        'Seen by Dr. Okafor on the ward at noon today'
        """
        if not text.isascii():
            text = text.translate(BLANKS_MADE_PLAIN)
        if "  " not in text:
            return cls(text)
        gaps = [match.end() - match.start() for match in BETWEEN.finditer(text)]
        if len(gaps) < FEWEST or sum(gap == 2 for gap in gaps) < SHARE * len(gaps):
            return cls(text)
        dropped = {match.end() - 1 for match in BETWEEN.finditer(text) if len(match.group()) == 2}
        kept = array("l", (place for place in range(len(text)) if place not in dropped))
        return cls("".join(map(text.__getitem__, kept)), kept)

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Maps half-open offsets back to the text as written."""
        if self.places is None:
            return start, end
        return self.places[start], self.places[end - 1] + 1
