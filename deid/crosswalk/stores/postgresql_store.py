"""A crosswalk for teams in PostgreSQL, through psycopg 3: the same tables as in SQLite.

The tables are in the first schema of the connection's search path, so one database can hold several
books: `postgresql://host/db?options=-csearch_path%3Dbook_a`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterator, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from deid.crosswalk.stores import catalog
from deid.crosswalk.stores.sql_store import ENTRY_COLUMNS, ROWS_PER_STATEMENT, Store
from deid.crosswalk.trouble import crosswalk_error

_WAIT = "120s"


class Postgresql(Store):
    """One connection to one database.

    A writer locks the row with the state of the book; other writers wait for it.
    """

    bytes_type = "BYTEA"

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url
        parts = urlsplit(url)
        # Messages must not show the user or password of the URL.
        self.where = f"postgresql://{parts.hostname or ''}{parts.path}"
        asked = [pair for pair in parse_qsl(parts.query) if pair[0] not in ("user", "password")]
        self.location = f"{self.where}:{parts.port or ''}?{urlencode(sorted(asked))}"

    @contextlib.contextmanager
    def creating(self) -> Generator[None]:
        with self._told(), self._connection().transaction():
            if self._ask("SELECT to_regclass('crosswalk_book')") != [(None,)]:
                raise crosswalk_error("crosswalk-exists", self.where)
            self._make_tables()
            yield

    @contextlib.contextmanager
    def reading(self) -> Generator[None]:
        with self._told(), self._connection().transaction():
            self._do("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield

    @contextlib.contextmanager
    def writing(self) -> Generator[None]:
        with self._told(), self._connection().transaction():
            self._do(f"SET LOCAL lock_timeout = '{_WAIT}'")
            self._do("SELECT 1 FROM crosswalk_book FOR UPDATE")
            yield

    def strangers(self) -> tuple[str, ...]:
        found = [(kind, of, fact) for kind, of, fact in self._ask(catalog.FACTS)]
        if not any(of == "crosswalk_book" for _, of, _ in found):
            raise crosswalk_error("not-a-crosswalk", self.where)
        return catalog.strangers(found)

    def is_damaged(self) -> bool:
        return False

    def _among(self, values: Sequence[bytes]) -> tuple[str, Sequence[Any]]:
        return "= ANY(?)", (list(values),)

    def _add(self, table: str, entries: Sequence[Any]) -> None:
        types = ("bytea", "text", "bytea", "int4", "bytea", "bytea")
        sql = f"COPY {table} ({ENTRY_COLUMNS}) FROM STDIN (FORMAT BINARY)"
        with self._told(), self._connection().cursor().copy(sql) as copy:
            copy.set_types(types)
            for entry in entries:
                copy.write_row(entry)

    def settle(self) -> None:
        for table in ("crosswalk_keys", "crosswalk_entries", "crosswalk_book"):
            self._do(f"VACUUM FULL {table}")

    def _ask(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        with self._told():
            cursor = self._connection().cursor(binary=True)
            return list(cursor.execute(_with_placeholders(sql), values or None).fetchall())

    def _do(self, sql: str, values: Sequence[Any] = ()) -> None:
        with self._told():
            self._connection().execute(_with_placeholders(sql), values or None, binary=bool(values))

    def _do_many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        with self._told():
            self._connection().cursor().executemany(_with_placeholders(sql), rows)

    def _stream(self, sql: str) -> Iterator[Any]:
        with self._told(), self._connection().cursor(name="crosswalk_rows", binary=True) as cursor:
            cursor.itersize = ROWS_PER_STATEMENT
            yield from cursor.execute(_with_placeholders(sql))

    def _connect(self) -> Any:
        psycopg = _psycopg(self.where)
        with self._told():
            db = psycopg.connect(self._url, autocommit=True, connect_timeout=10)
            db.execute(catalog.OWN_SCHEMA)
        return db

    @contextlib.contextmanager
    def _told(self) -> Generator[None]:
        psycopg = _psycopg(self.where)
        try:
            yield
        except (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected):
            raise crosswalk_error("crosswalk-locked", self.where) from None
        except (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn):
            raise crosswalk_error("not-a-crosswalk", self.where) from None
        except psycopg.errors.InsufficientPrivilege:
            raise crosswalk_error("not-allowed", self.where) from None
        except psycopg.Error:
            raise crosswalk_error("crosswalk-unreachable", self.where) from None


def _with_placeholders(sql: str) -> str:
    return sql.replace("?", "%b")


def _psycopg(where: str) -> Any:
    try:
        import psycopg
    except ImportError:
        raise crosswalk_error("no-postgresql", where) from None
    return psycopg
