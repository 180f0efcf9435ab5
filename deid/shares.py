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
from itertools import count, islice
from typing import IO, Any, TypeVar

from deid.errors import DeidError

T = TypeVar("T")
B = TypeVar("B")


def side_by_side(
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
    except DeidError as error:
        told = (error.code, error.message, error.place, error.hint, error.exit_code)
        pickle.dump(("fault", told), pipe)
    except OSError as error:
        pickle.dump(("disk", error.errno), pipe)
    except ValueError:
        pickle.dump(("value", None), pipe)


def _received(pipe: IO[bytes]) -> tuple[Any] | None:
    """What came of the next batch of a process, None at its end."""
    try:
        kind, told = pickle.load(pipe)
    except (EOFError, pickle.UnpicklingError):
        raise DeidError(
            "worker-died", "a process that worked on a table ended before its time"
        ) from None
    if kind == "done":
        return (told,)
    if kind == "fault":
        code, message, place, hint, exit_code = told
        raise DeidError(code, message, place=place, hint=hint, exit_code=exit_code)
    if kind == "value":
        raise ValueError("the batches do not agree")
    if kind == "disk":
        raise OSError(told, os.strerror(told))
    return None
