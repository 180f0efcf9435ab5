"""The texts of rows: a single cell, or a note whose lines are rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deid.formats import Record, RecordFault
from deid.tables.row import RowInProgress, take_lines, take_text
from deid.text.document import Document
from deid.text.note_lines import JoinedLines, join_lines
from deid.text.scrubber import Scrubber


@dataclass(frozen=True, slots=True)
class RowText:
    """One text to search: a cell, or the lines of a note, each in a row of its own."""

    rows: tuple[RowInProgress, ...]
    index: int
    joined: JoinedLines
    document: Document


def texts_of(rows: Sequence[RowInProgress], columns: Sequence[int]) -> list[RowText]:
    """The texts in these columns (from 0), without empty ones."""
    if not columns:
        return []
    return [
        text
        for note in _notes(rows)
        for index in columns
        if any(row.record.cells[index] for row in note)
        and (text := _text_of(note, index)) is not None
    ]


def scrub_texts(texts: Sequence[RowText], scrubber: Scrubber) -> None:
    """Scrub texts together and put each back into its rows; a withheld one withholds its rows."""
    results = scrubber.scrub([text.document for text in texts])
    for text, result in zip(texts, results, strict=True):
        if len(text.rows) == 1:
            take_text(text.rows[0], text.index, text.document.text, result)
        else:
            take_lines(text.rows, text.index, text.joined, result)


def same_note(one: Record | RecordFault, other: Record | RecordFault) -> bool:
    """Are two records, one after the other, lines of one note?"""
    if isinstance(one, RecordFault) or isinstance(other, RecordFault):
        return False
    return one.note is not None and one.note == other.note


def _notes(rows: Sequence[RowInProgress]) -> Iterator[tuple[RowInProgress, ...]]:
    """The rows of each note, of which each line is a row; other rows alone."""
    start = 0
    for end in range(1, len(rows) + 1):
        if end == len(rows) or not same_note(rows[end - 1].record, rows[end].record):
            yield tuple(rows[start:end])
            start = end


def _text_of(rows: tuple[RowInProgress, ...], index: int) -> RowText | None:
    note = rows[0].record.note
    cells = [row.record.cells[index] or "" for row in rows]
    joined = join_lines(cells, "\n" if note is None else note.between)
    if not joined.text:
        return None
    first = rows[0]
    document = Document(first.record.ordinal, joined.text, first.owner, first.known)
    return RowText(rows, index, joined, document)
