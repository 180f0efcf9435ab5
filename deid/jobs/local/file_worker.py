"""One input file in a worker: learn from it, or scrub it, read it back, search it, put it in place.

What `stage_file` returns holds no values; what it writes lies in the folder of the job. A worker
may stage a file twice; the parent puts it in place once.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TextIO

from deid.errors import UNREADABLE, DeidError
from deid.formats import (
    ColumnSource,
    ContainerPart,
    Format,
    ReadOptions,
    format_of,
    is_container,
)
from deid.jobs.folder import JobFolder
from deid.jobs.job import (
    FileBatch,
    FileDone,
    OpenedTable,
    TableDone,
    withhold_table,
    withhold_whole_file,
)
from deid.jobs.local.output_search import MOST_HITS_TOLD, HitsByRecord, OutputSearch
from deid.jobs.local.table_worker import (
    JobContext,
    WrittenTable,
    has_text,
    scrub_table,
)
from deid.jobs.local.worker_pool import ReportProgress
from deid.jobs.spark.allocation_requests import refuse_unresolved
from deid.people.patients import People
from deid.release.manifest import FileAccount
from deid.tables.table_batch import ReadRows, read_row_batches
from deid.tables.table_flow import TableFlow
from deid.text.scrubber import Scrubber, Survey


@dataclass(frozen=True, slots=True)
class StagedFile:
    """A finished file, and the folder that holds it until it is put in place."""

    done: FileDone
    work: Path = field(repr=False)

    def put_in_place(self, folder: JobFolder) -> FileDone:
        """Move the file to the place it is released from.

        Raises:
            OSError: the disk says no.
        """
        done = self.done
        if done.name:
            _rename(self.work / "out" / done.name, folder.out / done.name)
        _rename(self.work / "changes", folder.changes(done.number))
        if (self.work / "diff").exists():
            _rename(self.work / "diff", folder.diff(done.number))
        else:
            folder.diff(done.number).unlink(missing_ok=True)
        shutil.rmtree(self.work, ignore_errors=True)
        return done


def stage_file(
    shared: JobContext, batch: FileBatch, report: ReportProgress, attempt: str = ""
) -> StagedFile:
    """Scrub every table of one file in a folder of its own, and search the output.

    A table that cannot be read to its end, or of which no column may leave, is withheld; the other
    tables of its file leave. A file of one table is withheld whole. `attempt` tells apart the
    folders of executors that stage one file at once.

    If its output still holds known values, it is staged again without the records in which they
    stand, so often until nothing is found or the file must be withheld whole.

    Raises:
        OSError: the disk says no.
        DeidError: what ends the job: trouble with the crosswalk, or a count that does not agree.
        UnresolvedAllocations: the crosswalk is elsewhere, and must first answer requests.
    """
    work = shared.folder.work(batch.number, attempt)
    without: HitsByRecord = {}
    for _ in range(MOST_ROUNDS + 1):
        written: list[WrittenTable] = []
        withheld: list[TableDone] = []
        again: HitsByRecord = {}
        with _fresh_folder(work):
            try:
                found = _format_of(batch, shared.job.read)
                with _change_logs(work, shared.job.diff is not None) as logs:
                    for opened in batch.tables:
                        gone = dict.fromkeys(without.get(opened.unit.ordinal, ()), KNOWN_VALUE_LEFT)
                        with _withheld_alone(batch, opened, logs, withheld):
                            written.append(
                                scrub_table(shared, found, opened, *logs, work, report, gone)
                            )
                done, again = _finished_file(shared, found, batch, written, withheld, without, work)
            except (DeidError, OSError) as error:
                done = _withheld_whole(batch, work, error)
        if not again:
            break
        without, report = again, _read_again
    return StagedFile(done, work)


def _read_again(records: int, characters: int) -> None:
    """Reports nothing: what is read again was reported."""


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
    """The file's part of `changes.jsonl`, and of the diff if one is wanted."""
    with (work / "changes").open("w", encoding="utf-8", newline="\n") as log:
        if not with_diff:
            yield log, None
            return
        (work / "diff").touch(mode=0o600)
        with (work / "diff").open("w", encoding="utf-8", newline="\n") as diff:
            yield log, diff


