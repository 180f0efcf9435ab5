"""Worker processes: forked when everything is loaded, so that nothing is pickled or written for
them; a task that kills two of them is poison, and the others go on.

A worker ends with its parent, however that ends: it watches a pipe that nobody writes to.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

from deid.errors import DeidError, raised_at

T = TypeVar("T")
Tell = Callable[[int, int], None]
Work = Callable[[int, Tell], T]
"""Does the task of that number; tells (records, characters) as it goes."""
Listen = Callable[[int, int, int], None]
"""(task, records more, characters more)."""
MOST_DEATHS = 2


@dataclass(frozen=True, slots=True)
class TaskFault:
    """What ended a task, without anything of the data: an error of ours, of the disk, or a bug."""

    code: str
    message: str = ""
    place: str = ""
    hint: str = ""
    exit_code: int = 1
    number: int | None = None

    @classmethod
    def of(cls, error: Exception) -> TaskFault:
        """The same without the exception's own text, unless it is ours."""
        if isinstance(error, DeidError):
            return cls(error.code, error.message, error.place, error.hint, error.exit_code)
        if isinstance(error, OSError):
            return cls("os", number=error.errno)
        if isinstance(error, MemoryError):
            return cls("out-of-memory")
        kind = type(error).__name__
        return cls("internal", f"an internal fault of kind {kind} at {raised_at(error)}")

    @property
    def ends_the_job(self) -> bool:
        """Is it nothing that a file could be withheld for? The disk, the crosswalk, the options."""
        return self.code not in ("internal", "out-of-memory", "worker-died")

    def error(self) -> Exception:
        """To be raised again."""
        if self.number is not None:
            return OSError(self.number, os.strerror(self.number))
        return DeidError(
            self.code, self.message, place=self.place, hint=self.hint, exit_code=self.exit_code
        )


def run_tasks(
    work: Work[T], tasks: Sequence[int], workers: int, listen: Listen
) -> Generator[tuple[int, T | TaskFault]]:
    """Every task with what came of it, in the order they end; with 0 workers in this process.

    A task that a worker died of, twice, comes with the fault `worker-died`.
    """
    if not workers:
        for task in tasks:
            yield task, _attempt(work, task, partial(listen, task))
        return
    crew = _Crew(work, deque(tasks), listen)
    try:
        yield from crew.run(min(workers, len(tasks)))
    finally:
        crew.dismiss()


def _attempt(work: Work[T], task: int, tell: Tell) -> T | TaskFault:
    try:
        return work(task, tell)
    except Exception as error:
        return TaskFault.of(error)


@dataclass(slots=True, eq=False)
class _Worker:
    process: Any
    pipe: Connection
    task: int | None = None


@dataclass(slots=True)
class _Crew(Generic[T]):
    work: Work[T]
    waiting: deque[int]
    listen: Listen
    workers: list[_Worker] = field(default_factory=list)
    deaths: dict[int, int] = field(default_factory=dict)
    life: tuple[int, int] = (-1, -1)

    def run(self, count: int) -> Iterator[tuple[int, T | TaskFault]]:
        self.life = os.pipe()
        gc.collect()
        gc.freeze()
        for _ in range(count):
            self._hire()
        while any(worker.task is not None for worker in self.workers):
            for pipe in wait([worker.pipe for worker in self.workers if worker.task is not None]):
                worker = next(w for w in self.workers if w.pipe is pipe)
                yield from self._hear(worker)

    def _hear(self, worker: _Worker) -> Iterator[tuple[int, T | TaskFault]]:
        task = worker.task
        assert task is not None
        try:
            kind, told = worker.pipe.recv()
        except (EOFError, OSError):
            self._bury(worker)
            self.deaths[task] = self.deaths.get(task, 0) + 1
            if self.deaths[task] < MOST_DEATHS:
                self.waiting.appendleft(task)
            else:
                yield task, TaskFault("worker-died")
            if self.waiting:
                self._hire()
            return
        if kind == "at":
            self.listen(task, *told)
            return
        self._give(worker)
        yield task, told

    def _hire(self) -> None:
        context = multiprocessing.get_context("fork")
        own, others = context.Pipe()
        used = [worker.pipe for worker in self.workers]
        process = context.Process(
            target=_serve, args=(self.work, others, self.life, [own, *used]), daemon=True
        )
        process.start()
        others.close()
        worker = _Worker(process, own)
        self.workers.append(worker)
        self._give(worker)

    def _give(self, worker: _Worker) -> None:
        worker.task = self.waiting.popleft() if self.waiting else None
        # A dead one is noticed when it is listened to.
        with suppress(OSError):
            worker.pipe.send(worker.task)

    def _bury(self, worker: _Worker) -> None:
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()
        self.workers.remove(worker)

    def dismiss(self) -> None:
        """Stop all, at once: what they were writing is thrown away or written again."""
        for worker in [*self.workers]:
            self._bury(worker)
        for descriptor in self.life:
            with suppress(OSError):
                os.close(descriptor)
        gc.unfreeze()


def _serve(
    work: Work[Any], pipe: Connection, life: tuple[int, int], strangers: Sequence[Connection]
) -> None:
    """The life of a worker. Nothing is printed, whatever happens: a traceback shows data."""
    with suppress(BaseException):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for name in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(name, signal.SIG_DFL)
        for stranger in strangers:
            stranger.close()
        os.close(life[1])
        threading.Thread(target=_end_with_parent, args=(life[0],), daemon=True).start()
        while (task := pipe.recv()) is not None:
            answer = _attempt(work, task, lambda r, c: pipe.send(("at", (r, c))))
            pipe.send(("done", answer))
    os._exit(0)


def _end_with_parent(life: int) -> None:
    with suppress(OSError):
        os.read(life, 1)
    os._exit(1)
