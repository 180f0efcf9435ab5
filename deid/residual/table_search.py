"""The independent search of a released table by column, one batch of rows at a time.

A row is searched like a record if one of its original values might still be in the released table,
or if it has a live cell. The other rows cannot hold a hit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain

import numpy as np
import pyarrow as pa

from deid.arrow.prefilter import BATCH_ROWS, dictionary_encode, rebatch
from deid.formats import ColumnSource
from deid.residual.column_search import MOST_CELLS, OwnRows, ValueIndex
from deid.residual.hits import FoundHits
from deid.residual.residues import is_number, is_residue
from deid.residual.search import (
    RECORD_SEPARATOR,
    ResidualSearch,
    unreadable_output,
)
from deid.residual.sweep import FormIndex
from recognizers import KnownValues
from safe_harbor import Identifier

_Pair = tuple[int, pa.RecordBatch, pa.RecordBatch]
"""The number of a batch (from 0), the released batch, and the original batch."""


_Batch = tuple[Counter[Identifier], FoundHits]
"""The result for some rows: the number of known values by identifier, and the hits."""


def search_columns(
    run: ResidualSearch, file: int, source: ColumnSource, owners: OwnRows, stands: Collection[int]
) -> None:
    """Search a table by column and add the hits to `run`.

    Each row is searched for the known values in its own original row. All rows are searched for the
    distinctive values of each person with a value that might be left.

    Raises:
        DeidError: `output-unreadable`, if the number of rows is not that of `owners`.
    """
    table = _ReleasedTable(run, file, owners, stands, _held(source, stands))
    pairs = partial(_pairs, file, source, owners.source)
    whole = FoundHits()
    for known, found in owners.spread(pairs, table.search):
        run.known_values += known.total()
        run.sought |= known.keys() - run.leaves
        whole.add_all(found)
    run.take(whole)


def forms_elsewhere(
    run: ResidualSearch,
    file: int,
    source: ColumnSource,
    owners: OwnRows,
    stands: Collection[int],
) -> FormIndex:
    """The distinctive forms of the persons with a distinctive value in any row.

    Raises:
        DeidError: `output-unreadable`, if the number of rows is not that of `owners`.
    """
    table = _ReleasedTable(run, file, owners, stands, _held(source, stands))
    pairs = _pairs(file, source, owners.source)
    persons = chain.from_iterable(map(table.persons_elsewhere, pairs))
    return FormIndex(chain.from_iterable(map(run.forms_anywhere, persons)))


@dataclass(frozen=True, slots=True)
class _ReleasedTable:
    """A released table; `cells` are its distinct cells, None if there are too many to hold."""

    run: ResidualSearch
    file: int
    owners: OwnRows
    stands: Collection[int]
    cells: ValueIndex | None

    def search(self, pairs: Iterable[_Pair]) -> Iterator[_Batch]:
        """Search each batch."""
        return map(self._search_batch, pairs)

    def _search_batch(self, pair: _Pair) -> _Batch:
        number, batch, told = pair
        cell_index = self.cells or ValueIndex.of(_cells_to_search([batch], self.stands))
        if batch.num_rows != told.num_rows:
            raise unreadable_output(self.file)
        found = FoundHits()
        suspects = self.owners.suspects(told, cell_index)
        live = self._live_rows(batch, cell_index, found.numbers)
        for place in map(int, np.flatnonzero(suspects | live)):
            known = self.owners.known_values([column[place].as_py() for column in told.columns])
            if known is None:
                continue
            ordinal = number * BATCH_ROWS + place + 1
            cells = _searched_cells(batch, place, self.stands)
            for hit in self.run.of_record(self.file, ordinal, cells, known):
                found.add(*hit)
            if suspects[place]:
                found.hits += self.run.everywhere(
                    self.file, RECORD_SEPARATOR.join(cell_index.cells), known
                )
        return self.owners.count(told), found

    def persons_elsewhere(self, pair: _Pair) -> Iterator[KnownValues]:
        """The known values of the persons of a batch with a distinctive value in any row."""
        _, batch, told = pair
        cell_index = self.cells or ValueIndex.of(_cells_to_search([batch], self.stands))
        cells = RECORD_SEPARATOR.join(cell_index.cells)
        for place in map(int, np.flatnonzero(self.owners.suspects(told, cell_index))):
            known = self.owners.known_values([column[place].as_py() for column in told.columns])
            if known is not None and self.run.everywhere(self.file, cells, known):
                yield known

    def _live_rows(
        self, batch: pa.RecordBatch, cell_index: ValueIndex, searched: Counter[int]
    ) -> np.ndarray:
        """The rows with a live cell. The cells that are numbers are counted in `searched`."""
        found = np.zeros(batch.num_rows, bool)
        for index in set(range(batch.num_columns)) - set(self.stands):
            words, places = dictionary_encode(batch.column(index))
            numbers = np.array([bool(w and is_number(w)) for w in words], bool)
            searched[index] += int(numbers[places].sum())
            found |= np.array([w in cell_index.live for w in words], bool)[places]
        return found


def _pairs(file: int, source: ColumnSource, original: ColumnSource) -> Iterator[_Pair]:
    """The batches of a released table, each with the batch of the original.

    Raises:
        DeidError: `output-unreadable`, if one of the two tables has more batches.
    """
    pairs = zip(rebatch(source.batches()), rebatch(original.batches()), strict=True)
    try:
        for number, (released, told) in enumerate(pairs):
            yield number, released, told
    except ValueError:
        raise unreadable_output(file) from None


def _held(source: ColumnSource, stands: Collection[int]) -> ValueIndex | None:
    """The distinct cells of a table; None if there are too many to keep in memory."""
    cells: dict[str, None] = {}
    for batch in source.batches():
        cells.update(dict.fromkeys(_cells_to_search([batch], stands)))
        if len(cells) > MOST_CELLS:
            return None
    return ValueIndex.of(cells)


def _cells_to_search(batches: Iterable[pa.RecordBatch], stands: Collection[int]) -> Iterator[str]:
    """The distinct cells of each column and batch that are not residues."""
    for batch in batches:
        for index, column in enumerate(batch.columns):
            if index not in stands:
                yield from (
                    word for word in dictionary_encode(column)[0] if word and not is_residue(word)
                )


def _searched_cells(batch: pa.RecordBatch, place: int, stands: Collection[int]) -> list[str | None]:
    return [None if n in stands else c[place].as_py() for n, c in enumerate(batch.columns)]
