"""SQLite database files: every table is a member.

The output is a new database with the same tables.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from deid.errors import DeidError, unreadable
from deid.formats.contract import (
    ContainerPart,
    ReadOptions,
    Record,
    RecordFault,
    RecordSource,
    first_bytes,
)
from deid.formats.parts import PartColumn, PartFormat, part_columns, part_rows
from deid.formats.typed.typed_values import spell_value

_SQLITE_SUFFIXES = (".db", ".sqlite", ".sqlite3", ".db3")
_SQLITE_MAGIC = b"SQLite format 3\0"
# Logs beside a database, from a crash or another program, with pages that the database does not
# hold yet.
_LOGS = ("-wal", "-journal")
_LOCK_SECONDS = 2.0
_LONGEST_SQLITE_CELL = 1 << 24


@dataclass(frozen=True, slots=True)
class SqliteSource:
    """One opened table. `declared` holds the types with which its columns were defined."""

    path: Path = field(repr=False)
    table: str = field(repr=False)
    columns: tuple[str, ...] = field(repr=False)
    declared: tuple[str, ...] = field(repr=False)
    nested: frozenset[str] = field(repr=False)
    keys: int = 0

    def records(self) -> Iterator[Record | RecordFault]:
        """Every row in stored order. A row with bytes or broken text becomes a fault."""
        ordinal = 0
        searched = [column not in self.nested for column in self.columns]
        with closing(_open_sqlite(self.path)) as database:
            database.text_factory = _decode_sqlite_text
            names = ", ".join(map(quote_sql_name, self.columns))
            try:
                for row in database.execute(f"select {names} from {quote_sql_name(self.table)}"):
                    ordinal += 1
                    yield _sqlite_record(ordinal, row, self.keys, searched)
            except (sqlite3.Error, OverflowError):
                yield RecordFault(ordinal + 1, "broken-database")


class SqliteFile(PartFormat):
    """An SQLite database. Views, indexes, triggers, constraints and old pages are left out."""

    name = "sqlite"
    is_tabular = True

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether its first bytes or its suffix are those of an SQLite file."""
        return suffix in _SQLITE_SUFFIXES

    def members(self, path: Path, options: ReadOptions) -> tuple[str, ...]:
        """The tables, in the order of their creation. Every page of the file is checked.

        Raises:
            DeidError: `no-database`, `database-in-use`, `broken-database`, `broken-header`.
        """
        with closing(_open_sqlite(path)) as database:
            try:
                sound = database.execute("pragma quick_check(1)").fetchall() == [("ok",)]
                tables = _sqlite_tables(database)
            except sqlite3.Error as error:
                raise _sqlite_error(error) from None
        if not sound:
            raise unreadable("broken-database", "pages of the database are damaged", _RESTORE)
        if any("\0" in table for table in tables):
            raise unreadable("broken-header", "a table's name holds control characters", _RESTORE)
        return tuple(tables)

    def open(self, path: Path, options: ReadOptions, member: str = "") -> RecordSource:
        """Open one table.

        Raises:
            DeidError: the codes of `members`; `table-missing`, `empty-table`.
        """
        with closing(_open_sqlite(path)) as database:
            try:
                if member not in _sqlite_tables(database):
                    raise unreadable(
                        "table-missing",
                        "the database has no such table",
                        "give the name of a table in it",
                    )
                listed = database.execute(f"pragma table_info({quote_sql_name(member)})").fetchall()
                columns = tuple(row[1] for row in listed)
                nested = _with_bytes(database, member, columns)
            except sqlite3.Error as error:
                raise _sqlite_error(error) from None
        if not columns:
            raise unreadable("empty-table", "the table has no columns", "leave the table out")
        if any("\0" in column for column in columns):
            raise unreadable("broken-header", "a column's name holds control characters", _RESTORE)
        declared = tuple(row[2] or "" for row in listed)
        return SqliteSource(path, member, columns, declared, nested, options.keys)

    def assemble(self, target: Path, path: Path, parts: Sequence[ContainerPart]) -> tuple[str, ...]:
        """Write a new database at `target`. No page is copied from the original."""
        target.touch(mode=0o644)
        with closing(sqlite3.connect(target, isolation_level=None)) as database:
            database.execute("pragma journal_mode = off")
            database.execute("begin")
            for part in parts:
                source = self.open(path, ReadOptions(), part.member)
                _insert(database, part, source.declared)  # type: ignore[attr-defined]
            database.execute("commit")
        return tuple(part.name for part in parts)

    def left_behind(
        self, path: Path, member: str = "", options: ReadOptions | None = None
    ) -> Mapping[str, int]:
        """The numbers of views, indexes and triggers that are left out."""
        if member:
            return {}
        query = "select type, count(*) from sqlite_master where type != 'table' group by type"
        names = {"view": "views", "index": "indexes", "trigger": "triggers"}
        with closing(_open_sqlite(path)) as database:
            return {names[kind]: count for kind, count in database.execute(query)}


