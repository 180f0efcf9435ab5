"""The class sizes at a node, counted without building the classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.hierarchies.level_maps import LevelMap
from risk.lattice.frequency_table import FrequencyTable, LatticeNode, roll_up

#: A sample holds one in `SAMPLED` classes; tables with fewer than `_FEWEST_SAMPLED` cells are not
#: sampled.
SAMPLED, _FEWEST_SAMPLED = 16, 1 << 19
_LEAST_KEY, _KEYS = -(1 << 31), 1 << 32
_LAST_OF_SAMPLE = np.int32(_LEAST_KEY + _KEYS // SAMPLED - 1)
_CHANCE_OF_NUMBERS = 5
_CELLS_AT_ONCE = 1 << 16


class ClassCounter:
    """Counts classes at any node of a leaf table; a neighbor of the last node is counted fastest.

    Every label of every level has a random number of 32 bits. The key of a cell is the sum of these
    numbers over its columns, so a change of one column's level changes each key by one lookup. The
    keys are sorted and counted. Classes that happen to share a key are counted as one class, as at
    a coarser node. A node that fails by these counts therefore truly fails, because the least
    suppression never grows with coarser classes.
    """

    def __init__(self, cells: FrequencyTable, level_maps: Sequence[LevelMap]) -> None:
        self.cells, self.level_maps = cells, level_maps
        self.plain = cells.people is None and cells.secret is None
        chance = np.random.default_rng(_CHANCE_OF_NUMBERS)
        self.numbers = [
            [_numbers_of_labels(chance, len(labels)) for labels in level_map.labels]
            for level_map in level_maps
        ]
        self.weights = None if (cells.sizes == 1).all() else cells.sizes
        self.keys = np.zeros(len(cells), np.int32)
        self.spare = np.zeros(len(cells), np.int32)
        self.node: LatticeNode | None = None

    def at(self, node: LatticeNode) -> FrequencyTable:
        """Return the classes at a node.

        They have only their sizes; with a population or a sensitive value, they also have their
        codes.
        """
        if not self.plain:
            return roll_up(self.cells, node, self.level_maps)
        self._move_to(node)
        np.copyto(self.spare, self.keys)
        return FrequencyTable(node, (), _sizes_of(self.spare, self.weights))

    def sample_at(self, node: LatticeNode) -> FrequencyTable | None:
        """Return a sample of one in `SAMPLED` classes at a node, drawn by their keys.

        The result is None if the table is too small, or has a population or a sensitive value.
        """
        if not self.plain or len(self.cells) < _FEWEST_SAMPLED:
            return None
        self._move_to(node)
        drawn = np.flatnonzero(self.keys <= _LAST_OF_SAMPLE)
        weights = None if self.weights is None else self.weights[drawn]
        return FrequencyTable(node, (), _sizes_of(self.keys[drawn], weights))

    def _move_to(self, node: LatticeNode) -> None:
        before: Sequence[int | None] = self.node or [None] * len(node)
        for i, (old, new) in enumerate(zip(before, node, strict=True)):
            if old != new:
                self._add(self._change(i, old, new), self.cells.codes[i])
        self.node = node

    def _add(self, change: NDArray[np.int32], codes: NDArray[Any]) -> None:
        """Add a change to the key of each cell, block by block: a block fits the processor's cache
        and needs no new memory."""
        for start in range(0, len(codes), _CELLS_AT_ONCE):
            block = slice(start, start + _CELLS_AT_ONCE)
            np.take(change, codes[block], mode="wrap", out=self.spare[block])
            self.keys[block] += self.spare[block]

    def _change(self, column: int, old: int | None, new: int) -> NDArray[np.int32]:
        change = self._of_values(column, new)
        return change if old is None else change - self._of_values(column, old)

    def _of_values(self, column: int, level: int) -> NDArray[np.int32]:
        step = self.level_maps[column].between(self.cells.node[column], level)
        found: NDArray[np.int32] = self.numbers[column][level][step]
        return found


def _numbers_of_labels(chance: np.random.Generator, labels: int) -> NDArray[np.int32]:
    """A random number for each label; a single label needs none."""
    if labels == 1:
        return np.zeros(1, np.int32)
    return chance.integers(_LEAST_KEY, _LEAST_KEY + _KEYS, labels, np.int32)


def _sizes_of(keys: NDArray[np.int32], weights: NDArray[np.int64] | None) -> NDArray[np.int64]:
    """How often each key occurs, or the sum of its weights; sort unweighted keys in place."""
    if weights is None:
        keys.sort()
        last = np.flatnonzero(keys[1:] != keys[:-1])
        return np.diff(last, prepend=-1, append=len(keys) - 1)
    order = np.argsort(keys)
    ordered = keys[order]
    first = np.flatnonzero(np.diff(ordered, prepend=~ordered[:1]))
    sizes: NDArray[np.int64] = np.add.reduceat(weights[order], first)
    return sizes
