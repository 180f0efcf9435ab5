"""Worker processes: every task is done once, and faults are reported without a value."""

from __future__ import annotations

import errno
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from deid.arrow.work_partitions import worker_died
from deid.errors import DeidError, TaskFault
from deid.jobs.local.worker_pool import ReportProgress, run_tasks
from deid.jobs.progress_ledger import ProgressLedger


def _numbers(*numbers: int) -> dict[int, int]:
    """Tasks whose content is their number."""
    return {number: number for number in numbers}


def _nothing(task: int, records: int, characters: int) -> None:
    pass


@pytest.mark.parametrize("workers", [0, 1, 3, 9])
def test_every_task_is_done_once(workers: int) -> None:
    heard: list[tuple[int, int, int]] = []

    def work(task: int, report: ReportProgress) -> int:
        report(1, task)
        return task * task

    def listen(*told: int) -> None:
        heard.append((told[0], told[1], told[2]))

    done = list(run_tasks(work, _numbers(5, 1, 4, 2, 3), workers, listen))
    assert sorted(done) == [(n, n * n) for n in range(1, 6)]
    assert sorted(heard) == [(n, 1, n) for n in range(1, 6)]


@pytest.mark.parametrize("workers", [0, 2])
def test_no_fault_of_a_worker_shows_a_value(workers: int) -> None:
    def work(task: int, report: ReportProgress) -> Any:
        raise (
            ValueError("row was Quorblatt"),
            OSError(errno.ENOSPC, "no room", "Quorblatt.csv"),
            DeidError("output-unreadable", "does not read back", place="file 3", exit_code=3),
        )[task]

    faults = dict(run_tasks(work, _numbers(0, 1, 2), workers, _nothing))
    assert all(isinstance(fault, TaskFault) for fault in faults.values())
    assert "Quorblatt" not in repr(faults)
    assert [fault.ends_the_job for _, fault in sorted(faults.items())] == [False, True, True]
    full = faults[1].error()
    assert isinstance(full, OSError) and full.errno == errno.ENOSPC
    ours = faults[2].error()
    assert isinstance(ours, DeidError)
    assert (ours.code, ours.place, ours.exit_code) == ("output-unreadable", "file 3", 3)


def test_a_task_that_kills_two_workers_is_given_up_and_the_others_are_done() -> None:
    def work(task: int, report: ReportProgress) -> int:
        if task == 7:
            os.kill(os.getpid(), signal.SIGKILL)
        return task

    done = dict(run_tasks(work, _numbers(7, 1, 2, 3), 2, _nothing))
    assert done.pop(7) == TaskFault.of(worker_died())
    assert done == {1: 1, 2: 2, 3: 3}


def test_workers_end_when_their_results_are_no_longer_read() -> None:
    tasks = run_tasks(lambda task, report: os.getpid(), _numbers(*range(20)), 2, _nothing)
    _, pid = next(tasks)
    tasks.close()  # type: ignore[attr-defined]
    assert not Path(f"/proc/{pid}").exists()


def test_a_broken_ledger_is_reported_without_its_path(tmp_path: Path) -> None:
    (tmp_path / "ledger.sqlite").write_bytes(b"nothing of the kind" * 400)
    with pytest.raises(DeidError) as told:
        ProgressLedger(tmp_path / "ledger.sqlite")
    assert told.value.code == "ledger-broken"
    assert str(tmp_path) not in str(told.value)
