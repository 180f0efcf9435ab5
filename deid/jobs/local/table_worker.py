"""Scrub one table and write it to its file: by column where possible, else by row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from deid.arrow.work_partitions import THIS_PROCESS, WorkPartitions
from deid.decision import RowOut
from deid.errors import HELD, UNREADABLE, DeidError
from deid.formats import Format, Record, RecordFault, RecordSource, Sink, is_container, sink_path
from deid.jobs.folder import JobFolder
from deid.jobs.job import Job, OpenedTable
from deid.jobs.local.worker_pool import ReportProgress
from deid.jobs.released_names import ReleasedNames
from deid.jobs.table_account import TableAccount
from deid.people.patients import People
from deid.reports.diff import diff_section
from deid.residual.column_search import OwnRows
from deid.residual.search import Owner, ResidualSearch
from deid.tables.row_flow import scrub_rows
from deid.tables.vectorized.column_flow import ColumnFlow, open_column_flow
from deid.text.note_lines import unwrapped_source
from deid.text.scrubber import Scrubber

_TELL_EVERY = 200


@dataclass(frozen=True, slots=True)
class JobContext:
    """What all files of a job share; forked workers inherit it, executors receive it.

    `spread` works the batches of a large table.
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
    owners: Sequence[Owner] | OwnRows = field(repr=False)
    member: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class DiffPart:
    """A file's part of the diff, if there is a diff."""

    ordinal: int
    write: Callable[[str], object] | None

    def add(self, row: RowOut) -> None:
        """Add the texts of one record, before and after."""
        if self.write is None:
            return
        for index, (before, after) in sorted(row.texts.items()):
            title = f"file {self.ordinal}, record {row.ordinal}, column {index + 1}"
            self.write(diff_section(title, before, after, row.changes.get(index, ())))


def is_text(opened: OpenedTable) -> bool:
    """Is each of its records one text, that is, a document rather than a row?"""
    return len(opened.source.columns) == 1 and has_text(opened)


def has_text(opened: OpenedTable) -> bool:
    """Does it have a column of texts?"""
    return any(decision.action == "text" for decision in opened.decisions)


class CountingReader:
    """Counts the records that are read, and reports progress at intervals."""

    def __init__(self, source: RecordSource, report: ReportProgress) -> None:
        self._source, self._tell = source, report
        self.count = 0

    def __iter__(self) -> Iterator[Record | RecordFault]:
        for record in self._source.records():
            self.count += 1
            if self.count % _TELL_EVERY == 0:
                cells = record.cells if isinstance(record, Record) else ()
                length = sum(len(cell) + 1 for cell in cells if cell is not None)
                self._tell(_TELL_EVERY, length * _TELL_EVERY)
            yield record


def scrub_table(
    shared: JobContext,
    found: Format,
    opened: OpenedTable,
    notes: TableAccount,
    show: DiffPart,
    work: Path,
    report: ReportProgress,
) -> WrittenTable:
    """Scrub one table into a file of its format below the folder `work`, without searching it.

    Raises:
        OSError: the disk says no.
        DeidError: `no-column-left`, `records-lost`, and what breaks off while it is read.
    """
    leaving = {d.index: d.out_header for d in opened.decisions if d.leaves}
    if opened.source.columns and not leaving:
        raise DeidError("no-column-left", "no column of the table may leave", exit_code=UNREADABLE)
    target = _target_path(shared, found, opened, work)
    target.parent.mkdir(parents=True, exist_ok=True)
    sink = found.create(target, unwrapped_source(opened.source), leaving)
    with closing(sink):
        flow = _by_column(shared, opened, sink)
        owners = (
            _rows(shared, opened, sink, list(leaving), notes, show, report)
            if flow is None
            else _columns(flow, sink, notes, report, shared.spread)
        )
    return WrittenTable(opened, notes, sink_path(sink, target), owners)


def _by_column(shared: JobContext, opened: OpenedTable, sink: Sink) -> ColumnFlow | None:
    """The column flow, if both the table and its sink allow it."""
    if not hasattr(sink, "write_columns"):
        return None
    unit, source = opened.unit, opened.source
    return open_column_flow(unit.relative, source, opened.decisions, shared.scrubber, shared.people)


def _columns(
    flow: ColumnFlow, sink: Any, notes: TableAccount, report: ReportProgress, spread: WorkPartitions
) -> OwnRows:
    for out in flow.run(spread):
        sink.write_columns(out.columns)
        notes.released_columns(out)
        report(out.rows, out.characters)
    _refuse_lost(notes, flow.rows)
    return flow.owners()


def _rows(
    shared: JobContext,
    opened: OpenedTable,
    sink: Sink,
    leaving: Sequence[int],
    notes: TableAccount,
    show: DiffPart,
    report: ReportProgress,
) -> list[Owner]:
    reader = CountingReader(opened.source, report)
    owners: list[Owner] = []
    relative, scrubber = opened.unit.relative, shared.scrubber
    for row in scrub_rows(reader, relative, opened.decisions, scrubber, shared.people):
        if row.cells is None:
            notes.withheld(row)
            continue
        sink.write([row.cells[index] for index in leaving], row.skeleton)
        owners.append(row.told or row.owner)
        notes.released(row)
        show.add(row)
    notes.end_stretch()
    _refuse_lost(notes, reader.count)
    return owners


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
            "the records read and the records written or withheld differ; nothing was released",
            place=f"file {notes.ordinal}",
            exit_code=HELD,
        )
