"""What of a job is done, kept so that a killed one goes on: one SQLite file, value-free.

A row is one input file, keyed by its hash and that of the policy it was scrubbed under. The parent
alone writes, after the output of the file lies in its place.
"""

from __future__ import annotations

import errno
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
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
# The files of the ledger survive a kill as they are; after a power cut the last rows may be
# missing, and their files are scrubbed again.
_SETTINGS = ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL")


class ProgressLedger:
    """The ledger of one job, opened. Raises `OSError` where the disk says no."""

    def __init__(self, path: Path) -> None:
        with _told():
            self._db = sqlite3.connect(path, isolation_level=None)
            for statement in (*_SETTINGS, _JOB, _FILES):
                self._db.execute(statement)

    def close(self) -> None:
        """Let the file go."""
        self._db.close()

    def terms(self) -> dict[str, str]:
        """Under what terms the job began: names and hashes. Empty for a new ledger."""
        with _told():
            return dict(self._db.execute("SELECT what, told FROM job").fetchall())

    def begin(self, terms: Mapping[str, str]) -> None:
        """Forget whatever was done; the job begins under these terms."""
        with _told(), self._db:
            self._db.execute("BEGIN")
            self._db.execute("DELETE FROM files")
            self._db.execute("DELETE FROM job")
            self._db.executemany("INSERT INTO job VALUES (?, ?)", terms.items())

    def tell(self, what: str, told: str) -> None:
        """Note something of the job as a whole."""
        with _told():
            self._db.execute("INSERT OR REPLACE INTO job VALUES (?, ?)", (what, told))

    def note(self, batch: FileBatch, policy_sha256: str, done: FileDone) -> None:
        """A file is done."""
        told = json.dumps(done.as_json(), separators=(",", ":"))
        row = (batch.sha256, policy_sha256, batch.number, told)
        with _told():
            self._db.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)", row)

    def find(self, batch: FileBatch, policy_sha256: str) -> FileDone | None:
        """What came of a file, if it is done."""
        sql = "SELECT done FROM files WHERE (input_sha256, policy_sha256, number) = (?, ?, ?)"
        with _told():
            row = self._db.execute(sql, (batch.sha256, policy_sha256, batch.number)).fetchone()
        return None if row is None else FileDone.of_json(json.loads(row[0]))

    def __len__(self) -> int:
        with _told():
            found: tuple[Any, ...] = self._db.execute("SELECT count(*) FROM files").fetchone()
        return int(found[0])


@contextmanager
def _told() -> Iterator[None]:
    """What SQLite says, as the operating system would say it; its own words hold a path."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "") or ""
        for begin, number in _NUMBERS.items():
            if name.startswith(begin):
                raise OSError(number, os.strerror(number)) from None
        raise DeidError(
            "ledger-broken",
            "the ledger of the job beside OUT cannot be read",
            hint="delete the job's folder and begin anew",
            exit_code=UNREADABLE,
        ) from None


_NUMBERS = {
    "SQLITE_FULL": errno.ENOSPC,
    "SQLITE_IOERR_SHMSIZE": errno.ENOSPC,  # the memory it shares, a file too, did not grow
    "SQLITE_READONLY": errno.EROFS,
    "SQLITE_CANTOPEN": errno.EACCES,
    "SQLITE_IOERR": errno.EIO,
}
