"""A forecast of how many records a node must suppress, from the nodes counted so far."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from risk.lattice.frequency_table import LatticeNode
from risk.lattice.wide.open_nodes import LevelSpans

_MOST_KEPT = 2_000
_FIRST_FIT, _FIT_GROWTH = 40, 1.25
#: Logarithms beyond this are clipped: such nodes say little about the border between allowed and
#: failing nodes.
_FARTHEST = 2.5
_RIDGE_PENALTY = 0.3


class SuppressionForecast:
    """Forecasts how many records a node must suppress.

    The forecast is the logarithm of (fewest records to suppress / records that may be suppressed),
    as a sum over the steps of the columns. Above 0, a node is expected to fail. It only decides
    which nodes are counted next.

    The forecast is a ridge regression in which nodes near the border weigh most.
    """

    def __init__(self, spans: LevelSpans, most: int) -> None:
        self.spans, self.most = spans, most
        self.start = np.cumsum([0, *(high - low for low, high in spans)]).tolist()
        self.steps: NDArray[np.float64] = np.zeros(self.start[-1])
        self.constant = _FARTHEST
        self.ready = False
        self._nodes = np.zeros((_MOST_KEPT, self.start[-1]), np.float32)
        self._found = np.zeros(_MOST_KEPT)
        self._number, self._next = 0, float(_FIRST_FIT)

    def observe(self, node: LatticeNode, records: int) -> None:
        """Record how many records a node must suppress."""
        place = self._number % _MOST_KEPT
        self._nodes[place] = self._row(node)
        ratio = np.log((records + 0.5) / (self.most + 0.5))
        self._found[place] = np.clip(ratio, -_FARTHEST, _FARTHEST)
        self._number += 1
        if self._number >= self._next:
            self._next = self._next * _FIT_GROWTH + 20
            self._fit()

    def of(self, node: LatticeNode) -> float:
        return self.constant + float(self._row(node) @ self.steps)

    def change(self, column: int, low: int, high: int) -> float:
        """The change of the forecast from one level of a column to a coarser one."""
        first = self.start[column] - self.spans[column][0]
        return float(self.steps[first + low : first + high].sum())

    def _row(self, node: LatticeNode) -> NDArray[np.float64]:
        row = np.zeros(self.start[-1])
        for (low, _), first, level in zip(self.spans, self.start[:-1], node, strict=True):
            row[first : first + level - low] = 1
        return row

    def _fit(self) -> None:
        """Fit the steps again.

        No step is positive, because coarser levels never add records to suppress.
        """
        held = min(self._number, _MOST_KEPT)
        nodes, found = self._nodes[:held].astype(float), self._found[:held]
        weights = np.exp(-np.abs(found))
        middle, level = weights @ nodes / weights.sum(), float(weights @ found / weights.sum())
        nodes -= middle
        weighted = nodes * weights[:, None]
        square = weighted.T @ nodes + _RIDGE_PENALTY * np.eye(len(middle))
        self.steps = np.minimum(np.linalg.solve(square, weighted.T @ (found - level)), 0.0)
        self.constant = level - float(middle @ self.steps)
        self.ready = True
