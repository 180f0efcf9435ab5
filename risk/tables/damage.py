"""Errors for tables that cannot be read. No message repeats a value of the table."""

from __future__ import annotations

from risk.errors import RiskError

_HINTS = {
    "missing-file": "check the path",
    "ragged-row": "fix the row, or name the delimiter with --delimiter",
    "not-utf8": "convert the file to UTF-8",
    "empty-file": "a table needs a header line",
    "open-quote": "close it, or double it inside a quoted cell",
    "parts-differ": "write all parts of the folder with the same columns",
    "several-tables": "name one: DATABASE::TABLE",
    "table-missing": "give the name of a table in the database: DATABASE::TABLE",
    "database-in-use": "close the program that writes it",
}


def unreadable_table(message: str, code: str, place: str = "the table") -> RiskError:
    """The error for an unreadable table (exit code 6), with a hint on what to do next."""
    hint = _HINTS.get(code, "give a CSV, TSV or Parquet file, a folder of Parquet, or a database")
    return RiskError(message, code=code, place=place, hint=hint, exit_code=6)
