"""Databases at a URL: copied in one transaction to a folder with one Parquet file per table.

A job reads its inputs several times, and a live database may change. The typed copies are readable
only by their owner and are used like any other input. Rows come in the order of the primary key, so
the same rows make the same bytes: the SHA-256 of a copy identifies the table in the manifest.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import sqlalchemy as sql
from sqlalchemy.engine import URL, Connection

from deid.errors import DeidError, unreadable
from deid.formats.sql.database_connection import database_url, open_database
from deid.formats.sql.earlier_rows import ROWS_FETCHED, CopiedRows, split_off_earlier
from deid.formats.typed.typed_values import spell_value

_SYSTEM_SCHEMAS = {
    *("information_schema", "INFORMATION_SCHEMA", "sys", "SYS", "SYSTEM"),
    *("mysql", "performance_schema", "guest"),
}
_INTEGER_TYPES = {sql.SmallInteger: pa.int16(), sql.BigInteger: pa.int64(), sql.Integer: pa.int32()}
_DECIMAL_DIGITS = 38
_ONE_MOMENT = {"postgresql": "REPEATABLE READ", "mysql": "REPEATABLE READ"} | {
    "mssql": "SNAPSHOT",
    "oracle": "SERIALIZABLE",
}
# Without the first setting, the scan of a large table may start in the middle of the table, at the
# place where the scan of another reader is.
_STEADY = (
    "set local synchronize_seqscans = off",
    "set local datestyle = 'ISO, YMD'",
    "set local intervalstyle = 'postgres'",
    "set local timezone = 'UTC'",
)
# Partitions are skipped because their rows are also rows of the parent table.
_CHILDREN = """
    select n.nspname, c.relname from pg_inherits i
    join pg_class c on c.oid = i.inhrelid join pg_namespace n on n.oid = c.relnamespace
