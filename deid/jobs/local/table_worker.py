"""Scrub one table, batch by batch, and write it to its file."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, TextIO

import pyarrow as pa

from deid.arrow.work_partitions import THIS_PROCESS, WorkPartitions
from deid.errors import HELD, UNREADABLE, DeidError
from deid.formats import (
    ColumnSource,
    Format,
    Record,
    RecordFault,
    is_container,
    sink_path,
)
from deid.jobs.folder import JobFolder
from deid.jobs.job import Job, OpenedTable
from deid.jobs.local.worker_pool import ReportProgress
from deid.jobs.released_names import ReleasedNames
from deid.jobs.table_account import BatchAccount, BatchAccountant, TableAccount
from deid.people.patients import People
from deid.people.row_owners import RowOwners
from deid.reports.diff import diff_section
from deid.residual.column_search import OwnRows
from deid.residual.search import Owner, ResidualSearch
from deid.tables.table_batch import CellColumn, ReadRows, read_row_batches
from deid.tables.table_flow import BatchOut, TableFlow
from deid.text.note_lines import unwrapped_source
from deid.text.scrubber import Scrubber


@dataclass(frozen=True, slots=True)
class JobContext:
    """The data that all files of a job share. Forked workers inherit it, executors receive it.

    `spread` divides the batches of a large table among processes.
    """

    job: Job
    folder: JobFolder = field(repr=False)
    scrubber: Scrubber = field(repr=False)
    people: People = field(repr=False)
    search: ResidualSearch = field(repr=False)
    names: ReleasedNames = field(repr=False)
    spread: WorkPartitions = field(default=THIS_PROCESS, repr=False)


@dataclass(slots=True, eq=False)
class WrittenTable:
    """A written table: its account, its file, and the patient of each record."""

    opened: OpenedTable
    notes: TableAccount
    path: Path = field(repr=False)
    owners: RowOwners | OwnRows = field(repr=False)
    member: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class LeavingRows:
    """A source that is read by column, without the rows whose ordinals are `withheld`."""

    source: ColumnSource = field(repr=False)
    withheld: frozenset[int]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the source."""
        return self.source.columns

    def records(self) -> Iterator[Record | RecordFault]:
        """The rows that are not withheld, with their ordinals."""
        return (one for one in self.source.records() if one.ordinal not in self.withheld)

    def is_regular(self) -> bool:
        """Whether the source can be read by column (see `ColumnSource`)."""
        return self.source.is_regular()

    def batches(self) -> Iterator[pa.RecordBatch]:
        """The rows that are not withheld, by column."""
        first = 1
        for batch in self.source.batches():
            ordinals = range(first, first + batch.num_rows)
            yield batch.filter(pa.array([n not in self.withheld for n in ordinals], pa.bool_()))
            first += batch.num_rows


def is_text(opened: OpenedTable) -> bool:
    """Whether each record of the table is one text, that is, a document rather than a row."""
    return len(opened.source.columns) == 1 and has_text(opened)


def has_text(opened: OpenedTable) -> bool:
    """Whether the table has a column of texts."""
    return any(decision.action == "text" for decision in opened.decisions)


@dataclass(frozen=True, slots=True)
class WorkedBatch:
    """A batch of a table as its worker returns it: the cells to write, and their account.

    `read` counts the records that were read. `columns` are the released columns in order.
    `skeletons` are the parts of each record that the sink needs besides its cells. `owners` has the
    patient of each record, and `diff` is the batch's part of the diff.
    """

    read: int
    account: BatchAccount
    columns: list[CellColumn] = field(repr=False)
    skeletons: list[Any] | None = field(repr=False)
    owners: list[Owner] | None = field(repr=False)
    diff: str = field(repr=False)
    characters: int


@dataclass(frozen=True, slots=True)
class TableWork:
    """Scrubs each batch of a table, in any process.

    `leaving` are the released columns in order. `is_single`: all known values of a person come from
    that person's rows in this table, so no owners are returned.
    """

    flow: TableFlow
    accountant: BatchAccountant
    leaving: tuple[int, ...]
    is_single: bool
    diff: bool

    def __call__(self, batches: Iterable[ReadRows]) -> Iterator[WorkedBatch]:
        """Yield each batch after scrubbing; its rows are counted before that."""
        sizes: deque[tuple[int, int]] = deque()
        scrubbed = map(self.flow.run, _sized(batches, sizes))
        return map(self._accounted, scrubbed, iter(sizes.popleft, None))

    def _accounted(self, out: BatchOut, size: tuple[int, int]) -> WorkedBatch:
        records = out.batch.records
        return WorkedBatch(
            size[0],
            self.accountant.account(out),
            [out.columns[index] for index in self.leaving],
            None if records is None else [record.skeleton for record in records],
            None if self.is_single else out.owners(),
            "".join(self._diff(out)) if self.diff else "",
            size[1],
        )

    def _diff(self, out: BatchOut) -> Iterator[str]:
        """The texts of the batch, before and after, record by record."""
        cells = sorted((place, index) for index, texts in out.texts.items() for place in texts)
        for place, index in cells:
            cell, ordinal = out.texts[index][place], out.batch.ordinals[place]
            title = f"file {self.accountant.ordinal}, record {ordinal}, column {index + 1}"
            yield diff_section(title, cell.before, cell.after, cell.changes)


