"""Process the batches of one table in several processes and return the results in order.

With n forked processes, each one reads the table itself, processes every n-th batch, and sends the
results back through a pipe. A result depends only on its batch, so the output bytes do not depend
on the number of processes.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import count, islice
from typing import IO, Any, Protocol, TypeVar

from deid.errors import LESS_MEMORY, USAGE, DeidError, TaskFault

BatchResult = TypeVar("BatchResult")
AnyBatch = TypeVar("AnyBatch")


class WorkPartitions(Protocol):
    """Divides the batches of a table among processes; returns the results in order."""

    def __call__(
        self,
        batches: Callable[[], Iterable[AnyBatch]],
        work: Callable[[Iterable[AnyBatch]], Iterator[BatchResult]],
        /,
    ) -> Iterator[BatchResult]: ...


def local_processes(processes: int) -> WorkPartitions:
    """Partitions for this many processes of this machine; 1 means this process only."""
    return partial(map_in_order, processes=processes)


def map_in_order(
    batches: Callable[[], Iterable[AnyBatch]],
    work: Callable[[Iterable[AnyBatch]], Iterator[BatchResult]],
    processes: int,
) -> Iterator[BatchResult]:
    """The result of `work` for every batch, in order. With one process, this process does the work.

    `work` yields one result per batch, on demand.

    Raises:
        DeidError: an error in `work`; the text of errors from other packages is left out;
            `worker-died`, if a process ended before it finished; `worker-input-differs`, if
            processes read different numbers of batches.
        OSError: an error in `work`.
    """
    if processes < 2:
        return work(batches())
    return _map_in_processes(batches, work, processes)


def _map_in_processes(
    batches: Callable[[], Iterable[AnyBatch]],
    work: Callable[[Iterable[AnyBatch]], Iterator[BatchResult]],
    processes: int,
) -> Iterator[BatchResult]:
    workers = [_start_worker(batches, work, share, processes) for share in range(processes)]
    try:
        for number in count():
            own = workers[number % processes][1]
            came = _received(own)
            if isinstance(came, int):
                # The table seems to end here: each process has to say so.
                totals = [came, *(_received(pipe) for _, pipe in workers if pipe is not own)]
                if any(total != number for total in totals):
                    raise unlike_input()
                return
            yield came[0]
    finally:
        for process, pipe in workers:
            pipe.close()
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
            with suppress(OSError):
                os.waitpid(process, 0)


THIS_PROCESS: WorkPartitions = local_processes(1)
"""The partitions that use this process alone."""


def _start_worker(
    batches: Callable[[], Iterable[AnyBatch]],
    work: Callable[[Iterable[AnyBatch]], Iterator[BatchResult]],
    share: int,
    processes: int,
) -> tuple[int, IO[bytes]]:
    reads, writes = os.pipe()
    process = os.fork()
    if process:
        os.close(writes)
        return process, os.fdopen(reads, "rb")
    # Nothing may be printed: a traceback would show data.
    with suppress(BaseException):
        os.close(reads)
        with os.fdopen(writes, "wb") as pipe:
            _serve_batches(pipe, batches, work, share, processes)
    os._exit(0)


def _serve_batches(
    pipe: IO[bytes],
    batches: Callable[[], Iterable[AnyBatch]],
    work: Callable[[Iterable[AnyBatch]], Iterator[BatchResult]],
    share: int,
    processes: int,
) -> None:
    total = count()
    try:
        counted = (batch for batch, _ in zip(batches(), total, strict=False))
        for result in work(islice(counted, share, None, processes)):
            pickle.dump((result,), pipe, protocol=5)
            pipe.flush()
        pickle.dump(next(total), pipe)
    except Exception as error:
        pickle.dump(TaskFault.of(error), pipe)


def worker_died() -> DeidError:
    """The error for a worker process that ended early."""
    return DeidError(
        "worker-died",
        "a worker process ended before it finished its table",
        hint=LESS_MEMORY,
    )


def unlike_input() -> DeidError:
    """The error for processes that read different numbers of batches: some would be left out."""
    return DeidError(
        "worker-input-differs",
        "the workers read different numbers of rows in an input",
        hint="put the inputs on a file system that every worker has, and do not change them",
        exit_code=USAGE,
    )


def _received(pipe: IO[bytes]) -> tuple[Any] | int:
    """The result of the next batch of a process; the number of all batches after its last one."""
    try:
        came: tuple[Any] | TaskFault | int = pickle.load(pipe)
    except (EOFError, pickle.UnpicklingError):
        raise worker_died() from None
    if isinstance(came, TaskFault):
        raise came.error()
    return came
