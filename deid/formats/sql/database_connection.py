"""Connections to databases at a URL, through SQLAlchemy. No error shows the URL or its password."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sql
from sqlalchemy.engine import URL, Connection, make_url

from deid.errors import unreadable

_FILE_DIALECTS = ("sqlite", "duckdb")
_DRIVERS = {"postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}
_SCHEMA_KEY = "schema"


def database_url(address: str, place: str) -> tuple[URL, str | None]:
    """The URL for SQLAlchemy, and the schema named in the URL's query.

    Raises:
        DeidError: `database-url-invalid`.
    """
    try:
        url = make_url(address)
    except (sql.exc.ArgumentError, ValueError):
        url = None
    schema = None if url is None else url.query.get(_SCHEMA_KEY)
    if url is None or url.get_backend_name() in _FILE_DIALECTS or isinstance(schema, tuple):
        hint = (
            "write it as postgresql://user@host/database; name an SQLite or DuckDB file by its path"
        )
        raise unreadable("database-url-invalid", "this is not a database URL", hint, place)
    url = url.difference_update_query([_SCHEMA_KEY])
    return url.set(drivername=_DRIVERS.get(url.drivername, url.drivername)), schema


@contextmanager
def open_database(url: URL, place: str) -> Iterator[Connection]:
    """Open a connection. The password may come from the URL, `PGPASSWORD` or `~/.pgpass`.

    Raises:
        DeidError: `extra-missing`, `database-unreachable`.
    """
    try:
        engine = sql.create_engine(url, hide_parameters=True)
    except (ModuleNotFoundError, sql.exc.NoSuchModuleError):
        hint = "install the driver; for PostgreSQL it is deid's `postgres` extra"
        raise unreadable("extra-missing", "the database's driver is missing", hint, place) from None
    try:
        connection = engine.connect()
    except Exception:  # drivers raise their own errors, which quote the URL
        hint = "check host, port, name and password"
        raise unreadable(
            "database-unreachable", "the database cannot be reached", hint, place
        ) from None
    try:
        yield connection
    finally:
        connection.close()
        engine.dispose()
