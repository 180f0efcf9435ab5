"""The pieces of a message: text that is written back unchanged, and values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from deid.formats.documents.attached import PLAIN_TEXT
from deid.formats.hl7v2.embedded_data import Opened
from deid.formats.hl7v2.escapes import (
    BREAK,
    CUT,
    Delimiters,
    EscapeToken,
    escape,
    plain_of,
    rewrite,
    tokens,
)
from deid.formats.hl7v2.loci import FieldPlace

# Shorter lines are never treated as pieces of a text cut at a fixed width.
SHORTEST_PIECE = 20


class Unreadable(Exception):
    """A message that cannot be read completely; its only argument is an error code."""


@dataclass(frozen=True, slots=True)
class Atom:
    """One value of a field: its place, its decoded text, and the number of its piece.

    `running` text has delimiters in it. `opened` is the document of an attachment. `dirty` is true
    if part of the raw value cannot be decoded to searchable text.
    """

    place: FieldPlace
    text: str = field(repr=False)
    piece: int = 0
    running: bool = False
    dirty: bool = False
    opened: Opened | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class FieldPieces:
    """One field: the pieces that make up its text, and the values among them."""

    pieces: tuple[str, ...] = field(repr=False)
    atoms: tuple[Atom, ...] = field(repr=False)


@dataclass(slots=True)
class Value:
    """One value of a message: an atom and the indexes of its pieces.

    A value with several pieces is a text that continues over several segments.
    """

    atom: Atom
    pieces: list[int]
    text: str = field(repr=False)
    dirty: bool

    @property
    def place(self) -> FieldPlace:
        """The path and the locus of the value."""
        return self.atom.place


@dataclass(slots=True)
class Message:
    """The pieces that make up the text of a message, and the values among them."""

    delimiters: Delimiters = field(default_factory=Delimiters)
    pieces: list[str] = field(default_factory=list, repr=False)
    values: list[Value] = field(default_factory=list, repr=False)

    def add(self, parted: FieldPieces) -> None:
        """Append a field."""
        base = len(self.pieces)
        self.pieces += parted.pieces
        for atom in parted.atoms:
            self.values.append(Value(atom, [base + atom.piece], atom.text, atom.dirty))

    def tokens_of(self, value: Value) -> list[EscapeToken]:
        """The tokens of a value, with a break between the text of one segment and the next."""
        raws = [self.pieces[piece] for piece in value.pieces]
        between = CUT if are_equal_pieces(raws) else BREAK
        found: list[EscapeToken] = []
        for number, raw in enumerate(raws):
            found += [between] if number else []
            found += tokens(raw, self.delimiters, running=value.atom.running)
        return found


def are_equal_pieces(lines: Sequence[str]) -> bool:
    """Whether the lines are one text cut at a fixed width: all but the last are equally long."""
    widths = {len(line) for line in lines[:-1]}
    return len(widths) == 1 and widths.pop() >= SHORTEST_PIECE and len(lines[-1]) <= len(lines[0])


def released_pieces(message: Message, value: Value, cell: str | None) -> list[str]:
    """The raw values to put in the pieces of a value."""
    if not cell and not value.atom.running:
        return [""]
    cell = cell or ""
    opened = value.atom.opened
    # Documents other than plain text hold properties besides their text, so they are rewritten.
    as_it_was = opened is None or opened.document.kind == PLAIN_TEXT
    if cell == value.text and not value.dirty and as_it_was:
        return [message.pieces[piece] for piece in value.pieces]
    if value.place.path.endswith("[binary]"):
        return [""]
    if opened is not None:
        return [escape(opened.closed(cell), message.delimiters)]
    before = message.tokens_of(value)
    if len(value.pieces) == 1 and value.place.kind != "text" and cell != plain_of(before):
        return [escape(cell, message.delimiters)]
    return rewrite(before, cell, message.delimiters)
