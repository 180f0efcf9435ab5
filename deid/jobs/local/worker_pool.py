"""Worker processes, forked after everything is loaded, so that nothing is pickled for them.

A task that kills two workers is given up; the other tasks continue. A worker ends when its parent
ends, even if the parent is killed: it waits for the end of a pipe that only the parent holds open.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

from deid.arrow.work_partitions import worker_died
from deid.errors import TaskFault
from deid.spool import remove_left_folders

Task = TypeVar("Task")
TaskResult = TypeVar("TaskResult")
ReportProgress = Callable[[int, int], None]
"""Receives (more records, more characters) that the current task has read."""
Work = Callable[[Task, ReportProgress], TaskResult]
"""Does one task, and reports (records, characters) while it runs."""
Listen = Callable[[int, int, int], None]
"""Receives (number of the task, more records, more characters)."""
MAX_CRASHES = 2


def run_tasks(
    work: Work[Task, TaskResult], tasks: Mapping[int, Task], workers: int, listen: Listen
) -> Generator[tuple[int, TaskResult | TaskFault]]:
    """Yield the number and result of every task, in the order the tasks end.

    Tasks begin in the order of `tasks`; 0 workers means this process. A task that killed two
    workers has the fault `worker-died`.
    """
    if not workers:
        for number, task in tasks.items():
            try:
                yield number, work(task, partial(listen, number))
            except Exception as error:
                yield number, TaskFault.of(error)
        return
    pool = _WorkerProcesses(work, tasks, workers, listen, deque(tasks))
    try:
        while not pool.is_done:
            for worker in pool.missing_workers():
                worker.process.start()
            yield from pool.results()
    finally:
        pool.stop()


@dataclass(slots=True, eq=False)
class _Worker:
    process: Any
    pipe: Connection
    worker_end: Connection
    task: int | None = None


@dataclass(slots=True)
class _WorkerProcesses(Generic[Task, TaskResult]):
    work: Work[Task, TaskResult]
    tasks: Mapping[int, Task]
    count: int
    listen: Listen
    waiting: deque[int]
    workers: list[_Worker] = field(default_factory=list)
    crashes: dict[int, int] = field(default_factory=dict)
    parent_pipe: tuple[int, int] = field(default_factory=os.pipe)

    def __post_init__(self) -> None:
        gc.collect()
        gc.freeze()

    @property
    def is_done(self) -> bool:
        """Whether no task waits and no worker is at work."""
        return not self.waiting and all(worker.task is None for worker in self.workers)

    def missing_workers(self) -> Iterator[_Worker]:
        """Yield workers to start, each with a first task, until enough serve the waiting tasks."""
        while self.waiting and len(self.workers) < self.count:
            worker = self._new_worker()
            self._assign(worker)
            yield worker
            worker.worker_end.close()
            self.workers.append(worker)

    def results(self) -> Iterator[tuple[int, TaskResult | TaskFault]]:
        """Wait until a worker reports, and yield the results that have come."""
        for pipe in wait([worker.pipe for worker in self.workers if worker.task is not None]):
            worker = next(w for w in self.workers if w.pipe is pipe)
            yield from self._receive(worker)

    def _receive(self, worker: _Worker) -> Iterator[tuple[int, TaskResult | TaskFault]]:
        task = worker.task
        assert task is not None
        try:
            kind, payload = worker.pipe.recv()
        except (EOFError, OSError):
            self._remove_worker(worker)
            self.crashes[task] = self.crashes.get(task, 0) + 1
            if self.crashes[task] < MAX_CRASHES:
                self.waiting.appendleft(task)
            else:
                yield task, TaskFault.of(worker_died())
            return
        if kind == "at":
            self.listen(task, *payload)
            return
        self._assign(worker)
        yield task, payload

    def _new_worker(self) -> _Worker:
        context = multiprocessing.get_context("fork")
        own, others = context.Pipe()
        used = [worker.pipe for worker in self.workers]
        process = context.Process(
            target=_serve_tasks,
            args=(self.work, self.tasks, others, self.parent_pipe, [own, *used]),
            daemon=True,
        )
        return _Worker(process, own, others)

    def _assign(self, worker: _Worker) -> None:
        worker.task = self.waiting.popleft() if self.waiting else None
        # A dead worker is noticed when its pipe is read.
        with suppress(OSError):
            worker.pipe.send(worker.task)

    def _remove_worker(self, worker: _Worker) -> None:
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()
        self.workers.remove(worker)

    def stop(self) -> None:
        """Stop all workers at once; their unfinished files are discarded or written again."""
        for worker in [*self.workers]:
            self._remove_worker(worker)
        for descriptor in self.parent_pipe:
            with suppress(OSError):
                os.close(descriptor)
        remove_left_folders()
        gc.unfreeze()


def _serve_tasks(
    work: Work[Any, Any],
    tasks: Mapping[int, Any],
    pipe: Connection,
    parent_pipe: tuple[int, int],
    inherited_pipes: Sequence[Connection],
) -> None:
    """The main loop of a worker. Nothing may be printed: a traceback would show data."""
    with suppress(BaseException):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for name in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(name, signal.SIG_DFL)
        for inherited in inherited_pipes:
            inherited.close()
        os.close(parent_pipe[1])
        threading.Thread(target=_end_with_parent, args=(parent_pipe[0],), daemon=True).start()
        while (number := pipe.recv()) is not None:
            try:
                answer = work(tasks[number], lambda r, c: pipe.send(("at", (r, c))))
            except Exception as error:
                answer = TaskFault.of(error)
            pipe.send(("done", answer))
    os._exit(0)


def _end_with_parent(parent_pipe: int) -> None:
    with suppress(OSError):
        os.read(parent_pipe, 1)
    os._exit(1)
