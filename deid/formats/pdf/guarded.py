"""Runs PDFium in a child process, so that a hostile file costs one document and not the job.

The child has limits for memory and CPU time. If it dies, its document is withheld.
"""

from __future__ import annotations

import os
import pickle
import resource
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from deid.errors import DeidError
from deid.formats.documents.whole_text import refuse_document

MOST_SECONDS, SECONDS_PER_BYTE, MOST_MEMORY = 30, 1e-5, 3 << 30
_BLOCK_OF_ANSWER = 1 << 20
ChildAnswer = TypeVar("ChildAnswer")


def run_guarded(task: Callable[[], ChildAnswer], size: int) -> ChildAnswer:
    """The result of the task, computed in a child process. `size` is the file size in bytes.

    Raises:
        DeidError: what the task raises; `pdf-limits` if the child ran out of time or memory, or
            was killed.
    """
    receiver, sender = os.pipe()
    child = os.fork()
    if not child:
        os.close(receiver)
        _send_answer(task, sender, int(MOST_SECONDS + size * SECONDS_PER_BYTE))
    os.close(sender)
    parts = []
    with os.fdopen(receiver, "rb") as pipe:
        while part := pipe.read(_BLOCK_OF_ANSWER):
            parts.append(part)
    _, status = os.waitpid(child, 0)
    if status != 0:
        raise refuse_document("pdf-limits")
    code, found = pickle.loads(b"".join(parts))
    if code:
        raise refuse_document(code)
    answer: ChildAnswer = found
    return answer


def _send_answer(task: Callable[[], ChildAnswer], sender: int, seconds: int) -> None:
    """Send the result of the task, then exit without running the parent's exit handlers."""
    try:
        _limit_child(seconds)
        try:
            told: tuple[str, ChildAnswer | None] = ("", task())
        except DeidError as error:
            told = (error.code, None)
        with os.fdopen(sender, "wb") as pipe:
            pickle.dump(told, pipe)
        os._exit(0)
    except BaseException:  # also KeyboardInterrupt: none of the parent's handlers may run here
        os._exit(1)


def _limit_child(seconds: int) -> None:
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    in_use = pages * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (in_use + MOST_MEMORY, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
