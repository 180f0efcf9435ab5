"""The layout of a text: lines, cells in a line, cells below a header."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter

from recognizers.text.ascii_text import MovedText, normalize

COLUMN_GAP = re.compile(r"\t+ *|\s*\|+\s*|\s{2,}")
FAR_BELOW = 40
Cell = tuple[int, int]


@dataclass(eq=False)
class NormalizedText:
    """The normalized text of one document, with its layout computed on demand.

    `asked` are the expressions that a prefilter asked for, and `present` those that may match.
    """

    normal: MovedText
    present: set[str] = field(default_factory=set, repr=False)
    asked: frozenset[str] = field(default=frozenset(), repr=False)
    # The cells of lines already cut: every header of a wide table reads the same lines.
    cut: dict[int, list[Cell]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, text: str) -> NormalizedText:
        return cls(normalize(text))

    @cached_property
    def text(self) -> str:
        return self.normal.text

    @cached_property
    def data(self) -> bytes:
        return self.text.encode("ascii")

    @cached_property
    def starts(self) -> list[int]:
        return [0, *(m.end() for m in re.finditer("\n", self.text))]

    def row(self, place: int) -> int:
        return bisect_right(self.starts, place) - 1

    def line(self, row: int) -> tuple[int, int]:
        """Start and end of a line, without its line break."""
        start = self.starts[row]
        last = row + 1 == len(self.starts)
        end = len(self.text) if last else self.starts[row + 1] - 1
        return start, end

    def left(self, place: int, width: int = 40) -> str:
        """The text before `place` in the same line."""
        start, _ = self.line(self.row(place))
        return self.text[max(start, place - width) : place]

    def right(self, place: int, width: int = 40) -> str:
        """The text after `place` in the same line."""
        _, end = self.line(self.row(place))
        return self.text[place : min(end, place + width)]

    def cells(self, row: int) -> list[Cell]:
        """The cells of a line, cut at tabs, pipes and runs of spaces."""
        if row not in self.cut:
            start, end = self.line(row)
            gaps = [gap.span() for gap in COLUMN_GAP.finditer(self.text, start, end)]
            starts, ends = [start, *(g[1] for g in gaps)], [*(g[0] for g in gaps), end]
            self.cut[row] = [cell for cell in zip(starts, ends, strict=True) if cell[0] < cell[1]]
        return self.cut[row]

    def below(self, start: int, end: int) -> list[Cell]:
        """The cells of the column under the cell `start..end`, up to the first blank line."""
        row = self.row(start)
        head = self.line(row)[0]
        own = self.cells(row)
        number = first_past(own, start)
        found = []
        for other in range(row + 1, min(row + FAR_BELOW, len(self.starts))):
            cells = self.cells(other)
            if not cells:
                break
            base = self.line(other)[0]
            under = first_past(cells, base + start - head)
            if len(cells) == len(own):
                found.append(cells[number])
            elif under < len(cells) and cells[under][0] - base < end - head + 1:
                found.append(cells[under])
        return found


def first_past(cells: list[Cell], place: int) -> int:
    """The index of the first cell that ends after `place`."""
    return bisect_right(cells, place, key=itemgetter(1))


def in_row(text: str, place: int) -> bool:
    """Whether the line before `place` holds cells of a table; its last cell ends with the line."""
    return "|" in text[text.rfind("\n", 0, place) + 1 : place]


BETWEEN = re.compile(r"(?<=\S)[^\S\r\n]+(?=\S)")
# Non-breaking, narrow and wide blanks (general category Zs).
BLANKS_MADE_PLAIN = dict.fromkeys(
    [0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000], " "
)
# A text is double-spaced if it has at least FEWEST gaps, of which SHARE are two blanks. In a table
# most gaps are single; in a double-spaced text, lines typed in later may have single gaps.
FEWEST, SHARE = 8, 0.9


def single_spaced(text: str) -> MovedText:
    """The text with plain blanks; a double-spaced text also gets single blanks.

    >>> single_spaced("Seen  by  Dr.  Okafor  on  the  ward  at  noon  today").text
    'Seen by Dr. Okafor on the ward at noon today'
    """
    if not text.isascii():
        text = text.translate(BLANKS_MADE_PLAIN)
    if "  " not in text:
        return MovedText(text)
    gaps = [match.span() for match in BETWEEN.finditer(text)]
    double = {end - 1 for start, end in gaps if end - start == 2}
    if len(gaps) < FEWEST or len(double) < SHARE * len(gaps):
        return MovedText(text)
    kept = array("l", (place for place in range(len(text)) if place not in double))
    stops = array("l", (place + 1 for place in kept))
    return MovedText("".join(map(text.__getitem__, kept)), kept, stops)
