"""The labeled columns of `training/column_examples`, packed, one line of JSON per column."""

from __future__ import annotations

import json
import lzma
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from recognizers.columns.cells.shapes import is_filler_value

EXAMPLES = Path(__file__).parent / "column_examples"
FOLDS = 8
STAY, ARGUED = "stay", "either"
# Columns whose label is open to argument must not be kept by the odds alone.
ARGUED_WEIGHT = 0.3


@dataclass(frozen=True)
class Column:
    system: str
    header: str
    label: str
    cells: tuple[str, ...]
    weight: float = 1.0
    header_tells: bool = True  # False where a header was drawn by chance

    def sample(self, length: int) -> tuple[list[str], float]:
        """The first cells that are not null, and the share of them among the first `length`."""
        cells = self.cells[:length]
        seen = [cell.strip() for cell in cells if not is_filler_value(cell)]
        return seen, len(seen) / max(len(cells), 1)

    @property
    def fold(self) -> int:
        """The fold: the same for all columns of a system, ignoring brackets after its name."""
        return zlib.crc32(self.system.split("(")[0].strip().casefold().encode()) % FOLDS


def read_columns(folder: Path = EXAMPLES) -> Iterator[Column]:
    for path in sorted(folder.glob("*.jsonl.xz")):
        for line in lzma.decompress(path.read_bytes()).decode("utf-8").splitlines():
            row = json.loads(line)
            weight = ARGUED_WEIGHT if row["label"] == ARGUED else 1.0
            cells, tells = tuple(row["values"]), row.get("header_tells", True)
            yield Column(row["system"], row["header"], row["label"], cells, weight, tells)
