"""Databases at a URL, through SQLAlchemy: copied in one transaction to a DuckDB file.

A job reads its inputs several times, and a live database may change. The typed copy is readable
only by its owner and is used like any other input.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import sqlalchemy as sql
from sqlalchemy.engine import URL, Connection, make_url

from deid.errors import unreadable
from deid.formats.sql.duckdb_file import created
from deid.formats.sql.sqlite_file import quote_sql_name
from deid.formats.typed.arrow_batches import ROWS_PER_BATCH
from deid.formats.typed.typed_values import spell_value

_DATABASE_SCHEME = re.compile(r"([a-z][a-z0-9]*(?:\+[a-z0-9]+)?):/{1,2}(?=[^/])")
_FILE_DIALECTS = ("sqlite", "duckdb")
_DRIVERS = {"postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}
_SYSTEM = re.compile(r"information_schema|pg_.*|sys|mysql|performance_schema|INFORMATION_SCHEMA")
_INTEGER_TYPES = {sql.SmallInteger: pa.int16(), sql.BigInteger: pa.int64(), sql.Integer: pa.int32()}
_DECIMAL_DIGITS = 38


def address_of(name: str) -> str:
    """The URL that an argument of the command line is, "" if it is none. A path has lost a `/`."""
    found = _DATABASE_SCHEME.match(name)
    return f"{found[1]}://{name[found.end() :]}" if found else ""


def snapshot(address: str, folder: Path, number: int) -> Path:
    """All tables of the database as a DuckDB file in `folder`, named for the database.

    Raises:
        DeidError: `database-url-invalid`, `extra-missing`, `database-unreachable`,
            `database-unreadable`.
    """
    place = f"input {number}"
    url = _url(address, place)
    target = folder / f"{re.sub(r'[^A-Za-z0-9_-]', '_', url.database or '') or 'database'}.duckdb"
    target.parent.mkdir(mode=0o700, exist_ok=True)
    with _database_connection(url, place) as source, closing(created(target)) as copy:
        try:
            for schema, name in _database_tables(source):
                _copy_table(source, copy, schema, name)
        except (sql.exc.SQLAlchemyError, pa.ArrowException, duckdb.Error, ValueError, TypeError):
            failed = True
        else:
            failed = False
    if failed:
        hint = "check that the account may read every table and that no value is out of range"
        raise unreadable("database-unreadable", "a table could not be read completely", hint, place)
    return target


def _url(address: str, place: str) -> URL:
    try:
        url = make_url(address)
    except (sql.exc.ArgumentError, ValueError):
        url = None
    if url is None or url.get_backend_name() in _FILE_DIALECTS:
        hint = "as in postgresql://user@host/database; name an SQLite or DuckDB file by its path"
        raise unreadable("database-url-invalid", "this is not a database URL", hint, place)
    return url.set(drivername=_DRIVERS.get(url.drivername, url.drivername))


@contextmanager
def _database_connection(url: URL, place: str) -> Iterator[Connection]:
    try:
        engine = sql.create_engine(url)
    except (ModuleNotFoundError, sql.exc.NoSuchModuleError):
        hint = "install the driver; for PostgreSQL it is deid's `postgres` extra"
        raise unreadable("extra-missing", "the database's driver is missing", hint, place) from None
    try:
        connection = engine.connect()
    except sql.exc.SQLAlchemyError:
        hint = "check host, port, name and password"
        raise unreadable("database-unreachable", "no connection", hint, place) from None
    try:
        if url.get_backend_name() == "postgresql":
            connection = connection.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
        yield connection.execution_options(stream_results=True, yield_per=ROWS_PER_BATCH)
    finally:
        connection.close()
        engine.dispose()


def _database_tables(source: Connection) -> Iterator[tuple[str | None, str]]:
    """Schema and name of every table; the schema is None for the one that needs no name."""
    seen = sql.inspect(source)
    for schema in seen.get_schema_names():
        if not _SYSTEM.fullmatch(schema):
            own = None if schema == seen.default_schema_name else schema
            yield from ((own, name) for name in sorted(seen.get_table_names(schema)))


def _copy_table(
    source: Connection, copy: duckdb.DuckDBPyConnection, schema: str | None, name: str
) -> None:
    table = sql.Table(name, sql.MetaData(), schema=schema, autoload_with=source)
    types = [_arrow_type(column.type) for column in table.columns]
    arrow = pa.schema(list(zip([c.name for c in table.columns], types, strict=True)))
    rows = source.execute(sql.select(table).order_by(*table.primary_key.columns))
    batches = (_batch(part, arrow) for part in rows.partitions(ROWS_PER_BATCH))
    copy.register("rows_of_the_table", pa.RecordBatchReader.from_batches(arrow, batches))
    home = quote_sql_name(schema or "main")
    copy.execute(f"create schema if not exists {home}")
    copy.execute(f"create table {home}.{quote_sql_name(name)} as select * from rows_of_the_table")
    copy.unregister("rows_of_the_table")


def _batch(rows: Sequence[Sequence[Any]], schema: pa.Schema) -> pa.RecordBatch:
    columns = zip(*rows, strict=True)
    arrays = [
        pa.array([spell_value(v) for v in values] if pa.types.is_string(f.type) else values, f.type)
        for values, f in zip(columns, schema, strict=True)
    ]
    return pa.record_batch(arrays, schema=schema)


def _arrow_type(kind: sql.types.TypeEngine[Any]) -> pa.DataType:
    """The Arrow type of a column; what Arrow has no exact type for is text."""
    for whole, arrow in _INTEGER_TYPES.items():
        if isinstance(kind, whole):
            return arrow
    if isinstance(kind, sql.Float):
        return pa.float64()
    if isinstance(kind, sql.Numeric):
        exact = kind.precision is not None and kind.precision <= _DECIMAL_DIGITS
        return pa.decimal128(kind.precision, kind.scale or 0) if exact else pa.string()
    if isinstance(kind, sql.DateTime):
        return pa.timestamp("us", tz="UTC" if kind.timezone else None)
    if isinstance(kind, sql.LargeBinary):
        return pa.binary()
    simple = ((sql.Boolean, pa.bool_()), (sql.Date, pa.date32()), (sql.Time, pa.time64("us")))
    return next((arrow for known, arrow in simple if isinstance(kind, known)), pa.string())
