"""A table told at nodes of the lattice: all of it at one, or each row at its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.hierarchies.level_maps import Ladder
from risk.lattice.frequency_table import Node
from risk.tables.coding import CodedColumn, CodedTable, smallest

Mask = NDArray[np.bool_]


def tell(
    table: CodedTable, ladders: Sequence[Ladder], nodes: Sequence[Node], of_row: NDArray[np.int64]
) -> tuple[CodedTable, Mask]:
    """The table with each row told at `nodes[of_row[row]]`, and which rows stay (those not -1)."""
    kept = of_row >= 0
    rows = np.flatnonzero(kept)
    whole = len(rows) == table.rows
    columns = []
    for i, (column, ladder) in enumerate(zip(table.columns, ladders, strict=True)):
        codes = column.codes if whole else column.codes[rows]
        if len(nodes) == 1:
            columns.append(_told_at(column, ladder, codes, nodes[0][i]))
            continue
        levels = np.array([node[i] for node in nodes] or [0], np.int64)[of_row[rows]]
        columns.append(_told(column, ladder, codes, levels))
    return CodedTable(tuple(columns), len(rows)), kept


def _told_at(column: CodedColumn, ladder: Ladder, codes: NDArray[Any], level: int) -> CodedColumn:
    values = ladder.labels[level]
    step = ladder.steps[level]
    if not np.array_equal(step, np.arange(column.cardinality)):
        codes = step.astype(smallest(max(1, len(values))))[codes]
    return CodedColumn(column.name, codes, values)


def _told(
    column: CodedColumn, ladder: Ladder, codes: NDArray[Any], levels: NDArray[np.int64]
) -> CodedColumn:
    """One text, one code: labels that read alike are alike, whatever their level."""
    known: dict[Any, int] = {}
    table = np.zeros((ladder.height + 1, column.cardinality), np.int64)
    for level in range(ladder.height + 1):
        if (levels == level).any():
            labels = [known.setdefault(label, len(known)) for label in ladder.labels[level]]
            table[level] = np.array(labels, np.int64)[ladder.steps[level]]
    values = np.empty(len(known), object)
    values[:] = list(known)
    told = table.astype(smallest(max(1, len(known))))[levels, codes]
    return CodedColumn(column.name, told, values)
