"""One input file through the flow: scrubbed, read back, searched, and put in its place.

Runs in a worker. Nothing it returns holds a value; what it writes lies in the folder of the job.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from deid.decision import RowOut
from deid.errors import HELD, UNREADABLE, DeidError
from deid.formats import Fault, Format, Part, Record, Source, format_of, is_container, sink_path
from deid.jobs.folder import JobFolder
from deid.jobs.job import Batch, Done, Job, Opened, TableDone, whole_file_fell
from deid.jobs.naming import Names
from deid.jobs.noting import Notes
from deid.lines import inner_of
from deid.manifest import FileAccount
from deid.people import People
from deid.reports.diff import section
from deid.residual import Owner, Residual, Search, search_release
from deid.scrubbing import Scrubber
from deid.table import scrub_rows

Tell = Callable[[int, int], None]
"""(records more, characters more) of the file that is being scrubbed."""
_TELL_EVERY = 200


@dataclass(frozen=True, slots=True)
class Shared:
    """What all files of a job have in common; a forked worker has it from its parent."""

    job: Job
    folder: JobFolder = field(repr=False)
    scrubber: Scrubber = field(repr=False)
    people: People = field(repr=False)
    search: Search = field(repr=False)
    names: Names = field(repr=False)


@dataclass(slots=True, eq=False)
class _Written:
    """A table on its way: what is counted of it, where it was written, whose each record is."""

    opened: Opened
    notes: Notes
    path: Path = field(repr=False)
    owners: list[Owner] = field(repr=False)
    member: str = field(default="", repr=False)


def run_file(shared: Shared, batch: Batch, tell: Tell) -> Done:
    """Scrub every table of one file, search what was written, put it in its place.

    A file that cannot be read to its end is withheld whole.

    Raises:
        OSError: the disk says no.
        DeidError: what ends the job: trouble with the crosswalk, or a count that does not agree.
    """
    work = shared.folder.work(batch.number)
    shutil.rmtree(work, ignore_errors=True)
    (work / "out").mkdir(parents=True)
    try:
        return _through(shared, batch, work, tell)
    except DeidError as error:
        if error.exit_code != UNREADABLE:
            raise
        code = error.code
    except OSError as error:
        if error.errno in _OF_THE_DISK:
            raise
        code = "input-unreadable"
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return withheld_whole(shared.folder, batch, code)


_OF_THE_DISK = frozenset(
    (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM, errno.EMFILE)
)


def withheld_whole(folder: JobFolder, batch: Batch, code: str) -> Done:
    """A file of which nothing leaves: each of its tables counts as one record."""
    folder.diff(batch.number).unlink(missing_ok=True)
    folder.changes(batch.number).write_bytes(b"")
    units = [table.unit for table in batch.tables]
    sha256 = FileAccount.of(folder.changes(batch.number), 0).sha256
    return Done(batch.number, "", whole_file_fell(units, code), sha256)


def _through(shared: Shared, batch: Batch, work: Path, tell: Tell) -> Done:
    found = format_of(batch.path)
    if found is None:
        raise DeidError("unknown-format", "no format reads this file", exit_code=UNREADABLE)
    with ExitStack() as stack:
        log = stack.enter_context((work / "changes").open("w", encoding="utf-8", newline="\n"))
        diff = None
        if shared.job.diff is not None:
            (work / "diff").touch(mode=0o600)
            diff = stack.enter_context((work / "diff").open("w", encoding="utf-8", newline="\n"))
        written = []
        for opened in batch.tables:
            notes = Notes(opened.unit.ordinal, _is_text(opened), not _has_text(opened), log)
            show = _Shown(opened.unit.ordinal, None if diff is None else diff.write)
            written.append(_table(shared, found, opened, notes, show, work, tell))
    left, target = _assembled(shared, found, batch, written, work)
    residual = _searched(shared, left, work / "out")
    name, output = "", None
    if target is not None:
        name, output = target.relative_to(work / "out").as_posix(), FileAccount.of(target, 0)
        _rename(target, shared.folder.out / name)
    changes = FileAccount.of(work / "changes", 0).sha256
    _rename(work / "changes", shared.folder.changes(batch.number))
    if shared.job.diff is not None:
        _rename(work / "diff", shared.folder.diff(batch.number))
    return Done(
        batch.number,
        name,
        tuple(_told(w, output if w in left else None) for w in written),
        changes,
        residual.places,
        residual.searched_bytes,
        residual.known_values - shared.search.looked_for,
    )


def _told(table: _Written, output: FileAccount | None) -> TableDone:
    notes = table.notes
    whole = None if output is None else replace(output, records=len(table.owners))
    return TableDone(notes.ordinal, notes.tally, tuple(notes.fallen), whole)


@dataclass(frozen=True, slots=True)
class _Shown:
    """The part of the diff, if there is one."""

    ordinal: int
    write: Callable[[str], object] | None

    def add(self, row: RowOut) -> None:
        if self.write is None:
            return
        for index, (before, after) in sorted(row.texts.items()):
            title = f"file {self.ordinal}, record {row.ordinal}, column {index + 1}"
            self.write(section(title, before, after, row.changes.get(index, ())))


def _is_text(opened: Opened) -> bool:
    return len(opened.source.columns) == 1 and _has_text(opened)


def _has_text(opened: Opened) -> bool:
    return any(decision.action == "text" for decision in opened.decisions)


class Door:
    """Counts the records that come in, and now and then says how far the reading is."""

    def __init__(self, source: Source, tell: Tell) -> None:
        self._source, self._tell = source, tell
        self.count = 0

    def __iter__(self) -> Iterator[Record | Fault]:
        for record in self._source.records():
            self.count += 1
            if self.count % _TELL_EVERY == 0:
                cells = record.cells if isinstance(record, Record) else ()
                length = sum(len(cell) + 1 for cell in cells if cell is not None)
                self._tell(_TELL_EVERY, length * _TELL_EVERY)
            yield record


def _table(
    shared: Shared,
    found: Format,
    opened: Opened,
    notes: Notes,
    show: _Shown,
    work: Path,
    tell: Tell,
) -> _Written:
    leaving = {d.index: d.out_header for d in opened.decisions if d.leaves}
    if opened.source.columns and not leaving:
        raise DeidError("no-column-left", "no column may leave", exit_code=UNREADABLE)
    asked = _asked(shared, found, opened, work)
    asked.parent.mkdir(parents=True, exist_ok=True)
    door = Door(opened.source, tell)
    owners: list[Owner] = []
    unit, people = opened.unit, shared.people
    sink = found.create(asked, inner_of(opened.source), leaving)
    with closing(sink):
        rows = scrub_rows(door, unit.relative, opened.decisions, shared.scrubber, people)
        for row in rows:
            if row.cells is None:
                notes.withheld(row)
                continue
            sink.write([row.cells[index] for index in leaving], row.skeleton)
            owners.append(row.told or row.owner)
            notes.released(row)
            show.add(row)
    notes.end_stretch()
    _refuse_lost(unit.ordinal, door.count, notes)
    return _Written(opened, notes, sink_path(sink, asked), owners)


def _asked(shared: Shared, found: Format, opened: Opened, work: Path) -> Path:
    if not is_container(found):
        return work / "out" / shared.names.file(opened.unit)
    suffix = PurePosixPath(opened.unit.member).suffix
    return work / "parts" / f"{opened.unit.ordinal}{suffix}"


def _refuse_lost(ordinal: int, seen: int, notes: Notes) -> None:
    """Counted at the door and at the exit: the two must agree."""
    tally = notes.tally
    if not seen == tally.records_in == tally.records_out + tally.quarantined:
        raise _disagreeing(ordinal)


def _disagreeing(ordinal: int) -> DeidError:
    return DeidError(
        "records-lost",
        "the records that came in are not those that went out; nothing was released",
        place=f"file {ordinal}",
        exit_code=HELD,
    )


def _assembled(
    shared: Shared, found: Format, batch: Batch, written: list[_Written], work: Path
) -> tuple[list[_Written], Path | None]:
    """The tables with the file they now lie in, without those of which no record is left."""
    left = [w for w in written if w.owners or not w.notes.fallen]
    for table in written:
        if table not in left:
            table.path.unlink(missing_ok=True)
    if not left or not is_container(found):
        return left, left[0].path if left else None
    target = work / "out" / shared.names.file(batch.tables[0].unit)
    target.parent.mkdir(parents=True, exist_ok=True)
    parts = [Part(w.opened.unit.member, shared.names.member(w.opened.unit), w.path) for w in left]
    keys = found.assemble(target, batch.path, parts)
    for table, key in zip(left, keys, strict=True):
        table.path, table.member = target, key
    shutil.rmtree(work / "parts", ignore_errors=True)
    return left, target


def _searched(shared: Shared, written: list[_Written], folder: Path) -> Residual:
    """Read what was written as a stranger would, and search all of it."""
    policy = shared.job.policy
    stands = {
        w.opened.unit.ordinal: {
            position
            for position, d in enumerate(d for d in w.opened.decisions if d.leaves)
            if policy.stands_in_column(d.action, d.identifier, d.entity)
        }
        for w in written
    }
    return search_release(
        folder,
        {w.opened.unit.ordinal: (w.path, w.owners) for w in written},
        shared.job.read,
        shared.people,
        shared.job.reference_date,
        leave=policy.stands(),
        stands=stands,
        compiled=shared.search,
        members={w.opened.unit.ordinal: w.member for w in written},
    )


def _rename(source: Path, target: Path) -> None:
    """Onto the disk for good, then into its place, whole."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with source.open("rb") as file:
        os.fsync(file.fileno())
    source.replace(target)
