"""A store of a crosswalk: its tables and SQL statements, the same in SQLite and PostgreSQL.

`?` marks a parameter and `{bytes}` the type of binary columns; each back end replaces both.
"""

from __future__ import annotations

import itertools
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

from deid.crosswalk.audit.chain import AuditHead, AuditLink
from deid.crosswalk.stores.stored_rows import STORE_FORMAT, BookState, Entry, WrappedKey
from deid.crosswalk.trouble import crosswalk_error

_BOOK = (
    "CREATE TABLE crosswalk_book (only_row INTEGER PRIMARY KEY CHECK (only_row = 1),"
    " format INTEGER NOT NULL, epoch INTEGER NOT NULL, status TEXT NOT NULL,"
    " key_name TEXT NOT NULL, public {bytes} NOT NULL, book TEXT NOT NULL,"
    " generation BIGINT NOT NULL, sequence BIGINT NOT NULL, hash {bytes} NOT NULL,"
    " weight {bytes} NOT NULL, signature {bytes} NOT NULL)"
)
_CREATE_KEYS = (
    "CREATE TABLE crosswalk_keys (purpose TEXT NOT NULL, number INTEGER NOT NULL,"
    " wrapped {bytes} NOT NULL, PRIMARY KEY (purpose, number))"
)
_AUDIT = (
    "CREATE TABLE crosswalk_audit (sequence BIGINT PRIMARY KEY, sealed {bytes} NOT NULL,"
    " hash {bytes} NOT NULL)"
)
_ENTRIES = (
    "CREATE TABLE {name} (place {bytes} PRIMARY KEY, kind TEXT NOT NULL, mark {bytes} UNIQUE,"
    " number INTEGER NOT NULL, token {bytes} NOT NULL, sealed {bytes} NOT NULL)"
)
ENTRY_COLUMNS = "place, kind, mark, number, token, sealed"
_BOOK_COLUMNS = (
    "format, epoch, status, key_name, public, book, generation, sequence, hash, weight, signature"
)
ROWS_PER_STATEMENT = 4000


# Kept open: closing a parent's connection in a child process would disturb the parent.
_LEFT_ALONE: list[Any] = []


