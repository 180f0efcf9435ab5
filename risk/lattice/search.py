"""Optimal full-domain generalisation: the node of least loss that meets the limits, and the proof.

Four facts carry the search. A separable loss bounds every node from below by the column marginals,
no grouping needed. The records that must be suppressed never grow as a node is made coarser, so
one failed node rules out all finer ones. A node is rolled up from the smallest table at hand that
is finer. What is asked next is the node whose answer closes most of the lattice either way.
Source of the problem: El Emam et al. 2009 (Optimal Lattice Anonymization), Samarati 2001.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError
from risk.hierarchies.level_maps import Ladder
from risk.lattice.frequency_table import Cells, Node, climb
from risk.lattice.limits import Limit, Verdict, allowed, judge
from risk.lattice.losses import Ground, Loss
from risk.lattice.open_nodes import Lattice, Spans, below, bound_parts

_LARGEST = 2**26
_AROUND = 2**13


@dataclass(frozen=True, eq=False, repr=False)
class Optimum:
    """The best node found. `optimal` is True where every other node is ruled out; else `gap` is
    how far, at most, the loss lies above the least."""

    node: Node
    classes: Cells
    verdict: Verdict
    loss: float
    optimal: bool
    gap: float
    nodes: int
    checked: int


@dataclass(frozen=True)
class LevelRange:
    """The levels a column may take, both ends included; None for the ends of its ladder."""

    low: int | None = None
    high: int | None = None


@dataclass(eq=False, repr=False)
class Shelf:
    """Tables already made, and the smallest of them that is finer than a node asked for."""

    ladders: Sequence[Ladder]
    tables: list[Cells]
    room: int = field(init=False)

    def __post_init__(self) -> None:
        self.room = 3 * len(self.tables[0]) + 2**16

    def at(self, node: Node) -> Cells:
        fine = [t for t in self.tables if all(a <= b for a, b in zip(t.node, node, strict=True))]
        source = min(fine, key=len)
        if source.node == node:
            return source
        made = climb(source, node, self.ladders)
        if len(made) < len(source) and len(made) <= self.room:
            self.room -= len(made)
            self.tables.append(made)
        return made


def find_optimum(
    cells: Cells,
    ground: Ground,
    limits: Sequence[Limit],
    loss: Loss,
    *,
    max_suppression: float = 0.0,
    ranges: Mapping[str, LevelRange] | None = None,
    give_up: Callable[[], bool] = lambda: False,
) -> Optimum:
    """The node of least loss at which at most a share `max_suppression` of the records goes.

    `give_up` is asked before each node; once it says so, the best so far comes back with its gap.
    A lattice of more than 67 million nodes is not searched whole: a way down from the top is taken,
    the nodes around its end are searched, and the gap is to the least loss a node could have.
    Raises `RiskError` `no-transformation` where no node meets the limits.
    """
    spans = _spans(ground, ranges or {})
    shelf = Shelf(ground.ladders, [cells, *_margins(cells, ground)])
    task = _Task(shelf, ground, limits, loss, allowed(ground.records, max_suppression), give_up)
    if prod(high - low + 1 for low, high in spans) > _LARGEST:
        return _near(task, spans)
    return _exact(task, spans)


@dataclass(frozen=True, eq=False, repr=False)
class _Task:
    """What is asked of every node; `most` records may be left out."""

    shelf: Shelf
    ground: Ground
    limits: Sequence[Limit]
    loss: Loss
    most: int
    give_up: Callable[[], bool]


def _exact(task: _Task, spans: Spans) -> Optimum:
    ground, loss = task.ground, task.loss
    lattice = Lattice.of(ground, loss, spans)
    best: Optimum | None = None
    checked = 0
    while (node := lattice.next(None if best is None else best.loss)) is not None:
        if best is not None and task.give_up():
            break
        table = task.shelf.at(node)
        verdict = judge(table, task.limits)
        checked += 1
        lattice.close(node)
        if verdict.least > task.most:
            lattice.close_finer(node)
            continue
        if loss.bound(ground, 0, 0) is None:
            lattice.raise_coarser(node, loss.floor(ground, table.classes, task.most))
        if verdict.records > task.most:
            continue
        value = loss.of(ground, table.classes, verdict.gone)
        if best is None or value < below(best.loss):
            best = Optimum(node, table.classes, verdict, value, False, 0.0, 0, 0)
    if best is None:
        raise hopeless(ground.records)
    gap = max(0.0, best.loss - lattice.least(best.loss))
    best, more = _finest(task, spans, best)
    checked += more
    return replace(best, optimal=gap == 0.0, gap=gap, nodes=lattice.nodes, checked=checked)


def _finest(task: _Task, spans: Spans, best: Optimum) -> tuple[Optimum, int]:
    """A node that loses no more and stands as low as it can: where all ZIP codes of a table lie in
    `0213*`, no measure of the table tells that from `*`, but whoever reads it does."""
    checked, i = 0, 0
    while i < len(spans):
        if best.node[i] == spans[i][0] or task.give_up():
            i += 1
            continue
        finer = (*best.node[:i], best.node[i] - 1, *best.node[i + 1 :])
        table = task.shelf.at(finer)
        verdict = judge(table, task.limits)
        checked += 1
        if max(verdict.least, verdict.records) <= task.most:
            value = task.loss.of(task.ground, table.classes, verdict.gone)
            if below(value) <= best.loss:
                best = replace(best, node=finer, classes=table.classes, verdict=verdict)
                continue
        i += 1
    return best, checked


def _spans(ground: Ground, ranges: Mapping[str, LevelRange]) -> Spans:
    if set(ranges) - {ladder.name for ladder in ground.ladders}:
        raise RiskError(
            "a level limit names another column",
            code="unknown-column",
            hint="--levels takes quasi-identifiers alone",
        )
    spans = []
    for ladder in ground.ladders:
        asked = ranges.get(ladder.name, LevelRange())
        low = 0 if asked.low is None else asked.low
        high = ladder.height if asked.high is None else asked.high
        if not 0 <= low <= high <= ladder.height:
            raise RiskError(
                f"levels are asked for that the hierarchy lacks: it has 0 to {ladder.height}",
                code="bad-level",
                place=f"column {ladder.name!r}",
            )
        spans.append((low, high))
    return tuple(spans)


def _near(task: _Task, spans: Spans) -> Optimum:
    """A good node of a lattice too large to search, and how far it may be from the best."""
    node, checked = _way_down(task, spans)
    around, room = [], _AROUND
    for (low, high), level in zip(spans, node, strict=True):
        span = (max(low, level - 1), min(high, level + 1))
        if room < span[1] - span[0] + 1:
            span = (level, level)
        room //= span[1] - span[0] + 1
        around.append(span)
    found = _exact(task, tuple(around))
    least = sum(min(column) for column in bound_parts(task.ground, task.loss, spans))
    nodes = prod(high - low + 1 for low, high in spans)
    gap = max(0.0, found.loss - least)
    return replace(found, optimal=gap == 0.0, gap=gap, nodes=nodes, checked=found.checked + checked)


def _way_down(task: _Task, spans: Spans) -> tuple[Node, int]:
    """From the coarsest node down, one level of one column at a time: the step of least loss among
    those that keep the limits, until none does. A step that fails once fails ever after."""
    node = tuple(high for _, high in spans)
    if judge(task.shelf.at(node), task.limits).least > task.most:
        raise hopeless(task.ground.records)
    closed: set[int] = set()
    checked = 1
    while True:
        best: tuple[float, int] | None = None
        for i, (low, _) in enumerate(spans):
            if i in closed or node[i] == low:
                continue
            finer = (*node[:i], node[i] - 1, *node[i + 1 :])
            table = task.shelf.at(finer)
            verdict = judge(table, task.limits)
            checked += 1
            if verdict.least > task.most:
                closed.add(i)
            elif verdict.records <= task.most:
                value = task.loss.of(task.ground, table.classes, verdict.gone)
                best = min(best or (np.inf, i), (value, i))
        if best is None:
            return node, checked
        node = tuple(level - (j == best[1]) for j, level in enumerate(node))


def _margins(cells: Cells, ground: Ground) -> list[Cells]:
    """Each column alone, all others told as one: tiny tables that rule out levels at once."""
    if cells.people is not None or cells.secret is not None:
        return []
    tops = [len(ladder.labels[-1]) == 1 for ladder in ground.ladders]
    found = []
    for i in range(len(ground.ladders)):
        if not all(single for j, single in enumerate(tops) if j != i):
            continue
        held = np.flatnonzero(ground.marginals[i])
        node = tuple(0 if j == i else other.height for j, other in enumerate(ground.ladders))
        codes: list[NDArray[Any]] = [np.zeros(len(held), np.uint8) for _ in ground.ladders]
        codes[i] = held.astype(cells.codes[i].dtype)
        found.append(Cells(node, tuple(codes), ground.marginals[i][held]))
    return found


def hopeless(records: int) -> RiskError:
    """The error where not even the coarsest levels meet the limits."""
    return RiskError(
        "no generalisation meets the limits with so little suppression",
        code="no-transformation",
        exit_code=3,
        place=f"{records} records",
        hint="raise --max-suppression, add coarser levels, or lower the limit",
    )
