"""An interrupt at any line of the code leaves no job folder behind if the job did nothing."""

from __future__ import annotations

import fcntl
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from deid.errors import DeidError
from deid.jobs import folder as folders
from deid.jobs import progress_ledger as ledgers
from deid.jobs.folder import job_folder, job_folder_path, unfinished
from deid.jobs.progress_ledger import ProgressLedger

TRACED = (folders.__file__, ledgers.__file__)


@dataclass
class InterruptAt:
    """A trace function that raises KeyboardInterrupt at the nth line of the two modules."""

    line: int
    seen: int = 0

    def __call__(self, frame: FrameType, event: str, _: Any) -> InterruptAt | None:
        if frame.f_code.co_filename not in TRACED:
            return None
        self.seen += event == "line"
        if self.seen == self.line:
            sys.settrace(None)
            raise KeyboardInterrupt
        return self


def entered(out: Path, line: int) -> bool:
    """Was the job folder entered before an interrupt at that line?"""
    before = sys.gettrace()
    sys.settrace(InterruptAt(line))
    try:
        with job_folder(out, resume=True):
            sys.settrace(before)
            return True
    except KeyboardInterrupt:
        return False
    finally:
        sys.settrace(before)


def until_entered(check: Callable[[int], bool]) -> int:
    line = 1
    while not check(line):
        line += 1
    return line


def test_an_interrupt_at_any_line_leaves_no_folder(tmp_path: Path) -> None:
    def check(line: int) -> bool:
        done = entered(tmp_path / "new" / "out", line)
        assert list(tmp_path.iterdir()) == [], line
        return done

    assert until_entered(check) > 20


def test_an_interrupt_at_any_line_keeps_finished_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ProgressLedger, "__len__", lambda self: 1)
    with job_folder(tmp_path / "out", resume=True) as folder:
        folder.clear(everything=True)
        folder.spared = True

    def check(line: int) -> bool:
        done = entered(tmp_path / "out", line)
        assert unfinished(tmp_path / "out") is not None, line
        assert (job_folder_path(tmp_path / "out") / "parts").exists(), line
        return done

    assert until_entered(check) > 20


def test_a_folder_in_use_is_left_unchanged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "_WAIT_FOR_RELEASE", 0.0)
    with job_folder(tmp_path / "out", resume=False) as folder:
        folder.clear(everything=True)
        with pytest.raises(DeidError) as caught, job_folder(tmp_path / "out", resume=True):
            pass
        assert caught.value.code == "out-in-use"
        assert (folder.root / "parts").exists()
    assert list(tmp_path.iterdir()) == []


def test_a_job_that_ends_while_another_gives_up_keeps_its_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = job_folder(tmp_path / "out", resume=False)
    folder = first.__enter__()
    tried = folders._try_lock

    def ends(path: Path, held: folders._HeldResources) -> bool:
        """The first job finishes a file and dies before the second job asks for the lock again."""
        with ledgers._as_os_error():
            folder.ledger._db.execute("INSERT INTO files VALUES ('a', 'b', 0, '{}')")
        fcntl.flock(folder.lock, fcntl.LOCK_UN)
        folder.spared = True
        return tried(path, held)

    def gives_up(path: Path, held: folders._HeldResources) -> None:
        monkeypatch.setattr(folders, "_try_lock", ends)
        raise DeidError("out-in-use", "in use", hint="")

    monkeypatch.setattr(folders, "_lock", gives_up)
    with pytest.raises(DeidError), job_folder(tmp_path / "out", resume=True):
        pass
    assert unfinished(tmp_path / "out") is not None
    first.__exit__(None, None, None)


def test_the_progress_of_a_job_that_is_starting_is_read_without_a_fault(tmp_path: Path) -> None:
    """A ledger that is being created must not count as broken: the hint would delete a
    running job.
    """
    path = job_folder_path(tmp_path / "out") / "ledger.sqlite"
    path.parent.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as starting:
        assert unfinished(tmp_path / "out") == (0, {})
        starting.execute("BEGIN IMMEDIATE")
        starting.execute("CREATE TABLE job (what TEXT, told TEXT)")
        assert unfinished(tmp_path / "out") == (0, {})
        starting.execute("ROLLBACK")
        starting.execute("BEGIN EXCLUSIVE")
        with pytest.raises(OSError, match="busy"):
            ProgressLedger(path)