def quote_sql_name(name: str) -> str:
    """A name quoted for SQL."""
    return '"' + name.replace('"', '""') + '"'


def _insert(database: sqlite3.Connection, part: ContainerPart, declared: Sequence[str]) -> None:
    columns = part_columns(part.path)
    kinds = ", ".join(
        f"{quote_sql_name(c.header)} {_column_type(c, declared[c.index])}" for c in columns
    )
    table = quote_sql_name(part.name)
    # A table needs a column. A table whose columns were all withheld keeps its number of rows.
    database.execute(f"create table {table} ({kinds or quote_sql_name('withheld')})")
    marks = ", ".join("?" for _ in columns) or "null"
    database.executemany(f"insert into {table} values ({marks})", part_rows(part.path))


def _column_type(column: PartColumn, was: str) -> str:
    """The type of a column: the declared type if its cells are unchanged, else a fitting one."""
    plain = was if was.replace("(", "").replace(")", "").replace(",", "").isascii() else ""
    plain = plain if all(c.isalnum() or c in " (),_" for c in plain) else ""
    if column.same or not column.types:
        return plain
    if column.types <= {"int"}:
        return plain if "INT" in was.upper() else "INTEGER"
    return "REAL" if column.types <= {"int", "float"} else "TEXT"


def _sqlite_record(
    ordinal: int, row: Sequence[object], keys: int, searched: Sequence[bool]
) -> Record | RecordFault:
    for value, is_searched in zip(row, searched, strict=True):
        if isinstance(value, bytes) and is_searched:
            return RecordFault(ordinal, "binary-data")
        if isinstance(value, _Broken):
            return RecordFault(ordinal, "undecodable-bytes")
        if isinstance(value, str) and ("\0" in value or len(value) > _LONGEST_SQLITE_CELL):
            code = "control-characters" if "\0" in value else "field-too-long"
            return RecordFault(ordinal, code)
    return Record(ordinal, tuple(spell_value(value, keys) for value in row), skeleton=tuple(row))


class _Broken:
    """A placeholder for text that is not UTF-8."""


def _decode_sqlite_text(data: bytes) -> str | _Broken:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _Broken()


def _sqlite_tables(database: sqlite3.Connection) -> list[str]:
    query = """
        select name from sqlite_master
        where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by rowid
    """
    return [name for (name,) in database.execute(query)]


def _with_bytes(database: sqlite3.Connection, table: str, columns: Sequence[str]) -> frozenset[str]:
    """The columns that hold mostly bytes: they are not searched and not passed on.

    In other columns, rows with bytes are withheld.
    """
    if not columns:
        return frozenset()
    most = "2 * sum(typeof({0}) = 'blob') >= max(count({0}), 1)"
    asked = ", ".join(most.format(quote_sql_name(column)) for column in columns)
    [found] = database.execute(f"select {asked} from {quote_sql_name(table)}").fetchall()
    return frozenset(column for column, blob in zip(columns, found, strict=True) if blob)


_RESTORE = "restore it from a copy"


def _open_sqlite(path: Path) -> sqlite3.Connection:
    if first_bytes(path, len(_SQLITE_MAGIC)) != _SQLITE_MAGIC:
        hint = "decrypt an encrypted database first"
        raise unreadable("no-database", "the file is not an SQLite database", hint)
    for log in _LOGS:
        beside = path.with_name(path.name + log)
        if beside.exists() and beside.stat().st_size:
            raise _in_use()
    address = f"file:{quote(str(path.absolute()))}?mode=ro"
    try:
        database = sqlite3.connect(address, uri=True, timeout=_LOCK_SECONDS)
        database.execute("pragma trusted_schema = off")
        database.execute("pragma mmap_size = 0")
        database.execute("pragma query_only = on")
        database.execute("select count(*) from sqlite_master").fetchall()
    except sqlite3.Error as error:
        raise _sqlite_error(error) from None
    return database


def _sqlite_error(error: sqlite3.Error) -> DeidError:
    """The SQLite error without its message, which may quote the database."""
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return _in_use()
    if name.startswith("SQLITE_NOTADB"):
        return unreadable("no-database", "the file is not an SQLite database", _RESTORE)
    return unreadable("broken-database", "the database cannot be read", _RESTORE)


def _in_use() -> DeidError:
    hint = "close the program that writes it, or make a copy with `.backup`"
    return unreadable("database-in-use", "another program is writing to the database", hint)


FORMAT = SqliteFile()
