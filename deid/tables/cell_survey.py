"""Survey a job's tables to learn which values of a kept column are frequent enough to release.

A column approves a value if enough persons have it, and approves its numbers and code patterns in
the same way; `deid.vouching` describes the other grounds on which a cell is released.

The survey reads every row of every table. It counts persons rather than rows if the table
identifies the person of each row. Tables with the same columns are counted as one. The result does
not depend on batches, on workers, or on where a job was resumed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from deid.decision import ColumnDecision
from deid.formats import RecordSource
from deid.people.linking import normal_key
from deid.tables.table_batch import TableBatch, read_row_batches
from deid.vouching.published import (
    is_published_cell,
    leads_with_zero,
    number_with_unit,
    plain_number,
)
from deid.vouching.ranges import MANY, Range, bin_of, range_of
from deid.vouching.voucher import (
    MIXED_SHAPES,
    NUMERIC_SHAPES,
    Voucher,
    cell_text,
    code_pattern,
    folded,
    is_short_name,
    is_suspicious,
)
from recognizers import conforms, is_filler_value, is_listed

# The column approves a value that at least `LEAST_PERSONS` persons and this share of all persons
# have; `MOST_PERSONS` persons always suffice.
LEAST_PERSONS, SHARE, MOST_PERSONS = 5, 0.01, 50
# The least persons of a small table, if a value that all of them have is approved.
LEAST_OF_ALL = 3
# The persons of a table are counted up to this number, to compute the share above.
MAX_COUNTED_PERSONS = 5000
# The least number of persons for names of payers and manufacturers: they are on no list, and fewer
# persons share the same name.
LEAST_BRANDS = 3
# The number of persons and the share of cells that a value needs if it may also be a name.
LEAST_SUSPICIOUS, SHARE_SUSPICIOUS = 20, 0.1
# A column of mixed type counts as numeric if this share of its cells are numbers.
NUMBER_SHARE = 0.2
# The rows that a value needs if no persons are known, because one person may have several rows.
MIN_ROWS_WITHOUT_PERSONS = 11
# A code pattern belongs to the column if this share of its cells has it.
PATTERN_SHARE = 0.02
# Lists of abbreviations. A list approves the column's cells if half of them are on it.
ABBREVIATION_LISTS = (
    *("route", "blood_type", "stage", "form", "flag", "sex", "marital", "race", "triage"),
    *("disposition", "visit", "payer_class", "body_site", "body_site_code", "gene", "color"),
)
LONGEST_LISTED = 60
# Distinct values and code patterns kept per column; later ones are not approved.
MOST_VALUES, MOST_BUILDS = 1 << 16, 1 << 10
# Types of columns with values that are meant to be names: columns that a policy keeps, makers and
# payers.
NAMED_SHAPES = frozenset(["named", "brand"])
PersonKey = int | str
NamingValues = Callable[[Sequence[str]], Collection[str]]
"""Returns those of the values that name a person, a place or an organization."""
NamingInColumn = Callable[[str, Sequence[str]], Collection[str]]
"""The same for the values of a column, by its header."""


@dataclass(slots=True)
class ColumnSurvey:
    """The counts of one kept column. The `repr` shows no value."""

    shape: str
    cells: int = 0
    _persons: dict[str, set[PersonKey]] = field(default_factory=dict, repr=False)
    _builds: Counter[str] = field(default_factory=Counter, repr=False)
    _bins: Counter[int] = field(default_factory=Counter, repr=False)
    _fractions: int = 0
    _times: dict[str, int] = field(default_factory=dict, repr=False)
    _on_list: Counter[str] = field(default_factory=Counter, repr=False)
    _is_candidate: dict[str, bool] = field(default_factory=dict, repr=False)
    _written: dict[str, str] = field(default_factory=dict, repr=False)

    def see(self, word: str, times: int) -> bool:
        """Count `times` cells of a value; True if the persons with this value must be counted."""
        text = cell_text(self.shape, word)
        if is_filler_value(text):
            return False
        self.cells += times
        is_measured = self.shape in NUMERIC_SHAPES | MIXED_SHAPES
        plain = plain_number(text) if is_measured else None
        number = number_with_unit(text) if is_measured and plain is None else plain
        if number is not None:
            self._bins[bin_of(number)] += times
            self._fractions += times * ("." in text)
        if plain is not None and self.shape in NUMERIC_SHAPES and not leads_with_zero(text):
            return False
        for name in ABBREVIATION_LISTS if len(text) <= LONGEST_LISTED else ():
            self._on_list[name] += times * is_listed(name, text)
        if (build := code_pattern(text)) and (
            build in self._builds or len(self._builds) < MOST_BUILDS
        ):
            self._builds[build] += times
        return self._is_open(folded(text), text, times)

    def _is_open(self, key: str, text: str, times: int) -> bool:
        if key in self._times:
            self._times[key] += times
        if len(self._persons.get(key, ())) >= MOST_PERSONS:
            return False
        if (known := self._is_candidate.get(key)) is None:
            known = conforms(self.shape, text) and not is_published_cell(self.shape, text)
            if known and self.shape != "named" and is_suspicious(text):
                self._times[key] = times
            if len(self._is_candidate) < MOST_VALUES:
                self._is_candidate[key] = known
                if known:
                    self._written[key] = text
        return known and (key in self._persons or len(self._persons) < MOST_VALUES)

    def add(self, word: str, persons: Iterable[PersonKey]) -> None:
        """Count the persons who have a value."""
        held = self._persons.setdefault(folded(cell_text(self.shape, word)), set())
        for person in persons:
            if len(held) >= MOST_PERSONS:
                return
            held.add(person)

    def joined_with(self, others: Sequence[ColumnSurvey]) -> ColumnSurvey:
        """This column, with the persons who have its values in other columns of the same name.

        Values that may be a name count only the persons of this column.
        """
        persons = {
            key: held
            if key in self._times
            else held.union(*(o._persons.get(key, ()) for o in others))
            for key, held in self._persons.items()
        }
        return replace(self, _persons=persons)

    def voucher(self, persons: int, naming: NamingValues) -> Voucher:
        """What the column approves; `persons` is the number in the table (0 if unknown).

        A value that `naming` returns is not approved, however many persons have it.
        """
        whole = persons or self.cells
        frequent = {
            k: self._written.get(k, k)
            for k, p in self._persons.items()
            if len(p) >= self._min_persons(k, whole, persons > 0)
        }
        if self.shape not in NAMED_SHAPES:
            naming_somebody = naming([*frequent.values()])
            frequent = {k: text for k, text in frequent.items() if text not in naming_somebody}
        builds = frozenset(b for b, n in self._builds.items() if self._is_frequent(b, n))
        numbers = sum(self._bins.values())
        known = self.shape in NUMERIC_SHAPES or numbers >= max(
            LEAST_PERSONS, NUMBER_SHARE * self.cells
        )
        span = range_of(self._bins, self._fractions, self.cells) if known else Range()
        named = self.shape == "named"
        lists = tuple(
            n for n in ABBREVIATION_LISTS if self.cells and self._on_list[n] * 2 >= self.cells
        )
        return Voucher(
            self.shape, span, frozenset(frequent), builds, lists, named, self.cells < MANY
        )

    def _min_persons(self, key: str, whole: int, has_persons: bool) -> int:
        """Return how many persons must have a value before the column approves it."""
        if key in self._times:
            often = self._times[key] >= SHARE_SUSPICIOUS * self.cells
            return LEAST_SUSPICIOUS if often else MOST_PERSONS + 1
        minimum = LEAST_BRANDS if self.shape == "brand" else LEAST_PERSONS
        if not has_persons:
            minimum = MIN_ROWS_WITHOUT_PERSONS
        elif whole < minimum and is_short_name(self._written.get(key, key)):
            minimum = max(whole, LEAST_OF_ALL)  # all persons of a small table
        return min(max(minimum, int(SHARE * whole)), MOST_PERSONS)

    def _is_frequent(self, build: str, count: int) -> bool:
        return count >= max(LEAST_PERSONS, PATTERN_SHARE * self.cells)


@dataclass(slots=True)
class TableSurvey:
    """The kept columns of all tables that have the same columns."""

    columns: dict[tuple[str, str], ColumnSurvey] = field(default_factory=dict, repr=False)
    rows: int = 0
    persons: set[PersonKey] = field(default_factory=set, repr=False)
    _vouchers: dict[tuple[str, str], Voucher] = field(default_factory=dict, repr=False)

    def of(self, header: str, shape: str) -> ColumnSurvey:
        """Return the counts of one column."""
        return self.columns.setdefault((header, shape), ColumnSurvey(shape))

    def voucher(
        self, header: str, shape: str, naming: NamingInColumn, tables: Iterable[TableSurvey]
    ) -> Voucher:
        """What one column approves, computed once for all tables that are counted as this one.

        If this table has few persons, it also approves values that enough persons of all `tables`
        have.
        """
        if (header, shape) not in self._vouchers:
            named = partial(naming, header)
            made = self.of(header, shape).voucher(len(self.persons), named)
            if 0 < len(self.persons) < LEAST_PERSONS:
                pooled = self._observed_in(header, shape, named, tables)
                made = replace(made, observed=made.observed | pooled)
            self._vouchers[header, shape] = made.of_variable(header)
        return self._vouchers[header, shape]

    def _observed_in(
        self, header: str, shape: str, naming: NamingValues, tables: Iterable[TableSurvey]
    ) -> frozenset[str]:
        """The values of one column that enough persons of all `tables` have in columns like it."""
        same = [t for t in tables if t.persons and (header, shape) in t.columns]
        persons = set[PersonKey]().union(*(t.persons for t in same))
        joined = self.of(header, shape).joined_with([t.columns[header, shape] for t in same])
        return joined.voucher(len(persons), naming).observed


Surveys = dict[tuple[str, ...], TableSurvey]


def survey_columns(
    surveys: Surveys, source: RecordSource, decisions: Sequence[ColumnDecision], keys: Sequence[int]
) -> None:
    """Count the kept cells of one table; the columns `keys` identify the person of each row."""
    kept = surveyed(source, decisions)
    if not kept:
        return
    table = surveys.setdefault(_columns(source), TableSurvey())
    columns = [(d.index, table.of(source.columns[d.index], d.shape)) for d in kept]
    last = 0
    for read in read_row_batches(source, texts=False):
        batch, _ = TableBatch.of(read)
        if len(batch):
            _count_cells(batch, columns, keys, table)
            last = batch.ordinals[-1]
    table.rows += last


def with_vouchers(
    surveys: Surveys,
    source: RecordSource,
    decisions: Sequence[ColumnDecision],
    naming: NamingInColumn,
) -> tuple[ColumnDecision, ...]:
    """Return the decisions, with a voucher for the cells of each kept column.

    `naming` returns those values of a column, by its header, that name somebody.
    """
    kept = {d.index for d in surveyed(source, decisions)}
    if not kept:
        return tuple(decisions)
    table = surveys.get(_columns(source), TableSurvey())
    return tuple(
        replace(
            d, voucher=table.voucher(source.columns[d.index], d.shape, naming, surveys.values())
        )
        if d.index in kept
        else d
        for d in decisions
    )


def surveyed(source: RecordSource, decisions: Sequence[ColumnDecision]) -> list[ColumnDecision]:
    """The kept columns to survey; none for published formats, which have their own lists."""
    if getattr(source, "loci", None) is not None:
        return []
    kept = [d for d in decisions if d.stays and d.action == "keep" and d.shape]
    return [d for d in kept if not d.is_closed]


def _columns(source: RecordSource) -> tuple[str, ...]:
    return tuple(dict.fromkeys(source.columns))


def _count_cells(
    batch: TableBatch,
    columns: Sequence[tuple[int, ColumnSurvey]],
    keys: Sequence[int],
    table: TableSurvey,
) -> None:
    """Count the cells of a batch, and the persons with each value that may be approved."""
    person = _persons(batch, keys, table.rows)
    named = keys or any(record.patient for record in batch.records or ())
    if named and len(table.persons) < MAX_COUNTED_PERSONS:
        table.persons.update(map(person, range(min(len(batch), MAX_COUNTED_PERSONS))))
    for index, survey in columns:
        words, places = batch.words(index)
        counts = np.bincount(places, minlength=len(words)).tolist()
        candidates = [
            number
            for number, (word, times) in enumerate(zip(words, counts, strict=True))
            if word and survey.see(word, times)
        ]
        for number, rows in _rows_of(candidates, places):
            survey.add(words[number] or "", filter(None, map(person, rows)))


def _rows_of(candidates: Sequence[int], places: np.ndarray) -> Iterator[tuple[int, list[int]]]:
    """Yield each candidate, an index of a distinct cell, with the rows that hold it."""
    if not candidates:
        return
    wanted = np.flatnonzero(np.isin(places, candidates))
    order = np.argsort(places[wanted], kind="stable")
    rows = wanted[order]
    numbers, starts = np.unique(places[rows], return_index=True)
    ends = [*starts[1:], len(rows)]
    for number, start, end in zip(numbers.tolist(), starts.tolist(), ends, strict=True):
        yield number, rows[start:end].tolist()


def _persons(batch: TableBatch, keys: Sequence[int], before: int) -> Callable[[int], PersonKey]:
    """Return a function from a row to the person of the row.

    The person is the patient that the record states, else the first key in the row, or "" if the
    keys are empty. Without key columns it is the ordinal of the row.
    """
    columns = [batch.words(key) for key in keys]
    records = batch.records

    def person(row: int) -> PersonKey:
        if records is not None and (stated := records[row].patient):
            return normal_key(stated)
        if not columns:
            return before + batch.ordinals[row]
        found = (words[int(places[row])] for words, places in columns)
        return next((normal_key(v) for v in found if v and not is_filler_value(v)), "")

    return person
