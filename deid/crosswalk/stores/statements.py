"""The tables and SQL statements of a crosswalk, shared by SQLite and PostgreSQL.

`?` marks a parameter and `{bytes}` the type of binary columns; each back end replaces both.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from deid.crosswalk.audit.chain import AuditHead, AuditLink
from deid.crosswalk.stores.contract import STORE_FORMAT, BookState, Entry, WrappedKey
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


class Tables(ABC):
    """The part of `Store` that is plain SQL."""

    bytes_type: str
    entries_suffix: str = ""
    where: str

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
        self._do("DELETE FROM crosswalk_keys")
        self._do_many(
            "INSERT INTO crosswalk_keys (purpose, number, wrapped) VALUES (?, ?, ?)", keys
        )

    def add(self, entries: Sequence[Entry]) -> None:
        self._add("crosswalk_entries", entries)

    def _add(self, table: str, entries: Sequence[Entry]) -> None:
        sql = f"INSERT INTO {table} ({ENTRY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)"
        self._do_many(sql, entries)

    def places(self) -> Iterator[tuple[bytes, bytes]]:
        rows = self._stream("SELECT place, token FROM crosswalk_entries")
        return ((bytes(place), bytes(token)) for place, token in rows)

    def marked(self, mark: bytes) -> Entry | None:
        sql = f"SELECT {ENTRY_COLUMNS} FROM crosswalk_entries WHERE mark = ?"
        rows = self._ask(sql, (mark,))
        return entry_of(rows[0]) if rows else None

    def entries(self) -> Iterator[Entry]:
        return map(entry_of, self._stream(f"SELECT {ENTRY_COLUMNS} FROM crosswalk_entries"))

    def rewrite(self, entries: Iterable[Entry]) -> None:
        self._do(self._entries_table("crosswalk_rewrite"))
        for chunk in chunks(entries, ROWS_PER_STATEMENT):
            self._add("crosswalk_rewrite", chunk)
        self._do("DELETE FROM crosswalk_entries")
        self._do("INSERT INTO crosswalk_entries SELECT * FROM crosswalk_rewrite")
        self._do("DROP TABLE crosswalk_rewrite")

    def counts(self) -> dict[str, int]:
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
