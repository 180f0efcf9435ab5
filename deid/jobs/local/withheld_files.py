"""Withhold a whole file: count all its records as withheld, with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from deid.jobs.folder import JobFolder
from deid.jobs.job import FileBatch, FileDone, TableDone, withhold_table, withhold_whole_file
from deid.jobs.local.output_search import MOST_HITS_TOLD
from deid.release.manifest import FileAccount

KNOWN_VALUE_LEFT = "known-value-left"


def withhold_file(folder: JobFolder, batch: FileBatch, code: str) -> FileDone:
    """Withhold a whole file: each of its tables counts as one record."""
    folder.diff(batch.number).unlink(missing_ok=True)
    changes = folder.changes(batch.number)
    return file_without_output(changes, batch.number, withhold_whole_file(batch, code))


def withhold_files_with_hits(folder: JobFolder, files: Sequence[FileDone]) -> list[FileDone]:
    """Withhold each file with a known value in its output, if another file can be released.

    If no other file can be released, the files stay as they are, and their hits put the whole
    release on hold.
    """
    if not any(done.name and not done.hits for done in files):
        return list(files)
    return [_without_output(folder, done) if done.hits else done for done in files]


def _without_output(folder: JobFolder, done: FileDone) -> FileDone:
    """Withhold all records of the file. Its output is removed when the release is joined."""
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
    return file_without_output(folder.changes(done.number), done.number, tables)


def file_without_output(changes: Path, number: int, tables: tuple[TableDone, ...]) -> FileDone:
    """The result of a file without output and without changes."""
    changes.write_bytes(b"")
    return FileDone(number, "", tables, FileAccount.of(changes, 0).sha256)
