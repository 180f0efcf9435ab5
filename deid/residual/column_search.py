"""The independent search of a table by column: each distinct cell is looked up once.

Released tables hold few distinct cells: years, codes, units, results. The search first reads these
cells. Then it checks, for every value of the original, whether one of the cells could contain a
form of the value. If so, `deid.residual.search` searches the row of the value, and the person's
distinctive values are also searched for in the cells of all other rows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from deid.arrow.prefilter import (
    ColumnReading,
    dictionary_encode,
    matching_cells,
    placeholder_cells,
)
from deid.arrow.work_partitions import THIS_PROCESS, WorkPartitions
from deid.formats import ColumnSource
from deid.people.known_cells import LONG, CountedCells, KnownColumn, KnownColumns, least_letters
from deid.residual.folding import letter_and_digit_runs
from deid.residual.layers import text_layers
from recognizers import KnownValue, KnownValues
from safe_harbor import Identifier as I

LONGEST_RUN = 48
# The largest number of distinct cells of a table that is kept in memory; a table with more distinct
# cells is read batch by batch.
MOST_CELLS = 1 << 17
# The largest number of place names for which the result of `ValueIndex.meets` is kept.
MOST_PLACE_ANSWERS = 1 << 18
SHORT_STREAMS = 1 << 10
_MONTH_ABBREVIATION = re.compile(r"jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec")
_THREE = re.compile(r"\d+[^\da-z]{1,6}\d+[^\da-z]{1,6}\d+|\d{6,}")
_PO_BOX = re.compile(r"\bbox\W*\d")
_SHOWN_BIRTH_OR_AGE = re.compile(r"(?:born(?:in|on)?|birth(?:year)?|yob|dob)\d|\dy(?:o|r|ear)")
_LABELLED = re.compile(r"ssn|ss ?#|social|last (?:4|four)|end|[x*]{2}")


class ValueIndex:
    """An index of a table's cells, to look up values. Cells in `live` may hold any value."""

    def __init__(self) -> None:
        self.cells: dict[str, None] = {}
        self.live: set[str] = set()
        self._streams = ""
        self._new_streams: list[str] = []
        self._runs: set[str] = set()
        self._sizes: tuple[int, ...] = ()
        self._last: frozenset[str] = frozenset()
        # If a stream is long: the groups of three characters in it. Only words that begin with one
        # of these groups are searched for in the stream.
        self._grams: set[str] | None = None
        self._places: dict[str, bool] = {}

    @classmethod
    def of(cls, cells: Iterable[str]) -> ValueIndex:
        """An index of these cells."""
        cell_index = cls()
        cell_index.add(dict.fromkeys(cells))
        return cell_index

    def __repr__(self) -> str:
        return f"ValueIndex({len(self.cells)} cells)"

    def add(self, cells: Collection[str]) -> None:
        """Add cells to the index."""
        new = [cell for cell in cells if cell not in self.cells]
        self._places.clear()
        for cell in new:
            self.cells[cell] = None
            self._read(cell)
        self._streams = " ".join([self._streams, *self._new_streams])
        self._new_streams = []
        if new:
            self._last = frozenset(run[-5:] for run in self._runs if run[-5:].isdigit())
            self._sizes = tuple(sorted({len(run) for run in self._runs if len(run) > 3}))
            if len(self._streams) > SHORT_STREAMS:
                self._grams = _grams_of(self._streams)

    def _read(self, cell: str) -> None:
        for _, plain in text_layers(cell):
            if _always_searched(plain):
                self.live.add(cell)
            words = letter_and_digit_runs(plain)
            self._new_streams.append("".join(words))
            self._add_runs(words)

    def _add_runs(self, words: Sequence[str]) -> None:
        """Add the joined runs that contain digits."""
        last = max((i for i, word in enumerate(words) if word.isdigit()), default=-1)
        for i in range(last + 1):
            run, figured = "", False
            for word in words[i:]:
                run += word
                if len(run) > LONGEST_RUN:
                    break
                figured = figured or word.isdigit()
                if figured and len(run) > 4:
                    self._runs.add(run)
                    self._runs.add(run.removeprefix("1"))

    @property
    def version(self) -> int:
        """A number that changes when cells are added."""
        return len(self.cells)

    @property
    def last_digits(self) -> frozenset[str] | None:
        """The last five digits of every number in the cells."""
        return self._last

    @property
    def short_numbers(self) -> frozenset[str]:
        """Empty: a number with fewer than five digits has no form of its own."""
        return frozenset()

    @property
    def heads(self) -> frozenset[str]:
        """Empty: this search compares folded forms only, never the written text."""
        return frozenset()

    def word_meets(self, word: str) -> bool:
        """Whether a cell might contain a form of a value with this word."""
        return self._holds(word) or (len(word) == 2 and word in self._streams)

    def meets(self, value: KnownValue) -> bool:
        """Whether a cell might contain a form of the value. Only live cells can hold dates."""
        if value.part == "comment" or value.identifier is I.DATES:
            return False
        words = letter_and_digit_runs(value.value)
        letters = [word for word in words if word.isalpha()]
        if any(self._holds(word) for word in letters if len(word) > 2):
            return True
        short = [word for word in letters if len(word) < 3 and word in self._streams]
        if len(short) > 1 or (short and all(len(word) < 3 for word in letters)):
            return True
        if len(letters) == len(words):
            return False
        parts = [words]
        if value.identifier in (I.EMAILS, I.URLS):
            parts += [letter_and_digit_runs(part) for part in re.split("[@/]", value.value)]
        wholes = ["".join(part) for part in parts]
        zipped = value.identifier is I.PLACES and any(map(self._has_zip, wholes))
        return zipped or any(self._has_number(w) or self._holds(w) for w in wholes if w)

    def meets_cell(self, column: KnownColumn, word: str) -> bool:
        """`meets` for the value `word`. Results for place names, which repeat often, are kept."""
        known = self._places.get(word) if column.identifier is I.PLACES else None
        if known is None:
            known = self.meets(KnownValue(column.identifier, word, "patient", column.part))
            if column.identifier is I.PLACES and len(self._places) < MOST_PLACE_ANSWERS:
                self._places[word] = known
        return known

    def _holds(self, word: str) -> bool:
        near = self._grams is None or word[:3] in self._grams
        return len(word) > 2 and near and word in self._streams

    @property
    def shows_age(self) -> bool:
        """Whether a cell may show a birth year or an age, as the forms of births do."""
        return _SHOWN_BIRTH_OR_AGE.search(self._streams) is not None

    def _has_number(self, whole: str) -> bool:
        if whole in self._runs or whole.lstrip("0") in self._runs:
            return True
        return any(whole[-size:] in self._runs for size in self._sizes if size < len(whole))

    def _has_zip(self, whole: str) -> bool:
        return not self._runs.isdisjoint((whole.zfill(5)[:5], whole.zfill(9)[:5]))


