"""Work on one input file: scrub it, read it back, search it, and put it in place.

The result of `stage_file` holds no values; the file that it writes is in the job's folder. A worker
may stage a file twice; the parent puts it in place once.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from deid.jobs.folder import JobFolder
from deid.jobs.job import FileBatch, FileDone
from deid.jobs.local.staging import Staging
from deid.jobs.local.table_worker import JobContext, scrub_table
from deid.jobs.local.worker_pool import ReportProgress

MOST_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class StagedFile:
    """A finished file, and the folder that holds it until it is put in place."""

    done: FileDone
    work: Path = field(repr=False)

    def put_in_place(self, folder: JobFolder) -> FileDone:
        """Move the file into the folder that becomes the release.

            Raises:
        OSError: the file cannot be moved.
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

    A table that cannot be read to its end, or that has no column to release, is withheld; the other
    tables of its file are released. A file of one table is withheld whole. `attempt` separates the
    folders of executors that stage the same file at the same time.

    If the output still holds known values, the file is staged again without the records that hold
    them. This repeats until nothing is found or the file must be withheld whole.

    Raises:
        OSError: the disk refuses a read or write.
        DeidError: an error that ends the job: the crosswalk fails, or counts do not agree.
        UnresolvedAllocations: this process has no crosswalk; its requests must be answered first.
    """
    staging = Staging(shared, batch, shared.folder.work(batch.number, attempt))
    for _ in range(MOST_ROUNDS + 1):
        with staging.round() as tables:
            for opened in batch.tables:
                with tables.withheld_alone(opened):
                    gone = staging.records_to_withhold(opened)
                    written = scrub_table(
                        *(shared, tables.format, opened, tables.log, tables.diff),
                        *(staging.work, report, gone),
                    )
                    tables.written.append(written)
        if not staging.without:
            break
        report = _read_again
    assert staging.done is not None
    return StagedFile(staging.done, staging.work)


def _read_again(records: int, characters: int) -> None:
    """Do nothing: the records that are read again were reported when they were first read."""


def _rename(source: Path, target: Path) -> None:
    """Flush the file to the disk, then move it into place."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with source.open("rb") as file:
        os.fsync(file.fileno())
    source.replace(target)
