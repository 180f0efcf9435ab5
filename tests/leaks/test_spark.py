"""Spark leaves no value in its output, logs, events, folders and blocks."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from canaries import EMAIL, FILE, MRN, NAME, PHONE, POLICY, SSN, STREET, seen_in, sweep

from deid.jobs.spark.spark_executors import has_java, pyspark_version

ROOT = Path(__file__).resolve().parents[2]
NOTE = (
    f"Patient: {NAME}  MRN: {MRN}\nDOB 03/14/1951. Lives at {STREET}, Brattleboro, VT 05301.\n"
    f"Call {PHONE} or {EMAIL}. SSN {SSN}.\nMs. Quorblatt has hypertension, on lisinopril 10 mg.\n"
)
# A text that breaks every recognizer, and one that kills every executor that reads it.
BROKEN = """
import os
import recognizers.search as s
really = s.Finder.drafted
def poisoned(self, number, text, *a):
    if "BREAKS" in text: raise ValueError("cannot read: " + text)
    if "ENDS" in text: os._exit(9)
    return really(self, number, text, *a)
s.Finder.drafted = poisoned
"""

pytestmark = pytest.mark.skipif(
    pyspark_version() is None or not has_java(), reason="pyspark and Java are not on this machine"
)


def _loud(folder: Path, before: str) -> dict[str, str]:
    """Spark at its most verbose: all its logs, events and blocks are in the folder."""
    (folder / "conf").mkdir()
    (folder / "spark").mkdir()
    (folder / "events").mkdir()
    (folder / "site").mkdir()
    (folder / "site" / "sitecustomize.py").write_text(before)
    (folder / "conf" / "log4j2.properties").write_text(
        "rootLogger.level = info\nrootLogger.appenderRef.file.ref = file\n"
        "appender.file.type = File\nappender.file.name = file\n"
        f"appender.file.fileName = {folder}/spark/all.log\n"
        "appender.file.layout.type = PatternLayout\n"
        "appender.file.layout.pattern = %d %p %c: %m%n%ex\n"
    )
    (folder / "conf" / "spark-defaults.conf").write_text(
        f"spark.eventLog.enabled true\nspark.eventLog.dir file://{folder}/events\n"
        f"spark.local.dir {folder}/spark\nspark.eventLog.compress false\n"
        "spark.memory.fraction 0.05\n"
    )
    keep = {k: v for k, v in os.environ.items() if k in ("PATH", "LANG", "JAVA_HOME")}
    return keep | {
        "PYTHONPATH": os.pathsep.join([str(folder / "site"), str(ROOT)]),
        "SPARK_CONF_DIR": str(folder / "conf"),
        "HOME": str(folder / "spark"),
        "TMPDIR": str(folder / "spark"),
    }


@pytest.mark.parametrize("ending", ["done", "broken", "killed"])
def test_spark_leaves_no_value_anywhere(tmp_path: Path, ending: str) -> None:
    notes = tmp_path / "in"
    notes.mkdir()
    (notes / f"{FILE}.txt").write_text(NOTE)
    (notes / "table.csv").write_text(
        f"patient_id,last_name,first_name,phone,comment\n{MRN},Quorblatt,Zyxandra,{PHONE},{NAME}\n"
    )
    (notes / "b.txt").write_text(("BREAKS " if ending == "broken" else "") + NOTE)
    (notes / "c.txt").write_text(("ENDS " if ending == "broken" else "") + NOTE)
    (tmp_path / POLICY).mkdir()
    env = _loud(tmp_path, BROKEN if ending == "broken" else "")
    command = ["scrub", "in", "-o", "out", "--engine", "spark", "--workers", "2", "--json"]
    process = subprocess.Popen(
        [sys.executable, "-c", f"from deid.cli import main\nmain({command!r})"],
        cwd=tmp_path,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    if ending == "killed":
        until = time.monotonic() + 300
        work = tmp_path / ".out.deid-job" / "work"
        while not list(work.glob("*-*")) and time.monotonic() < until:
            time.sleep(0.01)
        process.kill()
    stdout, stderr = process.communicate(timeout=600)
    assert process.returncode == {"done": 0, "broken": 4, "killed": -9}[ending], stderr.decode()
    time.sleep(3)  # the Java virtual machine cleans up its own files
    assert seen_in(stdout) == [] and seen_in(stderr) == []
    assert b"Traceback" not in stderr
    kept = [tmp_path / name for name in ("spark", "events", "out", ".out.deid-job")]
    assert (tmp_path / "spark" / "all.log").stat().st_size > 10_000
    assert list((tmp_path / "events").rglob("*"))
    assert sweep(*kept) == []
