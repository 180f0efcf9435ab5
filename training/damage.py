"""How notes look in the wild: other case, other line breaks, damage of scanning."""

from __future__ import annotations

import random
import re

from training.notes import Note, Piece

SCAN = {
    "0": "O",
    "O": "0",
    "1": "l",
    "l": "1",
    "5": "S",
    "S": "5",
    "8": "B",
    "I": "l",
    "o": "0",
    "i": "1",
}


def wear(note: Note, chance: random.Random) -> Note:
    """The note in another case (one in seven), re-wrapped, scanned, or as it is."""
    pieces = note.pieces
    draw = chance.random()
    if draw < 0.07:
        pieces = tuple(Piece(upper(p.text), p.label) for p in pieces)
    elif draw < 0.15:
        pieces = tuple(Piece(lower(p.text), p.label) for p in pieces)
    elif draw < 0.19:
        pieces = tuple(Piece(lower(p.text), p.label) if p.label == "NAME" else p for p in pieces)
    elif draw < 0.23:
        pieces = tuple(Piece(upper(p.text), p.label) if p.label == "NAME" else p for p in pieces)
    if chance.random() < 0.04:
        pieces = tuple(Piece(scan(p.text, chance), p.label) for p in pieces)
    if chance.random() < 0.15:
        share = chance.choice([0.02, 0.06, 0.12])
        pieces = tuple(Piece(wrap(p.text, share, chance), p.label) for p in pieces)
    if chance.random() < 0.08:
        pieces = tuple(Piece(p.text.replace("\n", " "), p.label) for p in pieces)
    return Note(note.id, pieces)


def upper(text: str) -> str:
    """Upper case, character by character, lengths kept."""
    return "".join(c.upper() if len(c.upper()) == 1 else c for c in text)


def lower(text: str) -> str:
    """Lower case, character by character, lengths kept."""
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def scan(text: str, chance: random.Random) -> str:
    """A few characters read as their look-alikes."""
    return "".join(SCAN.get(c, c) if chance.random() < 0.06 else c for c in text)


def wrap(text: str, share: float, chance: random.Random) -> str:
    """Some spaces made line breaks, with or without an indent."""
    indent = chance.choice(["\n", "\n", "\n  ", "\n\t"])
    return re.sub(r"(?<=\S) (?=\S)", lambda m: indent if chance.random() < share else " ", text)
