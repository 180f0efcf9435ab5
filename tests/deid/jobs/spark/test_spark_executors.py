"""Real Spark on this machine; skipped where pyspark or Java is missing (`tests/README.md`)."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from nearby import cluster
from small_extract import FIRST, LAST, KnownOnly, digest, job
from typer.testing import CliRunner

from deid.cli.scrub import app
from deid.crosswalk import Crosswalk, open_for_job, verify
from deid.crosswalk.keys.master_keys import create_key_file
from deid.errors import DeidError
from deid.installation import check_installation
from deid.jobs import job_folder_path, run_job
from deid.jobs.spark import spark_executors as sparking
from deid.jobs.spark.spark_executors import SparkExecutors, has_java, open_spark, pyspark_version
from deid.policy.model import parse_policy, policy_text

HERE = Path(__file__).resolve()
needs_spark = pytest.mark.skipif(
    pyspark_version() is None or not has_java(), reason="pyspark and Java are not on this machine"
)


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkExecutors]:
    """Two executors, which can import the tests' own finders."""
    if pyspark_version() is None or not has_java():
        pytest.skip("pyspark and Java are not on this machine")
    paths = [str(HERE.parents[4]), str(HERE.parents[1]), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    with open_spark(2) as opened:
        yield opened


def test_spark_writes_what_worker_processes_write(
    spark: SparkExecutors, extract: Path, tmp_path: Path
) -> None:
    run_job(job(extract, tmp_path / "here", workers=2), KnownOnly())
    afar = cluster(spark)
    assert run_job(job(extract, tmp_path / "there"), KnownOnly(), cluster=afar).exit_code == 0
    assert digest(tmp_path / "there") == digest(tmp_path / "here")
    assert not job_folder_path(tmp_path / "there").exists()


def test_an_existing_spark_context_is_used_and_left_unchanged(
    spark: SparkExecutors, extract: Path, tmp_path: Path
) -> None:
    with open_spark(7) as second:
        assert second.context is spark.context and not second.own
        assert second.many == 2
        wanted = job(extract / "letters", tmp_path / "out", known=(extract / "patients.csv",))
        assert run_job(wanted, KnownOnly(), cluster=cluster(second)).exit_code == 0
    assert spark.context.parallelize([1], 1).collect() == [1]
    for name in ("spark.ui.enabled", "spark.eventLog.enabled"):
        assert spark.context.getConf().get(name) == "false"


def dies(flag: Path, text: str) -> None:
    """Kills its process if the text asks for it: once if a flag file can be written, otherwise
    always.
    """
    if "POISON" in text and not (flag.name and flag.exists()):
        if flag.name:
            flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)


def test_the_work_of_an_executor_that_is_killed_is_done_again(
    spark: SparkExecutors, extract: Path, tmp_path: Path
) -> None:
    (extract / "letters" / "00402801_9.txt").write_text("Harlan Hoekstra is well. POISON.")
    run_job(job(extract, tmp_path / "well"), KnownOnly())
    flag = tmp_path / "died"
    finder = KnownOnly(partial(dies, flag))
    flag.touch()  # not here
    wanted = job(extract, tmp_path / "out")
    plain = run_job(wanted, finder, cluster=Killing(spark, flag).cluster())
    assert plain.exit_code == 0 and flag.exists()
    assert digest(tmp_path / "out") == digest(tmp_path / "well")


class Killing:
    """Executors that may die from the first order on."""

    def __init__(self, spark: SparkExecutors, flag: Path) -> None:
        self._spark, self._flag, self._ready = spark, flag, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._spark, name)

    def call(self, *order: Any) -> bytes:
        if not self._ready:
            self._ready = True
            self._flag.unlink()
        return self._spark.call(*order)

    def cluster(self) -> Any:
        return cluster(self)


def kills_if_far(home: int, text: str) -> None:
    """Kills every process except the one that started the job."""
    if "POISON" in text and os.getpid() != home:
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_file_that_kills_spark_executors_is_withheld(
    spark: SparkExecutors, extract: Path, tmp_path: Path
) -> None:
    (extract / "letters" / "00402801_9.txt").write_text("Harlan Hoekstra is well. POISON.")
    finder, out = KnownOnly(partial(kills_if_far, os.getpid())), tmp_path / "out"
    release = run_job(job(extract, out), finder, cluster=cluster(spark))
    assert release.exit_code == 4
    lines = (out / "_release" / "quarantine.jsonl").read_text("utf-8").splitlines()
    (told,) = map(json.loads, lines)
    assert (told["code"], told["place"]) == ("worker-died", "file")
    assert release.account.tally.records_in == release.account.tally.records_out + 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in", "out"]


