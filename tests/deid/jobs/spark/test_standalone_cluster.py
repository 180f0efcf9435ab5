"""A standalone Spark cluster of two worker processes; skipped without pyspark or Java."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from nearby import cluster
from small_extract import KnownOnly, coded_policy, job

from deid.crosswalk import Crosswalk, open_for_job
from deid.crosswalk.keys.master_keys import create_key_file
from deid.jobs import run_job
from deid.jobs.spark.spark_executors import has_java, open_spark, pyspark_version

HERE = Path(__file__).resolve()
PATIENCE = 600.0
# Small executors, so that each worker has one. The engine itself repeats a failed task.
DEFAULTS = """spark.executor.memory 512m
spark.executor.cores 1
spark.task.maxFailures 1
spark.ui.enabled false
"""

pytestmark = pytest.mark.skipif(
    pyspark_version() is None or not has_java(), reason="pyspark and Java are not on this machine"
)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Standalone:
    """A master and two workers with one core each, all processes of this machine."""

    def __init__(self, folder: Path) -> None:
        import pyspark

        self.folder, self._home = folder, Path(pyspark.__file__).parent
        self.address = f"spark://127.0.0.1:{_free_port()}"
        (folder / "conf").mkdir(parents=True)
        (folder / "conf" / "spark-defaults.conf").write_text(DEFAULTS)
        host, port = ("127.0.0.1", self.address.rpartition(":")[2])
        self._started = [self._start("master.Master", "--host", host, "--port", port)]
        for n in range(2):
            work = ("--cores", "1", "--memory", "1g", "--work-dir", str(folder / f"work{n}"))
            self._started.append(self._start("worker.Worker", *work, self.address))

    def _start(self, what: str, *told: str) -> subprocess.Popen[bytes]:
        name = f"org.apache.spark.deploy.{what}"
        command = [str(self._home / "bin" / "spark-class"), name, "--webui-port", "0", *told]
        daemon = {"SPARK_DAEMON_MEMORY": "256m"}
        with (self.folder / f"{what}.log").open("ab") as log:
            return subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                env=self.environment() | daemon,
                start_new_session=True,
            )

    def environment(self) -> dict[str, str]:
        """The environment of a driver on this cluster."""
        paths = [str(HERE.parents[4]), str(HERE.parent), str(HERE.parents[1])]
        paths.append(os.environ.get("PYTHONPATH", ""))
        return {
            **os.environ,
            "MASTER": self.address,
            "SPARK_HOME": str(self._home),
            "SPARK_CONF_DIR": str(self.folder / "conf"),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
            "PYSPARK_PYTHON": sys.executable,
        }

    def kill_worker(self) -> None:
        """Kill the second worker with its executor."""
        os.killpg(self._started[2].pid, signal.SIGKILL)

    def stop(self) -> None:
        """Kill all processes of the cluster."""
        for process in self._started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture
def standalone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standalone]:
    found = Standalone(tmp_path_factory.mktemp("standalone") / "spark")
    try:
        yield found
    finally:
        found.stop()


def waits(flag: Path, home: int, text: str) -> None:
    """Tell that an executor is at work, and wait until a worker was killed."""
    until = time.monotonic() + PATIENCE
    if "WAIT" in text and os.getpid() != home:
        flag.touch()
        while not flag.with_suffix(".killed").exists() and time.monotonic() < until:
            time.sleep(0.1)
    if "POISON" in text and os.getpid() != home:
        os.kill(os.getpid(), signal.SIGKILL)


def scrub_on_cluster(folder: Path) -> int:
    """Run the job of the test on the configured cluster, in a process of its own."""
    finder = KnownOnly(partial(waits, folder / "flag", os.getpid()))
    wanted = job(folder / "in", folder / "afar", policy=coded_policy())
    with (
        open_spark(1) as spark,
        open_for_job(folder / "book.db", folder / "key") as (desk, account),
    ):
        assert spark.own and spark.context.master == os.environ["MASTER"]
        return run_job(
            wanted, finder, allocate=desk, crosswalk=account, cluster=cluster(spark)
        ).exit_code


def test_a_cluster_loses_a_worker_and_withholds_a_poison_row_and_its_file_only(
    standalone: Standalone, extract: Path, tmp_path: Path
) -> None:
    key = create_key_file(tmp_path / "key")
    Crosswalk.create(tmp_path / "book.db", key).close()
    with open_for_job(tmp_path / "book.db", tmp_path / "key") as (desk, account):
        wanted = job(extract, tmp_path / "here", policy=coded_policy())
        run_job(wanted, KnownOnly(), allocate=desk, crosswalk=account)
    before = _tables(tmp_path / "here")
    letters = extract / "letters"
    (letters / "00402801_8.txt").write_text("Harlan Hoekstra is well. WAIT.")
    (letters / "00402801_9.txt").write_text("Harlan Hoekstra is well. POISON.")
    told = "import sys, pathlib, test_standalone_cluster as t; "
    told += "sys.exit(t.scrub_on_cluster(pathlib.Path(sys.argv[1])))"
    driver = subprocess.Popen([sys.executable, "-c", told, tmp_path], env=standalone.environment())
    until = time.monotonic() + PATIENCE
    while not (tmp_path / "flag").exists() and driver.poll() is None:
        assert time.monotonic() < until
        time.sleep(0.1)
    standalone.kill_worker()
    (tmp_path / "flag.killed").touch()
    assert driver.wait(PATIENCE) == 4
    lines = (tmp_path / "afar" / "_release" / "quarantine.jsonl").read_text("utf-8").splitlines()
    (withheld,) = map(json.loads, lines)
    assert (withheld["code"], withheld["place"]) == ("worker-died", "file")
    assert _tables(tmp_path / "afar") == before  # the same rows with the same codes


def _tables(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(out.glob("*.csv"))}
