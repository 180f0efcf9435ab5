"""Annotated notes as sequences of pieces, each a text with a label or without one."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

MASKED = "?"  # text whose label is unknown: kept in the note, left out of the loss


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a note with its label, None for ordinary text."""

    text: str
    label: str | None


@dataclass(frozen=True, slots=True)
class Note:
    """A note cut at its spans; its text is the concatenation of the pieces."""

    id: str
    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)

    def spans(self) -> list[tuple[int, int, str]]:
        """Half-open offsets and label of every labeled piece."""
        found, at = [], 0
        for piece in self.pieces:
            if piece.label is not None:
                found.append((at, at + len(piece.text), piece.label))
            at += len(piece.text)
        return found


def cut(name: str, text: str, spans: Iterable[tuple[int, int, str]]) -> Note:
    """The note whose labeled pieces are `spans`; of overlapping spans, only the first counts."""
    pieces, at = [], 0
    for start, end, label in sorted(spans):
        if start < at:
            continue
        if start > at:
            pieces.append(Piece(text[at:start], None))
        pieces.append(Piece(text[start:end], label))
        at = end
    if at < len(text):
        pieces.append(Piece(text[at:], None))
    return Note(name, tuple(pieces))


def read_notes(path: Path) -> list[Note]:
    """Notes of a JSONL file of `id`, `text`, `spans`, or of a text file of marked notes."""
    if path.suffix == ".txt":
        return read_marked(path)
    notes = []
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        spans = [(s["start"], s["end"], s["label"]) for s in row["spans"]]
        notes.append(cut(row["id"], row["text"], spans))
    return notes


MARKED = re.compile(r"\[([A-Z0-9]+)\|([^\]]*)\]")


HEADS = re.compile(r"^=== (\S+).*\n", re.MULTILINE)


def read_marked(path: Path) -> list[Note]:
    """Notes under head lines `=== id | kind`, their identifiers marked `[LABEL|value]`."""
    _, *parts = HEADS.split(path.read_text("utf-8"))
    return [marked(name, text.rstrip("\n")) for name, text in zip(*[iter(parts)] * 2, strict=True)]


def read_frames(path: Path) -> list[Note]:
    """Sentences of one line each, marked `[LABEL|value]`; `\\n` stands for the end of a line."""
    lines = [x.replace("\\n", "\n") for x in path.read_text("utf-8").splitlines()]
    return [marked(f"frame-{number}", line) for number, line in enumerate(lines)]


def marked(name: str, text: str) -> Note:
    """The note whose identifiers are marked `[LABEL|value]`."""
    pieces, at = [], 0
    for mark in MARKED.finditer(text):
        if mark.start() > at:
            pieces.append(Piece(text[at : mark.start()], None))
        pieces.append(Piece(mark.group(2), mark.group(1)))
        at = mark.end()
    if at < len(text):
        pieces.append(Piece(text[at:], None))
    return Note(name, tuple(pieces))


def split(notes: Sequence[Note], share: float, seed: int) -> tuple[list[Note], list[Note]]:
    """Training and held-out notes, split by source note and evenly over the collections."""
    order = sorted(notes, key=lambda note: note.id)
    random.Random(seed).shuffle(order)
    order.sort(key=lambda note: note.id.split("-")[0])
    step = round(1 / share)
    held = order[::step]
    names = {note.id for note in held}
    return [note for note in order if note.id not in names], held