"""


@dataclass(frozen=True, slots=True)
class DatabaseSelection:
    """The rows of a database to read: by schema (all if empty), and by a condition per table.

    A condition is in the SQL dialect of the server. A table is named `person` or `cdm.person`. The
    `repr` hides both because a condition may hold a value.
    """

    schemas: tuple[str, ...] = field(default=(), repr=False)
    conditions: Mapping[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, schemas: Sequence[str], where: Sequence[str]) -> DatabaseSelection:
        """The selection given by the options `--schema` and `--where`.

        Raises:
            DeidError: `where-invalid`.
        """
        conditions: dict[str, str] = {}
        for number, one in enumerate(where, 1):
            table, _, condition = one.partition("=")
            if not table.strip() or not condition.strip() or table.strip() in conditions:
                raise DeidError(
                    "where-invalid",
                    "--where is not of the form TABLE=CONDITION, or names a table twice",
                    place=f"condition {number}",
                    hint="for example --where \"visit=visit_date >= '2023-01-01'\"",
                )
            conditions[table.strip()] = condition.strip()
        return cls(tuple(schemas), conditions)

    def __bool__(self) -> bool:
        return bool(self.schemas or self.conditions)


@dataclass(frozen=True, slots=True)
class _DatabaseTable:
    schema: str = field(repr=False)
    name: str = field(repr=False)
    condition: str = field(default="", repr=False)


def snapshot(
    address: str,
    folder: Path,
    number: int,
    selection: DatabaseSelection | None = None,
    earlier: Mapping[str, int] | None = None,
) -> Path:
    """Copy the tables of the database into the new `folder` as Parquet files.

    Several schemas have a subfolder each. `earlier` gives the row counts of earlier copies by
    SHA-256; the rows of those copies are written to separate files.

    Raises:
        DeidError: `database-url-invalid`, `extra-missing`, `database-unreachable`,
            `database-unreadable`, `schema-missing`, `no-table`, `where-invalid`.
    """
    place = f"input {number}"
    selection = selection or DatabaseSelection()
    url, schema = database_url(address, place)
    if schema is not None:
        selection = DatabaseSelection((*selection.schemas, schema), selection.conditions)
    folder.mkdir(mode=0o700)
    with open_database(url, place) as connection:
        source = _reading(connection, url, place)
        tables = _chosen_tables(source, selection, place)
        for count, table in enumerate(tables, 1):
            where = f"{place}, table {count} of {len(tables)}"
            home = "" if table.schema == _own_schema(source, selection) else table.schema
            path = _new_path(folder, home, table.name)
            _copy_table(source, table, path, where)
            if earlier:
                split_off_earlier(path, earlier)
    return folder


def _reading(connection: Connection, url: URL, place: str) -> Connection:
    """The connection in one read-only transaction that sees the database at one moment."""
    dialect = url.get_backend_name()
    options: dict[str, Any] = {"postgresql_readonly": True} if dialect == "postgresql" else {}
    if dialect in _ONE_MOMENT:
        options["isolation_level"] = _ONE_MOMENT[dialect]
    try:
        source = connection.execution_options(**options)
        for setting in _STEADY if dialect == "postgresql" else ():
            source.execute(sql.text(setting))
    except (sql.exc.SQLAlchemyError, NotImplementedError):
        hint = "let the account begin a transaction that reads a snapshot of the database"
        raise unreadable(
            "database-unreadable", "no transaction could be started", hint, place
        ) from None
    return source


def _chosen_tables(
    source: Connection, selection: DatabaseSelection, place: str
) -> list[_DatabaseTable]:
    try:
        tables = list(_database_tables(source, selection, place))
    except sql.exc.SQLAlchemyError:
        hint = "check that the account may read the catalog"
        raise unreadable(
            "database-unreadable", "the tables could not be listed", hint, place
        ) from None
    conditions = dict(selection.conditions)
    chosen = []
    for table in tables:
        named = conditions.pop(f"{table.schema}.{table.name}", "") or conditions.pop(table.name, "")
        chosen.append(_DatabaseTable(table.schema, table.name, named))
    if conditions:
        hint = "name a table of the schemas that are read, as in `person` or `cdm.person`"
        raise unreadable("where-invalid", "--where names a table that is not read", hint, place)
    if not chosen:
        hint = "check --schema, and which tables the account may see"
        raise unreadable("no-table", "no table was found in the database", hint, place)
    return chosen


def _database_tables(
    source: Connection, selection: DatabaseSelection, place: str
) -> Iterator[_DatabaseTable]:
    seen = sql.inspect(source)
    existing = seen.get_schema_names()
    if not set(selection.schemas) <= set(existing):
        hint = "check its name, with capitals, and the rights of the account"
        raise unreadable("schema-missing", "the database has no such schema", hint, place)
    is_postgresql = source.dialect.name == "postgresql"
    children = set(map(tuple, source.execute(sql.text(_CHILDREN)))) if is_postgresql else set()
    for schema in selection.schemas or existing:
        if selection.schemas or not (schema in _SYSTEM_SCHEMAS or schema.startswith("pg_")):
            for name in sorted(seen.get_table_names(schema)):
                if (schema, name) not in children:
                    yield _DatabaseTable(schema, name)


def _own_schema(source: Connection, selection: DatabaseSelection) -> str | None:
    """Return the schema whose tables are copied without a subfolder, or None."""
    return selection.schemas[0] if selection.schemas else source.dialect.default_schema_name


def _new_path(folder: Path, schema: str, table: str) -> Path:
    """The file for the copy of a table. No table name leads out of `folder` or replaces a file."""
    home = folder / _file_stem(schema) if schema else folder
    home.mkdir(mode=0o700, exist_ok=True)
    stem = _file_stem(table)
    while (path := home / f"{stem}.parquet").exists():
        stem += "_"
    return path


def _file_stem(name: str) -> str:
    return name.replace("/", "_").replace("\0", "_").replace(".", "_")


def _copy_table(source: Connection, table: _DatabaseTable, path: Path, place: str) -> None:
    """Copy a table with its types, or as text if the types cannot hold some of its values.

    Such values are infinite dates and NaN. The errors that drivers raise while they read are not
    shown because they quote values.
    """
    for exact in (True, False):
        try:
            return _copy_selected(source, table, path, exact=exact)
        except OSError:
            raise
        except Exception:
            continue
    hint = "check that the account may read the table"
    if table.condition:
        hint = "check its --where condition, which must be SQL of the server"
        raise unreadable("where-invalid", "a table could not be read with --where", hint, place)
    raise unreadable("database-unreadable", "a table could not be read completely", hint, place)


def _copy_selected(source: Connection, table: _DatabaseTable, path: Path, *, exact: bool) -> None:
    with warnings.catch_warnings():
        # Columns of unknown types are read as text.
        warnings.simplefilter("ignore", sql.exc.SAWarning)
        made = sql.Table(table.name, sql.MetaData(), schema=table.schema, autoload_with=source)
    kinds = [(column, _arrow_type(column.type)) for column in made.columns]
    if not exact:
        kinds = [(c, kind if _holds_all(kind) else pa.string()) for c, kind in kinds]
    asked = [
        column if exact or _holds_all(kind) else sql.cast(column, sql.Text).label(column.name)
        for column, kind in kinds
    ]
    query = sql.select(*asked).order_by(*made.primary_key.columns)
    if table.condition:
        query = query.where(sql.literal_column(f"(\n{table.condition}\n)", sql.Boolean))
    schema = pa.schema([(column.name, kind) for column, kind in kinds])
    with CopiedRows(path, schema) as copy:
        # With a server-side cursor, this process holds only one batch.
        options = {"stream_results": True, "yield_per": ROWS_FETCHED}
        with source.execute(query, execution_options=options) as rows:
            for part in rows.partitions(ROWS_FETCHED):
                copy.add(_row_batch(part, schema))


def _row_batch(rows: Sequence[Sequence[Any]], schema: pa.Schema) -> pa.RecordBatch:
    columns = zip(*rows, strict=True)
    arrays = [
        pa.array([spell_value(v) for v in values] if pa.types.is_string(f.type) else values, f.type)
        for values, f in zip(columns, schema, strict=True)
    ]
    return pa.record_batch(arrays, schema=schema)


def _holds_all(kind: pa.DataType) -> bool:
    """Whether the type holds every value of the server's type. Bytes are not read as text."""
    return bool(
        pa.types.is_integer(kind)
        or pa.types.is_boolean(kind)
        or pa.types.is_floating(kind)
        or pa.types.is_binary(kind)
    )


def _arrow_type(kind: sql.types.TypeEngine[Any]) -> pa.DataType:
    """The Arrow type of a column; text if Arrow has no exact type for it."""
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
