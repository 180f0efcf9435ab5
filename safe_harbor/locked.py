"""Checks tables and lists against `hashes.csv`, which holds the SHA-256 of each file of a package.

Tables decide what may be released, so the package refuses a table that changed after installation.
After an intended change run:

    make hashes
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources.abc import Traversable
from io import StringIO
from pathlib import Path

LOCK = "hashes.csv"
_LOCKED_SUFFIXES = {".csv", ".tsv", ".txt", ".gz", ".xz", ".yaml", ".sql"}


class TableError(Exception):
    """A table cannot be used: a code, the file (`place`), and a hint on what to do."""

    exit_code = 2

    def __init__(self, code: str, place: str) -> None:
        what = "is missing" if code == "table-missing" else "changed after installation"
        super().__init__(f"a table or list of the engine {what}")
        self.code, self.place, self.hint = code, place, "reinstall the package"


@cache
def check_files(package: Path) -> None:
    """Check all tables and lists of a package, once per process.

    Raises:
        TableError: `table-missing`, `table-altered`.
    """
    for name, expected in read_hashes(package).items():
        path = package / name
        if not path.is_file():
            raise TableError("table-missing", f"{package.name}/{name}")
        if _locked_sha256(path) != expected:
            raise TableError("table-altered", f"{package.name}/{name}")


def csv_rows(table: Path | Traversable) -> list[dict[str, str]]:
    """The rows of a UTF-8 table under its header, in file order, every cell a string."""
    return list(csv.DictReader(StringIO(table.read_text("utf-8"))))


def read_hashes(package: Path) -> dict[str, str]:
    """The SHA-256 of each file, by path below the package, as recorded in `hashes.csv`.

    Raises:
        TableError: if `hashes.csv` is missing or cannot be read.
    """
    try:
        rows = csv_rows(package / LOCK)
        if not rows:
            raise ValueError
        return {row["file"]: row["sha256"] for row in rows}
    except OSError:
        raise TableError("table-missing", f"{package.name}/{LOCK}") from None
    except (ValueError, KeyError):
        raise TableError("table-altered", f"{package.name}/{LOCK}") from None


def hashes_of(package: Path) -> dict[str, str]:
    """The SHA-256 of each file, by path below the package, computed now."""
    return {
        path.relative_to(package).as_posix(): _locked_sha256(path)
        for path in _locked_files(package)
    }


def write_hashes(package: Path) -> None:
    """Write `hashes.csv` for the current tables of a package."""
    lines = [f"{name},{digest}\n" for name, digest in hashes_of(package).items()]
    (package / LOCK).write_text("".join(["file,sha256\n", *lines]), "utf-8")


def _locked_files(package: Path) -> Iterator[Path]:
    for path in sorted(package.rglob("*")):
        if path.suffix in _LOCKED_SUFFIXES and path.name != LOCK and path.is_file():
            yield path


def _locked_sha256(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    for named in sys.argv[1:]:
        write_hashes(Path(named))
