"""A message in pieces: what is written again as it is, and the values among it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from deid.formats.hl7v2_data import Opened
from deid.formats.hl7v2_escapes import BREAK, CUT, Delimiters, Token, tokens
from deid.formats.hl7v2_loci import Place

# Shorter lines than this are never taken for the pieces of a text cut at a fixed width.
LEAST_CUT = 20


@dataclass(slots=True)
class Value:
    """One value of a message: its place, the text it stands for, the pieces it is written in.

    A value of several pieces is a text that runs over several segments. `opened` is the text of an
    attachment; `dirty` says that some of the raw value stands for nothing that can be searched.
    """

    place: Place
    text: str = field(repr=False)
    pieces: list[int]
    running: bool = False
    dirty: bool = False
    opened: Opened | None = field(default=None, repr=False)


@dataclass(slots=True)
class Message:
    """The pieces of a message, end to end its whole text, and the values among them."""

    delimiters: Delimiters = field(default_factory=Delimiters)
    pieces: list[str] = field(default_factory=list, repr=False)
    values: list[Value] = field(default_factory=list, repr=False)

    def tokens_of(self, value: Value) -> list[Token]:
        """What a text is written with, with breaks where one segment ends and the next begins."""
        raws = [self.pieces[piece] for piece in value.pieces]
        between = CUT if are_cut(raws) else BREAK
        found: list[Token] = []
        for number, raw in enumerate(raws):
            found += [between] if number else []
            found += tokens(raw, self.delimiters, running=value.running)
        return found


def are_cut(lines: Sequence[str]) -> bool:
    """Are these the pieces of one text cut at a fixed width? All but the last are equally long."""
    widths = {len(line) for line in lines[:-1]}
    return len(widths) == 1 and widths.pop() >= LEAST_CUT and len(lines[-1]) <= len(lines[0])
