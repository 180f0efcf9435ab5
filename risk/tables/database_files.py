"""Which files are databases, by their first bytes, and the table that a name picks."""

from __future__ import annotations

from pathlib import Path

from risk.errors import RiskError
from risk.tables.damage import unreadable_table

_DUCKDB_MARK = (8, b"DUCK")
_SQLITE_MARK = (0, b"SQLite format 3")


def split_member(name: str) -> tuple[Path, str | None]:
    """Split `clinic.duckdb::visits` into the file and the table; no table if a file has the whole
    name."""
    file, mark, table = name.rpartition("::")
    return (Path(file), table) if mark and not Path(name).exists() else (Path(name), None)


def is_database(path: Path) -> bool:
    """Whether the file is a database, by its first bytes."""
    return _begins(path, _DUCKDB_MARK) or is_sqlite(path)


def is_sqlite(path: Path) -> bool:
    """Whether the file is an SQLite database, by its first bytes."""
    return _begins(path, _SQLITE_MARK)


def _begins(path: Path, mark: tuple[int, bytes]) -> bool:
    start, word = mark
    try:
        with path.open("rb") as file:
            return file.read(start + len(word))[start:] == word
    except FileNotFoundError:
        raise unreadable_table("the file does not exist", "missing-file") from None
    except OSError:
        raise RiskError(
            "the file cannot be opened", code="unreadable-file", place="the table", exit_code=6
        ) from None
