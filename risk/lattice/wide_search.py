"""Lattices too large to enumerate: a good node, and a lower bound that tightens.

A node that needs more suppression than is allowed rules out all finer nodes. Every coarsest such
node is a constraint: an allowed node is coarser in at least one column. The node of least loss
under the constraints found so far bounds the loss of every allowed node from below. If it fails, it
yields another constraint; if it is allowed, it is the optimum. This is the implicit hitting set
method (Moreno-Centeno & Karp 2013, Operations Research 61:453) on the lattice of El Emam et al.
2009.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import inf, prod

import numpy as np
from numpy.typing import NDArray

from risk.lattice.class_counts import ClassCounter
from risk.lattice.cover import LevelCover
from risk.lattice.frequency_table import LatticeNode
from risk.lattice.limits import required_suppression
from risk.lattice.open_nodes import LevelSpans, bound_parts, strictly_below
from risk.lattice.search_task import Optimum, SearchTask, no_transformation

#: Checks of a search without a time limit.
_MOST_CHECKS = 20_000
#: Seconds of an integer program that asks for any node, and of one that bounds the loss.
_SECONDS, _MORE_SECONDS = 3.0, 20.0
#: The last part of the time limit, kept for the bound.
_RESERVED = 0.35
#: Paths of constraints from each node that fails.
_PATHS = 4
#: The share of the loss of the best node by which the first nodes asked for are better.
_FIRST_SHARE = 0.2
_CHANCE_OF_PATHS = 20


def search_wide(task: SearchTask, spans: LevelSpans) -> Optimum:
    """The best node found until `give_up`, and how far its loss can be above the least loss."""
    state = _WideSearch(task, spans)
    state.descend()
    limited = task.seconds_left() < inf
    for _ in state.tighten():
        if task.give_up() or (state.checked > _MOST_CHECKS and not limited):
            break
    return state.result()


@dataclass(eq=False, repr=False)
class _WideSearch:
    task: SearchTask
    spans: LevelSpans
    best: Optimum | None = None
    least: float = 0.0
    checked: int = 0
    classes: int = 0
    failing: NDArray[np.int16] = field(init=False)
    counter: ClassCounter = field(init=False)
    cover: LevelCover = field(init=False)
    chance: np.random.Generator = field(
        default_factory=lambda: np.random.default_rng(_CHANCE_OF_PATHS)
    )

    def __post_init__(self) -> None:
        self.counter = ClassCounter(self.task.cells, self.task.basis.level_maps)
        parts = bound_parts(self.task.basis, self.task.loss, self.spans)
        self.cover = LevelCover(self.spans, parts)
        self.failing = np.zeros((0, len(self.spans)), np.int16)
        self.top = tuple(high for _, high in self.spans)

    def result(self) -> Optimum:
        if self.best is None:
            raise no_transformation(self.task.basis.records)
        if not self.least:
            self._bound()
        gap = max(0.0, self.best.loss - self.least)
        proven = self.least >= strictly_below(self.best.loss)
        nodes = prod(high - low + 1 for low, high in self.spans)
        return replace(
            self.best, optimal=proven, gap=0.0 if proven else gap, nodes=nodes, checked=self.checked
        )

    def fails(self, node: LatticeNode, counter: ClassCounter | None = None) -> bool:
        """Whether a node needs more suppression than is allowed."""
        if (self.failing >= np.array(node, np.int16)).all(axis=1).any():
            return True
        self.checked += 1
        counted = (counter or self.counter).at(node)
        self.classes = len(counted)
        return max((limit.least(counted) for limit in self.task.limits), default=0) > self.task.most

    def consider(self, node: LatticeNode) -> float:
        """The loss of a node, infinite if it is not allowed; the best node so far is kept."""
        self.checked += 1
        table = self.task.cache.at(node)
        verdict = required_suppression(table, self.task.limits)
        if max(verdict.records, verdict.least) > self.task.most:
            return inf
        value = self.task.loss.of(self.task.basis, table.classes, verdict.gone)
        if self.best is None or value < strictly_below(self.best.loss):
            self.best = Optimum(node, table.classes, verdict, value, False, 0.0, 0, 0)
        return value

    def descend(self) -> None:
        """A first node: from the coarsest, always the step that saves most loss and keeps the
        limits. A step that fails once fails at every later node."""
        node = self.top
        if self.fails(node) or self.consider(node) == inf:
            raise no_transformation(self.task.basis.records)
        closed: set[int] = set()
        while not self.task.give_up():
            steps = []
            for i, (low, _) in enumerate(self.spans):
                if i in closed or node[i] == low:
                    continue
                finer = (*node[:i], node[i] - 1, *node[i + 1 :])
                if self.fails(finer):
                    closed.add(i)
                else:
                    steps.append((self.cover.saved(i, node[i]), i))
            if not steps:
                break
            i = max(steps)[1]
            node = (*node[:i], node[i] - 1, *node[i + 1 :])
        self.consider(node)

    def tighten(self) -> Iterator[None]:
        """Add constraints, from small sets of columns first, until the bound meets the best
        node."""
        for width in (1, 2):
            for columns in combinations(range(len(self.spans)), width):
                lows = [
                    self.spans[i][0] if i in columns else high for i, high in enumerate(self.top)
                ]
                if self.fails(tuple(lows)):
                    self._learn(tuple(lows))
                yield
        share, reserve = _FIRST_SHARE, _RESERVED * self.task.seconds_left()
        while not self._proven():
            assert self.best is not None
            target = self.best.loss - share * (self.best.loss - self.cover.base)
            node, none = None, False
            if self.task.seconds_left() > reserve or reserve == inf:
                node, none = self.cover.any_below(target, self._seconds(_SECONDS))
            if none:
                self.least = max(self.least, target)
                share /= 2
            elif node is None:
                self._exchange()
                node = self._bound()
            if node is not None and self.fails(node):
                for _ in range(_PATHS):
                    self._climb(node)
            elif node is not None:
                self.consider(node)
                self.cover.exclude(node)
            yield

    def _bound(self) -> LatticeNode | None:
        """Raise the lower bound; the node that has it."""
        node, bound = self.cover.least(self._seconds(_MORE_SECONDS))
        self.least = max(self.least, bound)
        return node

    def _seconds(self, most: float) -> float:
        return max(0.1, min(most, self.task.seconds_left()))

    def _proven(self) -> bool:
        return self.best is not None and self.least >= strictly_below(self.best.loss)

    def _climb(self, node: LatticeNode) -> None:
        """From a failing node to an allowed one. Every failing node on the way gives a constraint,
        which the next step meets by its cheapest column."""
        while not self.task.give_up() and self.fails(node):
            core = self._learn(node)
            steps = [
                (self.cover.saved(i, level + 1) * self.chance.uniform(0.3, 1.0), i)
                for i, level in enumerate(core)
                if level < self.top[i]
            ]
            i = min(steps)[1]
            node = (*node[:i], core[i] + 1, *node[i + 1 :])
        self._lower(node)

    def _exchange(self) -> None:
        """Improve the best node: make one column coarser, then others finer, as long as that
        helps."""
        while self.best is not None and not self.task.give_up():
            node, before = self.best.node, self.best.loss
            for i, level in enumerate(node):
                if level < self.top[i]:
                    self._lower((*node[:i], level + 1, *node[i + 1 :]))
            if self.best.loss >= strictly_below(before):
                return

    def _lower(self, node: LatticeNode) -> None:
        """Lower an allowed node as far as the limits permit, the most costly column first."""
        order = [
            (-self.cover.saved(i, level), i)
            for i, level in enumerate(node)
            if level > self.spans[i][0]
        ]
        for _, i in sorted(order):
            while node[i] > self.spans[i][0] and not self.task.give_up():
                finer = (*node[:i], node[i] - 1, *node[i + 1 :])
                if self.fails(finer):
                    break
                node = finer
        self.consider(node)

    def _learn(self, node: LatticeNode) -> LatticeNode:
        """A coarsest failing node above a failing one, kept as a constraint. Columns whose next
        step is cheap are made coarse first: the constraint then costs more to meet."""
        worth = [self.cover.saved(i, level + 1) for i, level in enumerate(node)]
        order = np.argsort(worth * self.chance.uniform(0.3, 1.0, len(node))).tolist()
        counter = self.counter
        for i in order:
            raised = (*node[:i], self.top[i], *node[i + 1 :])
            if node[i] < self.top[i] and self.fails(raised, counter):
                node = raised
                counter = counter.narrowed(node, self.classes)
        for i in order:
            while node[i] < self.top[i] and not self.task.give_up():
                raised = (*node[:i], node[i] + 1, *node[i + 1 :])
                if not self.fails(raised, counter):
                    break
                node = raised
        own = np.array(node, np.int16)
        if not (self.failing == own).all(axis=1).any():
            self.failing = np.vstack((self.failing, own))
            self.cover.require_coarser(node)
        return node
