"""DuckDB database files: every table is a member.

The output is a new database with the same tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import duckdb
import pyarrow as pa

from deid.errors import unreadable
from deid.formats.contract import ContainerPart, ReadOptions, RecordSource, Sink, first_bytes
from deid.formats.sql.database_addresses import DUCKDB_SUFFIXES
from deid.formats.sql.sqlite_file import quote_sql_name
from deid.formats.typed.arrow_batches import (
    ROWS_PER_BATCH,
    ColumnarSink,
    ColumnarSource,
    Lost,
    leaving,
)
from deid.formats.typed.parquet_file import write_parquet

_DUCKDB_MAGIC = b"DUCK"
_WIDTH = 8  # approximate bytes per cell
_Settings = dict[str, str | bool | int | float | list[str]]
# By default, DuckDB downloads to the home folder any extension that a statement needs.
_OFFLINE: _Settings = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
}
# DuckDB opens no other file and spills nothing beside the original.
_SEALED_SETTINGS: _Settings = {**_OFFLINE, "enable_external_access": "false", "temp_directory": ""}
_OWN = "database_name = current_database()"
_TABLES = f"""
    select schema_name, table_name from duckdb_tables() where {_OWN} and not internal order by all
"""
_BEHIND = {
    "views": f"duckdb_views() where {_OWN} and not internal",
    "sequences": f"duckdb_sequences() where {_OWN}",
    "functions": f"duckdb_functions() where {_OWN} and not internal",
    "indexes": f"duckdb_indexes() where {_OWN}",
    "comments": f"duckdb_columns() where {_OWN} and not internal and comment is not null",
}


@dataclass(frozen=True, slots=True)
class _DuckDbTable:
    schema: str = field(repr=False)
    name: str = field(repr=False)

    @property
    def member(self) -> str:
        """`person` in the schema that every database has, `cdm.person` in any other schema."""
        return self.name if self.schema == "main" else f"{self.schema}.{self.name}"

    @property
    def quoted(self) -> str:
        return f"{quote_sql_name(self.schema)}.{quote_sql_name(self.name)}"


class DuckDbFile:
    """A DuckDB database. Views, indexes, comments and old pages are left out."""

    name = "duckdb"
    is_tabular = True

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether its first bytes or its suffix are those of a DuckDB file."""
        return suffix in DUCKDB_SUFFIXES

    def members(self, path: Path, options: ReadOptions) -> tuple[str, ...]:
        """The tables, by schema and name.

        Raises:
            DeidError: `no-database`, `database-in-use`, `broken-database`.
        """
        return tuple(table.member for table in _duckdb_tables(path))

    def open(self, path: Path, options: ReadOptions, member: str = "") -> RecordSource:
        """Open one table.

        Raises:
            DeidError: the codes of `members`; `table-missing`.
        """
        table = next((t for t in _duckdb_tables(path) if t.member == member), None)
        if table is None:
            raise unreadable(
                "table-missing", "the database has no such table", "give the name of a table in it"
            )
        query = f"select * from {table.quoted}"
        with closing(_open_duckdb(path)) as database:
            schema = database.sql(f"{query} limit 0").to_arrow_table().schema.remove_metadata()
            [(rows,)] = database.execute(f"select count(*) from {table.quoted}").fetchall()
        read = partial(_table_batches, path, table)
        size = rows * len(schema.names) * _WIDTH
        return ColumnarSource(schema, read, None, size, options.keys)

    def create(self, path: Path, source: ColumnarSource, columns: Mapping[int, str]) -> Sink:
        """Open the sink for one table: a Parquet file, which keeps the types."""
        return ColumnarSink(path, leaving(source, columns), write_parquet)

    def assemble(self, target: Path, path: Path, parts: Sequence[ContainerPart]) -> tuple[str, ...]:
        """Write a new database at `target`; a table whose name is released stays in its schema."""
        schemas = {table.member: table for table in _duckdb_tables(path)}
        named = [
            schemas[part.member] if part.name == part.member else _DuckDbTable("main", part.name)
            for part in parts
        ]
        with closing(created(target)) as database:
            for part, table in zip(parts, named, strict=True):
                database.execute(f"create schema if not exists {quote_sql_name(table.schema)}")
                database.execute(
                    f"create table {table.quoted} as select * from read_parquet(?)",
                    [str(part.path)],
                )
            database.execute("checkpoint")
        return tuple(table.member for table in named)

    def left_behind(
        self, path: Path, member: str = "", options: ReadOptions | None = None
    ) -> Mapping[str, int]:
        """The numbers of views, sequences, functions, indexes and comments that are left out."""
        found: dict[str, int] = {}
        if member:
            return found
        with closing(_open_duckdb(path)) as database:
            for what, where in _BEHIND.items():
                [(count,)] = database.execute(f"select count(*) from {where}").fetchall()
                if count:
                    found[what] = count
        return found


def created(path: Path) -> duckdb.DuckDBPyConnection:
    """Create a database that installs and loads no extension."""
    return duckdb.connect(str(path), config=_OFFLINE)


def _open_duckdb(path: Path) -> duckdb.DuckDBPyConnection:
    if first_bytes(path, 12)[8:] != _DUCKDB_MAGIC:
        raise unreadable("no-database", "the file is not a DuckDB database", "check the file name")
    if path.with_name(f"{path.name}.wal").exists():
        hint = "close the program that writes it, or run CHECKPOINT"
        raise unreadable(
            "database-in-use", "a log of unfinished writes is next to the database file", hint
        )
    try:
        return duckdb.connect(str(path), read_only=True, config=_SEALED_SETTINGS)
    except duckdb.IOException as error:
        locked = "lock" in str(error)
    except duckdb.Error:
        locked = False
    if locked:
        hint = "close the program that writes it"
        raise unreadable("database-in-use", "another program is writing to the database", hint)
    raise unreadable("broken-database", "the database cannot be read", "restore it from a copy")


def _duckdb_tables(path: Path) -> list[_DuckDbTable]:
    with closing(_open_duckdb(path)) as database:
        return [_DuckDbTable(*row) for row in database.execute(_TABLES).fetchall()]


def _table_batches(path: Path, table: _DuckDbTable) -> Iterator[pa.RecordBatch | Lost]:
    rows = read = 0
    with closing(_open_duckdb(path)) as database:
        try:
            query = f"select count(*) from {table.quoted}"
            [(rows,)] = database.execute(query).fetchall()
            for batch in _arrow_reader(database.sql(f"select * from {table.quoted}")):
                yield batch
                read += batch.num_rows
        except (duckdb.Error, pa.ArrowException, OSError):
            yield Lost(max(1, rows - read), "broken-database")


def _arrow_reader(relation: duckdb.DuckDBPyRelation) -> pa.RecordBatchReader:
    if hasattr(relation, "to_arrow_reader"):
        return relation.to_arrow_reader(ROWS_PER_BATCH)
    return relation.fetch_arrow_reader(ROWS_PER_BATCH)  # DuckDB 1.2 and 1.3


FORMAT = DuckDbFile()
