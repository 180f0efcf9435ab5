"""One table of a database file, DuckDB or SQLite, as Arrow batches. The file is only read."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from risk.tables.coding import checked_columns
from risk.tables.damage import unreadable_table
from risk.tables.database_files import is_sqlite

_ROWS_A_BATCH = 1 << 17
# DuckDB downloads no extension, opens no other file, and writes no temporary file beside the
# database.
_READ_ONLY: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "enable_external_access": "false",
    "temp_directory": "",
}
_DUCKDB_TABLES = """
    select case when schema_name = 'main' then table_name
        else schema_name || '.' || table_name end, schema_name, table_name
    from duckdb_tables() where database_name = current_database() and not internal order by all
"""
_SQLITE_TABLES = """
    select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'
    order by name
"""


def database_names(path: Path, table: str | None) -> list[str]:
    """The columns of a table. `table` may be None if the database has only one.

    Raises `RiskError` `several-tables`, `table-missing`, `database-in-use`, `unreadable-file`.
    """
    if is_sqlite(path):
        with closing(_connect_sqlite(path)) as database:
            return _sqlite_columns(database, _sqlite_table(database, table))
    with closing(_open_database(path)) as database:
        found = database.sql(f"select * from {_duckdb_table(database, table)} limit 0")
        return list(found.columns)


def database_batches(
    path: Path, columns: Sequence[str] | None, table: str | None
) -> tuple[list[str], Iterator[Any]]:
    """The names of the wanted columns, and batches of all rows."""
    wanted = checked_columns(database_names(path, table), columns)
    read = _sqlite_batches if is_sqlite(path) else _batches_of_duckdb
    return wanted, read(path, wanted, table)


def _batches_of_duckdb(path: Path, wanted: list[str], table: str | None) -> Iterator[Any]:
    with closing(_open_database(path)) as database:
        picked = ", ".join(map(_quoted, wanted)) or "1"
        query = f"select {picked} from {_duckdb_table(database, table)}"
        try:
            relation = database.sql(query)
            if hasattr(relation, "to_arrow_reader"):
                yield from relation.to_arrow_reader(_ROWS_A_BATCH)
            else:  # DuckDB 1.2 and 1.3
                yield from relation.fetch_arrow_reader(_ROWS_A_BATCH)
        except (duckdb.Error, pa.ArrowException):
            raise unreadable_table("the database cannot be read", "unreadable-file") from None


def _sqlite_batches(path: Path, wanted: list[str], table: str | None) -> Iterator[Any]:
    """Batches with all cells as text, because SQLite does not enforce the type of a column."""
    with closing(_connect_sqlite(path)) as database:
        picked = ", ".join(f"cast({_quoted(name)} as text)" for name in wanted) or "1"
        try:
            cursor = database.execute(f"select {picked} from {_sqlite_table(database, table)}")
            while rows := cursor.fetchmany(_ROWS_A_BATCH):
                cells = zip(*rows, strict=True)
                arrays = [pa.array(column, pa.string()).dictionary_encode() for column in cells]
                yield pa.RecordBatch.from_arrays(arrays, names=wanted or ["1"])
        except sqlite3.Error:
            raise unreadable_table("the database cannot be read", "unreadable-file") from None


def _open_database(path: Path) -> duckdb.DuckDBPyConnection:
    try:
        return duckdb.connect(str(path), read_only=True, config=_READ_ONLY)
    except duckdb.Error as error:
        in_use = isinstance(error, duckdb.IOException) and "lock" in str(error)
    if in_use:
        raise unreadable_table("another program is writing to the database", "database-in-use")
    raise unreadable_table("the database cannot be read", "unreadable-file")


def _connect_sqlite(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)


def _duckdb_table(database: duckdb.DuckDBPyConnection, table: str | None) -> str:
    found = {name: rest for name, *rest in database.execute(_DUCKDB_TABLES).fetchall()}
    return ".".join(map(_quoted, found[_picked(list(found), table)]))


def _sqlite_table(database: sqlite3.Connection, table: str | None) -> str:
    try:
        found = [name for (name,) in database.execute(_SQLITE_TABLES)]
    except sqlite3.Error:
        raise unreadable_table("the database cannot be read", "unreadable-file") from None
    return _quoted(_picked(found, table))


def _picked(found: list[str], table: str | None) -> str:
    if table is None and len(found) != 1:
        raise unreadable_table(f"the database has {len(found)} tables", "several-tables")
    if table is not None and table not in found:
        raise unreadable_table("the database has no such table", "table-missing")
    return found[0] if table is None else table


def _sqlite_columns(database: sqlite3.Connection, table: str) -> list[str]:
    cursor = database.execute(f"select * from {table} limit 0")
    return [column[0] for column in cursor.description]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
