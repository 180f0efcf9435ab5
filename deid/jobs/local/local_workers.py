"""The workers of this machine, and the interface that they share with a cluster's executors."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from deid.errors import TaskFault
from deid.jobs.job import FileBatch
from deid.jobs.local.file_survey import survey_file
from deid.jobs.local.file_worker import StagedFile, stage_file
from deid.jobs.local.table_worker import JobContext
from deid.jobs.local.worker_pool import Listen, run_tasks
from deid.text.scrubber import Survey


class FileWorkers(Protocol):
    """Processes that work on the files of a job. Results come in the order of completion."""

    def survey(
        self, shared: JobContext, batches: Sequence[FileBatch], listen: Listen
    ) -> Generator[tuple[int, Survey | TaskFault]]:
        """Learn from the texts of each file, and yield its survey."""

    def scrub(
        self, shared: JobContext, batches: Sequence[FileBatch], listen: Listen
    ) -> Generator[tuple[int, StagedFile | TaskFault]]:
        """Scrub and stage each file."""


@dataclass(frozen=True, slots=True)
class LocalWorkers:
    """Worker processes by number; 0 means this process, which scrubs files in the order given."""

    workers: int

    def survey(
        self, shared: JobContext, batches: Sequence[FileBatch], listen: Listen
    ) -> Generator[tuple[int, Survey | TaskFault]]:
        """Learn from the texts of each file, and yield its survey."""
        files = _by_number(largest_first(batches))
        return run_tasks(partial(survey_file, shared), files, self.workers, listen)

    def scrub(
        self, shared: JobContext, batches: Sequence[FileBatch], listen: Listen
    ) -> Generator[tuple[int, StagedFile | TaskFault]]:
        """Scrub and stage each file."""
        files = _by_number(largest_first(batches) if self.workers else batches)
        return run_tasks(partial(stage_file, shared), files, self.workers, listen)


def largest_first(batches: Iterable[FileBatch]) -> list[FileBatch]:
    """The files, largest first, so that no worker is left with a large file at the end."""
    return sorted(batches, key=lambda batch: -batch.size)


def _by_number(batches: Iterable[FileBatch]) -> dict[int, FileBatch]:
    return {batch.number: batch for batch in batches}
