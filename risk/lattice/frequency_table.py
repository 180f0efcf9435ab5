"""Frequency tables: the classes of a table at one node of the lattice, and their roll-up.

Roll-up works on distinct combinations, never on rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.hierarchies.level_maps import LevelMap
from risk.tables.classes import Classes
from risk.tables.coding import CodedTable, smallest

LatticeNode = tuple[int, ...]


@dataclass(frozen=True, eq=False, repr=False)
class FrequencyTable:
    """The cells (distinct combinations of labels) of a table at one node of the lattice.

    `codes[column][cell]` is a label at `node[column]`, `sizes[cell]` is the number of records in
    the cell, and `people[cell]` is the number of people who match the cell if a population is
    given. `secret[cell]` splits classes by a sensitive value; cells of one class are then adjacent,
    and `owner[cell]` is the class.
    """

    node: LatticeNode
    codes: tuple[NDArray[Any], ...]
    sizes: NDArray[np.int64]
    people: NDArray[np.float64] | None = None
    secret: NDArray[Any] | None = None
    owner: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.sizes)

    @cached_property
    def classes(self) -> FrequencyTable:
        """The classes, over which the records of all sensitive values are summed."""
        if self.secret is None or self.owner is None:
            return self
        first = np.flatnonzero(np.diff(self.owner, prepend=-1))
        people = None if self.people is None else np.add.reduceat(self.people, first)
        sizes = np.add.reduceat(self.sizes, first) if len(first) else self.sizes
        return FrequencyTable(self.node, tuple(code[first] for code in self.codes), sizes, people)

    def __repr__(self) -> str:
        return f"Cells({len(self)} at {self.node})"


def leaf_table(
    table: CodedTable,
    level_maps: Sequence[LevelMap],
    *,
    population: CodedTable | None = None,
    people: NDArray[np.float64] | None = None,
    secret: NDArray[Any] | None = None,
) -> FrequencyTable:
    """Return the frequency table of the table's own values.

    A population, coded over the same values, adds cells with people and no records.
    """
    node = (0,) * len(table.columns)
    table = _with_level_0_labels(table, level_maps)
    if population is None and secret is None:
        found = Classes.of(table)
        codes = tuple(column.codes for column in found.distinct.columns)
        return FrequencyTable(node, codes, found.sizes)
    columns = [column.codes for column in table.columns]
    sizes = np.ones(table.rows, np.int64)
    counted = None
    if population is not None and people is not None:
        others = _with_level_0_labels(population, level_maps).columns
        columns = [
            np.concatenate([mine, other.codes.astype(mine.dtype)])
            for mine, other in zip(columns, others, strict=True)
        ]
        sizes = np.concatenate([sizes, np.zeros(population.rows, np.int64)])
        counted = np.concatenate([np.zeros(table.rows), people])
    spaces = [column.cardinality for column in table.columns]
    return aggregate(node, columns, spaces, sizes, counted, secret)


def _with_level_0_labels(table: CodedTable, level_maps: Sequence[LevelMap]) -> CodedTable:
    """Recode the table to the labels of level 0: two values may share a label (39 and 39.0)."""
    columns = tuple(
        column
        if np.array_equal(level_map.steps[0], np.arange(column.cardinality))
        else column.recode(level_map.steps[0], level_map.labels[0])
        for column, level_map in zip(table.columns, level_maps, strict=True)
    )
    return CodedTable(columns, table.rows)


def roll_up(
    cells: FrequencyTable, node: LatticeNode, level_maps: Sequence[LevelMap]
) -> FrequencyTable:
    """Return the frequency table of the same records at a coarser node."""
    codes, spaces = [], []
    for column, level_map, low, high in zip(cells.codes, level_maps, cells.node, node, strict=True):
        space = len(level_map.labels[high])
        mapping = level_map.between(low, high).astype(smallest(space))
        codes.append(column if low == high else mapping[column])
        spaces.append(space)
    return aggregate(node, codes, spaces, cells.sizes, cells.people, cells.secret)


def aggregate(
    node: LatticeNode,
    codes: Sequence[NDArray[Any]],
    spaces: Sequence[int],
    sizes: NDArray[np.int64],
    people: NDArray[np.float64] | None = None,
    secret: NDArray[Any] | None = None,
) -> FrequencyTable:
    """Sum the cells with equal codes."""
    columns, limits = [*codes], [*spaces]
    if secret is not None:
        columns.append(secret)
        limits.append(int(secret.max(initial=0)) + 1)
    key, space = pack_codes(columns, limits, len(sizes))
    if space <= 4 * max(len(key), 2**12):
        kept, total, held = _aggregate_by_count(key, space, sizes, people)
        taken = None
        if space == int(np.prod([float(limit) for limit in limits])):
            taken = _unpack_codes(kept, limits)
    else:
        order, starts = _sort_keys(key, space)
        kept = key[order[starts]]
        total = np.add.reduceat(sizes[order], starts) if len(starts) else sizes
        held = None if people is None else np.add.reduceat(people[order], starts)
        first = order[starts]
        taken = [
            column[first] if limit > 1 else np.zeros(len(first), np.uint8)
            for column, limit in zip(columns, limits, strict=True)
        ]
    if taken is None:
        where = np.zeros(space, np.int64)
        where[key] = np.arange(len(key))
        taken = [column[where[kept]] for column in columns]
    small = [t.astype(smallest(limit)) for t, limit in zip(taken, limits, strict=True)]
    if secret is None:
        return FrequencyTable(node, tuple(small), total, held)
    *rest, last = small
    return FrequencyTable(node, tuple(rest), total, held, last, _number_runs(rest))


def pack_codes(
    codes: Sequence[NDArray[Any]], spaces: Sequence[int], rows: int
) -> tuple[NDArray[Any], int]:
    """Pack codes into one integer per cell; return these keys and the size of the key space."""
    whole = float(np.prod([float(s) for s in spaces])) if spaces else 1.0
    kind: type[Any] = np.uint32 if whole < 2**32 else np.uint64
    key = np.zeros(rows, kind)
    space = 1
    for code, limit in zip(codes, spaces, strict=True):
        if limit <= 1:
            continue
        if space * limit >= 2**63:
            distinct, key = np.unique(key, return_inverse=True)
            key, space = key.astype(np.uint64), len(distinct)
        key *= kind(limit)
        key += code
        space *= limit
    return key, space


def _unpack_codes(keys: NDArray[Any], limits: Sequence[int]) -> list[NDArray[Any]]:
    taken: list[NDArray[Any]] = []
    for limit in reversed(limits):
        if limit <= 1:
            taken.append(np.zeros(len(keys), np.uint8))
            continue
        keys, code = np.divmod(keys, keys.dtype.type(limit))
        taken.append(code)
    return taken[::-1]


def _aggregate_by_count(
    key: NDArray[Any], space: int, sizes: NDArray[np.int64], people: NDArray[np.float64] | None
) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[np.float64] | None]:
    index = key.astype(np.int64)
    total = np.bincount(index, sizes, minlength=space)
    if people is None:
        kept = np.flatnonzero(total)
        return kept.astype(key.dtype), total[kept].astype(np.int64), None
    held = np.bincount(index, people, minlength=space).astype(np.float64, copy=False)
    kept = np.flatnonzero((total > 0) | (held > 0))
    return kept.astype(key.dtype), total[kept].astype(np.int64), held[kept]


def _sort_keys(key: NDArray[Any], space: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Sort the keys; return the order, and where each distinct key starts in it."""
    bits = max(1, int(len(key) - 1).bit_length())
    if space < 2 ** (63 - bits):
        marked = (key.astype(np.uint64) << np.uint64(bits)) | np.arange(len(key), dtype=np.uint64)
        marked.sort()
        order = (marked & np.uint64((1 << bits) - 1)).astype(np.intp)
        ordered = marked >> np.uint64(bits)
    else:
        order = np.argsort(key, kind="stable")
        ordered = key[order]
    fresh = np.ones(len(key), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=fresh[1:])
    return order, np.flatnonzero(fresh)


def _number_runs(codes: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """Number the runs of cells with equal codes."""
    rows = len(codes[0]) if codes else 0
    fresh = np.zeros(rows, bool)
    if rows:
        fresh[0] = True
    for code in codes:
        fresh[1:] |= code[1:] != code[:-1]
    return np.cumsum(fresh) - 1
