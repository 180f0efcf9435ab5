"""Executors as a job reaches them, whatever they are, and what may become of them."""

from __future__ import annotations

from typing import Protocol

from deid.errors import INTERRUPTED, USAGE, DeidError
from deid.jobs.local.worker_pool import TaskFault

SILENT = TaskFault(
    "worker-silent",
    "a worker ended before it could answer",
    hint="is this package installed where the workers are, under the Python they run "
    "(PYSPARK_PYTHON)?",
    exit_code=USAGE,
)


UNSEEN = TaskFault(
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
