"""Search lattices too large to enumerate: find a good node, and raise a lower bound of the loss.

A node that needs more suppression than is allowed rules out all finer nodes. Every coarsest failing
node is a constraint: an allowed node is coarser in at least one column. The node of least loss
under the constraints found so far bounds the loss of every allowed node from below. If this node
fails, it yields another constraint; if it is allowed, it is the optimum. This is the implicit
hitting set method (Moreno-Centeno & Karp 2013, Operations Research 61:453) on the lattice of El
Emam et al. 2009. A forecast of the suppression selects the nodes to count; every constraint comes
from an actual count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import inf, prod

import numpy as np
from numpy.typing import NDArray

from risk.lattice.class_counts import SAMPLED, ClassCounter
from risk.lattice.frequency_table import LatticeNode
from risk.lattice.limits import required_suppression
from risk.lattice.search_task import Optimum, SearchTask, no_transformation
from risk.lattice.wide.cover import LevelCover
from risk.lattice.wide.known_nodes import KnownNodes
from risk.lattice.wide.open_nodes import LevelSpans, bound_parts, strictly_below
from risk.lattice.wide.proof_schedule import ProofSchedule
from risk.lattice.wide.suppression_forecast import SuppressionForecast

#: The most checks of a search without a time limit, and the number of checks that a proof counts
#: as.
_MOST_CHECKS, _CHECKS_OF_PROOF = 10_000, 250
#: The most constraints learned from one node, and the number of nodes that the forecast proposes in
#: a row.
_PATHS, _PROPOSED = 4, 1
#: The most bounds that are tried in a row, each lower than the one before, until one is proven.
_PROOFS = 3
#: The most seconds for an integer program that looks for a node by the forecast.
_PROPOSAL_SECONDS = 3.0
#: The seconds for a single bound at the end, if there was no time for one before.
_LAST_SECONDS = 1.0
#: A path is made coarser while the forecast is at least the first; a node with a forecast below the
#: second is not counted.
_SURELY_FAILS, _SURELY_ALLOWED = 0.05, -0.1
#: A path ends where a node would hardly be better than the best one, because such a node would not
#: raise the bound.
_SHORT_OF_BEST = 0.1
#: If the sampled suppression differs from the allowed one by at most this share, the classes are
#: counted.
_UNSURE = 0.04
#: The tolerance of the solver: it may treat values this close as equal.
_TOLERANCE = 1e-6
_CHANCE_OF_PATHS = 20


def search_wide(task: SearchTask, spans: LevelSpans) -> Optimum:
    """Return the best node found until `give_up` returns True.

    Its `gap` says how far its loss can be above the least loss.
    """
    state = _WideSearch(task, spans)
    state.descend()
    limited = task.seconds_left() < inf
    for _ in state.tighten():
        if task.give_up() or (state.spent > _MOST_CHECKS and not limited):
            break
    return state.result()


@dataclass(eq=False, repr=False)
class _WideSearch:
    task: SearchTask
    spans: LevelSpans
    best: Optimum | None = None
    least: float = 0.0
    checked: int = 0
    proofs: int = 0
    known: KnownNodes = field(init=False)
    counter: ClassCounter = field(init=False)
    cover: LevelCover = field(init=False)
    forecast: SuppressionForecast = field(init=False)
    passed_by: NDArray[np.int16] = field(init=False)
    chance: np.random.Generator = field(
        default_factory=lambda: np.random.default_rng(_CHANCE_OF_PATHS)
    )

    def __post_init__(self) -> None:
        self.counter = ClassCounter(self.task.cells, self.task.basis.level_maps)
        self.parts = bound_parts(self.task.basis, self.task.loss, self.spans)
        self.cover = LevelCover(self.spans, self.parts)
        self.forecast = SuppressionForecast(self.spans, self.task.most)
        self.top = tuple(high for _, high in self.spans)
        self.known = KnownNodes(self.top)
        self.passed_by = np.zeros((0, len(self.spans)), np.int16)

    def result(self) -> Optimum:
        if self.best is None:
            raise no_transformation(self.task.basis.records)
        if not self.least:
            self.least = self.cover.least(_LAST_SECONDS)[1]
        gap = max(0.0, self.best.loss - max(self.least, self.cover.base))
        proven = self.proven()
        nodes = prod(high - low + 1 for low, high in self.spans)
        return replace(
            self.best, optimal=proven, gap=0.0 if proven else gap, nodes=nodes, checked=self.checked
        )

    @property
    def spent(self) -> int:
        return self.checked + _CHECKS_OF_PROOF * self.proofs

    def proven(self) -> bool:
        return self.best is not None and self.least >= strictly_below(self.best.loss)

    def fails(self, node: LatticeNode) -> bool:
        """Whether a node needs more suppression than is allowed."""
        known = self.known.counted(node)
        if known is not None:
            return known
        self.checked += 1
        counted = self.counter.at(node)
        records = max((limit.least(counted) for limit in self.task.limits), default=0)
        self.forecast.observe(node, records)
        add = self.known.add_counted if records > self.task.most else self.known.add_allowed
        add(node)
        return records > self.task.most

    def seems_to_fail(self, node: LatticeNode) -> bool:
        """Whether a node fails according to a sample of the classes.

        If the sample is close to the limit, all classes are counted.
        """
        known = self.known.counted(node)
        sampled = self.counter.sample_at(node) if known is None else None
        if sampled is None:
            return self.fails(node)
        records = SAMPLED * max((limit.least(sampled) for limit in self.task.limits), default=0)
        if abs(records - self.task.most) <= _UNSURE * self.task.most:
            return self.fails(node)
        self.checked += 1
        self.forecast.observe(node, records)
        return records > self.task.most

    def consider(self, node: LatticeNode) -> float:
        """Return the loss of a node; a better node becomes the best.

        The loss is infinite if the node is not allowed, or cannot be better than the best so far.
        """
        if self.best is not None and self._floor(node) >= strictly_below(self.best.loss):
            return inf
        self.checked += 1
        table = self.task.cache.at(node)
        verdict = required_suppression(table, self.task.limits)
        if max(verdict.records, verdict.least) > self.task.most:
            if verdict.least > self.task.most:
                self._keep_core(node)
            return inf
        value = self.task.loss.of(self.task.basis, table.classes, verdict.gone)
        if self.best is None or value < strictly_below(self.best.loss):
            self.best = Optimum(node, table.classes, verdict, value, False, 0.0, 0, 0)
        return value

    def descend(self) -> None:
        """Find a first node.

        The search starts at the coarsest node and always takes the step that saves the most loss
        within the limits. A step that fails once fails at every later node.
        """
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
        """Add constraints, from small sets of columns first, until the lower bound reaches the loss
        of the best node."""
        for width in (1, 2):
            for columns in combinations(range(len(self.spans)), width):
                lows = [
                    self.spans[i][0] if i in columns else high for i, high in enumerate(self.top)
                ]
                if self.known.fails(tuple(lows)) is None:
                    self._learn(tuple(lows))
                yield
        self._exchange()
        schedule = ProofSchedule(self.task.seconds_left)
        while not self.proven():
            yield from self._learn_many(schedule)
            for _ in range(_PROPOSED):
                self._propose()
                yield
            for _ in range(_PROOFS):
                yield
                if self._prove(schedule):
                    break
            yield

    def _learn_many(self, schedule: ProofSchedule) -> Iterator[None]:
        """Learn constraints from nodes that meet all earlier constraints."""
        while not schedule.is_due(self.known.failures):
            assert self.best is not None
            limit = schedule.aim(self.cover.base, self.best.loss)
            passed = np.concatenate((self.known.cores, self.passed_by))
            node = self.cover.draw_below(limit, passed, self.chance)
            schedule.drawn(node is not None)
            if node is not None:
                self._work_at(node)
            yield

    def _work_at(self, node: LatticeNode) -> None:
        """Learn from a node that meets all constraints, and from a path of coarser nodes."""
        for number in range(_PATHS):
            core = self._learn(node)
            if core is None and not number:
                self._pass_by(node)
            elif core is None:
                self._lower(node)
            if core is None:
                return
            steps = [
                (self.cover.saved(i, level + 1) * self.chance.uniform(0.3, 1.0), i)
                for i, level in enumerate(core)
                if level < self.top[i]
            ]
            i = min(steps)[1]
            node = (*node[:i], core[i] + 1, *node[i + 1 :])
            assert self.best is not None
            farthest = self.best.loss - _SHORT_OF_BEST * (self.best.loss - self.cover.base)
            if self.known.fails(node) is not None or self._floor(node) > farthest:
                return

    def _pass_by(self, node: LatticeNode) -> None:
        """Evaluate an allowed node, then exclude it from the integer program."""
        self.consider(node)
        self.cover.exclude(node)
        self.passed_by = np.concatenate((self.passed_by, np.array([node], np.int16)))
        self._lower(node)

    def _propose(self) -> None:
        """Learn from the node of least loss that is expected to be allowed."""
        if self.best is None or not self.forecast.ready or self.task.give_up():
            return
        steps, constant = self.forecast.steps, self.forecast.constant
        seconds = min(_PROPOSAL_SECONDS, max(0.1, self.task.seconds_left()))
        node = self.cover.forecast_best(self.best.loss, steps, constant, seconds)
        if node is not None and self._learn(node) is None:
            self._pass_by(node)

    def _prove(self, schedule: ProofSchedule) -> bool:
        """Raise the lower bound, or learn from a node that shows why the bound cannot be raised."""
        assert self.best is not None
        low, high = max(self.least, self.cover.base), self.best.loss
        self.proofs += 1
        target, seconds = schedule.target(low, high), schedule.seconds()
        if target is None:
            node, bound = self.cover.least(seconds)
        else:
            node, none = self.cover.any_below(target, seconds)
            bound = target - _TOLERANCE * max(1.0, abs(target)) if none else low
        self.least = max(self.least, bound)
        schedule.tried(self.known.failures, high, raised=bound > low)
        if node is not None and not self.proven() and not self.task.give_up():
            self._work_at(node)
        return bound > low

    def _learn(self, node: LatticeNode) -> LatticeNode | None:
        """Find a coarsest failing node above a failing node, and keep it as a constraint.

        The result is None if the node is allowed. Columns with a cheap next step are made coarse
        first, so that the constraint costs more to meet.
        """
        worth = [self.cover.saved(i, level + 1) for i, level in enumerate(node)]
        order = np.argsort(worth * self.chance.uniform(0.3, 1.0, len(node))).tolist()
        path = self._forecast_path(node, order)
        back = 1
        while not self.seems_to_fail(path[-1]):
            if len(path) == 1:
                return None
            path = path[: max(1, len(path) - back)]
            back *= 2
        for core in (*reversed(self._failing_path(path[-1], order)), node):
            if self.fails(core):
                self._keep_core(core)
                return core
        return None

    def _failing_path(self, node: LatticeNode, order: list[int]) -> list[LatticeNode]:
        """Return a path of ever coarser nodes that seem to fail.

        No single step from the last node seems to fail.
        """
        path = [node]
        for whole in (True, False):
            for i in order:
                while path[-1][i] < self.top[i] and not self.task.give_up():
                    raised = self._raised(path[-1], i, whole=whole)
                    if self.forecast.ready and self.forecast.of(raised) < _SURELY_ALLOWED:
                        break
                    if not self.seems_to_fail(raised):
                        break
                    path.append(raised)
        return path

    def _forecast_path(self, node: LatticeNode, order: list[int]) -> list[LatticeNode]:
        """Return a path of ever coarser nodes that are expected to fail.

        Columns are raised to the top at once if possible, then by single steps.
        """
        path = [node]
        if not self.forecast.ready:
            return path
        expected = self.forecast.of(node)
        for whole in (True, False):
            for i in order:
                while node[i] < self.top[i]:
                    raised = self._raised(node, i, whole=whole)
                    change = self.forecast.change(i, node[i], raised[i])
                    if expected + change < _SURELY_FAILS:
                        break
                    node, expected = raised, expected + change
                    path.append(node)
        return path

    def _raised(self, node: LatticeNode, column: int, *, whole: bool) -> LatticeNode:
        level = self.top[column] if whole else node[column] + 1
        return (*node[:column], level, *node[column + 1 :])

    def _keep_core(self, node: LatticeNode) -> None:
        self.known.add_failing(node)
        self.cover.require_coarser(node)

    def _floor(self, node: LatticeNode) -> float:
        """A lower bound of a node's loss."""
        return sum(
            part[level - low]
            for part, level, (low, _) in zip(self.parts, node, self.spans, strict=True)
        )

    def _exchange(self) -> None:
        """Improve the best node: make one column coarser, then others finer, as long as the loss
        falls."""
        while self.best is not None and not self.task.give_up():
            node, before = self.best.node, self.best.loss
            for i, level in enumerate(node):
                if level < self.top[i]:
                    self._lower((*node[:i], level + 1, *node[i + 1 :]))
            if self.best.loss >= strictly_below(before):
                return

    def _lower(self, node: LatticeNode) -> None:
        """Lower the levels of an allowed node as far as the limits permit.

        The most costly column comes first.
        """
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
        if self.known.fails(node):
            self._mend(node)

    def _mend(self, node: LatticeNode) -> None:
        """Try the next coarser nodes of a node that fails by few records, the cheapest first."""
        steps = [
            (self.cover.saved(i, level + 1), i)
            for i, level in enumerate(node)
            if level < self.top[i]
        ]
        for _, i in sorted(steps)[:_PATHS]:
            if self.consider(self._raised(node, i, whole=False)) < inf:
                return
