"""A job whose files, or whose one large table, are worked by executors elsewhere.

The parent lists, plans, draws codes, writes the ledger, joins and judges as ever. What executors
do is what worker processes do (`deid.jobs.running`, and the flow by column); they are sent the
patients and what was learned as one sealed cargo, and hand back sealed answers. A file they
staged is put in its place here, once.
"""

from __future__ import annotations

import os
import shutil
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

from deid.errors import INTERRUPTED, USAGE, DeidError
from deid.jobs.asking import settle
from deid.jobs.folder import JobFolder
from deid.jobs.job import Batch, Done
from deid.jobs.parcels import Away, Parcels, pack, unpack
from deid.jobs.remote import OF_THE_WORKER, Asks, Cargo, Files, Load, Order, Settled, Staged
from deid.jobs.running import put_in_place
from deid.jobs.tables import Shared
from deid.jobs.workers import MOST_DEATHS, Fault
from deid.scrubbing import Survey
from deid.shares import ALONE, Spread, died, raised_of
from deid.transforms.contract import Allocate
from deid.vault import KEY_BYTES, Chance

T = TypeVar("T")
B = TypeVar("B")
# Small files go together, because a task has a price of its own.
_MOST_TOGETHER, _BYTES_TOGETHER = 32, 1 << 17
_MOST_PASSES = 6
_MOMENT = 0.02
_PATIENCE = 5.0
# Shared storage may show a new file late.
_LATE = 90.0


_SILENT = Fault(
    "worker-silent",
    "a worker ended before it could answer",
    hint="is this package installed where the workers are, under the Python they run "
    "(PYSPARK_PYTHON)?",
    exit_code=USAGE,
)


_UNSEEN = Fault(
    "worker-blind",
    "what a worker wrote does not show beside OUT",
    place="OUT",
    hint="OUT must lie on a file system that this machine and every worker share",
    exit_code=USAGE,
)


class TaskDied(Exception):
    """Whoever did a task ended before its time."""


class ClusterLost(DeidError):
    """No executor can be reached any more. What is done is kept: the job can be resumed."""

    def __init__(self) -> None:
        super().__init__(
            "cluster-lost",
            "the cluster cannot be reached any more; nothing was released",
            hint="the same command with --resume goes on with what is done",
            exit_code=INTERRUPTED,
        )


