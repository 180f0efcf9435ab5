"""Reads the CSV tables inside this package."""

from __future__ import annotations

import csv
from importlib.resources import files
from io import StringIO


def packaged_rows(package: str, name: str) -> list[dict[str, str]]:
    """The rows of a UTF-8 table under its header, in file order, every cell a string."""
    return list(csv.DictReader(StringIO((files(package) / name).read_text("utf-8"))))
