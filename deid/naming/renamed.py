"""The map from original names to released names. It holds originals, so it never goes into OUT."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import astuple, dataclass, field, fields
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Renamed:
    """A file, table or column with another name in the release."""

    file: int
    thing: str
    position: int
    original: str = field(repr=False)
    released: str


def write_map(path: Path, renamed: Iterable[Renamed]) -> None:
    """Write a CSV that only its owner may read."""
    with path.open("x", encoding="utf-8", newline="") as file:
        path.chmod(0o600)
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(field.name for field in fields(Renamed))
        writer.writerows(map(astuple, renamed))
