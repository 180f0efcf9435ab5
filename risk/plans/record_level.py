"""Plans in which records differ in level: local recoding, splitting from above, blanked cells.

They know one limit, k, count records and not persons, and are not proven least.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError
from risk.hierarchies.hierarchy import Hierarchy
from risk.hierarchies.level_maps import Ladder, lay_all
from risk.hierarchies.register import with_hierarchies
from risk.lattice.frequency_table import Cells, Node, bottom, pack_codes
from risk.lattice.limits import ClassSize, allowed
from risk.lattice.losses import Ground
from risk.lattice.search import hopeless
from risk.plans.plan import Plan, PlanRequest
from risk.recoding.generalization import tell
from risk.recoding.local_recoding import recode_locally
from risk.recoding.mondrian import split_down
from risk.recoding.suppression import Reading, suppress_cells
from risk.tables.classes import Classes
from risk.tables.coding import encode

Way = Literal["local", "mondrian"]


def plan_locally(
    table: Any, hierarchies: Mapping[str, Hierarchy], request: PlanRequest, *, way: Way = "local"
) -> Plan:
    """Local recoding for k: every record told at the node of least loss that gives it company, or,
    by the way `mondrian`, by splitting classes from the coarsest down.

    Raises:
        RiskError: `no-transformation` where the coarsest labels leave too many records alone.
    """
    k = _only_k(request)
    table, hierarchies = with_hierarchies(table, hierarchies)
    ladders = lay_all(hierarchies, table)
    classes = Classes.of(table)
    cells = bottom(table, ladders)
    ground = Ground.of(cells, ladders, request.weights)
    recode = split_down if way == "mondrian" else recode_locally
    local = recode(cells, ground, k)
    of_row = local.of_rows(_cells_of_rows(classes, cells, ladders))
    told, kept = tell(table, ladders, local.nodes, of_row)
    grain = local.granularity(ground)
    sizes = Classes.of(told).sizes
    left = table.rows - told.rows
    if left > allowed(table.rows, request.max_suppression):
        raise hopeless(table.rows)
    losses = {"granularity": grain, "discernibility": float(sizes @ sizes + left * table.rows)}
    return Plan(
        method=way,
        request=request,
        records=table.rows,
        table=told,
        kept=kept,
        units=told,
        levels={},
        losses=losses,
        loss=grain,
        optimal=False,
        gap=grain,
        nodes=int(np.prod([ladder.height + 1 for ladder in ladders])),
        checked=len(local.nodes),
        hierarchies=hierarchies,
        details=_local_details(table.names, ladders, local.nodes, of_row),
    )


def plan_cells(table: Any, request: PlanRequest, *, reading: Reading = "strict") -> Plan:
    """Blank the fewest cells for k; nothing is generalised."""
    table = encode(table)
    blanks = suppress_cells(table, _only_k(request), reading=reading)
    told, kept = blanks.apply()
    width = max(1, len(table.columns))
    lost = (blanks.cells + width * blanks.records_left_out) / max(1, width * table.rows)
    sizes = Classes.of(told).sizes
    squares = float(sizes @ sizes + blanks.records_left_out * table.rows)
    details: dict[str, Any] = {
        "reading": reading,
        "cells": blanks.cells,
        "cells_by_column": blanks.by_column(),
        "records_touched": blanks.records_touched,
        "reason": f"class smaller than {_only_k(request)}",
    }
    if reading == "wildcard":
        details["warning"] = (
            "a blank is read as matching anything; counted strictly the smallest class is "
            f"{int(sizes.min()) if len(sizes) else 0}"
        )
    return Plan(
        method="cells",
        request=request,
        records=table.rows,
        table=told,
        kept=kept,
        units=told,
        levels={},
        losses={"granularity": lost, "discernibility": squares},
        loss=lost,
        optimal=False,
        gap=lost,
        nodes=0,
        checked=0,
        hierarchies={},
        details=details,
    )


def _only_k(request: PlanRequest) -> int:
    if len(request.limits) != 1 or not isinstance(request.limits[0], ClassSize):
        raise RiskError(
            "this method knows one limit, k",
            code="bad-limit",
            hint="use the full-domain method for averages, shares, diversity or a population",
        )
    if request.ranges:
        raise RiskError(
            "this method chooses the levels of each record itself",
            code="bad-limit",
            hint="leave the limits of levels out, or use the full-domain method",
        )
    return request.limits[0].k


def _cells_of_rows(classes: Classes, cells: Cells, ladders: Sequence[Ladder]) -> NDArray[np.int64]:
    """The cell of each row; classes whose values are told alike at level 0 share one."""
    spaces = [len(ladder.labels[0]) for ladder in ladders]
    codes = []
    for column, ladder, known in zip(classes.distinct.columns, ladders, cells.codes, strict=True):
        codes.append(np.concatenate([known, ladder.steps[0].astype(known.dtype)[column.codes]]))
    key, _ = pack_codes(codes, spaces, len(cells) + len(classes))
    mine, theirs = key[: len(cells)], key[len(cells) :]
    order = np.argsort(mine)
    of_class = order[np.searchsorted(mine[order], theirs)].astype(np.int64)
    found: NDArray[np.int64] = of_class[classes.ids]
    return found


def _local_details(
    names: Sequence[str], ladders: Sequence[Ladder], nodes: Sequence[Node], of_row: NDArray[Any]
) -> dict[str, Any]:
    counts = np.bincount(of_row[of_row >= 0], minlength=len(nodes)).astype(int)
    by_column = {
        name: {
            str(level): int(sum(c for c, n in zip(counts, nodes, strict=True) if n[i] == level))
            for level in range(ladder.height + 1)
        }
        for i, (name, ladder) in enumerate(zip(names, ladders, strict=True))
    }
    told = [
        {"levels": dict(zip(names, map(int, node), strict=True)), "records": int(count)}
        for node, count in zip(nodes, counts, strict=True)
    ]
    return {"records_by_level": by_column, "nodes": told}
