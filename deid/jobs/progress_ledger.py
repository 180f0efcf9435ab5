"""The finished parts of a job in one SQLite file, without values, for resuming a killed job.

A row is one input file, keyed by its hash and the hash of the policy. Only the parent writes, after
the output of the file is in place.
"""

from __future__ import annotations

import errno
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from deid.errors import UNREADABLE, DeidError
from deid.jobs.job import FileBatch, FileDone

_JOB = "CREATE TABLE IF NOT EXISTS job (what TEXT PRIMARY KEY, told TEXT NOT NULL) WITHOUT ROWID"
_FILES = """
CREATE TABLE IF NOT EXISTS files (
    input_sha256 TEXT, policy_sha256 TEXT, number INTEGER, done TEXT NOT NULL,
    PRIMARY KEY (input_sha256, policy_sha256, number)
) WITHOUT ROWID
"""
# The ledger survives if the job is killed. After a power failure its last rows may be missing; the
# files of those rows are scrubbed again.
_SETTINGS = ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL")


class ProgressLedger:
    """The open ledger of one job. Raises `OSError` if the disk fails."""

    def __init__(self, path: Path) -> None:
        with _as_os_error():
            self._db = sqlite3.connect(path, isolation_level=None)
            for statement in (*_SETTINGS, _JOB, _FILES):
                self._db.execute(statement)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def terms(self) -> dict[str, str]:
        """The terms under which the job began: names and hashes.

        The result is empty for a new ledger.
        """
        with _as_os_error():
            return dict(self._db.execute("SELECT what, told FROM job").fetchall())

    def begin(self, terms: Mapping[str, str]) -> None:
        """Forget all results; the job begins under these terms."""
        with _as_os_error(), self._db:
            self._db.execute("BEGIN")
            self._db.execute("DELETE FROM files")
            self._db.execute("DELETE FROM job")
            self._db.executemany("INSERT INTO job VALUES (?, ?)", terms.items())

    def record(self, what: str, told: str) -> None:
        """Record a fact about the whole job, such as a term."""
        with _as_os_error():
            self._db.execute("INSERT OR REPLACE INTO job VALUES (?, ?)", (what, told))

    def record_file(self, batch: FileBatch, policy_sha256: str, done: FileDone) -> None:
        """Record the result of a file."""
        told = json.dumps(done.as_json(), separators=(",", ":"))
        row = (batch.sha256, policy_sha256, batch.number, told)
        with _as_os_error():
            self._db.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)", row)

    def find(self, batch: FileBatch, policy_sha256: str) -> FileDone | None:
        """The result of a file, if it is done."""
        sql = "SELECT done FROM files WHERE (input_sha256, policy_sha256, number) = (?, ?, ?)"
        with _as_os_error():
            row = self._db.execute(sql, (batch.sha256, policy_sha256, batch.number)).fetchone()
        return None if row is None else FileDone.of_json(json.loads(row[0]))

    def __len__(self) -> int:
        with _as_os_error():
            found: tuple[Any, ...] = self._db.execute("SELECT count(*) FROM files").fetchone()
        return int(found[0])


def read_progress(path: Path) -> tuple[int, dict[str, str]]:
    """The number of finished files and the terms of a job, which may still be running.

    Nothing is created: a ledger that another process is about to create counts as empty.

    Raises:
        OSError: the disk fails, or the file is gone.
        DeidError: `ledger-broken`.
    """
    address = f"{path.absolute().as_uri()}?mode=rw"
    with _as_os_error(), closing(sqlite3.connect(address, uri=True)) as db:
        if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'files'").fetchone() is None:
            return 0, {}
        (count,) = db.execute("SELECT count(*) FROM files").fetchone()
        return int(count), dict(db.execute("SELECT what, told FROM job").fetchall())


@contextmanager
def _as_os_error() -> Iterator[None]:
    """Raise SQLite errors as `OSError` or `DeidError`: their own text may hold a path."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "") or ""
        for begin, number in _NUMBERS.items():
            if name.startswith(begin):
                raise OSError(number, os.strerror(number)) from None
        raise DeidError(
            "ledger-broken",
            "the ledger of the job next to OUT cannot be read",
            hint="delete the job's folder and start over",
            exit_code=UNREADABLE,
        ) from None


_NUMBERS = {
    "SQLITE_FULL": errno.ENOSPC,
    "SQLITE_IOERR_SHMSIZE": errno.ENOSPC,  # the shared-memory file could not grow
    "SQLITE_READONLY": errno.EROFS,
    "SQLITE_CANTOPEN": errno.EACCES,
    "SQLITE_IOERR": errno.EIO,
    "SQLITE_BUSY": errno.EBUSY,
}