class Executors(Protocol):
    """Processes elsewhere, as they are reached.

    `call` hands one an order with the cargo of that name and waits for the answer; it raises
    `TaskDied` where whoever worked on it died, and `ClusterLost` where all are. It is called
    from several threads at once. `stop` ends whatever is being done, and waits for that.
    """

    @property
    def many(self) -> int: ...
    def ship(self, name: str, cargo: bytes) -> None: ...
    def call(self, name: str, key: bytes, order: bytes) -> bytes: ...
    def drop(self, name: str) -> None: ...
    def stop(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Cluster:
    """Executors, and what they are to be like: `engine` is what the parent's finder is made of,
    `load` makes them another of the kind."""

    executors: Executors = field(repr=False)
    engine: Mapping[str, Any]
    load: Load = field(repr=False)
    fast: bool = False
    chance: Chance = field(default=os.urandom, repr=False)

    def greet(self, folder: JobFolder) -> None:
        """Ask whether there are executors that have this engine and see the job's folder.

        Raises:
            DeidError: `worker-unlike`, `worker-blind`, `worker-silent`.
        """
        with self._line(folder, b"") as line:
            for came in line.ask([Order("greet")] * self.executors.many):
                if isinstance(came, Fault):
                    raise came.error()

    def survey(
        self, shared: Shared, batches: Sequence[Batch], order: Sequence[int]
    ) -> Generator[tuple[int, Survey | Fault]]:
        """What the texts of each file tell, in the order they end."""
        files = pack(Files.closed(shared, batches), shared.scrubber.allocate)
        with self._line(shared.folder, files) as line:
            for number, came in line.files("survey", self._together(batches, order)):
                if isinstance(came, Fault) and came.code in OF_THE_WORKER:
                    raise came.error()
                yield number, came

    def scrub(
        self, shared: Shared, batches: Sequence[Batch], order: Sequence[int]
    ) -> Generator[tuple[int, Done | Fault]]:
        """Each file scrubbed and in its place, in the order they end."""
        desk = shared.scrubber.allocate
        files = pack(Files.closed(shared, batches), desk)
        with self._line(shared.folder, files) as line:
            for number, came in line.files("scrub", self._together(batches, order), desk):
                if isinstance(came, Staged):
                    put_in_place(shared.folder, came.done, came.work)
                    shutil.rmtree(came.work, ignore_errors=True)
                    came = came.done
                yield number, came

    def spread(self, folder: JobFolder) -> Spread:
        """Works the batches of a large table as `deid.shares.side_by_side` does."""
        return Away(partial(self._spread, folder))

    def _spread(
        self,
        folder: JobFolder,
        batches: Callable[[], Iterable[B]],
        work: Callable[[int, B], T],
    ) -> Iterator[T]:
        try:
            packed = pack((batches, work))
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

    def _together(self, batches: Sequence[Batch], order: Sequence[int]) -> list[list[int]]:
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
    def _line(self, folder: JobFolder, files: bytes) -> Iterator[_Line]:
        """A cargo on its way, and the executors asked; stopped at once if anything breaks."""
        mark, key = self.chance(8).hex(), self.chance(KEY_BYTES)
        (folder.root / "work" / mark).touch(mode=0o600)
        parcels = Parcels.under(key, self.chance)
        cargo = Cargo(mark, folder.root, dict(self.engine), self.fast, self.load, files)
        self.executors.ship(mark, parcels.close(pack(cargo), "cargo"))
        pool = ThreadPoolExecutor(2 * self.executors.many)
        try:
            yield _Line(self.executors, pool, mark, key, parcels)
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
    while any(work.iterdir()) and time.monotonic() < until:
        for path in work.iterdir():
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
        time.sleep(_MOMENT)


@dataclass(slots=True)
class _Line:
    executors: Executors
    pool: ThreadPoolExecutor
    name: str
    key: bytes = field(repr=False)
    parcels: Parcels
    deaths: dict[int, int] = field(default_factory=dict)

    def ask(self, orders: Sequence[Order]) -> Iterator[Any]:
        """The answers to these orders."""
        for future in [self._send(order) for order in orders]:
            try:
                yield future.result()
            except TaskDied:
                yield _SILENT

    def _send(self, order: Order) -> Future[Any]:
        return self.pool.submit(self._call, self.parcels.close(pack(order), "order"))

    def _call(self, order: bytes) -> Any:
        box = self.executors.call(self.name, self.key, order)
        return unpack(self.parcels.open(box, "answer"))

    # -- files -------------------------------------------------------------------------------

    def files(
        self, kind: str, groups: Sequence[Sequence[int]], desk: Allocate | None = None
    ) -> Iterator[tuple[int, Any]]:
        """What came of each file. A group that somebody died of is parted; a file that two died of
        has the fault `worker-died`."""
        waiting = deque(Order(kind, numbers) for numbers in groups)
        running: dict[Future[Any], Order] = {}
        passes: dict[int, int] = {}
        while waiting or running:
            while waiting and len(running) < 2 * self.executors.many:
                order = waiting.popleft()
                running[self._send(order)] = order
            ended, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                order = running.pop(future)
                for number, came in self._heard(future, order, waiting):
                    if not isinstance(came, Asks):
                        yield number, came
                        continue
                    passes[number] = passes.get(number, 0) + 1
                    if desk is None or passes[number] > _MOST_PASSES:
                        yield number, Fault("internal", "what is asked for does not settle")
                    else:
                        waiting.appendleft(_again(order, number, came, desk))

    def _heard(
        self, future: Future[Any], order: Order, waiting: deque[Order]
    ) -> list[tuple[int, Any]]:
        try:
            came = future.result()
        except TaskDied:
            return self._buried(order, waiting)
        if isinstance(came, Fault):
            return [(number, came) for number in order.numbers]
        return list(came.items())

    def _buried(self, order: Order, waiting: deque[Order]) -> list[tuple[int, Any]]:
        if len(order.numbers) == 1:
            (number,) = order.numbers
            self.deaths[number] = self.deaths.get(number, 0) + 1
            if self.deaths[number] >= MOST_DEATHS:
                return [(number, Fault("worker-died"))]
        waiting.extendleft(Order(order.kind, [n], order.settled) for n in order.numbers)
        return []

    # -- shares of one table -----------------------------------------------------------------

    def shares(self, place: Path) -> Iterator[Any]:
        """What came of each batch, in order: executors write each result to a file of its own.

        Raises:
            DeidError, OSError, ValueError: what broke a share; `worker-died`, if two died of it;
                `worker-blind`, if what one wrote does not show here.
        """
        of = self.executors.many
        orders = [Order("share", share=share, of=of, place=place) for share in range(of)]
        at_work = [self._send(order) for order in orders]
        number, missed = 0, 0.0
        while True:
            share, path = number % of, place / str(number)
            if path.is_file():
                yield unpack(self.parcels.open(path.read_bytes(), f"batch {number}"))
                path.unlink()
                number, missed = number + 1, 0.0
            elif not at_work[share].done():
                time.sleep(_MOMENT)
            elif (total := self._total(at_work[share], share)) is None:
                again = Order("share", share=share, of=of, begin=number, place=place)
                at_work[share] = self._send(again)
            elif number >= total:
                return
            elif missed > _LATE:
                raise _UNSEEN.error()
            else:
                time.sleep(_MOMENT)
                missed += _MOMENT

    def _total(self, future: Future[Any], share: int) -> int | None:
        """How many batches the table has; None where whoever had the share died of it, once."""
        try:
            came = future.result()
        except TaskDied:
            self.deaths[share] = self.deaths.get(share, 0) + 1
            if self.deaths[share] >= MOST_DEATHS:
                raise died() from None
            return None
        if isinstance(came, Fault):
            raise came.error()
        kind, total = came
        if kind != "end":
            raise raised_of(came)
        return int(total)


def _again(order: Order, number: int, asks: Asks, desk: Allocate) -> Order:
    """The file once more, with what it asked for."""
    before = order.settled.get(number, Settled())
    outcomes = {**before.outcomes, **settle(asks.questions, desk)}
    return Order(order.kind, [number], {number: Settled(outcomes, asks.found)})
