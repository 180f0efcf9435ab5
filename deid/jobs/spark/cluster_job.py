"""A job whose files, or whose one large table, are worked by executors elsewhere.

The parent lists, plans, draws codes, writes the ledger, joins and judges as ever. What executors do
is what worker processes do (`deid.jobs.local.file_worker`, and the flow by column); they are sent
the patients and what was learned as one sealed cargo, and hand back sealed answers. A file they
staged is put in its place here, once.
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
from typing import Any, TypeVar

from deid.arrow.work_partitions import ALONE, WorkPartitions
from deid.crosswalk.keys.vault import KEY_BYTES, RandomBytes
from deid.jobs.folder import JobFolder
from deid.jobs.job import FileBatch, FileDone
from deid.jobs.local.file_worker import put_in_place
from deid.jobs.local.table_worker import JobContext
from deid.jobs.local.worker_pool import TaskFault
from deid.jobs.spark.encrypted_messages import EncryptedMessages, RemoteMarker, pack_message
from deid.jobs.spark.executor_channel import ExecutorChannel
from deid.jobs.spark.executor_side import JobFiles
from deid.jobs.spark.executors import Executors
from deid.jobs.spark.messages import OF_THE_WORKER, Load, Order, SharedContext, StagedFile
from deid.text.scrubber import Survey

T = TypeVar("T")
B = TypeVar("B")
# Small files go together, because a task has a price of its own.
_MOST_TOGETHER, _BYTES_TOGETHER = 32, 1 << 17
_MOMENT = 0.02
_PATIENCE = 5.0


@dataclass(frozen=True, slots=True)
class Cluster:
    """Executors, and what they are to be like: `engine` is what the parent's finder is made of,
    `load` makes them another of the kind."""

    executors: Executors = field(repr=False)
    engine: Mapping[str, Any]
    load: Load = field(repr=False)
    fast: bool = False
    chance: RandomBytes = field(default=os.urandom, repr=False)

    def greet(self, folder: JobFolder) -> None:
        """Ask whether there are executors that have this engine and see the job's folder.

        Raises:
            DeidError: `worker-unlike`, `worker-blind`, `worker-silent`.
        """
        with self._line(folder, b"") as line:
            for came in line.ask([Order("greet")] * self.executors.many):
                if isinstance(came, TaskFault):
                    raise came.error()

    def survey(
        self, shared: JobContext, batches: Sequence[FileBatch], order: Sequence[int]
    ) -> Generator[tuple[int, Survey | TaskFault]]:
        """What the texts of each file tell, in the order they end."""
        files = pack_message(JobFiles.closed(shared, batches), shared.scrubber.allocate)
        with self._line(shared.folder, files) as line:
            for number, came in line.files("survey", self._together(batches, order)):
                if isinstance(came, TaskFault) and came.code in OF_THE_WORKER:
                    raise came.error()
                yield number, came

    def scrub(
        self, shared: JobContext, batches: Sequence[FileBatch], order: Sequence[int]
    ) -> Generator[tuple[int, FileDone | TaskFault]]:
        """Each file scrubbed and in its place, in the order they end."""
        desk = shared.scrubber.allocate
        files = pack_message(JobFiles.closed(shared, batches), desk)
        with self._line(shared.folder, files) as line:
            for number, came in line.files("scrub", self._together(batches, order), desk):
                if isinstance(came, StagedFile):
                    put_in_place(shared.folder, came.done, came.work)
                    shutil.rmtree(came.work, ignore_errors=True)
                    came = came.done
                elif not isinstance(came, TaskFault):
                    came = TaskFault("internal", "an answer that nobody understands")
                yield number, came

    def spread(self, folder: JobFolder) -> WorkPartitions:
        """Works the batches of a large table as `deid.arrow.work_partitions.map_in_order` does."""
        return RemoteMarker(partial(self._spread, folder))

    def _spread(
        self,
        folder: JobFolder,
        batches: Callable[[], Iterable[B]],
        work: Callable[[int, B], T],
    ) -> Iterator[T]:
        try:
            packed = pack_message((batches, work))
        except TypeError:  # the table was unpacked here, and is nowhere else
            yield from ALONE(batches, work)
            return
        place = folder.root / "work" / f"shares-{self.chance(8).hex()}"
        place.mkdir(mode=0o700)
        try:
            with self._line(folder, packed) as line:
                yield from line.shares(place)
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def _together(self, batches: Sequence[FileBatch], order: Sequence[int]) -> list[list[int]]:
        """Small files in groups, but not fewer groups than keep all executors at work."""
        sizes = {batch.number: batch.size for batch in batches}
        most = min(_MOST_TOGETHER, max(1, len(order) // (4 * self.executors.many)))
        groups: list[list[int]] = []
        held = 0
        for number in order:
            if groups and len(groups[-1]) < most and held + sizes[number] <= _BYTES_TOGETHER:
                groups[-1].append(number)
                held += sizes[number]
            else:
                groups.append([number])
                held = sizes[number]
        return groups

    @contextmanager
    def _line(self, folder: JobFolder, files: bytes) -> Iterator[ExecutorChannel]:
        """A cargo on its way, and the executors asked; stopped at once if anything breaks."""
        mark, key = self.chance(8).hex(), self.chance(KEY_BYTES)
        (folder.root / "work" / mark).touch(mode=0o600)
        parcels = EncryptedMessages.under(key, self.chance)
        cargo = SharedContext(mark, folder.root, dict(self.engine), self.fast, self.load, files)
        self.executors.ship(mark, parcels.close(pack_message(cargo), "cargo"))
        pool = ThreadPoolExecutor(2 * self.executors.many)
        try:
            yield ExecutorChannel(self.executors, pool, mark, key, parcels)
        except BaseException:
            self.executors.stop()
            pool.shutdown(cancel_futures=True)
            _clear(folder.root / "work")
            raise
        finally:
            pool.shutdown(cancel_futures=True)
            self.executors.drop(mark)


def _clear(work: Path) -> None:
    """What is stopped may write on for a moment; nothing of it is to be left."""
    until = time.monotonic() + _PATIENCE
    with suppress(FileNotFoundError):  # the folder of the job is gone, and all in it
        while any(work.iterdir()) and time.monotonic() < until:
            for path in work.iterdir():
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)
            time.sleep(_MOMENT)