@contextmanager
def _withheld_alone(
    batch: FileBatch,
    opened: OpenedTable,
    logs: Sequence[TextIO | None],
    withheld: list[TableDone],
) -> Generator[None]:
    """Withhold a table that cannot be read, and what it logged, if its file has others."""
    places = [(log, log.tell()) for log in logs if log is not None]
    try:
        yield
    except DeidError as error:
        if error.exit_code != UNREADABLE or len(batch.tables) == 1:
            raise
        for log, place in places:
            log.seek(place)
            log.truncate()
        records = _countable(opened, error)
        withheld.append(withhold_table(opened.unit.ordinal, error.code, records))


def _withheld_whole(batch: FileBatch, work: Path, error: DeidError | OSError) -> FileDone:
    """Withhold a file that cannot be read; other errors end the job."""
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
    return _withheld_file(work / "changes", batch.number, withhold_whole_file(batch, code))


def survey_file(shared: JobContext, batch: FileBatch, report: ReportProgress) -> Survey:
    """Learn what the texts of one file show about their patients; write nothing."""
    whole = _fresh_scrubber(shared.scrubber)
    for table in batch.tables:
        if has_text(table):
            work = _SurveyWork(shared, table)
            for survey, records, characters in shared.spread(
                partial(read_row_batches, table.source, texts=True), work
            ):
                whole.take(survey)
                report(records, characters)
    return whole.surveyed()


@dataclass(frozen=True, slots=True)
class _SurveyWork:
    """What is learned from each batch of a table, in any process."""

    shared: JobContext
    table: OpenedTable

    def __call__(self, batches: Iterable[ReadRows]) -> Iterator[tuple[Survey, int, int]]:
        """What each batch shows, with its records and characters."""
        return map(self._survey, batches)

    def _survey(self, read: ReadRows) -> tuple[Survey, int, int]:
        own = _fresh_scrubber(self.shared.scrubber)
        table, people = self.table, self.shared.people
        TableFlow(table.unit.relative, table.decisions, own, people).survey(read)
        return own.surveyed(), len(read), read.characters


def _fresh_scrubber(old: Scrubber) -> Scrubber:
    """A scrubber that has learned nothing yet."""
    return Scrubber(
        old.policy, old.finder, old.reference_date, old.allocate, old.run_date, several=old.several
    )


def patients_with_several_texts(
    tables: Sequence[OpenedTable], scrubber: Scrubber, people: People
) -> frozenset[str] | None:
    """The patients with several texts in these tables; None if not every table can be counted.

    Only tables that are read by column are counted, since others cost as much to read as to learn
    from.
    """
    texts = bytearray(len(people.persons))
    for table in tables:
        source = table.source
        if not isinstance(source, ColumnSource) or not source.is_regular():
            return None
        flow = TableFlow(table.unit.relative, table.decisions, scrubber, people)
        for read in read_row_batches(source, texts=True):
            for patient in flow.patients_of_texts(read):
                if (number := people.persons.find(patient)) is not None:
                    texts[number] = min(texts[number] + 1, 2)
    return frozenset(people.persons.person(n) for n, count in enumerate(texts) if count > 1)


KNOWN_VALUE_LEFT = "known-value-left"
MOST_ROUNDS = 3
_OF_THE_DISK = frozenset(
    (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM, errno.EMFILE)
)


def withhold_file(folder: JobFolder, batch: FileBatch, code: str) -> FileDone:
    """Withhold a whole file: each of its tables counts as one record."""
    folder.diff(batch.number).unlink(missing_ok=True)
    changes = folder.changes(batch.number)
    return _withheld_file(changes, batch.number, withhold_whole_file(batch, code))


