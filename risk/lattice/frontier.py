"""The frontier of risk and loss: every node of a small lattice is evaluated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

import numpy as np

from risk.errors import RiskError
from risk.lattice.frequency_table import FrequencyTable, LatticeNode, roll_up
from risk.lattice.losses import LossBasis, named_loss

_MOST_NODES_DRAWN = 100_000


@dataclass(frozen=True)
class FrontierPoint:
    """One node of the lattice, with its loss without suppression.

    It has, for each requested class size, the share of records in smaller classes, which would have
    to be suppressed. `average` is the average risk, `smallest` the size of the smallest class.
    `best` means that no other node has both less loss and fewer records to suppress, at the first
    of the sizes.
    """

    node: LatticeNode
    loss: float
    classes: int
    smallest: int
    average: float
    below: Mapping[int, float]
    best: bool = False


def evaluate_nodes(
    cells: FrequencyTable,
    basis: LossBasis,
    *,
    loss: str = "granularity",
    sizes: Sequence[int] = (5, 3, 11),
) -> tuple[FrontierPoint, ...]:
    """Evaluate every node. Each node is rolled up from its finer neighbor with the fewest cells.

    Raises:
        RiskError: the lattice has more than 100,000 nodes.
    """
    shape = [level_map.height + 1 for level_map in basis.level_maps]
    if prod(shape) > _MOST_NODES_DRAWN:
        raise RiskError(
            f"the lattice has {prod(shape)} nodes; the limit of a frontier is {_MOST_NODES_DRAWN}",
            code="lattice-too-large",
            hint="limit the levels, or use fewer quasi-identifiers",
        )
    measure = named_loss(loss)
    tables: dict[LatticeNode, FrequencyTable] = {(0,) * len(shape): cells}
    points = []
    for index in np.ndindex(*shape):
        node = tuple(map(int, index))
        if node not in tables:
            finer = [tables[f] for f in _finer_neighbors(node) if f in tables]
            tables[node] = roll_up(min(finer, key=len), node, basis.level_maps)
        _drop_old_tables(tables, node)
        held = tables[node].classes.sizes
        gone = np.zeros(len(held), bool)
        points.append(
            FrontierPoint(
                node=node,
                loss=measure.of(basis, tables[node].classes, gone),
                classes=len(held),
                smallest=int(held.min()) if len(held) else 0,
                average=len(held) / max(1, basis.records),
                below={k: float(held[held < k].sum()) / max(1, basis.records) for k in sizes},
            )
        )
    return _marked_best(points, sizes[0])


def _finer_neighbors(node: LatticeNode) -> list[LatticeNode]:
    return [(*node[:i], level - 1, *node[i + 1 :]) for i, level in enumerate(node) if level]


def _drop_old_tables(tables: dict[LatticeNode, FrequencyTable], node: LatticeNode) -> None:
    """Drop the tables that no later node needs.

    Nodes come in order of their first level, so tables two levels back are no longer used.
    """
    if len(node) > 0 and node[0] > 1 and not any(node[1:]):
        for old in [n for n in tables if n[0] < node[0] - 1]:
            del tables[old]


def _marked_best(points: list[FrontierPoint], size: int) -> tuple[FrontierPoint, ...]:
    order = sorted(range(len(points)), key=lambda i: (points[i].loss, points[i].below[size]))
    least, best = np.inf, set()
    for i in order:
        if points[i].below[size] < least:
            least = points[i].below[size]
            best.add(i)
    return tuple(replace(point, best=i in best) for i, point in enumerate(points))
