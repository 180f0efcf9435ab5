"""Spark executors; the only importer of pyspark.

Each order is a Spark job of one task over one element, so that a failing order affects no other and
each result is used as soon as it is ready. Spark sees encrypted bytes only. An existing context is
used with the configuration it has, for example from `spark-submit`. A context made here has no web
page and no logs, and runs on this machine unless a master is configured.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
import warnings
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from sys import executable
from typing import Any

from deid.errors import DeidError
from deid.jobs.spark.executor_side import run_order
from deid.jobs.spark.executors import ClusterLost, TaskDied

_GROUP = "deid"
_QUIET = {
    "spark.ui.enabled": "false",
    "spark.eventLog.enabled": "false",
}
# A master on this machine needs only the local address.
_AT_HOME = {"spark.driver.host": "localhost", "spark.driver.bindAddress": "127.0.0.1"}


def pyspark_version() -> str | None:
    """The version of pyspark, or None if it is not installed."""
    try:
        return version("pyspark")
    except PackageNotFoundError:
        return None


def has_java() -> bool:
    """Whether Spark can find Java, or Spark is running already (`spark-submit`)."""
    home = os.environ.get("JAVA_HOME")
    if _is_submitted():
        return True
    return shutil.which(Path(home, "bin", "java") if home else "java") is not None


def refuse_missing() -> None:
    """Refuse if Spark cannot run.

    Raises:
        DeidError: `spark-missing`, `java-missing`.
    """
    if pyspark_version() is None:
        raise DeidError(
            "spark-missing",
            "--engine spark needs pyspark, which is not installed",
            hint="install the extra `spark` or pip install 'pyspark>=3.5,<5'; "
            "--workers N scrubs with N processes of this machine",
        )
    if not has_java():
        raise DeidError(
            "java-missing",
            "--engine spark needs Java, which was not found",
            hint="install Java 17, or set JAVA_HOME",
        )


@contextmanager
def open_spark(workers: int) -> Generator[SparkExecutors]:
    """The executors of the active Spark context or of a new one, which is stopped afterwards.

    `workers` is the number of tasks that run at a time if no master is configured.

    Raises:
        DeidError: `spark-missing`, `java-missing`, `spark-not-started`.
    """
    refuse_missing()
    spark = SparkExecutors(*_context(workers))
    try:
        yield spark
    finally:
        if spark.own:
            spark.stop()


@dataclass(slots=True)
class SparkExecutors:
    """Spark as `Executors`. `own` is true if the context was made for this job."""

    context: Any = field(repr=False)
    own: bool
    _broadcasts: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def version(self) -> str:
        """The version of Spark."""
        return str(self.context.version)

    @property
    def many(self) -> int:
        """The number of tasks that run at a time."""
        return max(1, int(self.context.defaultParallelism))

    def ship(self, name: str, context_bytes: bytes) -> None:
        """Broadcast these bytes to every executor."""
        with self._hiding_tracebacks():
            self._broadcasts[name] = self.context.broadcast(context_bytes)

    def call(self, name: str, key: bytes, order: bytes) -> bytes:
        """Run one task."""
        with self._hiding_tracebacks():
            self.context.setJobGroup(_GROUP, _GROUP, interruptOnCancel=True)
            task = partial(_run_in_executor, self._broadcasts[name], name, key)
            (answer,) = self.context.parallelize([order], 1).mapPartitions(task).collect()
            return bytes(answer)

    def drop(self, name: str) -> None:
        """Delete the broadcast bytes."""
        with suppress(Exception):
            self._broadcasts.pop(name).destroy()

    def stop(self) -> None:
        """Stop all running tasks, and the context if it was made for this job."""
        with suppress(Exception):
            self.context.cancelJobGroup(_GROUP)
        if self.own:
            with suppress(Exception):
                self.context.stop()

    @contextmanager
    def _hiding_tracebacks(self) -> Generator[None]:
        """Replace the errors of Spark, which hold tracebacks of two machines."""
        try:
            yield
        except Exception:
            raise (ClusterLost() if self._is_lost() else TaskDied()) from None

    def _is_lost(self) -> bool:
        try:
            return bool(self.context._jsc.sc().isStopped())
        except Exception:
            return True


def _run_in_executor(
    context_bytes: Any, name: str, key: bytes, orders: Iterable[bytes]
) -> list[bytes]:
    """Run orders in an executor, which reads all of them so that Spark starts no other process."""
    return [
        run_order(order, lambda: bytes(context_bytes.value), name, key) for order in list(orders)
    ]


def _is_submitted() -> bool:
    return "PYSPARK_GATEWAY_PORT" in os.environ


def _context(workers: int) -> tuple[Any, bool]:
    with _undisturbed():
        try:
            from pyspark import SparkContext

            active = SparkContext._active_spark_context
            return (_made(workers), True) if active is None else (active, False)
        except Exception:
            raise DeidError(
                "spark-not-started",
                "Spark could not be started",
                hint="check that `spark-submit --version` runs; Spark 3.5 needs Java 8, 11 or 17, "
                "Spark 4 Java 17 or 21",
            ) from None


def _made(workers: int) -> Any:
    from pyspark import SparkConf, SparkContext
    from pyspark.java_gateway import launch_gateway

    hush = {} if _is_submitted() else dict.fromkeys(("stdout", "stderr"), subprocess.DEVNULL)
    gateway = SparkContext._gateway or launch_gateway(popen_kwargs=hush)
    conf = SparkConf(_jvm=gateway.jvm)
    settings = dict(_QUIET)
    if _has_no_master(conf.get("spark.master", "local[*]")):
        conf.setMaster(f"local[{workers}]").setAppName(_GROUP)
        settings |= _AT_HOME
    for name, value in settings.items():
        conf.setIfMissing(name, value)
    if not _is_submitted():
        conf.set("spark.ui.showConsoleProgress", "false")
    os.environ.setdefault("PYSPARK_PYTHON", executable)
    return SparkContext(gateway=gateway, conf=conf)


def _has_no_master(master: str) -> bool:
    """Whether no master was configured, so that `master` is Spark's own default, `local[*]`."""
    named = "MASTER" in os.environ or "--master" in os.environ.get("PYSPARK_SUBMIT_ARGS", "")
    return master == "local[*]" and not named and not _is_submitted()


@contextmanager
def _undisturbed() -> Generator[None]:
    """Restore the Ctrl-C handler that a new context replaces; silence pyspark's warnings."""
    main = threading.current_thread() is threading.main_thread()
    handler = signal.getsignal(signal.SIGINT) if main else None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        if main and handler is not None:
            signal.signal(signal.SIGINT, handler)
