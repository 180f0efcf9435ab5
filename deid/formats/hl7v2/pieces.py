"""The pieces of a message: text written back unchanged, and the values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from deid.formats.hl7v2.embedded_data import Opened
from deid.formats.hl7v2.escapes import BREAK, CUT, Delimiters, EscapeToken, tokens
from deid.formats.hl7v2.loci import FieldPlace

# Shorter lines are never treated as pieces of a text cut at a fixed width.
SHORTEST_PIECE = 20


class Unreadable(Exception):
    """A message that cannot be read whole; its only argument is a code."""


@dataclass(frozen=True, slots=True)
class Atom:
    """One value of a field: its place, the text it stands for, which of the pieces it is.

    `running` text has delimiters in it. `opened` is the text of an attachment. `dirty` says that
    some of the raw value stands for nothing that can be searched.
    """

    place: FieldPlace
    text: str = field(repr=False)
    piece: int = 0
    running: bool = False
    dirty: bool = False
    opened: Opened | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class FieldPieces:
    """One field taken apart: its pieces, end to end the whole of it, and the values among them."""

    pieces: tuple[str, ...] = field(repr=False)
    atoms: tuple[Atom, ...] = field(repr=False)


@dataclass(slots=True)
class Value:
    """One value of a message: an atom, and where its pieces stand.

    A value of several pieces is a text that runs over several segments.
    """

    atom: Atom
    pieces: list[int]
    text: str = field(repr=False)
    dirty: bool

    @property
    def place(self) -> FieldPlace:
        """The path of the value, and what stands there."""
        return self.atom.place


@dataclass(slots=True)
class Message:
    """The pieces of a message, end to end its whole text, and the values among them."""

    delimiters: Delimiters = field(default_factory=Delimiters)
    pieces: list[str] = field(default_factory=list, repr=False)
    values: list[Value] = field(default_factory=list, repr=False)

    def add(self, parted: FieldPieces) -> None:
        """Put a field behind what is there."""
        base = len(self.pieces)
        self.pieces += parted.pieces
        for atom in parted.atoms:
            self.values.append(Value(atom, [base + atom.piece], atom.text, atom.dirty))

    def tokens_of(self, value: Value) -> list[EscapeToken]:
        """What a text is written with, with breaks where one segment ends and the next begins."""
        raws = [self.pieces[piece] for piece in value.pieces]
        between = CUT if are_equal_pieces(raws) else BREAK
        found: list[EscapeToken] = []
        for number, raw in enumerate(raws):
            found += [between] if number else []
            found += tokens(raw, self.delimiters, running=value.atom.running)
        return found


def are_equal_pieces(lines: Sequence[str]) -> bool:
    """Whether these lines are one text cut at a fixed width: all but the last equally long."""
    widths = {len(line) for line in lines[:-1]}
    return len(widths) == 1 and widths.pop() >= SHORTEST_PIECE and len(lines[-1]) <= len(lines[0])
