"""Generalize a table: all rows at one node of the lattice, or each row at its own node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.hierarchies.level_maps import LevelMap
from risk.lattice.frequency_table import LatticeNode
from risk.tables.coding import BooleanArray, CodedColumn, CodedTable, smallest


def generalize(
    table: CodedTable,
    level_maps: Sequence[LevelMap],
    nodes: Sequence[LatticeNode],
    of_row: NDArray[np.int64],
) -> tuple[CodedTable, BooleanArray]:
    """Generalize each row to `nodes[of_row[row]]`.

    Returns the table, and which rows are kept (those whose entry is not -1).
    """
    kept = of_row >= 0
    rows = np.flatnonzero(kept)
    whole = len(rows) == table.rows
    columns = []
    for i, (column, level_map) in enumerate(zip(table.columns, level_maps, strict=True)):
        codes = column.codes if whole else column.codes[rows]
        if len(nodes) == 1:
            columns.append(_at_one_level(column, level_map, codes, nodes[0][i]))
            continue
        levels = np.array([node[i] for node in nodes] or [0], np.int64)[of_row[rows]]
        columns.append(_at_many_levels(column, level_map, codes, levels))
    return CodedTable(tuple(columns), len(rows)), kept


def _at_one_level(
    column: CodedColumn, level_map: LevelMap, codes: NDArray[Any], level: int
) -> CodedColumn:
    values = level_map.labels[level]
    step = level_map.steps[level]
    if not np.array_equal(step, np.arange(column.cardinality)):
        codes = step.astype(smallest(max(1, len(values))))[codes]
    return CodedColumn(column.name, codes, values)


def _at_many_levels(
    column: CodedColumn, level_map: LevelMap, codes: NDArray[Any], levels: NDArray[np.int64]
) -> CodedColumn:
    """Give equal texts one code, so that equal labels of different levels count as equal."""
    known: dict[Any, int] = {}
    table = np.zeros((level_map.height + 1, column.cardinality), np.int64)
    for level in range(level_map.height + 1):
        if (levels == level).any():
            labels = [known.setdefault(label, len(known)) for label in level_map.labels[level]]
            table[level] = np.array(labels, np.int64)[level_map.steps[level]]
    values = np.empty(len(known), object)
    values[:] = list(known)
    codes_of_rows = table.astype(smallest(max(1, len(known))))[levels, codes]
    return CodedColumn(column.name, codes_of_rows, values)
