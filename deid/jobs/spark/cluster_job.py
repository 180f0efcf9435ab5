"""A job in which executors process the files, or the batches of a single large table.

The parent lists the inputs, plans, draws codes, writes the ledger, joins and checks, as in a local
job. Executors do the work of worker processes (`deid.jobs.local.file_worker`, or the batches of a
large table). They receive the patients and the learned data as one encrypted message and return
encrypted answers. The parent moves each file that they staged into the release, once.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from deid.arrow.work_partitions import THIS_PROCESS, AnyBatch, BatchResult, WorkPartitions
from deid.crosswalk.keys.vault import KEY_BYTES, RandomBytes
from deid.errors import TaskFault
from deid.jobs.folder import JobFolder
from deid.jobs.job import FileBatch
from deid.jobs.local.file_worker import StagedFile
from deid.jobs.local.local_workers import largest_first
from deid.jobs.local.table_worker import JobContext
from deid.jobs.local.worker_pool import Listen
from deid.jobs.spark.encrypted_messages import EncryptedMessages, RemoteMarker, pack_message
from deid.jobs.spark.executor_channel import POLL_SECONDS, ExecutorChannel
from deid.jobs.spark.executors import Executors
from deid.jobs.spark.messages import OF_THE_WORKER, Load, Order, SharedContext
from deid.text.scrubber import Survey

# Small files share a task, because a task costs an executor a fifth of a CPU second. If there are
# only a few files, each executor still has this many tasks.
_MOST_TOGETHER, _BYTES_TOGETHER, _TASKS_EACH = 64, 1 << 18, 4
_PATIENCE = 5.0


@dataclass(frozen=True, slots=True)
class Cluster:
    """Executors, and the engine they must have.

    `engine` describes the parent's finder; `load` makes an equal finder.
    """

    executors: Executors = field(repr=False)
    engine: Mapping[str, Any]
    load: Load = field(repr=False)
    fast: bool = False
    chance: RandomBytes = field(default=os.urandom, repr=False)

    def check_executors(self, folder: JobFolder) -> None:
        """Check that the executors have this engine and see the job's folder.

        Raises:
            DeidError: `worker-unlike`, `worker-blind`, `worker-silent`.
        """
        with self._channel(folder, b"") as channel:
            for answer in channel.ask([Order("greet")] * self.executors.many):
                if isinstance(answer, TaskFault):
                    raise answer.error()

    def survey(
        self, shared: JobContext, batches: Sequence[FileBatch], listen: Listen
    ) -> Generator[tuple[int, Survey | TaskFault]]:
        """Learn from the texts of each file. Executors report progress by whole files only."""
        with self._channel(shared.folder, _packed(shared)) as channel:
            for number, answer in channel.files("survey", self._grouped(batches)):
                if isinstance(answer, TaskFault) and answer.code in OF_THE_WORKER:
                    raise answer.error()
                yield number, answer

    def scrub(
        self, shared: JobContext, batches: Sequence[FileBatch], listen: Listen
    ) -> Generator[tuple[int, StagedFile | TaskFault]]:
        """Scrub and stage each file. Executors report progress by whole files only."""
        allocator = shared.scrubber.allocate
        with self._channel(shared.folder, _packed(shared)) as channel:
            for number, answer in channel.files("scrub", self._grouped(batches), allocator):
                if not isinstance(answer, StagedFile | TaskFault):
                    answer = TaskFault("internal", "an unknown answer of an executor")
                yield number, answer

    def spread(self, folder: JobFolder) -> WorkPartitions:
        """Partitions that process the batches of a large table on the executors, in order."""
        return RemoteMarker(partial(self._spread, folder))

    def _spread(
        self,
        folder: JobFolder,
        batches: Callable[[], Iterable[AnyBatch]],
        work: Callable[[Iterable[AnyBatch]], Iterator[BatchResult]],
    ) -> Iterator[BatchResult]:
        try:
            packed = pack_message((batches, work), spills=folder.root / "work")
        except TypeError:  # it cannot be pickled: the table was unpacked on this machine only
            yield from THIS_PROCESS(batches, work)
            return
        place = folder.root / "work" / f"shares-{self.chance(8).hex()}"
        place.mkdir(mode=0o700)
        try:
            with self._channel(folder, packed) as channel:
                yield from channel.shares(place)
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def _grouped(self, batches: Sequence[FileBatch]) -> list[list[FileBatch]]:
        """Group small files, largest first, but keep enough groups for all executors."""
        tasks = _TASKS_EACH * self.executors.many
        most = min(_BYTES_TOGETHER, sum(batch.size for batch in batches) // tasks)
        groups: list[list[FileBatch]] = []
        held = 0
        for batch in largest_first(batches):
            fits = bool(groups) and held + batch.size <= most
            if fits and len(groups[-1]) < _MOST_TOGETHER:
                groups[-1].append(batch)
                held += batch.size
            else:
                groups.append([batch])
                held = batch.size
        return groups

    @contextmanager
    def _channel(self, folder: JobFolder, what: bytes) -> Iterator[ExecutorChannel]:
        """Ship the shared context and open a channel to the executors; stop them on any error."""
        mark, key = self.chance(8).hex(), self.chance(KEY_BYTES)
        (folder.root / "work" / mark).touch(mode=0o600)
        messages = EncryptedMessages.under(key, self.chance)
        context = SharedContext(mark, folder.root, dict(self.engine), self.fast, self.load, what)
        self.executors.ship(mark, messages.close(pack_message(context), "context"))
        pool = ThreadPoolExecutor(2 * self.executors.many)
        try:
            yield ExecutorChannel(self.executors, pool, mark, key, messages)
        except BaseException:
            self.executors.stop()
            pool.shutdown(cancel_futures=True)
            _clear(folder.root / "work")
            raise
        finally:
            pool.shutdown(cancel_futures=True)
            self.executors.drop(mark)


def _packed(shared: JobContext) -> bytes:
    return pack_message(shared, shared.scrubber.allocate, shared.folder.root / "work")


def _clear(work: Path) -> None:
    """Remove the files of stopped executors, which may still write for a moment."""
    until = time.monotonic() + _PATIENCE
    with suppress(FileNotFoundError):  # the folder of the job is gone with all its contents
        while any(work.iterdir()) and time.monotonic() < until:
            for path in work.iterdir():
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)
            time.sleep(POLL_SECONDS)
