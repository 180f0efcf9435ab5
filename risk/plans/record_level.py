"""Plans in which records differ in level: local recoding, Mondrian, cell suppression.

These plans support only one limit, k. They count records, not persons, and are not proven optimal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError
from risk.hierarchies.hierarchy import Hierarchy
from risk.hierarchies.level_maps import LevelMap, map_table_levels
from risk.hierarchies.register import with_hierarchies
from risk.lattice.frequency_table import FrequencyTable, LatticeNode, leaf_table, pack_codes
from risk.lattice.limits import ClassSize, allowed_suppression
from risk.lattice.losses import LossBasis
from risk.lattice.search_task import no_transformation
from risk.plans.plan import Plan, PlanRequest
from risk.recoding.generalization import generalize
from risk.recoding.local_recoding import is_too_wide, recode_locally
from risk.recoding.mondrian import split_down
from risk.recoding.suppression import BlankReading, suppress_cells
from risk.tables.classes import Classes
from risk.tables.coding import encode

LocalMethod = Literal["local", "mondrian"]
_TOO_WIDE = "too many generalizations to try each one: classes were split top-down, as in Mondrian"


def plan_locally(
    table: Any,
    hierarchies: Mapping[str, Hierarchy],
    request: PlanRequest,
    *,
    way: LocalMethod = "local",
) -> Plan:
    """Recode each record at the node of least loss that puts it in a class of k.

    With `way="mondrian"`, or with more than 100,000 nodes, split classes top-down instead.

    Raises:
        RiskError: `no-transformation` if coarse labels leave too many records in small classes.
    """
    k = _only_k(request)
    table, hierarchies = with_hierarchies(table, hierarchies)
    level_maps = map_table_levels(hierarchies, table)
    classes = Classes.of(table)
    cells = leaf_table(table, level_maps)
    basis = LossBasis.of(cells, level_maps, request.weights)
    wide = way == "local" and is_too_wide(basis)
    local = (split_down if wide or way == "mondrian" else recode_locally)(cells, basis, k)
    of_row = local.of_rows(_cells_of_rows(classes, cells, level_maps))
    released, kept = generalize(table, level_maps, local.nodes, of_row)
    grain = local.granularity(basis)
    sizes = Classes.of(released).sizes
    left = table.rows - released.rows
    if left > allowed_suppression(table.rows, request.max_suppression):
        raise no_transformation(table.rows)
    losses = {"granularity": grain, "discernibility": float(sizes @ sizes + left * table.rows)}
    return Plan(
        method=way,
        request=request,
        records=table.rows,
        table=released,
        kept=kept,
        units=released,
        levels={},
        losses=losses,
        loss=grain,
        optimal=False,
        gap=grain,
        nodes=prod(level_map.height + 1 for level_map in level_maps),
        checked=len(local.nodes),
        hierarchies=hierarchies,
        details=_local_details(table.names, level_maps, local.nodes, of_row)
        | ({"note": _TOO_WIDE} if wide else {}),
    )


def plan_cells(
    table: Any,
    request: PlanRequest,
    *,
    reading: BlankReading = "strict",
    give_up: Callable[[], bool] = lambda: False,
) -> Plan:
    """Suppress as few cells as the greedy search finds to reach k; nothing is generalized."""
    table = encode(table)
    blanks = suppress_cells(table, _only_k(request), reading=reading, give_up=give_up)
    released, kept = blanks.apply()
    width = max(1, len(table.columns))
    lost = (blanks.cells + width * blanks.records_left_out) / max(1, width * table.rows)
    sizes = Classes.of(released).sizes
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
            "a blank matches anything; counted strictly, the smallest class is "
            f"{int(sizes.min()) if len(sizes) else 0}"
        )
    return Plan(
        method="cells",
        request=request,
        records=table.rows,
        table=released,
        kept=kept,
        units=released,
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
            "this --method supports only the limit --k, but another limit was given",
            code="bad-limit",
            hint="use the full-domain method for averages, shares, diversity or a population",
        )
    if request.ranges:
        raise RiskError(
            "--levels cannot be given with this --method, which chooses the levels of each record",
            code="bad-limit",
            hint="omit --levels, or use the full-domain method",
        )
    return request.limits[0].k


def _cells_of_rows(
    classes: Classes, cells: FrequencyTable, level_maps: Sequence[LevelMap]
) -> NDArray[np.int64]:
    """Return the cell of each row.

    Classes whose values have the same labels at level 0 share a cell.
    """
    spaces = [len(level_map.labels[0]) for level_map in level_maps]
    codes = []
    for column, level_map, known in zip(
        classes.distinct.columns, level_maps, cells.codes, strict=True
    ):
        codes.append(np.concatenate([known, level_map.steps[0].astype(known.dtype)[column.codes]]))
    key, _ = pack_codes(codes, spaces, len(cells) + len(classes))
    mine, theirs = key[: len(cells)], key[len(cells) :]
    order = np.argsort(mine)
    of_class = order[np.searchsorted(mine[order], theirs)].astype(np.int64)
    found: NDArray[np.int64] = of_class[classes.ids]
    return found


def _local_details(
    names: Sequence[str],
    level_maps: Sequence[LevelMap],
    nodes: Sequence[LatticeNode],
    of_row: NDArray[Any],
) -> dict[str, Any]:
    counts = np.bincount(of_row[of_row >= 0], minlength=len(nodes)).astype(int)
    by_column = {
        name: {
            str(level): int(sum(c for c, n in zip(counts, nodes, strict=True) if n[i] == level))
            for level in range(level_map.height + 1)
        }
        for i, (name, level_map) in enumerate(zip(names, level_maps, strict=True))
    }
    released = [
        {"levels": dict(zip(names, map(int, node), strict=True)), "records": int(count)}
        for node, count in zip(nodes, counts, strict=True)
    ]
    return {"records_by_level": by_column, "nodes": released}
