"""Optimal full-domain generalization: the node of least loss that meets the limits, with proof.

The search relies on four facts. The column marginals bound a separable loss from below without
grouping. The number of records to suppress never grows as a node is made coarser, so one failed
node rules out all finer ones. A node is rolled up from the smallest finer table available. The next
node to check is the one that is expected to close most of the lattice. The problem: El Emam et al.
2009 (Optimal Lattice Anonymization), Samarati 2001.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError
from risk.hierarchies.level_maps import LevelMap
from risk.lattice.frequency_table import FrequencyTable, LatticeNode, roll_up
from risk.lattice.limits import (
    PlanLimit,
    RequiredSuppression,
    allowed_suppression,
    required_suppression,
)
from risk.lattice.losses import Loss, LossBasis
from risk.lattice.open_nodes import LevelSpans, OpenNodes, bound_parts, strictly_below

_MOST_NODES = 2**26
_MOST_NODES_AROUND = 2**13


@dataclass(frozen=True, eq=False, repr=False)
class Optimum:
    """The best node found. `optimal` is True if every other node is ruled out; otherwise `gap` is
    the most that the loss can be above the least loss."""

    node: LatticeNode
    classes: FrequencyTable
    verdict: RequiredSuppression
    loss: float
    optimal: bool
    gap: float
    nodes: int
    checked: int


@dataclass(frozen=True)
class LevelRange:
    """The levels that a column may take, both ends included; None for the lowest or highest
    level."""

    low: int | None = None
    high: int | None = None


@dataclass(eq=False, repr=False)
class TableCache:
    """Frequency tables already computed; `at` rolls up the smallest one that is finer than a
    node."""

    level_maps: Sequence[LevelMap]
    tables: list[FrequencyTable]
    room: int = field(init=False)

    def __post_init__(self) -> None:
        self.room = 3 * len(self.tables[0]) + 2**16

    def at(self, node: LatticeNode) -> FrequencyTable:
        fine = [t for t in self.tables if all(a <= b for a, b in zip(t.node, node, strict=True))]
        source = min(fine, key=len)
        if source.node == node:
            return source
        made = roll_up(source, node, self.level_maps)
        if len(made) < len(source) and len(made) <= self.room:
            self.room -= len(made)
            self.tables.append(made)
        return made


def find_optimum(
    cells: FrequencyTable,
    basis: LossBasis,
    limits: Sequence[PlanLimit],
    loss: Loss,
    *,
    max_suppression: float = 0.0,
    ranges: Mapping[str, LevelRange] | None = None,
    give_up: Callable[[], bool] = lambda: False,
) -> Optimum:
    """The node of least loss that suppresses at most a share `max_suppression` of the records.

    `give_up` is asked before each node; once it returns True, the best node so far is returned with
    its gap. A lattice of more than 67 million nodes is not searched completely: a greedy descent
    from the top is followed by a search of the nodes around its end, and the gap is measured
    against the least loss that any node could have. Raises `RiskError` `no-transformation` if no
    node meets the limits.
    """
    spans = _spans(basis, ranges or {})
    cache = TableCache(basis.level_maps, [cells, *_single_column_tables(cells, basis)])
    task = _Task(
        cache, basis, limits, loss, allowed_suppression(basis.records, max_suppression), give_up
    )
    if prod(high - low + 1 for low, high in spans) > _MOST_NODES:
        return _search_around(task, spans)
    return _search_all(task, spans)


@dataclass(frozen=True, eq=False, repr=False)
class _Task:
    """What is asked of every node; at most `most` records may be suppressed."""

    cache: TableCache
    basis: LossBasis
    limits: Sequence[PlanLimit]
    loss: Loss
    most: int
    give_up: Callable[[], bool]


def _search_all(task: _Task, spans: LevelSpans) -> Optimum:
    basis, loss = task.basis, task.loss
    lattice = OpenNodes.of(basis, loss, spans)
    best: Optimum | None = None
    checked = 0
    while (node := lattice.next(None if best is None else best.loss)) is not None:
        if best is not None and task.give_up():
            break
        table = task.cache.at(node)
        verdict = required_suppression(table, task.limits)
        checked += 1
        lattice.close(node)
        if verdict.least > task.most:
            lattice.close_finer(node)
            continue
        if loss.bound(basis, 0, 0) is None:
            lattice.raise_coarser(node, loss.floor(basis, table.classes, task.most))
        if verdict.records > task.most:
            continue
        value = loss.of(basis, table.classes, verdict.gone)
        if best is None or value < strictly_below(best.loss):
            best = Optimum(node, table.classes, verdict, value, False, 0.0, 0, 0)
    if best is None:
        raise no_transformation(basis.records)
    gap = max(0.0, best.loss - lattice.least(best.loss))
    best, more = _lowered(task, spans, best)
    checked += more
    return replace(best, optimal=gap == 0.0, gap=gap, nodes=lattice.nodes, checked=checked)


def _lowered(task: _Task, spans: LevelSpans, best: Optimum) -> tuple[Optimum, int]:
    """A node with the same loss at the lowest possible levels. If all ZIP codes of a table lie in
    `0213*`, no measure of the table distinguishes that label from `*`, but it tells a reader more.
    """
    checked, i = 0, 0
    while i < len(spans):
        if best.node[i] == spans[i][0] or task.give_up():
            i += 1
            continue
        finer = (*best.node[:i], best.node[i] - 1, *best.node[i + 1 :])
        table = task.cache.at(finer)
        verdict = required_suppression(table, task.limits)
        checked += 1
        if max(verdict.least, verdict.records) <= task.most:
            value = task.loss.of(task.basis, table.classes, verdict.gone)
            if strictly_below(value) <= best.loss:
                best = replace(best, node=finer, classes=table.classes, verdict=verdict)
                continue
        i += 1
    return best, checked


def _spans(basis: LossBasis, ranges: Mapping[str, LevelRange]) -> LevelSpans:
    if set(ranges) - {level_map.name for level_map in basis.level_maps}:
        raise RiskError(
            "a level limit names a column that is not a quasi-identifier",
            code="unknown-column",
            hint="--levels accepts quasi-identifiers only",
        )
    spans = []
    for level_map in basis.level_maps:
        asked = ranges.get(level_map.name, LevelRange())
        low = 0 if asked.low is None else asked.low
        high = level_map.height if asked.high is None else asked.high
        if not 0 <= low <= high <= level_map.height:
            raise RiskError(
                f"the requested levels do not exist: the hierarchy has 0 to {level_map.height}",
                code="bad-level",
                place=f"column {level_map.name!r}",
            )
        spans.append((low, high))
    return tuple(spans)


def _search_around(task: _Task, spans: LevelSpans) -> Optimum:
    """A good node of a lattice that is too large to search, and its largest distance from the
    best."""
    node, checked = _greedy_descent(task, spans)
    around, room = [], _MOST_NODES_AROUND
    for (low, high), level in zip(spans, node, strict=True):
        span = (max(low, level - 1), min(high, level + 1))
        if room < span[1] - span[0] + 1:
            span = (level, level)
        room //= span[1] - span[0] + 1
        around.append(span)
    found = _search_all(task, tuple(around))
    least = sum(min(column) for column in bound_parts(task.basis, task.loss, spans))
    nodes = prod(high - low + 1 for low, high in spans)
    gap = max(0.0, found.loss - least)
    return replace(found, optimal=gap == 0.0, gap=gap, nodes=nodes, checked=found.checked + checked)


def _greedy_descent(task: _Task, spans: LevelSpans) -> tuple[LatticeNode, int]:
    """Descend from the coarsest node one level of one column at a time, always by the step of least
    loss that keeps the limits, until no step does. A step that fails once fails at every later
    node."""
    node = tuple(high for _, high in spans)
    if required_suppression(task.cache.at(node), task.limits).least > task.most:
        raise no_transformation(task.basis.records)
    closed: set[int] = set()
    checked = 1
    while True:
        best: tuple[float, int] | None = None
        for i, (low, _) in enumerate(spans):
            if i in closed or node[i] == low:
                continue
            finer = (*node[:i], node[i] - 1, *node[i + 1 :])
            table = task.cache.at(finer)
            verdict = required_suppression(table, task.limits)
            checked += 1
            if verdict.least > task.most:
                closed.add(i)
            elif verdict.records <= task.most:
                value = task.loss.of(task.basis, table.classes, verdict.gone)
                best = min(best or (np.inf, i), (value, i))
        if best is None:
            return node, checked
        node = tuple(level - (j == best[1]) for j, level in enumerate(node))


def _single_column_tables(cells: FrequencyTable, basis: LossBasis) -> list[FrequencyTable]:
    """One table per column with all other columns at a single label: small tables that rule out
    levels quickly."""
    if cells.people is not None or cells.secret is not None:
        return []
    tops = [len(level_map.labels[-1]) == 1 for level_map in basis.level_maps]
    found = []
    for i in range(len(basis.level_maps)):
        if not all(single for j, single in enumerate(tops) if j != i):
            continue
        held = np.flatnonzero(basis.marginals[i])
        node = tuple(0 if j == i else other.height for j, other in enumerate(basis.level_maps))
        codes: list[NDArray[Any]] = [np.zeros(len(held), np.uint8) for _ in basis.level_maps]
        codes[i] = held.astype(cells.codes[i].dtype)
        found.append(FrequencyTable(node, tuple(codes), basis.marginals[i][held]))
    return found


def no_transformation(records: int) -> RiskError:
    """The error for limits that even the coarsest levels do not meet."""
    return RiskError(
        "no generalization meets the limits with this little suppression",
        code="no-transformation",
        exit_code=3,
        place=f"{records} records",
        hint="raise --max-suppression, add coarser levels, or lower the limit",
    )