def test_codes_are_drawn_by_the_driver_and_the_crosswalk_is_intact(
    spark: SparkExecutors, extract: Path, tmp_path: Path
) -> None:
    text = policy_text("safe_harbor").replace("keys: numbered", "keys: as_transforms")
    text = text.replace("  mrns: tag", "  mrns: code").replace("  names: tag", "  names: surrogate")
    key = create_key_file(tmp_path / "key")
    Crosswalk.create(tmp_path / "book.db", key).close()
    for name, afar in (("a", cluster(spark)), ("b", None)):
        wanted = job(extract, tmp_path / name, policy=parse_policy(text))
        with open_for_job(tmp_path / "book.db", tmp_path / "key") as (desk, account):
            release = run_job(wanted, KnownOnly(), allocate=desk, crosswalk=account, cluster=afar)
        assert release.exit_code == 0
    assert digest(tmp_path / "a") == digest(tmp_path / "b")
    with Crosswalk.open(tmp_path / "book.db", key) as book:
        assert verify(book) == ()


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_large_table_is_shared_among_spark_executors(
    spark: SparkExecutors, tmp_path: Path, suffix: str
) -> None:
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet as pq

    rows = range(150_000)
    table = pa.table(
        {
            "patient_id": [f"{n:07}" for n in rows],
            "last_name": [LAST[n % 8] for n in rows],
            "first_name": [FIRST[n % 7] for n in rows],
            "sex": ["FM"[n % 2] for n in rows],
            "birth_date": [f"{1930 + n % 80}-03-14" for n in rows],
            "hemoglobin": [f"{n % 7}.5" for n in rows],
        }
    )
    path = tmp_path / f"table{suffix}"
    if suffix == ".csv":
        pa.csv.write_csv(table, path)
    else:
        pq.write_table(table, path, row_group_size=40_000)
    base = replace(job(tmp_path, tmp_path / "x"), inputs=(path,), known=(), patient_key=None)
    assert run_job(replace(base, out=tmp_path / "here"), KnownOnly()).exit_code == 0
    afar = replace(base, out=tmp_path / "there")
    assert run_job(afar, KnownOnly(), cluster=cluster(spark)).exit_code == 0
    assert digest(tmp_path / "there") == digest(tmp_path / "here")


def test_a_spark_executor_that_sees_other_folders_ends_the_job(
    spark: SparkExecutors, extract: Path, tmp_path: Path
) -> None:
    class Elsewhere(Killing):
        def call(self, *order: Any) -> bytes:
            for mark in (job_folder_path(tmp_path / "out") / "work").iterdir():
                mark.unlink(missing_ok=True)  # two threads call at once
            return self._spark.call(*order)

    # The error must not stop the Spark session that the other tests use.
    afar = cluster(Unstopped(Elsewhere(spark, tmp_path)))
    with pytest.raises(DeidError) as told:
        run_job(job(extract, tmp_path / "out"), KnownOnly(), cluster=afar)
    assert (told.value.code, told.value.exit_code) == ("worker-blind", 2)


class Unstopped:
    """Executors that ignore the request to stop."""

    def __init__(self, executors: Any) -> None:
        self._executors = executors

    def __getattr__(self, name: str) -> Any:
        return getattr(self._executors, name)

    def stop(self) -> None:
        pass


# -- without pyspark or Java ---------------------------------------------------------------------


def _refused(folder: Path) -> tuple[int, DeidError]:
    (folder / "note.txt").write_text("Well child check.")
    ran = CliRunner().invoke(
        app, [str(folder / "note.txt"), "-o", str(folder / "out"), "--engine", "spark"]
    )
    assert isinstance(ran.exception, DeidError)
    assert not (folder / "out").exists()
    return ran.exception.exit_code, ran.exception


def test_missing_pyspark_is_reported_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sparking, "pyspark_version", lambda: None)
    code, error = _refused(tmp_path)
    assert (code, error.code) == (2, "spark-missing")
    assert "pip install" in error.hint and "--workers" in error.hint


def test_missing_java_is_reported_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sparking, "pyspark_version", lambda: "4.0.0")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "nowhere"))
    monkeypatch.delenv("PYSPARK_GATEWAY_PORT", raising=False)
    code, error = _refused(tmp_path)
    assert (code, error.code) == (2, "java-missing")
    assert "JAVA_HOME" in error.hint


def test_the_doctor_reports_whether_spark_is_available(monkeypatch: pytest.MonkeyPatch) -> None:
    from deid import installation as examination

    monkeypatch.setattr(examination, "_engine", lambda: iter(()))
    for version, java, state in (
        (None, True, {"pyspark": "absent", "java": "installed"}),
        ("4.0.0", False, {"pyspark": "4.0.0", "java": "absent"}),
        ("4.0.0", True, {"pyspark": "4.0.0", "java": "installed"}),
    ):
        monkeypatch.setattr(examination, "pyspark_version", lambda version=version: version)
        monkeypatch.setattr(examination, "has_java", lambda java=java: java)
        found = [one for one in check_installation() if one.what in state]
        assert {one.what: one.state for one in found} == state
        assert all(one.well for one in found)  # Spark is an extra: its absence is not a fault


@needs_spark
def test_a_package_missing_on_an_executor_is_reported(tmp_path: Path, extract: Path) -> None:
    script = (
        "import os, sys; os.environ['PYSPARK_PYTHON'] = '/bin/false'\n"
        "from deid.cli import main\n"
        f"main(['scrub', {str(extract)!r}, '-o', {str(tmp_path / 'out')!r}, '--engine', 'spark'])"
    )
    import subprocess

    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr.decode().splitlines()[0].endswith("[worker-silent]")
    assert b"Traceback" not in ran.stderr and ran.stdout == b""
    assert not (tmp_path / "out").exists() and not job_folder_path(tmp_path / "out").exists()
