"""Damages notes as in practice: case, spaces, line breaks, wrong letters, missing punctuation."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable

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
# Punctuation that people leave out; punctuation in numbers, dates and addresses stays.
LEFT_OUT = re.compile(r"(?<!\d)[.,;:!?](?=\s|$)|[()\"]")
# A single blank. A piece of a note may begin or end with it.
BLANK = re.compile(r"(?<!\s) (?!\s)")
GAP = re.compile(r"(?<=\S)(?:  +|\t)(?=\S)")
SENTENCE = re.compile(r"(?<=[.?!]) (?=[A-Z])")
Way = Callable[[str, random.Random], str]


def wear(note: Note, chance: random.Random) -> Note:
    """The note in another case (one in seven), or with other spaces or typos, or unchanged."""
    pieces = cased(note.pieces, chance)
    for share, way in WAYS:
        if chance.random() < share:
            pieces = changed(pieces, way(chance), chance)
    if chance.random() < 0.07:
        pieces = wrapped(pieces, chance.randint(28, 100))
    return Note(note.id, pieces)


def cased(pieces: tuple[Piece, ...], chance: random.Random) -> tuple[Piece, ...]:
    """The note with all text or only its names in upper or lower case, or unchanged."""
    draw = chance.random()
    if draw < 0.07:
        return tuple(Piece(upper(p.text), p.label) for p in pieces)
    if draw < 0.15:
        return tuple(Piece(lower(p.text), p.label) for p in pieces)
    if draw < 0.19:
        return tuple(Piece(lower(p.text), p.label) if p.label == "NAME" else p for p in pieces)
    if draw < 0.23:
        return tuple(Piece(upper(p.text), p.label) if p.label == "NAME" else p for p in pieces)
    return pieces


def changed(pieces: tuple[Piece, ...], way: Way, chance: random.Random) -> tuple[Piece, ...]:
    return tuple(Piece(way(piece.text, chance), piece.label) for piece in pieces)


def upper(text: str) -> str:
    """The text in upper case, character by character, with the same length."""
    return "".join(c.upper() if len(c.upper()) == 1 else c for c in text)


def lower(text: str) -> str:
    """The text in lower case, character by character, with the same length."""
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def scanned(_: random.Random) -> Way:
    """Replace a few characters by look-alikes, as a scan does."""
    return lambda text, chance: "".join(
        SCAN.get(c, c) if chance.random() < 0.06 else c for c in text
    )


def mistyped(drawn: random.Random) -> Way:
    """Misspell one to ten in a hundred letters."""
    return misspelled(drawn.choice([0.01, 0.03, 0.06, 0.1]))


def misspelled(share: float) -> Way:
    """Replace, drop, double or swap a share of the letters."""

    def way(text: str, chance: random.Random) -> str:
        made = []
        for at, character in enumerate(text):
            if not character.isalpha() or chance.random() >= share:
                made.append(character)
                continue
            draw = chance.random()
            if draw < 0.5:
                wrong = chance.choice(string.ascii_lowercase)
                made.append(wrong.upper() if character.isupper() else wrong)
            elif draw < 0.7 or at == 0:
                made.append(character * 2)
            elif draw < 0.85:
                made.insert(-1, character)
        return "".join(made) or text

    return way


def broken(drawn: random.Random) -> Way:
    """Turn some spaces into line breaks, with or without an indent."""
    indent = drawn.choice(["\n", "\n", "\n  ", "\n\t"])
    share = drawn.choice([0.02, 0.06, 0.12])
    return lambda text, chance: BLANK.sub(
        lambda _: indent if chance.random() < share else " ", text
    )


def spaced(drawn: random.Random) -> Way:
    """Double every space, make every space no-break, or double the spaces after sentences."""
    where, blank = drawn.choice(
        [(BLANK, "  "), (BLANK, "  "), (BLANK, "\u00a0"), (SENTENCE, "  "), (GAP, "\t"), (GAP, " ")]
    )
    return lambda text, _: where.sub(blank, text)


def joined(_: random.Random) -> Way:
    """Join the lines."""
    return lambda text, _: text.replace("\n", " ")


def unmarked(_: random.Random) -> Way:
    """Remove sentence punctuation."""
    return lambda text, _: LEFT_OUT.sub("", text) or text


def spoken(_: random.Random) -> Way:
    """Write the note as dictated: lower case, no punctuation, no line breaks."""
    return lambda text, _: lower(LEFT_OUT.sub("", text).replace("\n", " ")) or text


WAYS: tuple[tuple[float, Callable[[random.Random], Way]], ...] = (
    (0.04, scanned),
    (0.07, mistyped),
    (0.1, broken),
    (0.09, spaced),
    (0.07, joined),
    (0.05, unmarked),
    (0.03, spoken),
)


def wrapped(pieces: tuple[Piece, ...], width: int) -> tuple[Piece, ...]:
    """The note wrapped at spaces into lines of at most `width` characters."""
    made, column = [], 0
    for piece in pieces:
        text = ""
        for word in re.split(r"( )", piece.text):
            if word == " " and column >= width - 6:
                word = "\n"
            text += word
            last = word.rfind("\n")
            column = len(word) - last - 1 if last >= 0 else column + len(word)
        made.append(Piece(text, piece.label))
    return tuple(made)