def may_hold(text: str, known: Iterable[KnownValue]) -> bool:
    """Whether a text, in any of its layers, might contain a form of one of these values."""
    index = ValueIndex.of([text])
    if index.live:
        return True
    values = list(known)
    born = any(value.part == "birth" for value in values)
    return any(map(index.meets, values)) or (born and index.shows_age)


def _grams_of(streams: str) -> set[str]:
    return {streams[i : i + 3] for i in range(len(streams) - 2)}


def _always_searched(cell: str) -> bool:
    """Whether a cell may hold a date, a P.O. box, last digits after a label, or a digest."""
    folded = cell.lower()
    if _THREE.search(folded) or _PO_BOX.search(folded) or _LABELLED.search(folded):
        return True
    if any(map(str.isdigit, folded)) and _MONTH_ABBREVIATION.search(folded):
        return True
    return max(map(len, cell.split()), default=0) > 31


@dataclass(slots=True)
class OwnRows:
    """The known values that each row of a table holds about its own person, read on demand.

    All rows of the table are released.
    """

    source: ColumnSource = field(repr=False)
    own: KnownColumns
    rows: int
    spread: WorkPartitions = field(default=THIS_PROCESS, repr=False)

    def __len__(self) -> int:
        return self.rows

    def __iter__(self) -> Iterator[KnownValues | None]:
        for batch in self.source.batches():
            for cells in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                yield self.known_values(cells)

    def known_values(self, cells: Sequence[str | None]) -> KnownValues | None:
        """The known values of one row."""
        values = tuple(self.own.values(cells))
        return KnownValues(values) if values else None

    def count(self, batch: pa.RecordBatch) -> Counter[I]:
        """Return the number of known values in the rows of a batch, by identifier."""
        if self.own.role_columns:
            rows = zip(*(column.to_pylist() for column in batch.columns), strict=True)
            return Counter(v.identifier for cells in rows for v in self.own.values(cells))
        total: Counter[I] = Counter()
        for one in self.own.columns:
            column = batch.column(one.index)
            told = ~placeholder_cells(column)
            plain = np.asarray(pc.fill_null(pc.string_is_ascii(column), True))
            plain = plain & (not one.is_read_by_cell)
            # A code without digits may be made of words.
            if one.counted is CountedCells.UNPUBLISHED:
                digits = pc.match_substring_regex(column, "[0-9]")
                plain = plain & np.asarray(pc.fill_null(digits, True))
            bare = pc.binary_length(pc.replace_substring_regex(column, "[^0-9A-Za-z]+", ""))
            least = least_letters(one.identifier)
            tells = pc.or_(pc.greater(pc.utf8_length(column), LONG), pc.greater_equal(bare, least))
            total[one.identifier] += int(
                (told & plain & np.asarray(pc.fill_null(tells, False))).sum()
            )
            asked = told & ~plain
            if asked.any():
                words, places = dictionary_encode(column.filter(pa.array(asked)))
                total[one.identifier] += int(
                    np.array([_distinct_values(one, w) for w in words], int)[places].sum()
                )
        return +total

    def suspects(self, batch: pa.RecordBatch, cell_index: ValueIndex) -> np.ndarray:
        """The rows with a value that one of the released cells might contain."""
        found = np.zeros(batch.num_rows, bool)
        for one in self.own.columns:
            if one.identifier is not I.DATES:
                column = batch.column(one.index)
                sifted = ColumnReading(column, one.identifier).candidates(cell_index)
                found |= matching_cells(column, sifted, partial(cell_index.meets_cell, one))
        return found


def _distinct_values(one: KnownColumn, word: str | None) -> int:
    cells: list[str | None] = [None] * (one.index + 1)
    cells[one.index] = word
    return sum(1 for _ in KnownColumns((one,), ()).values(cells))
