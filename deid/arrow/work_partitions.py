"""Work the batches of one table in several processes, with results in order.

One process is forked for each share of the batches. It reads the table itself, works every n-th
batch, and sends the results back through a pipe. Nothing that a process learns changes a result, so
the bytes do not depend on the number of processes.
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

from deid.errors import DeidError

BatchResult = TypeVar("BatchResult")
AnyBatch = TypeVar("AnyBatch")
ShareError = tuple[str, Any]
"""Why a share ended early: `fault`, `disk` or `value`, with what may be shown of it."""


class WorkPartitions(Protocol):
    """Works the batches of a table and returns the results in order, as `map_in_order` does."""

    def __call__(
        self,
        batches: Callable[[], Iterable[AnyBatch]],
        work: Callable[[int, AnyBatch], BatchResult],
        /,
    ) -> Iterator[BatchResult]: ...


def local_processes(processes: int) -> WorkPartitions:
    """That many processes of this machine; 1 means this process only."""
    return partial(map_in_order, processes=processes)


def map_in_order(
    batches: Callable[[], Iterable[AnyBatch]],
    work: Callable[[int, AnyBatch], BatchResult],
    processes: int,
) -> Iterator[BatchResult]:
    """`work(number, batch)` for every batch (numbered from 0), in order; 1 process means this one.

    Raises:
        DeidError: what `work` raised; `worker-died`, when a process ended before its time.
        OSError, ValueError: what `work` raised; the latter without its text.
    """
    if processes < 2:
        for number, batch in enumerate(batches()):
            yield work(number, batch)
        return
    workers = [_start_worker(batches, work, share, processes) for share in range(processes)]
    try:
        for number in count():
            came = _received(workers[number % processes][1])
            if came is None:
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
"""This process alone."""


def _start_worker(
    batches: Callable[[], Iterable[AnyBatch]],
    work: Callable[[int, AnyBatch], BatchResult],
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
    work: Callable[[int, AnyBatch], BatchResult],
    share: int,
    processes: int,
) -> None:
    try:
        for number, batch in islice(enumerate(batches()), share, None, processes):
            pickle.dump(("done", work(number, batch)), pipe, protocol=5)
            pipe.flush()
        pickle.dump(("end", None), pipe)
    except (DeidError, OSError, ValueError) as error:
        pickle.dump(error_message(error), pipe)


def error_message(error: DeidError | OSError | ValueError) -> ShareError:
    """Why a share ended early, without anything from the data."""
    if isinstance(error, DeidError):
        return "fault", (error.code, error.message, error.place, error.hint, error.exit_code)
    return ("disk", error.errno) if isinstance(error, OSError) else ("value", None)


def error_from_message(told: ShareError) -> Exception:
    """The same error, to be raised again."""
    kind, what = told
    if kind == "fault":
        code, message, place, hint, exit_code = what
        return DeidError(code, message, place=place, hint=hint, exit_code=exit_code)
    if kind == "disk":
        return OSError(what, os.strerror(what))
    return ValueError("the batches do not agree")


def worker_died() -> DeidError:
    """The error for a share that ended early."""
    return DeidError("worker-died", "a worker process ended before it finished its table")


def _received(pipe: IO[bytes]) -> tuple[Any] | None:
    """The result of the next batch of a process, None at its end."""
    try:
        kind, told = pickle.load(pipe)
    except (EOFError, pickle.UnpicklingError):
        raise worker_died() from None
    if kind == "done":
        return (told,)
    if kind == "end":
        return None
    raise error_from_message((kind, told))
