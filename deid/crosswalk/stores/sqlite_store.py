"""A crosswalk in one SQLite file (and its write-ahead log while it is open)."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Any

from deid.crosswalk.stores.sql_store import Store
from deid.crosswalk.trouble import CrosswalkError, crosswalk_error

_WAIT_SECONDS = 120.0
_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA secure_delete = ON",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA cache_size = -65536",
    "PRAGMA wal_autocheckpoint = 8000",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
)
# SQLite creates these for the primary keys and the unique column.
_INDEXES = ("crosswalk_keys_1", "crosswalk_audit_1", "crosswalk_entries_2")


class Sqlite(Store):
    """One connection to one file, not on a network share: its log needs shared memory."""

    bytes_type = "BLOB"
    # Rows are stored in blind index order, so the file does not show which was added first.
    entries_suffix = " WITHOUT ROWID"

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.where, self.location = str(path), str(path.resolve())
        self._path = path
        self._checked: int | None = None

    @contextlib.contextmanager
    def creating(self) -> Generator[None]:
        try:
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            self._refuse_a_full_one()
        except OSError:
            raise crosswalk_error("crosswalk-unreachable", self.where) from None
        with self.writing():
            self._refuse_a_full_one()
            self._make_tables()
            yield

    def _refuse_a_full_one(self) -> None:
        """Accept an existing file only if it has no tables, as after an interrupted creation."""
        try:
            full = self._ask("SELECT 1 FROM sqlite_master LIMIT 1")
        except CrosswalkError:
            full = [True]
        if full:
            raise crosswalk_error("crosswalk-exists", self.where)

    @contextlib.contextmanager
    def reading(self) -> Generator[None]:
        with self._transaction("BEGIN"):
            yield

    @contextlib.contextmanager
    def writing(self) -> Generator[None]:
        with self._transaction("BEGIN IMMEDIATE"):
            yield

    @contextlib.contextmanager
    def _transaction(self, begin: str) -> Generator[None]:
        db = self._connection()
        self._do(begin)
        try:
            yield
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                db.execute("ROLLBACK")
            raise
        self._do("COMMIT")

    def strangers(self) -> tuple[str, ...]:
        # SQLite increments this number with every schema change.
        version = self._ask("PRAGMA schema_version")[0][0]
        if version == self._checked:
            return ()
        found = set(self._ask("SELECT type, name, sql FROM sqlite_master"))
        made: set[tuple[str, str, str | None]] = {
            ("table", name, sql) for name, sql in self.definitions().items()
        }
        made |= {("index", f"sqlite_autoindex_{name}", None) for name in _INDEXES}
        if not any(name == "crosswalk_book" for _, name, _ in found):
            raise crosswalk_error("not-a-crosswalk", self.where)
        if found == made:
            self._checked = version
            return ()
        kinds = sorted({kind for kind, _, _ in found - made})
        return tuple(f"a {kind}" for kind in kinds) or ("a missing table or index",)

    def is_damaged(self) -> bool:
        return self._ask("PRAGMA integrity_check(1)") != [("ok",)]

    def _among(self, values: Sequence[bytes]) -> tuple[str, Sequence[Any]]:
        return f"IN ({','.join('?' * len(values))})", values

    def settle(self) -> None:
        self._ask("PRAGMA wal_checkpoint(TRUNCATE)")

    def _ask(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        with self._told():
            rows: list[Any] = self._connection().execute(sql, values).fetchall()
            return rows

    def _do(self, sql: str, values: Sequence[Any] = ()) -> None:
        with self._told():
            self._connection().execute(sql, values)

    def _do_many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        with self._told():
            self._connection().executemany(sql, rows)

    def _stream(self, sql: str) -> Iterator[Any]:
        with self._told():
            yield from self._connection().execute(sql)

    def _connect(self) -> sqlite3.Connection:
        if not self._path.exists():
            raise crosswalk_error("no-crosswalk", self.where)
        with self._told():
            db = sqlite3.connect(
                self._path, timeout=_WAIT_SECONDS, isolation_level=None, check_same_thread=False
            )
            for setting in _PRAGMAS:
                db.execute(setting)
        return db

    @contextlib.contextmanager
    def _told(self) -> Generator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            text = str(error)
            if "locked" in text or "busy" in text:
                raise crosswalk_error("crosswalk-locked", self.where) from None
            if "no such table" in text:
                raise crosswalk_error("not-a-crosswalk", self.where) from None
            raise crosswalk_error("crosswalk-unreachable", self.where) from None
        except sqlite3.DatabaseError:
            raise crosswalk_error("not-a-crosswalk", self.where) from None
