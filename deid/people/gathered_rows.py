"""Rows of a table from which patients are gathered; each distinct cell is read once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
import pyarrow as pa

from deid.people.known_cells import KnownColumns, row_role
from deid.people.linking import KeyBook, Link, normal_key
from deid.people.patient_values import packed_record
from recognizers import KnownValue


@dataclass(slots=True)
class GatheredRows:
    """Some rows of a table, by column. The `repr` shows a count."""

    _columns: Sequence[pa.Array | Sequence[str | None]] = field(repr=False)
    count: int
    _coded: dict[int, tuple[Sequence[str | None], np.ndarray]] = field(
        default_factory=dict, repr=False
    )

    def __len__(self) -> int:
        return self.count

    def words(self, index: int) -> tuple[Sequence[str | None], np.ndarray]:
        """The distinct cells of a column, and for each row the index of its cell."""
        if index not in self._coded:
            column = self._columns[index]
            array = column if isinstance(column, pa.Array) else pa.array(column, pa.string())
            coded = array.dictionary_encode(null_encoding="encode")
            self._coded[index] = coded.dictionary.to_pylist(), np.asarray(coded.indices)
        return self._coded[index]

    def cell(self, index: int, row: int) -> str | None:
        """The cell of a column in a row."""
        words, places = self.words(index)
        return words[int(places[row])]

    def distinct(self, columns: Sequence[int]) -> tuple[list[int], np.ndarray]:
        """The first row of each distinct combination of cells, and each row's combination."""
        codes = np.zeros(self.count, np.int64)
        for index in columns:
            words, places = self.words(index)
            codes = _renumbered(codes * max(len(words), 1) + places)[1]
        return _renumbered(codes)

    def told_of(
        self, index: int, codes: np.ndarray, people: Sequence[str | None]
    ) -> Iterator[tuple[str, str]]:
        """Yield each distinct cell of a column with its patients; `codes` index `people`."""
        words, places = self.words(index)
        first, _ = _renumbered(codes * max(len(words), 1) + places)
        for row in first:
            value, person = words[int(places[row])], people[int(codes[row])]
            if value and person is not None and normal_key(value):
                yield value, person

    def values_of_people(
        self, link: Link, book: KeyBook, read: KnownColumns
    ) -> Iterator[tuple[str, Iterator[KnownValue]]]:
        """Yield each patient with the known values in their rows, in order of appearance."""
        people, rows, codes = self._holders(link, book)
        if not people:
            return
        told, found = self._told(rows, codes, read)
        whole = np.concatenate([np.zeros((0, 4), np.int64), *found])
        whole = whole[np.lexsort((whole[:, 2], whole[:, 1], whole[:, 0]))]
        ends = np.searchsorted(whole[:, 0], np.arange(len(people)), "right").tolist()
        numbers = whole[:, 3].tolist()
        for person, start, end in zip(people, [0, *ends], ends, strict=False):
            yield person, chain.from_iterable(told[number] for number in numbers[start:end])

    def _holders(self, link: Link, book: KeyBook) -> tuple[list[str], np.ndarray, np.ndarray]:
        """The patients, and for each pair of row and patient the row and the patient's number."""
        numbers: dict[str, int] = {}
        keys = link.people_of(self, book)
        codes = [-1 if key is None else numbers.setdefault(key, len(numbers)) for key in keys]
        rows = list(range(self.count))
        left = np.flatnonzero([key is None for key in keys])
        for row, holders in link.holders_of_rows(self, book, left):
            for person in holders:
                rows.append(row)
                codes.append(numbers.setdefault(person, len(numbers)))
        is_told = np.array(codes, np.int64) >= 0
        return (
            list(numbers),
            np.array(rows, np.int64)[is_told],
            np.array(codes, np.int64)[is_told],
        )

    def _told(
        self, rows: np.ndarray, codes: np.ndarray, read: KnownColumns
    ) -> tuple[list[tuple[KnownValue, ...]], list[np.ndarray]]:
        """Return the known values of distinct cells, and where each first occurs for a patient.

        Each occurrence is the patient, the row, the column, and the index of the values.
        """
        first, role_codes = self.distinct(read.role_columns)
        roles = [row_role([self.cell(index, row) for index in read.role_columns]) for row in first]
        told: list[tuple[KnownValue, ...]] = []
        found: list[np.ndarray] = []
        for place, column in enumerate(read.columns):
            words, places = self.words(column.index)
            cells = places[rows] * len(roles) + role_codes[rows]
            asked, at = np.unique(cells, return_inverse=True)
            values = [
                tuple(
                    read.values_of_cell(column, words[cell // len(roles)], roles[cell % len(roles)])
                )
                for cell in asked.tolist()
            ]
            tells = np.array([bool(some) for some in values] or [False], bool)
            own = np.flatnonzero(tells[at]) if len(at) else at
            _, once = np.unique(codes[own] * max(len(asked), 1) + at[own], return_index=True)
            own = own[once]
            column_of = np.full(len(own), place, np.int64)
            found.append(np.stack((codes[own], rows[own], column_of, at[own] + len(told)), axis=1))
            told += values
        return told, found


def _renumbered(codes: np.ndarray) -> tuple[list[int], np.ndarray]:
    """Return the first place of each distinct code, and the codes renumbered in that order."""
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    numbers = np.empty(len(order), np.int64)
    numbers[order] = np.arange(len(order))
    return first[order].tolist(), numbers[inverse]


PackedValues = list[tuple[int, bytes]]


@dataclass(frozen=True, slots=True)
class ValuesOfRows:
    """Finds the known values in the rows of a table, in any process. The `repr` shows no value."""

    link: Link = field(repr=False)
    book: KeyBook = field(repr=False)
    read: KnownColumns = field(repr=False)

    def __call__(self, batches: Iterable[GatheredRows | None]) -> Iterator[PackedValues | None]:
        """For each batch, the number of each patient and the patient's values, packed.

        None stays None.
        """
        return (None if rows is None else self._packed(rows) for rows in batches)

    def _packed(self, rows: GatheredRows) -> PackedValues:
        return [
            (self.book.persons.number(person), packed_record(values))
            for person, values in rows.values_of_people(self.link, self.book, self.read)
        ]