def _sized(batches: Iterable[ReadRows], sizes: deque[tuple[int, int]]) -> Iterator[ReadRows]:
    """The batches; the rows and characters of each are appended to `sizes`."""
    for read in batches:
        sizes.append((len(read), read.characters))
        yield read


def scrub_table(
    shared: JobContext,
    found: Format,
    opened: OpenedTable,
    log: TextIO,
    diff: TextIO | None,
    work: Path,
    report: ReportProgress,
    without: Mapping[int, str],
) -> WrittenTable:
    """Scrub one table into a file of its format below the folder `work`, without searching it.

    `log` receives the changes of the table, and `diff` its texts before and after scrubbing.
    `without` are records to withhold, each with the reason.

    Raises:
        OSError: the disk refuses a read or write.
        DeidError: `no-column-left`, `records-lost`, and errors of reading the table.
    """
    leaving = {d.index: d.out_header for d in opened.decisions if d.leaves}
    source, relative = opened.source, opened.unit.relative
    if source.columns and not leaving:
        raise DeidError(
            "no-column-left", "no column of the table may be released", exit_code=UNREADABLE
        )
    target = _target_path(shared, found, opened, work)
    target.parent.mkdir(parents=True, exist_ok=True)
    by_stretch = not has_text(opened)
    accountant = BatchAccountant(
        opened.unit.ordinal, opened.decisions, is_text(opened), by_stretch=by_stretch
    )
    notes = TableAccount(accountant, log)
    flow = TableFlow(relative, opened.decisions, shared.scrubber, shared.people, without)
    is_single = shared.people.is_single_table(relative)
    todo = TableWork(flow, accountant, tuple(leaving), is_single, diff is not None)
    owners = RowOwners(shared.people.persons)
    seen = 0
    sink = found.create(target, unwrapped_source(source), leaving)
    with closing(sink):
        for batch in shared.spread(partial(read_row_batches, source, texts=flow.has_texts), todo):
            _write_batch(sink, batch)
            notes.add(batch.account)
            seen += batch.read
            owners.extend(batch.owners or ())
            if diff is not None:
                diff.write(batch.diff)
            report(batch.read, batch.characters)
    notes.end_stretch()
    _refuse_lost(notes, seen)
    path = sink_path(sink, target)
    if not is_single:
        return WrittenTable(opened, notes, path, owners)
    assert isinstance(source, ColumnSource)
    withheld = frozenset(f.record for f in notes.fallen if f.record is not None)
    left = LeavingRows(source, withheld) if withheld else source
    rows = notes.tally.records_out
    return WrittenTable(opened, notes, path, OwnRows(left, flow.own, rows, shared.spread))


def _write_batch(sink: Any, batch: WorkedBatch) -> None:
    """Write by column if both batch and sink are columnar; otherwise record by record."""
    skeletons, columns = batch.skeletons, batch.columns
    if skeletons is None and hasattr(sink, "write_columns"):
        size = batch.account.counts.records_out
        sink.write_columns([_string_array(column, size) for column in columns])
        return
    cells = [column if isinstance(column, list) else column.to_pylist() for column in columns]
    for place in range(batch.account.counts.records_out):
        skeleton = None if skeletons is None else skeletons[place]
        sink.write([column[place] for column in cells], skeleton)


def _string_array(column: CellColumn, size: int) -> pa.Array:
    return pa.array(column, pa.string(), size=size) if isinstance(column, list) else column


def _target_path(shared: JobContext, found: Format, opened: OpenedTable, work: Path) -> Path:
    if not is_container(found):
        return work / "out" / shared.names.file(opened.unit)
    suffix = PurePosixPath(opened.unit.member).suffix
    return work / "parts" / f"{opened.unit.ordinal}{suffix}"


def _refuse_lost(notes: TableAccount, seen: int) -> None:
    """Refuse a table unless every record read was either written or withheld."""
    tally = notes.tally
    if not seen == tally.records_in == tally.records_out + tally.quarantined:
        raise DeidError(
            "records-lost",
            "some records were read but neither written nor withheld; nothing was released",
            place=f"file {notes.ordinal}",
            hint="run the job again; if it happens again, leave that input out and report it",
            exit_code=HELD,
        )
