"""One input file in a worker: scrub it, read it back, search it, put it in place.

What `stage_file` returns holds no values; what it writes lies in the folder of the job. A worker
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
    """Reports nothing: what is read again was reported."""


def _rename(source: Path, target: Path) -> None:
    """Flush the file to the disk, then move it into place."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with source.open("rb") as file:
        os.fsync(file.fileno())
    source.replace(target)
