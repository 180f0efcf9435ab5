"""The interface between a job and its executors, and their errors."""

from __future__ import annotations

from typing import Protocol

from deid.errors import INTERRUPTED, USAGE, DeidError, TaskFault

SILENT_WORKER = TaskFault(
    "worker-silent",
    "a worker ended before it could answer",
    hint="check that this package is installed on the workers, for the Python they run "
    "(PYSPARK_PYTHON)",
    exit_code=USAGE,
)


UNSEEN_OUTPUT = TaskFault(
    "worker-blind",
    "a file that a worker wrote does not appear next to OUT",
    place="OUT",
    hint="put OUT on a file system that this machine and every worker share",
    exit_code=USAGE,
)


class TaskDied(Exception):
    """The executor of a task died."""


class ClusterLost(DeidError):
    """No executor can be reached any more. Finished files are kept: the job can be resumed."""

    def __init__(self) -> None:
        super().__init__(
            "cluster-lost",
            "the cluster cannot be reached any more; nothing was released",
            hint="run the same command with --resume to continue",
            exit_code=INTERRUPTED,
        )


class Executors(Protocol):
    """Processes on a cluster that carry out orders.

    `ship` sends a context under a name. `call` gives one executor an order with that context and
    waits for the answer. It raises `TaskDied` if that executor died, and `ClusterLost` if all did.
    Several threads may use `call` at once. `stop` ends all running work and waits until it has
    ended.
    """

    @property
    def many(self) -> int: ...
    def ship(self, name: str, context: bytes) -> None: ...
    def call(self, name: str, key: bytes, order: bytes) -> bytes: ...
    def drop(self, name: str) -> None: ...
    def stop(self) -> None: ...
