"""A job of several files killed with kill -9 and resumed gives the same result as an undisturbed
job.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from small_extract import KnownOnly, digest, job, write_extract

from deid.jobs import job_folder_path, run_job, unfinished
from deid.jobs.local.staging import StagedTables, Staging


def _child(work: Callable[[], int]) -> int:
    """A separate process, as the command is."""
    child = os.fork()
    if child == 0:
        code = 99
        try:
            code = work()
        finally:
            os._exit(code)
    return child


def _code(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _until_done(out: Path, files: int) -> None:
    """Wait until that many files of the job are done, or until the job has ended or its state is
    unreadable.
    """
    deadline = time.monotonic() + 30
    while not out.exists() and time.monotonic() < deadline:
        with contextlib.suppress(OSError):
            if (unfinished(out) or (0, {}))[0] >= files:
                return
        time.sleep(0.002)


@pytest.mark.parametrize("workers", [0, 2])
def test_a_job_killed_at_random_points_ends_with_the_same_release(
    tmp_path: Path, workers: int
) -> None:
    source = write_extract(tmp_path / "in", patients=20, notes=30)

    def run(out: Path) -> Callable[[], int]:
        wanted = job(source, out, workers=workers, resume=True, diff=out.with_suffix(".html"))
        slowly = KnownOnly(lambda text: time.sleep(0.002))
        return lambda: run_job(wanted, slowly).exit_code

    assert _code(_child(run(tmp_path / "whole"))) == 0
    chance = random.Random(workers)
    out, killed, kept = tmp_path / "out", 0, 0
    for attempt in range(5):
        child = _child(run(out))
        # The first kill is early, so that at least one kill comes before the end of the job.
        _until_done(out, kept + chance.randint(0, 4) if attempt else 1)
        time.sleep(chance.uniform(0, 0.05) if attempt else 0)
        os.kill(child, signal.SIGKILL)
        killed += _code(child) == -signal.SIGKILL
        before = unfinished(out)
        if out.exists() or before is None:
            break
        assert before[0] >= kept, "what was done is lost"
        kept = before[0]
    assert killed
    if not out.exists() or job_folder_path(out).exists():
        assert _code(_child(run(out))) == 0
    assert digest(out) == digest(tmp_path / "whole")
    assert out.with_suffix(".html").read_bytes() == (tmp_path / "whole.html").read_bytes()
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["in", "out", "out.html", "whole", "whole.html"]


def test_partial_output_of_a_withheld_file_is_not_released(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in").mkdir()
    for name in ("labs.csv", "visits.csv"):
        (tmp_path / "in" / name).write_text("MRN,SEX\n100417,F\n")
    finish, parent = Staging._finish, os.getpid()

    def dying(staging: Staging, tables: StagedTables) -> None:
        finish(staging, tables)
        if (staging.work / "out" / "labs.csv").exists() and os.getpid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(Staging, "_finish", dying)
    wanted = job(tmp_path / "in", tmp_path / "out", workers=2, known=(), patient_key=None)
    release = run_job(wanted, KnownOnly())
    assert (release.manifest["quarantined"], list(release.manifest["outputs"])) == (1, ["2"])
    assert [p.name for p in (tmp_path / "out").glob("*.csv")] == ["visits.csv"]


def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    source = write_extract(tmp_path / "in", notes=4)
    pids = tmp_path / "pids"

    def linger(text: str) -> None:
        if "rang from" not in text:  # a file name, read before workers start
            return
        with pids.open("a") as file:
            file.write(f"{os.getpid()}\n")
        time.sleep(60)

    wanted = job(source, tmp_path / "out", workers=2)
    child = _child(lambda: run_job(wanted, KnownOnly(linger)).exit_code)
    deadline = time.monotonic() + 30
    while not (pids.exists() and len(set(pids.read_text().split())) == 2):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    _code(child)
    while any(Path(f"/proc/{pid}").exists() for pid in pids.read_text().split()):
        assert time.monotonic() < deadline, "a worker outlived its parent"
        time.sleep(0.02)
