"""An integer program for the least loss of an allowed node.

Every failing node is a constraint: an allowed node is coarser in at least one column.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, OptimizeResult, milp
from scipy.sparse import csr_array

from risk.lattice.frequency_table import LatticeNode
from risk.lattice.wide.open_nodes import LevelSpans

#: In the greedy choice, the worth of a step (constraints satisfied per cost) is multiplied by a
#: random factor from this number to 1.
_LEAST_NOISE = 0.4
#: A step with a smaller cost is given this cost, so that its worth stays finite.
_FREE = 1e-9


class LevelCover:
    """The integer program over steps.

    The variable step[column, level] is 1 if the column is at least that coarse. The cost of a step
    is the growth of the column's part of the loss.
    """

    def __init__(self, spans: LevelSpans, parts: Sequence[Sequence[float]]) -> None:
        self.spans = spans
        self.start = np.cumsum([0, *(high - low for low, high in spans)])
        self.base = float(sum(part[0] for part in parts))
        grown = [np.maximum(0.0, np.diff(np.maximum.accumulate(part))) for part in parts]
        self.costs: NDArray[np.float64] = np.concatenate([*grown, np.zeros(0)])
        #: The loss of each column at each level, from level 0; infinite outside the span.
        self.sums = np.full((len(spans), max((high for _, high in spans), default=0) + 2), np.inf)
        for column, ((low, high), part) in enumerate(zip(spans, parts, strict=True)):
            self.sums[column, low : high + 1] = np.maximum.accumulate(part)
        self.rows: list[dict[int, float]] = []
        self.floors: list[float] = []
        for (low, high), first in zip(spans, self.start[:-1].tolist(), strict=True):
            for level in range(high - low - 1):
                self._add({first + level: 1.0, first + level + 1: -1.0}, 0.0)

    def saved(self, column: int, level: int) -> float:
        """Return how much a column's loss falls from a level to the next finer one."""
        if level > self.spans[column][1]:
            return np.inf
        return float(self.costs[self.start[column] + level - 1 - self.spans[column][0]])

    def require_coarser(self, node: LatticeNode) -> None:
        """Add the constraint that an allowed node is coarser than this node in some column."""
        self._add(dict.fromkeys(self._next_steps(node), 1.0), 1.0)

    def exclude(self, node: LatticeNode) -> None:
        """Add the constraint that rules out this one node."""
        entries = dict.fromkeys(self._next_steps(node), 1.0)
        taken = [
            int(self.start[i]) + level - low - 1
            for i, (level, (low, _)) in enumerate(zip(node, self.spans, strict=True))
            if level > low
        ]
        self._add(entries | dict.fromkeys(taken, -1.0), 1.0 - len(taken))

    def least(self, seconds: float) -> tuple[LatticeNode | None, float]:
        """Return the node of least loss that no constraint rules out, and a lower bound.

        The bound is that of the loss of all such nodes. The node is None if there is none.
        """
        if not len(self.costs):
            only = tuple(low for low, _ in self.spans)
            return (None, np.inf) if self.floors else (only, self.base)
        found = self._solve(self.costs, seconds, [])
        if found.x is None:
            return None, np.inf if found.status == 2 else self.base
        node = self._node(np.round(found.x))
        return node, self.base + float(found.mip_dual_bound)

    def forecast_best(
        self, loss: float, steps: NDArray[np.float64], constant: float, seconds: float
    ) -> LatticeNode | None:
        """The node of least loss that no constraint rules out and that is expected to be allowed.

        Its loss is at most `loss`. A node is expected to be allowed if `constant` plus the forecast
        `steps` up to the node is at most 0."""
        if not len(self.costs):
            return None
        within = LinearConstraint(self.costs, -np.inf, loss - self.base)
        allowed = LinearConstraint(steps, -np.inf, -constant)
        found = self._solve(self.costs, seconds, [within, allowed])
        return None if found.x is None else self._node(np.round(found.x))

    def draw_below(
        self, loss: float, cores: NDArray[np.int16], chance: np.random.Generator
    ) -> LatticeNode | None:
        """Draw a node of at most this loss that is coarser than each core in some column.

        A core is a failing node that is a constraint. A randomized greedy choice takes the steps
        that satisfy the most constraints for their cost. The result is None if it finds no such
        node.
        """
        node = np.array([low for low, _ in self.spans])
        spent, columns = self.base, np.arange(len(node))
        heights = self.sums.shape[1]
        noise = chance.uniform(_LEAST_NOISE, 1.0, self.sums[:, 1:].shape)
        while len(cores):
            held = np.bincount((cores + columns * heights).ravel(), minlength=self.sums.size)
            passed = np.cumsum(held.reshape(self.sums.shape), axis=1)[:, :-1]
            cost = self.sums[:, 1:] - self.sums[columns, node][:, None]
            worth = passed * noise / np.maximum(cost, _FREE)
            worth[~(cost <= loss - spent) | (np.arange(1, heights) <= node[:, None])] = 0
            column, step = divmod(int(worth.argmax()), heights - 1)
            if worth[column, step] <= 0:
                return None
            spent += max(0.0, float(cost[column, step]))
            node[column] = step + 1
            cores = cores[cores[:, column] > step]
        return tuple(node.tolist())

    def any_below(self, loss: float, seconds: float) -> tuple[LatticeNode | None, bool]:
        """Return a node of at most this loss that no constraint rules out.

        The second result says whether it is proven that there is none. If the time is too short,
        the result is (None, False).
        """
        within = LinearConstraint(self.costs, -np.inf, loss - self.base)
        found = self._solve(np.zeros(len(self.costs)), seconds, [within])
        node = None if found.x is None else self._node(np.round(found.x))
        return node, found.status == 2

    def _solve(
        self, costs: NDArray[np.float64], seconds: float, more: list[LinearConstraint]
    ) -> OptimizeResult:
        return milp(
            costs,
            integrality=np.ones(len(costs), np.uint8),
            bounds=Bounds(0, 1),
            constraints=[*self._constraints(), *more],
            options={"time_limit": seconds},
        )

    def _node(self, steps: NDArray[Any]) -> LatticeNode:
        return tuple(
            low + int(steps[first:last].sum())
            for (low, _), first, last in zip(
                self.spans, self.start[:-1], self.start[1:], strict=True
            )
        )

    def _next_steps(self, node: LatticeNode) -> list[int]:
        return [
            int(self.start[i]) + level - low
            for i, (level, (low, high)) in enumerate(zip(node, self.spans, strict=True))
            if level < high
        ]

    def _add(self, entries: dict[int, float], floor: float) -> None:
        self.rows.append(entries)
        self.floors.append(floor)

    def _constraints(self) -> list[LinearConstraint]:
        if not self.rows:
            return []
        places = [(row, step) for row, entries in enumerate(self.rows) for step in entries]
        values = [value for entries in self.rows for value in entries.values()]
        rows, steps = np.array(places).T
        matrix = csr_array((values, (rows, steps)), shape=(len(self.rows), len(self.costs)))
        return [LinearConstraint(matrix, np.array(self.floors), np.inf)]
