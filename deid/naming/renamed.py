"""The map of what was renamed: it holds originals, and stays on their side."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import astuple, dataclass, field, fields
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Renamed:
    """A thing under another name in the release. `file` and `position` are 1-based ordinals."""

    file: int
    thing: str
    position: int
    original: str = field(repr=False)
    released: str


def write_map(path: Path, renamed: Iterable[Renamed]) -> None:
    """A CSV that its owner alone may read."""
    with path.open("x", encoding="utf-8", newline="") as file:
        path.chmod(0o600)
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(field.name for field in fields(Renamed))
        writer.writerows(map(astuple, renamed))
