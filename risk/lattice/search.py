"""Optimal full-domain generalization: the node of least loss that meets the limits, with proof.

The search relies on four facts. The column marginals bound a separable loss from below without
grouping. The number of records to suppress never grows as a node is made coarser, so one failed
node rules out all finer ones. A node is rolled up from the smallest finer table available. The next
node to check is the one that is expected to rule out most of the lattice. The problem is that
of El Emam et al. 2009 (Optimal Lattice Anonymization) and Samarati 2001.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError
from risk.lattice.frequency_table import FrequencyTable
from risk.lattice.limits import (
    PlanLimit,
    allowed_suppression,
    required_suppression,
)
from risk.lattice.losses import Loss, LossBasis
from risk.lattice.search_task import Optimum, SearchTask, TableCache, no_transformation
from risk.lattice.wide.open_nodes import LevelSpans, OpenNodes, strictly_below
from risk.lattice.wide.wide_search import search_wide

#: Larger lattices are searched by constraints instead of node by node.
_MOST_NODES = 2**17


@dataclass(frozen=True)
class LevelRange:
    """The range of levels allowed for a column, both ends included; None for the lowest or highest
    level."""

    low: int | None = None
    high: int | None = None


def find_optimum(
    cells: FrequencyTable,
    basis: LossBasis,
    limits: Sequence[PlanLimit],
    loss: Loss,
    *,
    max_suppression: float = 0.0,
    ranges: Mapping[str, LevelRange] | None = None,
    give_up: Callable[[], bool] = lambda: False,
    seconds_left: Callable[[], float] = lambda: inf,
) -> Optimum:
    """The node of least loss that suppresses at most a share `max_suppression` of the records.

    `give_up` is called before each node; once it returns True, the best node so far is returned
    with its gap. `seconds_left` bounds the time of one step. A lattice of more than 131,072 nodes
    is searched by constraints (see `wide_search`). Raises `RiskError` `no-transformation` if no
    node meets the limits.
    """
    spans = _level_spans(basis, ranges or {})
    cache = TableCache(basis.level_maps, [cells, *_single_column_tables(cells, basis)])
    most = allowed_suppression(basis.records, max_suppression)
    task = SearchTask(cells, cache, basis, limits, loss, most, give_up, seconds_left)
    if prod(high - low + 1 for low, high in spans) > _MOST_NODES:
        found = search_wide(task, spans)
        best, more = _lowered(task, spans, found)
        return replace(best, checked=found.checked + more)
    return _search_all(task, spans)


def _search_all(task: SearchTask, spans: LevelSpans) -> Optimum:
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


def _lowered(task: SearchTask, spans: LevelSpans, best: Optimum) -> tuple[Optimum, int]:
    """Return a node with the same loss at the lowest possible levels.

    If all ZIP codes of a table lie in `0213*`, no measure of the table distinguishes that label
    from `*`, but it tells a reader more.
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


def _level_spans(basis: LossBasis, ranges: Mapping[str, LevelRange]) -> LevelSpans:
    unknown = sorted(set(ranges) - {level_map.name for level_map in basis.level_maps})
    if unknown:
        raise RiskError(
            "--levels names a column that is not a quasi-identifier",
            code="unknown-column",
            place=f"column {unknown[0]!r}",
            hint="add the column to --quasi, or leave it out of --levels",
        )
    spans = []
    for level_map in basis.level_maps:
        asked = ranges.get(level_map.name, LevelRange())
        low = 0 if asked.low is None else asked.low
        high = level_map.height if asked.high is None else asked.high
        if not 0 <= low <= high <= level_map.height:
            raise RiskError(
                f"--levels names a level that is not among 0 to {level_map.height}",
                code="bad-level",
                place=f"column {level_map.name!r}",
            )
        spans.append((low, high))
    return tuple(spans)


def _single_column_tables(cells: FrequencyTable, basis: LossBasis) -> list[FrequencyTable]:
    """Make one small table per column, with all other columns at a single label.

    These tables rule out levels quickly.
    """
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
