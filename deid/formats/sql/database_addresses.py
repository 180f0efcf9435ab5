"""Which arguments of the command line name a database: a URL, or a DuckDB file."""

from __future__ import annotations

import re

DUCKDB_SUFFIXES = (".duckdb", ".ddb")
_DATABASE_SCHEME = re.compile(r"([a-z][a-z0-9]*(?:\+[a-z0-9]+)?):/{1,3}(?=[^/])")


def address_of(name: str) -> str:
    """The URL in a command-line argument, "" if there is none; restore a `/` lost in a path."""
    found = _DATABASE_SCHEME.match(name)
    if not found:
        return ""
    slashes = "///" if name[found.end(1) :].startswith(":///") else "//"
    return f"{found[1]}:{slashes}{name[found.end() :]}"
