"""The odds that a column may be kept, from boosted trees trained on labeled columns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from statistics import fmean, stdev

import numpy as np

from recognizers.columns.learned.of_cells import SAMPLE_CELLS, UNASKED, cell_features
from recognizers.columns.learned.of_headers import HeaderCounts, header_features
from recognizers.model.network import MANIFEST, SHIPPED, ModelError, Trees, check_model_file

#: A long sample is scored in at most this many parts, and one more that is spread over it.
SAMPLE_PARTS = 6
# Parts of one kind differ by chance. A part that differs more has cells of another kind.
_LEAST_POOLED, _OF_ANOTHER_KIND = 3, 1.0
_STANDARD_ERRORS = 2.5


@dataclass(frozen=True)
class SurenessLimits:
    """Limits on the log odds that a column may be kept, by the result of the rules.

    A column that no rule explains is kept if its log odds are at least `keeps`, or at least
    `nameless` if its header has no known word. A column that the rules keep is withheld below
    `doubts`.
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
        """Load the shipped trees. Raises `ModelError`: `model-missing`, `model-altered`."""
        try:
            manifest = json.loads((SHIPPED / MANIFEST).read_text("utf-8"))
            told = manifest["columns"]
            for name in (told["words"], told["trees"]):
                check_model_file(SHIPPED, name, manifest["files"][name])
            counts = HeaderCounts.read(SHIPPED / told["words"])
            trees = Trees.load(SHIPPED / told["trees"])
            return cls(trees, counts, SurenessLimits(**told["limits"]))
        except (OSError, KeyError, TypeError, ValueError) as error:
            raise ModelError("model-missing", MANIFEST, "reinstall the package") from error

    def that_stays(
        self, header: str, seen: Sequence[str], filled: float, pooled: bool = False
    ) -> float:
        """Return the natural log odds that the column may be kept.

        `seen` has the non-null cells in row order, and `filled` is their share of all cells. The
        lowest odds of the parts of a long sample count, or if `pooled` those of all parts together.
        """
        told = header_features(header, self.counts)
        rows = [told | cell_features(part, filled) for part in _sample_parts(seen)]
        names = self.trees.features
        table = np.array([[row.get(name, UNASKED) for name in names] for row in rows], np.float32)
        odds = self.trees.log_odds(table).tolist()
        return _odds_of_parts(odds) if pooled else float(min(odds))


def _odds_of_parts(odds: Sequence[float]) -> float:
    """Return the odds that the parts of a sample support together.

    The lowest of many parts is low by chance, so the mean counts, less 2.5 standard errors. If a
    part deviates from the mean, it may have the cells of another table, and the lowest odds count.
    """
    lowest, mean = min(odds), fmean(odds)
    if len(odds) < _LEAST_POOLED or lowest < mean - _OF_ANOTHER_KIND:
        return lowest
    return max(lowest, mean - _STANDARD_ERRORS * stdev(odds) / sqrt(len(odds)))


def _sample_parts(seen: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield parts of adjacent cells, at most `SAMPLE_PARTS`, spread over the sample.

    If these parts cannot cover a long sample, one more part takes cells at regular intervals.
    """
    room = max(len(seen) - SAMPLE_CELLS, 0)
    parts = min(SAMPLE_PARTS, -(-len(seen) // SAMPLE_CELLS))
    for number in range(parts):
        start = room * number // max(parts - 1, 1)
        yield seen[start : start + SAMPLE_CELLS]
    if len(seen) > SAMPLE_PARTS * SAMPLE_CELLS:
        yield seen[:: len(seen) // SAMPLE_CELLS][:SAMPLE_CELLS]