def withhold_files_with_hits(folder: JobFolder, files: Sequence[FileDone]) -> list[FileDone]:
    """Withhold each file whose output still holds a known value, if another file can leave.

    If none can, nothing is changed: the hits hold the whole release.
    """
    if not any(done.name and not done.hits for done in files):
        return list(files)
    return [_without_output(folder, done) if done.hits else done for done in files]


def _without_output(folder: JobFolder, done: FileDone) -> FileDone:
    """The file with all its records withheld. The sweep of the release removes its output."""
    folder.diff(done.number).unlink(missing_ok=True)
    tables = tuple(
        withhold_table(
            table.ordinal,
            KNOWN_VALUE_LEFT,
            table.tally.records_in,
            tuple(hit for hit in done.hits if hit.file == table.ordinal)[:MOST_HITS_TOLD],
        )
        for table in done.tables
    )
    return _withheld_file(folder.changes(done.number), done.number, tables)


def _withheld_file(changes: Path, number: int, tables: tuple[TableDone, ...]) -> FileDone:
    """A file without an output and without changes."""
    changes.write_bytes(b"")
    return FileDone(number, "", tables, FileAccount.of(changes, 0).sha256)


def _format_of(batch: FileBatch, options: ReadOptions) -> Format:
    found = format_of(batch.path, options)
    if found is None:
        raise DeidError("unknown-format", "no format reads this file", exit_code=UNREADABLE)
    return found


def _finished_file(
    shared: JobContext,
    found: Format,
    batch: FileBatch,
    written: list[WrittenTable],
    withheld: list[TableDone],
    without: HitsByRecord,
    work: Path,
) -> tuple[FileDone, HitsByRecord]:
    """The account of a file whose tables are written, after the search of its output, and without
    which records it is to be staged again, if so."""
    if not written:
        raise DeidError(withheld[0].fallen[0].code, "no table may leave", exit_code=UNREADABLE)
    refuse_unresolved(shared.scrubber.allocate)
    left, target = _assemble(shared, found, batch, written, work)
    search = OutputSearch(shared, left)
    residual = search.search(work / "out")
    name, output = "", None
    if target is not None:
        name, output = target.relative_to(work / "out").as_posix(), FileAccount.of(target, 0)
    changes = FileAccount.of(work / "changes", 0).sha256
    accounts = [_table_done(w, output if w in left else None, without) for w in written]
    tables = [*withheld, *accounts]
    done = FileDone(
        batch.number,
        name,
        tuple(sorted(tables, key=lambda table: table.ordinal)),
        changes,
        residual.places,
        residual.searched_bytes,
        residual.known_values - shared.search.looked_for,
        tuple(sorted(residual.sought)),
        residual.unlinked,
    )
    return done, search.withhold(residual.places, without)


def _countable(opened: OpenedTable, error: DeidError) -> int | None:
    """The records of a table that can be read and has no column that may leave."""
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


def _assemble(
    shared: JobContext, found: Format, batch: FileBatch, written: list[WrittenTable], work: Path
) -> tuple[list[WrittenTable], Path | None]:
    """The tables with records left, and the file that holds them."""
    left = [w for w in written if len(w.owners) or not w.notes.fallen]
    for table in written:
        if table not in left:
            table.path.unlink(missing_ok=True)
    if not left or not is_container(found):
        return left, left[0].path if left else None
    target = work / "out" / shared.names.file(batch.tables[0].unit)
    target.parent.mkdir(parents=True, exist_ok=True)
    parts = [
        ContainerPart(w.opened.unit.member, shared.names.member(w.opened.unit), w.path)
        for w in left
    ]
    keys = found.assemble(target, batch.path, parts)
    for table, key in zip(left, keys, strict=True):
        table.path, table.member = target, key
    shutil.rmtree(work / "parts", ignore_errors=True)
    return left, target


def _rename(source: Path, target: Path) -> None:
    """Flush the file to the disk, then move it into place."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with source.open("rb") as file:
        os.fsync(file.fileno())
    source.replace(target)
