"""The class sizes at a node, counted without building the classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.hierarchies.level_maps import LevelMap
from risk.lattice.frequency_table import FrequencyTable, LatticeNode, roll_up

#: Buckets are two to the power of these, more for more cells.
_FEWEST_BITS, _MOST_BITS = 16, 22
_CHANCE_OF_NUMBERS = 5


class ClassCounter:
    """Counts classes at any node of a leaf table; a neighbor of the last node is counted fastest.

    Every label of every level has a random number, and the key of a cell is the sum over its
    columns: a column that changes its level changes the keys by one lookup. Keys are counted in
    buckets. Classes that share a bucket are counted as one, as they would be at a coarser node, so
    that a node that fails here fails (the least suppression never grows with coarser classes).
    """

    def __init__(self, cells: FrequencyTable, level_maps: Sequence[LevelMap]) -> None:
        self.cells, self.level_maps = cells, level_maps
        self.plain = cells.people is None and cells.secret is None
        bits = min(max(_FEWEST_BITS, len(cells).bit_length()), _MOST_BITS)
        chance = np.random.default_rng(_CHANCE_OF_NUMBERS)
        self.numbers = [
            [_numbers_of_labels(chance, len(labels), bits) for labels in level_map.labels]
            for level_map in level_maps
        ]
        self.mask = np.int32((1 << bits) - 1)
        self.weights = None if (cells.sizes == 1).all() else cells.sizes
        self.keys = np.zeros(len(cells), np.int32)
        self.spare = np.zeros(len(cells), np.int32)
        self.node: LatticeNode | None = None

    def at(self, node: LatticeNode) -> FrequencyTable:
        """The classes at a node: their sizes and some empty ones, without codes. With a population
        or a sensitive value, the whole classes."""
        if not self.plain:
            return roll_up(self.cells, node, self.level_maps)
        before: Sequence[int | None] = self.node or [None] * len(node)
        for i, (old, new) in enumerate(zip(before, node, strict=True)):
            if old != new:
                change = self._of_values(i, new)
                if old is not None:
                    change = change - self._of_values(i, old)
                np.take(change, self.cells.codes[i], mode="wrap", out=self.spare)
                self.keys += self.spare
        self.node = node
        np.bitwise_and(self.keys, self.mask, out=self.spare)
        counted = np.bincount(self.spare, self.weights, minlength=1)
        return FrequencyTable(node, (), counted.astype(np.int64, copy=False))

    def _of_values(self, column: int, level: int) -> NDArray[np.int32]:
        step = self.level_maps[column].between(self.cells.node[column], level)
        found: NDArray[np.int32] = self.numbers[column][level][step]
        return found


def _numbers_of_labels(chance: np.random.Generator, labels: int, bits: int) -> NDArray[Any]:
    """A random number for each label; a single label needs none."""
    if labels == 1:
        return np.zeros(1, np.int32)
    return chance.integers(0, 1 << bits, labels, np.int32)
