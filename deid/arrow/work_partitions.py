"""Batches of one table worked by several processes, their results in order.

A process is forked for each share of the batches: it reads the table itself, works every so many
batches and sends what came of them back through a pipe. Nothing that a process learns changes a
result, so the bytes do not depend on how many there are.
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

T = TypeVar("T")
B = TypeVar("B")
Told = tuple[str, Any]
"""What ended a share: `fault`, `disk` or `value`, and what may be told of it."""


class WorkPartitions(Protocol):
    """Who works the batches of a table, whose results come in order: `map_in_order`, or others."""

    def __call__(
        self, batches: Callable[[], Iterable[B]], work: Callable[[int, B], T], /
    ) -> Iterator[T]: ...


def local_processes(processes: int) -> WorkPartitions:
    """So many processes of this machine; one is this one."""
    return partial(map_in_order, processes=processes)


def map_in_order(
    batches: Callable[[], Iterable[B]], work: Callable[[int, B], T], processes: int
) -> Iterator[T]:
    """`work` of every batch and its number from 0, in order; with 1 process in this one.

    Raises:
        DeidError: what `work` raised; `worker-died`, when a process ended before its time.
        OSError, ValueError: what `work` raised; the latter without its text.
    """
    if processes < 2:
        yield from (work(number, batch) for number, batch in enumerate(batches()))
        return
    crew = [_hired(batches, work, share, processes) for share in range(processes)]
    try:
        for number in count():
            came = _received(crew[number % processes][1])
            if came is None:
                return
            yield came[0]
    finally:
        for process, pipe in crew:
            pipe.close()
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
            with suppress(OSError):
                os.waitpid(process, 0)


ALONE: WorkPartitions = local_processes(1)
"""This process."""


def _hired(
    batches: Callable[[], Iterable[B]], work: Callable[[int, B], T], share: int, processes: int
) -> tuple[int, IO[bytes]]:
    reads, writes = os.pipe()
    process = os.fork()
    if process:
        os.close(writes)
        return process, os.fdopen(reads, "rb")
    # Nothing is printed, whatever happens: a traceback shows data.
    with suppress(BaseException):
        os.close(reads)
        with os.fdopen(writes, "wb") as pipe:
            _serve(pipe, batches, work, share, processes)
    os._exit(0)


def _serve(
    pipe: IO[bytes],
    batches: Callable[[], Iterable[B]],
    work: Callable[[int, B], T],
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


def error_message(error: DeidError | OSError | ValueError) -> Told:
    """What ended a share, without anything of the data."""
    if isinstance(error, DeidError):
        return "fault", (error.code, error.message, error.place, error.hint, error.exit_code)
    return ("disk", error.errno) if isinstance(error, OSError) else ("value", None)


def error_again(told: Told) -> Exception:
    """The same, to be raised again."""
    kind, what = told
    if kind == "fault":
        code, message, place, hint, exit_code = what
        return DeidError(code, message, place=place, hint=hint, exit_code=exit_code)
    if kind == "disk":
        return OSError(what, os.strerror(what))
    return ValueError("the batches do not agree")


def worker_died() -> DeidError:
    """A share ended before its time."""
    return DeidError("worker-died", "a process that worked on a table ended before its time")


def _received(pipe: IO[bytes]) -> tuple[Any] | None:
    """What came of the next batch of a process, None at its end."""
    try:
        kind, told = pickle.load(pipe)
    except (EOFError, pickle.UnpicklingError):
        raise worker_died() from None
    if kind == "done":
        return (told,)
    if kind == "end":
        return None
    raise error_again((kind, told))
