"""The texts of rows: a text is a single cell, or a note whose lines are rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from deid.decision import ColumnDecision
from deid.tables.row_knowledge import RowKnowledge
from deid.tables.table_batch import TableBatch
from deid.text.change import Change
from deid.text.document import Document
from deid.text.note_lines import JoinedLines, join_lines, same_note, split_lines
from deid.text.scrubber import Scrubbed, WithheldText
from recognizers import is_plain_result

# The shape of a text column whose header names results.
_RESULTS = "results"


@dataclass(frozen=True, slots=True)
class RowText:
    """One text to search: a cell, or the lines of a note, each in a row of its own.

    `places` are its rows in the batch.
    """

    places: Sequence[int]
    index: int
    joined: JoinedLines
    document: Document


@dataclass(frozen=True, slots=True)
class ScrubbedCell:
    """A cell of text before and after scrubbing, with its changes. The `repr` shows no content."""

    before: str = field(repr=False)
    after: str = field(repr=False)
    changes: tuple[Change, ...]


ScrubbedCells = dict[int, dict[int, ScrubbedCell]]
"""Scrubbed cells by column and row."""
PlainCells = Mapping[int, frozenset[int]]
"""The rows of plain measurements by column."""


@dataclass(frozen=True, slots=True)
class TextColumns:
    """The text columns (counted from 0), and the text columns with a header that names results.

    A result that is a plain measurement is not searched as text: recognizers are made for sentences
    and would take it for a telephone number or an address. Known values are still searched for.
    """

    columns: tuple[int, ...]
    results: frozenset[int]

    @classmethod
    def of(cls, decisions: Iterable[ColumnDecision]) -> TextColumns:
        """The columns whose action is `text`."""
        texts = [d for d in decisions if d.action == "text"]
        results = frozenset(d.index for d in texts if d.shape == _RESULTS)
        return cls(tuple(d.index for d in texts), results)

    def plain_cells(
        self, batch: TableBatch, places: Sequence[int], known: RowKnowledge
    ) -> PlainCells:
        """The plain measurements of these rows in columns of results."""
        found = {}
        for index in self.results:
            cells = batch.cells(index)
            told = ((place, cell) for place in places if (cell := cells[place]))
            found[index] = frozenset(
                place
                for place, cell in told
                if is_plain_result(cell) and not known.known(place).find(cell)
            )
        return found

    def texts_of(
        self, batch: TableBatch, places: Sequence[int], known: RowKnowledge, plain: PlainCells
    ) -> list[RowText]:
        """The texts of these rows, without empty ones and plain measurements."""
        cells = {index: batch.cells(index) for index in self.columns}
        return [
            _text_of(batch, note, index, cells[index], known)
            for note in _note_places(batch, places)
            for index in self.columns
            if any(cells[index][place] for place in note)
            and not (len(note) == 1 and note[0] in plain.get(index, ()))
        ]


def add_plain(found: ScrubbedCells, batch: TableBatch, plain: PlainCells) -> None:
    """Add the plain measurements, unchanged, to the scrubbed cells of a batch."""
    for index, places in plain.items():
        column, cells = found.setdefault(index, {}), batch.cells(index)
        for place in places:
            cell = cells[place] or ""
            column.setdefault(place, ScrubbedCell(cell, cell, ()))


def add_cells(
    cells: ScrubbedCells,
    batch: TableBatch,
    texts: Sequence[RowText],
    results: Sequence[Scrubbed | WithheldText],
) -> dict[int, str]:
    """Add the cells of scrubbed texts; return the reason for each row that is withheld."""
    codes: dict[int, str] = {}
    for text, result in zip(texts, results, strict=True):
        if isinstance(result, WithheldText):
            codes |= dict.fromkeys(text.places, result.code)
            continue
        column = cells.setdefault(text.index, {})
        for place, cell in zip(text.places, _cells_of_text(batch, text, result), strict=True):
            if cell is not None:
                column[place] = cell
    return codes


def _cells_of_text(
    batch: TableBatch, text: RowText, result: Scrubbed
) -> Iterator[ScrubbedCell | None]:
    """The scrubbed cell of each row of a text; None for a row whose cell is null."""
    if len(text.places) == 1:
        yield ScrubbedCell(text.document.text, result.text, result.changes)
        return
    lines = split_lines(text.joined, result.text, result.changes)
    for place, (after, changes) in zip(text.places, lines, strict=True):
        before = batch.record(place).cells[text.index]
        yield None if before is None else ScrubbedCell(before, after, changes)


def _note_places(batch: TableBatch, places: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield the rows of each note that has one line per row; any other row by itself."""
    records = batch.records
    if records is None:
        yield from ((place,) for place in places)
        return
    start = 0
    for end in range(1, len(places) + 1):
        last = end == len(places)
        if last or not same_note(records[places[end - 1]], records[places[end]]):
            yield places[start:end]
            start = end


def _text_of(
    batch: TableBatch,
    places: Sequence[int],
    index: int,
    cells: Sequence[str | None],
    known: RowKnowledge,
) -> RowText:
    first = places[0]
    note = None if batch.records is None else batch.records[first].note
    lines = [cells[place] or "" for place in places]
    joined = join_lines(lines, "\n" if note is None else note.between)
    owner = known.owners.key(first)
    document = Document(batch.ordinals[first], joined.text, owner, known.known(first))
    return RowText(places, index, joined, document)
