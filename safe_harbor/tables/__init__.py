"""The facts the rule stands on, as CSV files a privacy officer can read. See SOURCE.md."""

from __future__ import annotations

import csv
from hashlib import sha256
from importlib.resources import files

__all__ = ["read_rows", "sha256_of"]


def read_rows(name: str) -> list[dict[str, str]]:
    """The rows of one table by its file name, in file order, every cell a string."""
    text = files(__name__).joinpath(name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def sha256_of(*names: str) -> str:
    """The SHA-256 of one table's bytes, or of several end to end, as a run's evidence cites it."""
    folder = files(__name__)
    return sha256(b"".join(folder.joinpath(name).read_bytes() for name in names)).hexdigest()
