"""Rows of one table, each column as distinct cells and the index of each row's cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from deid.arrow.prefilter import BATCH_ROWS, dictionary_encode, null_cells, rebatch
from deid.formats import ColumnSource, Record, RecordFault, RecordSource
from deid.text.note_lines import same_note
from recognizers import is_null

# The number of rows whose texts are searched together; results do not depend on other batches.
TEXT_ROWS = 128
# Rows per batch if records are read one by one, and if a column holds texts.
RECORDS, ROWS_WITH_TEXTS = 1 << 10, 1 << 12
Cells = tuple[list[str | None], np.ndarray]
"""The distinct cells of a column, and for each row the index of its cell."""
CellColumn = Any
"""The cells of a column as read or written: `pa.Array`, or a list if records are read."""


@dataclass(frozen=True, slots=True)
class ReadRows:
    """Rows as read: either an Arrow batch with the ordinal of its first row, or records."""

    first: int
    rows: pa.RecordBatch | list[Record | RecordFault] = field(repr=False)

    def __len__(self) -> int:
        return int(self.rows.num_rows) if isinstance(self.rows, pa.RecordBatch) else len(self.rows)

    @property
    def characters(self) -> int:
        """The number of characters in the rows, for the progress of the job."""
        if isinstance(self.rows, pa.RecordBatch):
            return int(self.rows.nbytes)
        records = (row for row in self.rows if isinstance(row, Record))
        return sum(len(cell) + 1 for row in records for cell in row.cells if cell is not None)


def read_row_batches(source: RecordSource, *, texts: bool) -> Iterator[ReadRows]:
    """Read a table in batches, by column if its file allows it; the lines of a note stay together.

    The bounds of the batches depend only on the table.
    """
    if isinstance(source, ColumnSource) and source.is_regular():
        first = 1
        for batch in rebatch(source.batches(), ROWS_WITH_TEXTS if texts else BATCH_ROWS):
            yield ReadRows(first, batch)
            first += batch.num_rows
        return
    for records in record_chunks(source.records(), TEXT_ROWS if texts else RECORDS):
        yield ReadRows(records[0].ordinal, records)


def record_chunks(
    records: Iterator[Record | RecordFault], size: int
) -> Iterator[list[Record | RecordFault]]:
    """Records in chunks of `size`; each chunk runs on to the end of its last note."""
    held: list[Record | RecordFault] = []
    for record in records:
        if len(held) >= size and not same_note(held[-1], record):
            yield held
            held = []
        held.append(record)
    if held:
        yield held


class TableBatch:
    """The rows that could be read; `records` holds them if they were read one by one."""

    def __init__(
        self,
        ordinals: Sequence[int],
        columns: Sequence[pa.Array] | None,
        records: Sequence[Record] | None,
    ) -> None:
        self.ordinals = ordinals
        self.records = records
        self._columns = columns
        self._lists: dict[int, list[str | None]] = {}
        self._words: dict[int, Cells] = {}
        self._nulls: dict[int, np.ndarray] = {}

    @classmethod
    def of(cls, read: ReadRows) -> tuple[TableBatch, list[RecordFault]]:
        """The rows of a batch, and the records that could not be read."""
        if isinstance(read.rows, pa.RecordBatch):
            ordinals = range(read.first, read.first + read.rows.num_rows)
            return cls(ordinals, read.rows.columns, None), []
        records = [row for row in read.rows if isinstance(row, Record)]
        faults = [row for row in read.rows if isinstance(row, RecordFault)]
        return cls([record.ordinal for record in records], None, records), faults

    def __len__(self) -> int:
        return len(self.ordinals)

    def take(self, places: Sequence[int]) -> TableBatch:
        """Some of the rows."""
        ordinals = [self.ordinals[place] for place in places]
        if self._columns is None:
            return TableBatch(ordinals, None, [self.record(place) for place in places])
        chosen = pa.array(places, pa.int64())
        return TableBatch(ordinals, [column.take(chosen) for column in self._columns], None)

    def record(self, place: int) -> Record:
        """One row, counted from 0, as a record."""
        if self.records is not None:
            return self.records[place]
        cells = tuple(column[place].as_py() for column in self._columns or ())
        return Record(self.ordinals[place], cells)

    def column(self, index: int) -> CellColumn:
        """The cells of a column."""
        if self._columns is not None:
            return self._columns[index]
        if index not in self._lists:
            self._lists[index] = [record.cells[index] for record in self.records or ()]
        return self._lists[index]

    def cells(self, index: int) -> list[str | None]:
        """The cells of a column as Python strings."""
        if index not in self._lists:
            column = self.column(index)
            self._lists[index] = listed_cells(column)
        return self._lists[index]

    def words(self, index: int) -> Cells:
        """The distinct cells of a column, and for each row the index of its cell."""
        if index not in self._words:
            self._words[index] = coded(self.column(index))
        return self._words[index]

    def numbers(self, index: int, reads: Callable[[str], int]) -> np.ndarray:
        """Return, for each row, the result of `reads` for its distinct cell; 0 for an
        empty cell.
        """
        words, places = self.words(index)
        read = np.array([reads(word) if word else 0 for word in words] or [0], int)
        return np.asarray(read[places])

    def nulls(self, index: int) -> np.ndarray:
        """Mark the rows with an empty cell or a word for a missing value."""
        if index not in self._nulls:
            column = self.column(index)
            if isinstance(column, list):
                words, places = self.words(index)
                empty = np.array([word is None or is_null(word) for word in words] or [True], bool)
                self._nulls[index] = empty[places]
            else:
                self._nulls[index] = null_cells(column)
        return self._nulls[index]

    def filled_cells(self) -> Counter[int]:
        """The number of cells that are not empty, by index of the column."""
        if self._columns is None:
            cells = (enumerate(record.cells) for record in self.records or ())
            return Counter(index for row in cells for index, cell in row if cell)
        columns = enumerate(self._columns)
        return Counter({n: int(pc.sum(pc.not_equal(c, "")).as_py() or 0) for n, c in columns})

    def windows(self) -> Iterator[range]:
        """The positions of the rows whose texts are searched together."""
        rows = TEXT_ROWS if self.records is None else max(len(self), 1)
        for start in range(0, len(self), rows):
            yield range(start, min(start + rows, len(self)))

    def spread(self, words: Sequence[str | None], places: np.ndarray) -> CellColumn:
        """Expand distinct cells to a column, in the form of this batch's columns."""
        if self._columns is None:
            return [words[place] for place in places.tolist()]
        return pa.array(words, pa.string()).take(pa.array(places))


def listed_cells(column: CellColumn) -> list[str | None]:
    """The cells of a column as Python strings."""
    cells: list[str | None] = column if isinstance(column, list) else column.to_pylist()
    return cells


def coded(column: CellColumn) -> Cells:
    """The distinct cells of a column, and for each row the index of its cell."""
    if not isinstance(column, list):
        return dictionary_encode(column)
    known: dict[str | None, int] = {}
    places = [known.setdefault(cell, len(known)) for cell in column]
    return list(known), np.array(places, np.int64)
