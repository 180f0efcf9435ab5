"""The independent search of a released table of linked rows, one batch at a time.

Each cell of a batch is read once for all persons. All stretches of letters and digits that could be
a form are looked up, as hashes, among the forms of all patients of the batch. A row is searched
like a record only if one of its cells holds a form of its own patient.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np
import pyarrow as pa

from deid.arrow.prefilter import dictionary_encode, rebatch
from deid.formats import ColumnSource
from deid.people.row_owners import RowOwners
from deid.residual.hits import FoundHits
from deid.residual.packed.cell_matches import CellMatches, SearchedCells, WantedForms
from deid.residual.residues import is_number, is_residue
from deid.residual.search import Owner, ResidualSearch, unreadable_output
from deid.residual.sweep import FormIndex
from recognizers import KnownValues

LINKED_ROWS = 1 << 14


def search_linked(
    run: ResidualSearch,
    file: int,
    source: ColumnSource,
    owners: RowOwners,
    stands: Collection[int],
) -> None:
    """Search a table in which each row has an owner, and add the hits to `run`.

    Raises:
        DeidError: `output-unreadable`, if the number of rows is not that of `owners`.
    """
    found, rows, first = FoundHits(), iter(owners), 1
    for batch in rebatch(source.batches(), LINKED_ROWS):
        own = list(islice(rows, batch.num_rows))
        if len(own) < batch.num_rows:
            raise unreadable_output(file)
        _LinkedRows(run, file, batch, own, stands, first).search(found)
        first += batch.num_rows
    if next(rows, run) is not run:
        raise unreadable_output(file)
    run.take(found)


@dataclass(frozen=True, slots=True)
class _LinkedRows:
    """Some rows of a table with their owners; `first` is the ordinal of the first row."""

    run: ResidualSearch
    file: int
    batch: pa.RecordBatch = field(repr=False)
    owners: Sequence[Owner] = field(repr=False)
    stands: Collection[int]
    first: int

    def search(self, found: FoundHits) -> None:
        """Search the rows whose cells may hold a form of their owner."""
        patients, codes = self._patients()
        searched = np.flatnonzero(codes >= 0)
        alone = [row for row, owner in enumerate(self.owners) if isinstance(owner, KnownValues)]
        for row in alone:
            self.run.known_values += len(self.owners[row] or ())
        self.run.unlinked += len(self.owners) - len(searched) - len(alone)
        looked = np.union1d(searched, alone).astype(np.int64)
        whole = self.batch.take(pa.array(looked))
        columns = [n for n in range(self.batch.num_columns) if n not in self.stands]
        cells = _distinct_cells(whole, columns, codes[looked], found)
        met = self._met(cells, patients) if patients else {}
        for row in sorted({*np.flatnonzero(cells.codes < 0).tolist(), *met}):
            self._search_row(int(looked[row]), met.get(row, ()), found)

    def _patients(self) -> tuple[list[str], np.ndarray]:
        """The known patients of the rows, and for each row its patient's number or -1."""
        numbers: dict[str | None, int] = {}
        patients: list[str] = []
        codes = np.full(len(self.owners), -1, np.int64)
        for row, owner in enumerate(self.owners):
            if isinstance(owner, KnownValues):
                continue
            if owner not in numbers:
                numbers[owner] = len(patients) if self.run.knows(owner) else -1
                patients += [owner] if owner is not None and numbers[owner] >= 0 else []
            codes[row] = numbers[owner]
        return patients, codes

    def _met(self, cells: SearchedCells, patients: Sequence[str]) -> Mapping[int, Collection[int]]:
        """Return the rows that may hold a form of their patient, each with the days that it may
        hold.

        If no days are given for a row, it may hold any form.
        """
        packed = [self.run.packed.of(patient) for patient in patients]
        known = [one for one in packed if one is not None]
        if len(known) < len(packed):  # a patient has no packed forms: search each row
            return dict.fromkeys(np.flatnonzero(cells.codes >= 0).tolist(), ())
        wanted = WantedForms.of(known)
        matches = CellMatches.of(cells.words, wanted, self.run.packed.longest)
        met: dict[int, set[int]] = {}
        for row, day in matches.days_met(cells, wanted):
            met.setdefault(row, set()).add(day)
        return {**met, **dict.fromkeys(matches.rows_met(cells, wanted), frozenset[int]())}

    def _search_row(self, row: int, days: Collection[int], found: FoundHits) -> None:
        cells = [
            None if n in self.stands else column[row].as_py()
            for n, column in enumerate(self.batch.columns)
        ]
        forms = FormIndex(self.run.forms_of_days(sorted(days))) if days else None
        owner = self.owners[row]
        for hit in self.run.of_record(self.file, self.first + row, cells, owner, forms):
            found.add(*hit)


def _distinct_cells(
    batch: pa.RecordBatch, searched: Sequence[int], codes: np.ndarray, found: FoundHits
) -> SearchedCells:
    """The distinct cells to search. The cells that are numbers are counted in `found`."""
    numbers: dict[str, int] = {}
    columns = []
    for index in searched:
        words, places = dictionary_encode(batch.column(index))
        counted = np.array([bool(word and is_number(word)) for word in words] or [False], bool)
        found.numbers[index] += int(counted[places].sum())
        own = [
            -1 if not word or is_residue(word) else numbers.setdefault(word, len(numbers))
            for word in words
        ]
        if any(number >= 0 for number in own):
            columns.append(np.array(own, np.int64)[places])
    return SearchedCells(list(numbers), columns, codes)
