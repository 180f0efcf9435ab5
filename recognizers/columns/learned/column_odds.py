"""The odds that a column stays, by boosted trees that learned from labeled columns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from recognizers.columns.learned.of_cells import SAMPLE_CELLS, UNASKED, cell_features
from recognizers.columns.learned.of_headers import HeaderCounts, header_features
from recognizers.model.network import MANIFEST, SHIPPED, ModelError, check_model_file
from recognizers.model.trees import Trees

#: Parts of a long sample that are read apart; the one that says least counts.
SAMPLE_PARTS = 6


@dataclass(frozen=True)
class SurenessLimits:
    """Log odds that a column stays, by what the rules say of it.

    From `keeps` on one that no rule explains is kept, and from `nameless` on if its header says
    nothing. One that the rules keep is withheld below `doubts`.
    """

    keeps: float
    nameless: float
    doubts: float


@dataclass(frozen=True)
class ColumnOdds:
    trees: Trees
    counts: HeaderCounts
    limits: SurenessLimits

    @classmethod
    @lru_cache(maxsize=1)
    def load(cls) -> ColumnOdds:
        """Raises `ModelError`: `model-missing`, `model-altered`."""
        try:
            manifest = json.loads((SHIPPED / MANIFEST).read_text("utf-8"))
            told = manifest["columns"]
            for name in (told["words"], told["trees"]):
                check_model_file(SHIPPED, name, manifest["files"][name])
            counts = HeaderCounts.read(SHIPPED / told["words"])
            trees = Trees.load(SHIPPED / told["trees"])
            return cls(trees, counts, SurenessLimits(**told["limits"]))
        except (OSError, KeyError, TypeError, ValueError) as error:
            raise ModelError("model-missing", MANIFEST, "install the package anew") from error

    def that_stays(self, header: str, seen: Sequence[str], filled: float) -> float:
        """Natural logarithm of the odds; `seen` are cells in the order of the rows, none null."""
        told = header_features(header, self.counts)
        rows = [told | cell_features(part, filled) for part in _sample_parts(seen)]
        names = self.trees.features
        table = np.array([[row.get(name, UNASKED) for name in names] for row in rows], np.float32)
        return float(self.trees.log_odds(table).min())


def _sample_parts(seen: Sequence[str]) -> Iterator[Sequence[str]]:
    """Cells that stand together, as many parts as cover a sample or `SAMPLE_PARTS`; then cells of
    all of a longer one, each so many from the last.
    """
    room = max(len(seen) - SAMPLE_CELLS, 0)
    parts = min(SAMPLE_PARTS, -(-len(seen) // SAMPLE_CELLS))
    for number in range(parts):
        start = room * number // max(parts - 1, 1)
        yield seen[start : start + SAMPLE_CELLS]
    if len(seen) > SAMPLE_PARTS * SAMPLE_CELLS:
        yield seen[:: len(seen) // SAMPLE_CELLS][:SAMPLE_CELLS]
