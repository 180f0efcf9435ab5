"""The state of the search: the nodes that are still open, and a lower bound of each node's loss."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from risk.lattice.frequency_table import LatticeNode
from risk.lattice.losses import Loss, LossBasis

SLACK = 1e-12
LevelSpans = tuple[tuple[int, int], ...]


def strictly_below(loss: float) -> float:
    """The limit of losses that count as smaller than `loss`, allowing for rounding."""
    return loss - SLACK * max(1.0, abs(loss))


@dataclass(eq=False, repr=False)
class OpenNodes:
    """For every node of the lattice, whether the node is open, and the lower bound of its loss."""

    low: LatticeNode
    open: NDArray[np.bool_]
    bound: NDArray[np.float64]
    nodes: int
    order: NDArray[np.intp] | None = None

    @classmethod
    def of(cls, basis: LossBasis, loss: Loss, spans: LevelSpans) -> OpenNodes:
        """All nodes within these spans (lowest and highest level of each column), each one open."""
        shape = [high - low + 1 for low, high in spans]
        bound = np.zeros(shape)
        for i, column in enumerate(bound_parts(basis, loss, spans)):
            along = [1] * len(shape)
            along[i] = -1
            bound = bound + np.array(column).reshape(along)
        return cls(tuple(low for low, _ in spans), np.ones(shape, bool), bound, prod(shape))

    def next(self, best: float | None) -> LatticeNode | None:
        """Return the open node that is expected to close the most other nodes when it is checked.

        The result is None if no open node can have a smaller loss than `best`, the least loss so
        far.
        """
        live = self._live(best)
        if self.order is None:
            self.order = np.argsort(self.bound, axis=None, kind="stable")
        where = self.order[live.ravel()[self.order]]
        if not len(where):
            return None
        finer = live.astype(np.int32)
        for axis in range(finer.ndim):
            np.cumsum(finer, axis=axis, out=finer)
        worth = np.minimum(np.arange(len(where), 0, -1), finer.ravel()[where])
        flat = where[int(np.argmax(worth))]
        index = np.unravel_index(flat, live.shape)
        return tuple(int(i) + low for i, low in zip(index, self.low, strict=True))

    def least(self, best: float) -> float:
        """The least loss that any node can have, checked nodes included."""
        live = self._live(best)
        return float(self.bound[live].min()) if live.any() else best

    def close(self, node: LatticeNode) -> None:
        """Close one node."""
        self.open[self._index(node)] = False

    def close_finer(self, node: LatticeNode) -> None:
        """Close a node and all finer ones."""
        self.open[tuple(slice(0, i + 1) for i in self._index(node))] = False

    def raise_coarser(self, node: LatticeNode, floor: float) -> None:
        """Raise the lower bound of a node and all coarser ones to `floor`."""
        part = self.bound[tuple(slice(i, None) for i in self._index(node))]
        np.maximum(part, floor, out=part)
        self.order = None

    def _live(self, best: float | None) -> NDArray[np.bool_]:
        if best is None:
            return self.open
        live: NDArray[np.bool_] = self.open & (self.bound < strictly_below(best))
        return live

    def _index(self, node: LatticeNode) -> tuple[int, ...]:
        return tuple(level - low for level, low in zip(node, self.low, strict=True))


def bound_parts(basis: LossBasis, loss: Loss, spans: LevelSpans) -> list[list[float]]:
    """Return each column's part of the lower bound at each level of its span.

    The parts are zeros if the loss has no such bound.
    """
    return [
        [loss.bound(basis, i, level) or 0.0 for level in range(low, high + 1)]
        for i, (low, high) in enumerate(spans)
    ]
