"""The frontier of risk and loss: every node of a small lattice, evaluated and drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import prod

import numpy as np

from risk.errors import RiskError
from risk.lattice.frequency_table import FrequencyTable, LatticeNode, roll_up
from risk.lattice.losses import LossBasis, named_loss

_MOST_NODES_DRAWN = 100_000


@dataclass(frozen=True)
class FrontierPoint:
    """One node: its loss without suppression and, for each requested class size, the share of
    records in smaller classes, which would have to be suppressed. `average` is the average risk,
    `smallest` the smallest class. `best` means that no other node has both less loss and fewer
    records to suppress, at the first of the sizes."""

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
    """Evaluate every node. Each is rolled up from the finer neighbor with the fewest cells.

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


def frontier_page(
    points: Sequence[FrontierPoint], names: Sequence[str], size: int, *, limit: float = 0.0
) -> str:
    """The frontier as one HTML page with an SVG chart and a table. The x axis is the loss, the y
    axis the share of records in classes below `size`; a line joins the nodes that no other node
    beats."""
    best = sorted((p for p in points if p.best), key=lambda p: p.loss)
    wide, high, edge = 720, 420, 50
    largest = max((p.loss for p in points), default=1.0) or 1.0

    def place(point: FrontierPoint) -> tuple[float, float]:
        x = edge + (wide - 2 * edge) * point.loss / largest
        return x, high - edge - (high - 2 * edge) * point.below[size]

    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{3 if p.best else 1.5}" '
        f'fill="{"#b03a2e" if p.best else "#9aa5b1"}"/>'
        for p in sorted(points, key=lambda p: p.best)
        for x, y in [place(p)]
    )
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(place, best))
    bar = high - edge - (high - 2 * edge) * limit
    rows = "".join(
        f"<tr><td>{' '.join(map(str, p.node))}</td><td>{p.loss:.6g}</td>"
        f"<td>{100 * p.below[size]:.3g} %</td><td>{p.classes}</td><td>{p.smallest}</td></tr>"
        for p in best
    )
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        "<title>Risk and information loss</title><style>"
        "body{font:15px sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
        "td,th{padding:.2em 1em}"
        "</style><h1>Risk and information loss of every generalization</h1>"
        f"<p>{len(points)} generalizations of {escape(', '.join(names))}; {len(best)} are on "
        f"the frontier. Vertical axis: share of records in classes below {size}, which would be "
        "suppressed. Horizontal axis: information loss without suppression.</p>"
        f'<svg viewBox="0 0 {wide} {high}" role="img" aria-label="risk against loss">'
        f'<path d="M{edge} {edge}V{high - edge}H{wide - edge}" fill="none" stroke="#333"/>'
        f'<path d="M{edge} {bar:.1f}H{wide - edge}" stroke="#2471a3" stroke-dasharray="4"/>'
        f'<polyline points="{line}" fill="none" stroke="#b03a2e"/>{dots}'
        f'<text x="{wide - edge}" y="{high - 15}" text-anchor="end">loss, to {largest:.4g}</text>'
        f'<text x="10" y="{edge - 15}">records in small classes, to 100 %</text></svg>'
        "<table><tr><th>levels</th><th>loss</th><th>suppressed</th><th>classes</th>"
        f"<th>smallest</th></tr>{rows}</table></html>\n"
    )


def _finer_neighbors(node: LatticeNode) -> list[LatticeNode]:
    return [(*node[:i], level - 1, *node[i + 1 :]) for i, level in enumerate(node) if level]


def _drop_old_tables(tables: dict[LatticeNode, FrequencyTable], node: LatticeNode) -> None:
    """Nodes come in order of their first level, so tables two steps back are no longer needed."""
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
