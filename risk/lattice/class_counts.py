"""The class sizes at a node, counted without building the classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.hierarchies.level_maps import LevelMap
from risk.lattice.frequency_table import (
    FrequencyTable,
    LatticeNode,
    aggregate,
    pack_codes,
    roll_up,
)
from risk.tables.coding import smallest

#: Cells up to which the labels of every column and level are kept.
_MOST_CELLS_KEPT = 4_000_000
#: A table with this many times fewer classes is worth making.
_WORTH_NARROWING = 8


class ClassCounter:
    """Counts classes at any node of a leaf table. Columns at a single label cost nothing."""

    def __init__(self, cells: FrequencyTable, level_maps: Sequence[LevelMap]) -> None:
        self.cells, self.level_maps = cells, level_maps
        self.plain = cells.people is None and cells.secret is None
        self.single = bool((cells.sizes == 1).all())
        self.labels: dict[tuple[int, int], NDArray[Any]] = {}

    def at(self, node: LatticeNode) -> FrequencyTable:
        """The classes at a node: their sizes, without codes. With a population or a sensitive
        value, the whole classes."""
        if not self.plain:
            return roll_up(self.cells, node, self.level_maps)
        spaces = [len(m.labels[level]) for m, level in zip(self.level_maps, node, strict=True)]
        codes = [
            self._labels(i, level)
            for i, (level, space) in enumerate(zip(node, spaces, strict=True))
            if space > 1
        ]
        key, space = pack_codes(codes, [s for s in spaces if s > 1], len(self.cells))
        return FrequencyTable(node, (), self._sizes(key, space))

    def narrowed(self, node: LatticeNode, classes: int) -> ClassCounter:
        """A counter of the nodes coarser than this one, which has so many classes: much faster if
        they are few."""
        if not self.plain or classes * _WORTH_NARROWING > len(self.cells):
            return self
        spaces = [len(m.labels[level]) for m, level in zip(self.level_maps, node, strict=True)]
        one_label = np.zeros(len(self.cells), np.uint8)
        codes = [
            self._labels(i, level) if space > 1 else one_label
            for i, (level, space) in enumerate(zip(node, spaces, strict=True))
        ]
        narrow = aggregate(node, codes, spaces, self.cells.sizes)
        return ClassCounter(narrow, self.level_maps)

    def _labels(self, column: int, level: int) -> NDArray[Any]:
        found = self.labels.get((column, level))
        if found is None:
            level_map, low = self.level_maps[column], self.cells.node[column]
            kind = smallest(len(level_map.labels[level]))
            found = level_map.between(low, level).astype(kind)[self.cells.codes[column]]
            if len(self.cells) <= _MOST_CELLS_KEPT:
                self.labels[column, level] = found
        return found

    def _sizes(self, key: NDArray[Any], space: int) -> NDArray[np.int64]:
        if space <= 4 * max(len(key), 2**12):
            weights = None if self.single else self.cells.sizes
            counted = np.bincount(key.astype(np.int64), weights, minlength=1)
            return counted[counted > 0].astype(np.int64)
        if self.single:
            ordered = np.sort(key)
            starts = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
            return np.diff(np.concatenate(([0], starts, [len(ordered)]))).astype(np.int64)
        _, ids = np.unique(key, return_inverse=True)
        return np.bincount(ids, self.cells.sizes).astype(np.int64)
