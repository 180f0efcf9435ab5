"""The nodes that are known to fail, and the nodes that are known to be allowed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from risk.lattice.frequency_table import LatticeNode


class KnownNodes:
    """Two sets of nodes for each column and level, as the bits of one integer each.

    One set holds the failing nodes at least that coarse in the column, the other the allowed nodes
    at most that coarse. A known node decides about another node if the sets of all levels of the
    other node contain the known node."""

    def __init__(self, top: LatticeNode) -> None:
        self._failing = [[0] * (high + 1) for high in top]
        self._allowed = [[0] * (high + 1) for high in top]
        self._allowed_number = 0
        self._cores = np.zeros((64, len(top)), np.int16)
        self.failures = 0
        self._counted: set[LatticeNode] = set()

    @property
    def cores(self) -> NDArray[np.int16]:
        """The failing nodes that are constraints, one in each row of the array."""
        return self._cores[: self.failures]

    def add_failing(self, node: LatticeNode) -> None:
        """Record that this node fails, and with it all nodes at least as fine."""
        if self.failures == len(self._cores):
            self._cores = np.concatenate((self._cores, np.zeros_like(self._cores)))
        self._cores[self.failures] = node
        bit = 1 << self.failures
        self.failures += 1
        for among, level in zip(self._failing, node, strict=True):
            for finer in range(level + 1):
                among[finer] |= bit

    def add_counted(self, node: LatticeNode) -> None:
        """Record that this node was counted and fails.

        It is not kept as a constraint, because coarser nodes may fail, too.
        """
        self._counted.add(node)

    def add_allowed(self, node: LatticeNode) -> None:
        """Record that this node is allowed, and with it all nodes at least as coarse."""
        bit = 1 << self._allowed_number
        self._allowed_number += 1
        for among, level in zip(self._allowed, node, strict=True):
            for coarser in range(level, len(among)):
                among[coarser] |= bit

    def counted(self, node: LatticeNode) -> bool | None:
        """Return True if a count of this or another node shows that the node fails.

        False means that the node is known to be allowed. None means that this is unknown.
        """
        return True if node in self._counted else self.fails(node)

    def fails(self, node: LatticeNode) -> bool | None:
        """Return True if a constraint shows that the node fails.

        False means that the node is known to be allowed. None means that this is unknown.
        """
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
