"""Processes that search for the service, because the threads of one process use only one core.

The processes are forked after everything is loaded, so that they share the lists and the network in
memory. A process holds no connection of a caller. It ends with the service, even if the service is
killed, because the pipe between them is then closed.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import stat
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from queue import LifoQueue
from typing import Any

from deid.text.scrubber import TextFinder
from recognizers import Finding

MOST_PROCESSES = 8


class SearchFailed(Exception):
    """A text could not be searched, or its process ended. The error quotes no text."""


def search_count() -> int:
    """The number of searches that the processors of this process can run at once."""
    if hasattr(os, "sched_getaffinity"):
        return min(MOST_PROCESSES, len(os.sched_getaffinity(0)))
    return min(MOST_PROCESSES, os.cpu_count() or 1)


class SearchProcesses:
    """A finder for many threads. It sends each call to a free process.

    A process that ends is replaced, and its current call fails.
    """

    def __init__(self, finder: TextFinder, count: int) -> None:
        self._finder = finder
        self._forking = threading.Lock()
        self._free: LifoQueue[tuple[Any, Connection]] = LifoQueue()
        for _ in range(count):
            self._free.put(self._started())

    def __repr__(self) -> str:
        return f"SearchProcesses({self._free.qsize()} free)"

    def find_all(self, texts: Sequence[str]) -> list[tuple[Finding, ...]]:
        """The findings of each text.

        Raises:
            SearchFailed: the search failed, or its process ended.
        """
        process, pipe = self._free.get()
        found = None
        try:
            pipe.send(list(texts))
            found = pipe.recv()
        except (OSError, EOFError):
            process.kill()
            process.join()
            pipe.close()
            process, pipe = self._started()
        finally:
            self._free.put((process, pipe))
        if found is None:
            raise SearchFailed
        result: list[tuple[Finding, ...]] = found
        return result

    def stop(self) -> None:
        """End the processes that are not searching."""
        while not self._free.empty():
            process, pipe = self._free.get()
            pipe.close()
            process.kill()
            process.join()

    def _started(self) -> tuple[Any, Connection]:
        context = multiprocessing.get_context("fork")
        with self._forking:
            own, others = context.Pipe()
            process = context.Process(
                target=_answer_searches, args=(self._finder, others), daemon=True
            )
            process.start()
            others.close()
        return process, own


@contextmanager
def searching_processes(finder: TextFinder, count: int) -> Iterator[Any]:
    """The finder itself if `count` is 1, else processes that use it."""
    if count < 2 or "fork" not in multiprocessing.get_all_start_methods():
        yield finder
        return
    gc.collect()
    gc.freeze()
    processes = SearchProcesses(finder, count)
    try:
        yield processes
    finally:
        processes.stop()
        gc.unfreeze()


def _answer_searches(finder: TextFinder, pipe: Connection) -> None:
    """The main loop of a process. Nothing may be printed: a traceback would show a text."""
    with suppress(BaseException):
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _close_sockets(pipe.fileno())
        while True:
            texts = pipe.recv()
            try:
                found = finder.find_all(texts)
            except Exception:
                found = None
            pipe.send(found)
    os._exit(0)


def _close_sockets(own: int) -> None:
    """Close the inherited connections, so that they end when the service closes them."""
    for descriptor in [int(entry.name) for entry in Path("/dev/fd").iterdir()]:
        with suppress(OSError):
            if descriptor != own and stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                os.close(descriptor)
