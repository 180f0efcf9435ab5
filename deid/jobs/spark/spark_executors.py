"""Executors of Spark: the one door to pyspark.

An order is a job of one task over one element, so that each is told apart: one that fails takes no
other along, and what ends first is put in its place first. Spark sees sealed bytes alone.

A context that is there is used as it is, `spark-submit` and its configuration too. One that is made
here has no page, no log of events and no log at all, and without a master it is this machine.
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
# A master of one machine needs no other address.
_AT_HOME = {"spark.driver.host": "localhost", "spark.driver.bindAddress": "127.0.0.1"}


def pyspark_version() -> str | None:
    """The version of pyspark that is installed, None where it is not."""
    try:
        return version("pyspark")
    except PackageNotFoundError:
        return None


def has_java() -> bool:
    """Is there a Java for Spark to run on, or does Spark run already (`spark-submit`)?"""
    home = os.environ.get("JAVA_HOME")
    if _is_submitted():
        return True
    return shutil.which(Path(home, "bin", "java") if home else "java") is not None


def refuse_missing() -> None:
    """Refuse where Spark cannot be.

    Raises:
        DeidError: `spark-missing`, `java-missing`.
    """
    if pyspark_version() is None:
        raise DeidError(
            "spark-missing",
            "the engine spark needs pyspark, which is not installed",
            hint="pip install 'pyspark>=3.5,<5', which is what the extra `spark` holds; "
            "--workers N scrubs with N processes of this machine",
        )
    if not has_java():
        raise DeidError(
            "java-missing",
            "the engine spark needs Java, which is not found",
            hint="install Java 17, or say in JAVA_HOME where it is",
        )


@contextmanager
def open_spark(workers: int) -> Generator[SparkExecutors]:
    """The executors of the Spark that is there, or of one that is made; it ends what it made.

    `workers` is how many work where no master is configured.

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
    """Spark behind the contract of executors. `own` says that the context was made for this job."""

    context: Any = field(repr=False)
    own: bool
    _cargos: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def version(self) -> str:
        """The version of Spark."""
        return str(self.context.version)

    @property
    def many(self) -> int:
        """How many tasks run at a time."""
        return max(1, int(self.context.defaultParallelism))

    def ship(self, name: str, cargo: bytes) -> None:
        """Have every executor get at these bytes."""
        with self._told():
            self._cargos[name] = self.context.broadcast(cargo)

    def call(self, name: str, key: bytes, order: bytes) -> bytes:
        """One task."""
        with self._told():
            self.context.setJobGroup(_GROUP, _GROUP, interruptOnCancel=True)
            task = partial(_served, self._cargos[name], name, key)
            (answer,) = self.context.parallelize([order], 1).mapPartitions(task).collect()
            return bytes(answer)

    def drop(self, name: str) -> None:
        """The bytes are needed no more."""
        with suppress(Exception):
            self._cargos.pop(name).destroy()

    def stop(self) -> None:
        """End all that runs, and the context if it was made for this."""
        with suppress(Exception):
            self.context.cancelJobGroup(_GROUP)
        if self.own:
            with suppress(Exception):
                self.context.stop()

    @contextmanager
    def _told(self) -> Generator[None]:
        """What Spark raises holds tracebacks of two machines: nobody gets to see it."""
        try:
            yield
        except Exception:
            raise (ClusterLost() if self._is_lost() else TaskDied()) from None

    def _is_lost(self) -> bool:
        try:
            return bool(self.context._jsc.sc().isStopped())
        except Exception:
            return True


def _served(cargo: Any, name: str, key: bytes, orders: Iterable[bytes]) -> list[bytes]:
    """Runs in an executor. All orders are read to the end, or Spark starts another process."""
    return [run_order(order, lambda: bytes(cargo.value), name, key) for order in list(orders)]


def _is_submitted() -> bool:
    return "PYSPARK_GATEWAY_PORT" in os.environ


def _context(workers: int) -> tuple[Any, bool]:
    with _as_it_was():
        try:
            from pyspark import SparkContext

            active = SparkContext._active_spark_context
            return (_made(workers), True) if active is None else (active, False)
        except Exception:
            raise DeidError(
                "spark-not-started",
                "Spark could not be started",
                hint="does `spark-submit --version` run? Spark 3.5 runs on Java 8, 11 and 17, "
                "Spark 4 on Java 17 and 21",
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
    """`local[*]` is what Spark says where nobody named a master."""
    named = "MASTER" in os.environ or "--master" in os.environ.get("PYSPARK_SUBMIT_ARGS", "")
    return master == "local[*]" and not named and not _is_submitted()


@contextmanager
def _as_it_was() -> Generator[None]:
    """A new context takes Ctrl-C for itself, and pyspark warns of versions on stderr."""
    main = threading.current_thread() is threading.main_thread()
    ears = signal.getsignal(signal.SIGINT) if main else None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        if main and ears is not None:
            signal.signal(signal.SIGINT, ears)
