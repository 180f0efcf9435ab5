"""The staging of one file: write its tables, search its output, count its records.

A file that cannot be read is withheld whole. If its output still holds known values, it is staged
again without the records that hold them.
"""

from __future__ import annotations

import errno
import shutil
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TextIO

from deid.errors import UNREADABLE, DeidError
from deid.formats import ContainerPart, Format, ReadOptions, format_of, is_container
from deid.jobs.job import (
    FileBatch,
    FileDone,
    OpenedTable,
    TableDone,
    withhold_table,
    withhold_whole_file,
)
from deid.jobs.local.output_search import MOST_HITS_TOLD, HitsByRecord, OutputSearch
from deid.jobs.local.table_worker import JobContext, WrittenTable
from deid.jobs.local.withheld_files import KNOWN_VALUE_LEFT, file_without_output
from deid.jobs.spark.allocation_requests import refuse_unresolved
from deid.release.manifest import FileAccount

_OF_THE_DISK = frozenset(
    (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM, errno.EMFILE)
)


@dataclass(slots=True)
class StagedTables:
    """The tables of a file in one round: those written, and those withheld without their file."""

    batch: FileBatch
    format: Format
    log: TextIO
    diff: TextIO | None
    written: list[WrittenTable] = field(default_factory=list, repr=False)
    withheld: list[TableDone] = field(default_factory=list, repr=False)

    @contextmanager
    def withheld_alone(self, opened: OpenedTable) -> Generator[None]:
        """Withhold a table that cannot be read, with its log lines, if its file holds others."""
        places = [(log, log.tell()) for log in (self.log, self.diff) if log is not None]
        try:
            yield
        except DeidError as error:
            if error.exit_code != UNREADABLE or len(self.batch.tables) == 1:
                raise
            for log, place in places:
                log.seek(place)
                log.truncate()
            records = _countable(opened, error)
            self.withheld.append(withhold_table(opened.unit.ordinal, error.code, records))


@dataclass(slots=True)
class Staging:
    """A file in its folder `work`, and the result of the last round.

    `without` are the records that the next round withholds; empty if no other round is needed.
    """

    shared: JobContext
    batch: FileBatch
    work: Path = field(repr=False)
    without: HitsByRecord = field(default_factory=dict, repr=False)
    done: FileDone | None = None

    def records_to_withhold(self, opened: OpenedTable) -> Mapping[int, str]:
        """The records of a table whose output held known values, and why they are withheld."""
        return dict.fromkeys(self.without.get(opened.unit.ordinal, ()), KNOWN_VALUE_LEFT)

    @contextmanager
    def round(self) -> Generator[StagedTables]:
        """Yield the tables, which the caller writes in an empty folder; then finish the file."""
        with _fresh_folder(self.work):
            try:
                found = _format_of(self.batch, self.shared.job.read)
                with _change_logs(self.work, self.shared.job.diff is not None) as logs:
                    tables = StagedTables(self.batch, found, *logs)
                    yield tables
                self._finish(tables)
            except (DeidError, OSError) as error:
                self.done, self.without = _withheld_whole(self.batch, self.work, error), {}

    def _finish(self, tables: StagedTables) -> None:
        """Assemble the tables, search the output, and record the result and its counts."""
        if not tables.written:
            code = tables.withheld[0].fallen[0].code
            raise DeidError(code, "no table may be released", exit_code=UNREADABLE)
        refuse_unresolved(self.shared.scrubber.allocate)
        left, target = self._assemble(tables)
        search = OutputSearch(self.shared, left)
        residual = search.search(self.work / "out")
        name, output = "", None
        if target is not None:
            name = target.relative_to(self.work / "out").as_posix()
            output = FileAccount.of(target, 0)
        changes = FileAccount.of(self.work / "changes", 0).sha256
        done = [_table_done(w, output if w in left else None, self.without) for w in tables.written]
        self.done = FileDone(
            self.batch.number,
            name,
            tuple(sorted([*tables.withheld, *done], key=lambda table: table.ordinal)),
            changes,
            residual.places,
            residual.searched_bytes,
            residual.known_values - self.shared.search.looked_for,
            tuple(sorted(residual.sought)),
            residual.unlinked,
        )
        self.without = search.withhold(residual.places, self.without)

    def _assemble(self, tables: StagedTables) -> tuple[list[WrittenTable], Path | None]:
        """The tables that still have records, and the file that holds them."""
        left = [w for w in tables.written if len(w.owners) or not w.notes.fallen]
        for table in tables.written:
            if table not in left:
                table.path.unlink(missing_ok=True)
        if not left or not is_container(tables.format):
            return left, left[0].path if left else None
        target = self.work / "out" / self.shared.names.file(self.batch.tables[0].unit)
        target.parent.mkdir(parents=True, exist_ok=True)
        parts = [
            ContainerPart(w.opened.unit.member, self.shared.names.member(w.opened.unit), w.path)
            for w in left
        ]
        keys = tables.format.assemble(target, self.batch.path, parts)
        for table, key in zip(left, keys, strict=True):
            table.path, table.member = target, key
        shutil.rmtree(self.work / "parts", ignore_errors=True)
        return left, target


@contextmanager
def _fresh_folder(work: Path) -> Generator[None]:
    """An empty folder for a file; it is removed if the file fails."""
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(mode=0o700)
    (work / "out").mkdir()
    try:
        yield
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise


@contextmanager
def _change_logs(work: Path, with_diff: bool) -> Generator[tuple[TextIO, TextIO | None]]:
    """Open the file's part of `changes.jsonl`, and of the diff if the job writes one."""
    with (work / "changes").open("w", encoding="utf-8", newline="\n") as log:
        if not with_diff:
            yield log, None
            return
        (work / "diff").touch(mode=0o600)
        with (work / "diff").open("w", encoding="utf-8", newline="\n") as diff:
            yield log, diff


def _withheld_whole(batch: FileBatch, work: Path, error: DeidError | OSError) -> FileDone:
    """Withhold a file that cannot be read; raise other errors, which end the job."""
    if isinstance(error, DeidError):
        if error.exit_code != UNREADABLE:
            raise error
        code = error.code
    elif error.errno in _OF_THE_DISK:
        raise error
    else:
        code = "input-unreadable"
    shutil.rmtree(work / "out", ignore_errors=True)
    (work / "diff").unlink(missing_ok=True)
    return file_without_output(work / "changes", batch.number, withhold_whole_file(batch, code))


def _format_of(batch: FileBatch, options: ReadOptions) -> Format:
    found = format_of(batch.path, options)
    if found is None:
        raise DeidError("unknown-format", "no format reads this file", exit_code=UNREADABLE)
    return found


def _countable(opened: OpenedTable, error: DeidError) -> int | None:
    """The number of records of a table without a column to release; None for other errors."""
    return sum(1 for _ in opened.source.records()) if error.code == "no-column-left" else None


def _table_done(
    table: WrittenTable, output: FileAccount | None, without: HitsByRecord
) -> TableDone:
    notes = table.notes
    whole = None if output is None else replace(output, records=len(table.owners))
    hits = without.get(notes.ordinal, {})
    fallen = (
        replace(f, hits=hits.get(f.record, ())[:MOST_HITS_TOLD]) if f.record is not None else f
        for f in notes.fallen
    )
    return TableDone(notes.ordinal, notes.tally, tuple(fallen), whole)