class Store(ABC):
    """Reads and writes rows. It holds no key, value or code in plain text.

    `where` is the location for messages: a path, or a URL without user and password. `location` is
    its unique name, also without user and password.
    """

    bytes_type: str
    entries_suffix: str = ""
    where: str
    location: str

    def __init__(self) -> None:
        self._db: Any = None
        self._closed = False
        self._process = os.getpid()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.where!r})"

    @abstractmethod
    def strangers(self) -> tuple[str, ...]:
        """Describe the objects in or on the tables that the engine did not create."""

    @abstractmethod
    def is_damaged(self) -> bool:
        """Whether the database's own integrity check fails."""

    @abstractmethod
    def creating(self) -> AbstractContextManager[None]:
        """A context that creates empty tables, all or nothing. Raises if tables exist."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[None]:
        """A context whose reads all see one state of the store."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[None]:
        """A context for one writer at a time; either all of its writes are kept, or none."""

    @abstractmethod
    def settle(self) -> None:
        """Remove deleted data from logs and from free pages."""

    @abstractmethod
    def _connect(self) -> Any:
        """A new connection."""

    @abstractmethod
    def _among(self, values: Sequence[bytes]) -> tuple[str, Sequence[Any]]:
        """Return the SQL condition that a column holds one of the values, and its parameters."""

    @abstractmethod
    def _ask(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """All rows of a query."""

    @abstractmethod
    def _do(self, sql: str, values: Sequence[Any] = ()) -> None:
        """Run a statement that returns nothing."""

    @abstractmethod
    def _do_many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Run a statement once for each row."""

    @abstractmethod
    def _stream(self, sql: str) -> Iterator[Any]:
        """The rows of a query, a few at a time."""

    def close(self) -> None:
        """Close the connection if this process opened it; the store cannot be used any more."""
        if self._db is not None and self._process == os.getpid():
            self._db.close()
        self._db, self._closed = None, True

    def _connection(self) -> Any:
        """The connection of this process: a forked child must not use its parent's.

        Raises:
            RuntimeError: the store was closed.
        """
        if self._closed:
            raise RuntimeError("the crosswalk is closed")
        own = self._process == os.getpid()
        if self._db is None or not own or getattr(self._db, "closed", False):
            if self._db is not None and not own:
                _LEFT_ALONE.append(self._db)
            self._db, self._process = self._connect(), os.getpid()
        return self._db

    def definitions(self) -> dict[str, str]:
        """The statement that makes each table."""
        return {
            "crosswalk_book": _BOOK.format(bytes=self.bytes_type),
            "crosswalk_keys": _CREATE_KEYS.format(bytes=self.bytes_type),
            "crosswalk_audit": _AUDIT.format(bytes=self.bytes_type),
            "crosswalk_entries": self._entries_table("crosswalk_entries"),
        }

    def _make_tables(self) -> None:
        for statement in self.definitions().values():
            self._do(statement)

    def _entries_table(self, name: str) -> str:
        return _ENTRIES.format(name=name, bytes=self.bytes_type) + self.entries_suffix

    def state(self) -> BookState:
        rows = self._ask(f"SELECT {_BOOK_COLUMNS} FROM crosswalk_book")
        if len(rows) != 1 or rows[0][0] != STORE_FORMAT:
            raise crosswalk_error("not-a-crosswalk", self.where)
        _, epoch, status, key_name, public, book, generation, sequence, *binary = rows[0]
        chain, weight, signature = map(bytes, binary)
        head = AuditHead(book, generation, sequence, chain, weight, signature)
        return BookState(epoch, status, key_name, bytes(public), head)

    def set_state(self, state: BookState) -> None:
        head = state.head
        values = (
            *(1, STORE_FORMAT, state.epoch, state.status, state.key_name, state.public, head.book),
            *(head.generation, head.sequence, head.hash, head.weight, head.signature),
        )
        columns = f"only_row, {_BOOK_COLUMNS}"
        # Always update the row: in PostgreSQL writers queue for it.
        changes = ", ".join(f"{name} = excluded.{name}" for name in columns.split(", "))
        self._do(
            f"INSERT INTO crosswalk_book ({columns}) VALUES ({', '.join('?' * len(values))})"
            f" ON CONFLICT (only_row) DO UPDATE SET {changes}",
            values,
        )

    def wrapped_keys(self) -> list[WrappedKey]:
        rows = self._ask("SELECT purpose, number, wrapped FROM crosswalk_keys ORDER BY 1, 2")
        return [WrappedKey(purpose, number, bytes(wrapped)) for purpose, number, wrapped in rows]

    def set_keys(self, keys: Sequence[WrappedKey]) -> None:
        """Replace all stored keys with these keys."""
        self._do("DELETE FROM crosswalk_keys")
        self._do_many(
            "INSERT INTO crosswalk_keys (purpose, number, wrapped) VALUES (?, ?, ?)", keys
        )

    def tokens(self, places: Sequence[bytes]) -> dict[bytes, bytes]:
        """The token of each place that is in use."""
        return dict(
            self._ask_among("SELECT place, token FROM crosswalk_entries WHERE place", places)
        )

    def marks(self, marks: Sequence[bytes]) -> set[bytes]:
        """The marks that are in use."""
        rows = self._ask_among("SELECT mark FROM crosswalk_entries WHERE mark", marks)
        return {mark for (mark,) in rows}

    def _ask_among(self, sql: str, values: Sequence[bytes]) -> Iterator[Any]:
        for part in chunks(values, ROWS_PER_STATEMENT):
            condition, parameters = self._among(part)
            yield from self._ask(f"{sql} {condition}", parameters)

    def add(self, entries: Sequence[Entry]) -> None:
        self._add("crosswalk_entries", entries)

    def _add(self, table: str, entries: Sequence[Entry]) -> None:
        sql = f"INSERT INTO {table} ({ENTRY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)"
        self._do_many(sql, entries)

    def places(self) -> Iterator[tuple[bytes, bytes]]:
        """Place and token of every row."""
        rows = self._stream("SELECT place, token FROM crosswalk_entries")
        return ((bytes(place), bytes(token)) for place, token in rows)

    def marked(self, mark: bytes) -> Entry | None:
        """The row of a code."""
        sql = f"SELECT {ENTRY_COLUMNS} FROM crosswalk_entries WHERE mark = ?"
        rows = self._ask(sql, (mark,))
        return entry_of(rows[0]) if rows else None

    def entries(self) -> Iterator[Entry]:
        return map(entry_of, self._stream(f"SELECT {ENTRY_COLUMNS} FROM crosswalk_entries"))

    def rewrite(self, entries: Iterable[Entry]) -> None:
        """Replace all rows. The new rows may come from reading `entries()` in the meantime."""
        self._do(self._entries_table("crosswalk_rewrite"))
        for chunk in chunks(entries, ROWS_PER_STATEMENT):
            self._add("crosswalk_rewrite", chunk)
        self._do("DELETE FROM crosswalk_entries")
        self._do("INSERT INTO crosswalk_entries SELECT * FROM crosswalk_rewrite")
        self._do("DROP TABLE crosswalk_rewrite")

    def counts(self) -> dict[str, int]:
        """Rows of each kind."""
        return dict(
            self._ask("SELECT kind, count(*) FROM crosswalk_entries GROUP BY kind ORDER BY kind")
        )

    def links(self) -> Iterator[AuditLink]:
        rows = self._stream("SELECT sequence, sealed, hash FROM crosswalk_audit ORDER BY sequence")
        return (
            AuditLink(sequence, bytes(sealed), bytes(digest)) for sequence, sealed, digest in rows
        )

    def append(self, links: Sequence[AuditLink]) -> None:
        rows = [(link.sequence, link.sealed, link.hash) for link in links]
        self._do_many("INSERT INTO crosswalk_audit (sequence, sealed, hash) VALUES (?, ?, ?)", rows)

    def link_hash(self, sequence: int) -> bytes | None:
        rows = self._ask("SELECT hash FROM crosswalk_audit WHERE sequence = ?", (sequence,))
        return bytes(rows[0][0]) if rows else None


def entry_of(row: Sequence[Any]) -> Entry:
    """An entry from a row in the order of `ENTRY_COLUMNS`."""
    place, kind, mark, number, token, sealed = row
    whole = None if mark is None else bytes(mark)
    return Entry(bytes(place), kind, whole, number, bytes(token), bytes(sealed))


def chunks(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """Lists of up to `size` items."""
    rest = iter(items)
    while chunk := list(itertools.islice(rest, size)):
        yield chunk
