"""The nodes that are known to fail, and those that are known to be allowed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from risk.lattice.frequency_table import LatticeNode


class KnownNodes:
    """`among[column][level]` is a set of known nodes, as the bits of one integer: the failing nodes
    at least that coarse in the column, or the allowed ones at most that coarse. The nodes that
    decide about another are in the sets of all its levels."""

    def __init__(self, top: LatticeNode) -> None:
        self._failing = [[0] * (high + 1) for high in top]
        self._allowed = [[0] * (high + 1) for high in top]
        self._allowed_number = 0
        self._cores = np.zeros((64, len(top)), np.int16)
        self.failures = 0
        self._counted: set[LatticeNode] = set()

    @property
    def cores(self) -> NDArray[np.int16]:
        """One row for each failing node."""
        return self._cores[: self.failures]

    def add_failing(self, node: LatticeNode) -> None:
        """All nodes at least as fine fail."""
        if self.failures == len(self._cores):
            self._cores = np.concatenate((self._cores, np.zeros_like(self._cores)))
        self._cores[self.failures] = node
        bit = 1 << self.failures
        self.failures += 1
        for among, level in zip(self._failing, node, strict=True):
            for finer in range(level + 1):
                among[finer] |= bit

    def add_counted(self, node: LatticeNode) -> None:
        """This node fails. Coarser ones may fail, too, so it is no constraint."""
        self._counted.add(node)

    def add_allowed(self, node: LatticeNode) -> None:
        """All nodes at least as coarse are allowed."""
        bit = 1 << self._allowed_number
        self._allowed_number += 1
        for among, level in zip(self._allowed, node, strict=True):
            for coarser in range(level, len(among)):
                among[coarser] |= bit

    def counted(self, node: LatticeNode) -> bool | None:
        """Whether a node fails, by what was counted of it or of others; None if nothing was."""
        return True if node in self._counted else self.fails(node)

    def fails(self, node: LatticeNode) -> bool | None:
        """Whether a node fails by a constraint or is allowed; None if neither is known."""
        if _any_decides(self._failing, node):
            return True
        return False if _any_decides(self._allowed, node) else None


def _any_decides(among: list[list[int]], node: LatticeNode) -> bool:
    found = -1
    for of_level, level in zip(among, node, strict=True):
        found &= of_level[level]
        if not found:
            return False
    return True
