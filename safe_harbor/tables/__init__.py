"""The facts behind the rule, as CSV files that a privacy officer can read. See SOURCE.md."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from safe_harbor.locked import check_files, csv_rows

__all__ = ["read_rows", "sha256_of"]

_TABLES_FOLDER = Path(__file__).parent


def read_rows(name: str) -> list[dict[str, str]]:
    """The rows of one table by its file name, in file order, every cell a string.

    Raises:
        TableError: a table of the package changed after installation.
    """
    check_files(_TABLES_FOLDER.parent)
    return csv_rows(_TABLES_FOLDER / name)


def sha256_of(*names: str) -> str:
    """The SHA-256 of one table, or of several concatenated, as a run's evidence cites it."""
    return sha256(b"".join((_TABLES_FOLDER / name).read_bytes() for name in names)).hexdigest()
