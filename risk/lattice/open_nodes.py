"""The lattice of levels during the search: which nodes are open, the least loss each may have."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from risk.lattice.frequency_table import Node
from risk.lattice.losses import Ground, Loss

SLACK = 1e-12
Spans = tuple[tuple[int, int], ...]


def below(loss: float) -> float:
    """What a loss must be less than to be less than this one, rounding aside."""
    return loss - SLACK * max(1.0, abs(loss))


@dataclass(eq=False, repr=False)
class Lattice:
    """For every node: is it open, and the bound of its loss from below."""

    low: Node
    open: NDArray[np.bool_]
    bound: NDArray[np.float64]
    nodes: int
    order: NDArray[np.intp] | None = None

    @classmethod
    def of(cls, ground: Ground, loss: Loss, spans: Spans) -> Lattice:
        """All nodes of these spans (lowest and highest level of each column), none ruled out."""
        shape = [high - low + 1 for low, high in spans]
        bound = np.zeros(shape)
        for i, column in enumerate(bound_parts(ground, loss, spans)):
            along = [1] * len(shape)
            along[i] = -1
            bound = bound + np.array(column).reshape(along)
        return cls(tuple(low for low, _ in spans), np.ones(shape, bool), bound, prod(shape))

    def next(self, best: float | None) -> Node | None:
        """The open node whose answer is expected to close the most; None where none could be better
        than the loss `best`, the least so far."""
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
        """The least loss that any node may have, those answered included."""
        live = self._live(best)
        return float(self.bound[live].min()) if live.any() else best

    def close(self, node: Node) -> None:
        """Rule one node out."""
        self.open[self._index(node)] = False

    def close_finer(self, node: Node) -> None:
        """Rule a node out, and all that are finer."""
        self.open[tuple(slice(0, i + 1) for i in self._index(node))] = False

    def raise_coarser(self, node: Node, floor: float) -> None:
        """No coarser node loses less than `floor`."""
        part = self.bound[tuple(slice(i, None) for i in self._index(node))]
        np.maximum(part, floor, out=part)
        self.order = None

    def _live(self, best: float | None) -> NDArray[np.bool_]:
        if best is None:
            return self.open
        live: NDArray[np.bool_] = self.open & (self.bound < below(best))
        return live

    def _index(self, node: Node) -> tuple[int, ...]:
        return tuple(level - low for level, low in zip(node, self.low, strict=True))


def bound_parts(ground: Ground, loss: Loss, spans: Spans) -> list[list[float]]:
    """Each column's part of the bound at each level of its span; zeros where the loss has none."""
    return [
        [loss.bound(ground, i, level) or 0.0 for level in range(low, high + 1)]
        for i, (low, high) in enumerate(spans)
    ]
