"""Cells: the classes of a table at one node of the lattice, and rolling them up to coarser ones.

Only distinct combinations are ever rolled up, never rows: from the smallest table at hand that is
finer than what is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.hierarchies.level_maps import Ladder
from risk.tables.classes import Classes
from risk.tables.coding import CodedTable, smallest

Node = tuple[int, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Cells:
    """`codes[column][cell]` is a label at `node[column]`; `sizes[cell]` the records of the cell,
    `people[cell]` the people of the population there, if one is given. `secret[cell]` splits
    classes by a sensitive value; cells of one class then stand together."""

    node: Node
    codes: tuple[NDArray[Any], ...]
    sizes: NDArray[np.int64]
    people: NDArray[np.float64] | None = None
    secret: NDArray[Any] | None = None
    owner: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.sizes)

    @cached_property
    def classes(self) -> Cells:
        """The classes alone, the sensitive value left out."""
        if self.secret is None or self.owner is None:
            return self
        first = np.flatnonzero(np.diff(self.owner, prepend=-1))
        people = None if self.people is None else np.add.reduceat(self.people, first)
        sizes = np.add.reduceat(self.sizes, first) if len(first) else self.sizes
        return Cells(self.node, tuple(code[first] for code in self.codes), sizes, people)

    def __repr__(self) -> str:
        return f"Cells({len(self)} at {self.node})"


def bottom(
    table: CodedTable,
    ladders: Sequence[Ladder],
    *,
    population: CodedTable | None = None,
    people: NDArray[np.float64] | None = None,
    secret: NDArray[Any] | None = None,
) -> Cells:
    """The cells of the table's own values. A population, coded over the same values, adds cells
    that hold people and no record."""
    node = (0,) * len(table.columns)
    table = _told(table, ladders)
    if population is None and secret is None:
        found = Classes.of(table)
        codes = tuple(column.codes for column in found.distinct.columns)
        return Cells(node, codes, found.sizes)
    columns = [column.codes for column in table.columns]
    sizes = np.ones(table.rows, np.int64)
    counted = None
    if population is not None and people is not None:
        others = _told(population, ladders).columns
        columns = [
            np.concatenate([mine, other.codes.astype(mine.dtype)])
            for mine, other in zip(columns, others, strict=True)
        ]
        sizes = np.concatenate([sizes, np.zeros(population.rows, np.int64)])
        counted = np.concatenate([np.zeros(table.rows), people])
    spaces = [column.cardinality for column in table.columns]
    return gather(node, columns, spaces, sizes, counted, secret)


def _told(table: CodedTable, ladders: Sequence[Ladder]) -> CodedTable:
    """The table by the labels of level 0: two values may share one (39 and 39.0)."""
    columns = tuple(
        column
        if np.array_equal(ladder.steps[0], np.arange(column.cardinality))
        else column.recode(ladder.steps[0], ladder.labels[0])
        for column, ladder in zip(table.columns, ladders, strict=True)
    )
    return CodedTable(columns, table.rows)


def climb(cells: Cells, node: Node, ladders: Sequence[Ladder]) -> Cells:
    """The same records at a coarser node."""
    codes, spaces = [], []
    for column, ladder, low, high in zip(cells.codes, ladders, cells.node, node, strict=True):
        space = len(ladder.labels[high])
        mapping = ladder.climb(low, high).astype(smallest(space))
        codes.append(column if low == high else mapping[column])
        spaces.append(space)
    return gather(node, codes, spaces, cells.sizes, cells.people, cells.secret)


def gather(
    node: Node,
    codes: Sequence[NDArray[Any]],
    spaces: Sequence[int],
    sizes: NDArray[np.int64],
    people: NDArray[np.float64] | None = None,
    secret: NDArray[Any] | None = None,
) -> Cells:
    """Add up the cells with equal codes."""
    columns, limits = [*codes], [*spaces]
    if secret is not None:
        columns.append(secret)
        limits.append(int(secret.max(initial=0)) + 1)
    key, space = pack_codes(columns, limits, len(sizes))
    if space <= 4 * max(len(key), 2**12):
        kept, total, held = _counted(key, space, sizes, people)
        taken = None
        if space == int(np.prod([float(limit) for limit in limits])):
            taken = _unpacked(kept, limits)
    else:
        order, starts = _sorted(key, space)
        kept = key[order[starts]]
        total = np.add.reduceat(sizes[order], starts) if len(starts) else sizes
        held = None if people is None else np.add.reduceat(people[order], starts)
        taken = [column[order[starts]] for column in columns]
    if taken is None:
        where = np.zeros(space, np.int64)
        where[key] = np.arange(len(key))
        taken = [column[where[kept]] for column in columns]
    small = [t.astype(smallest(limit)) for t, limit in zip(taken, limits, strict=True)]
    if secret is None:
        return Cells(node, tuple(small), total, held)
    *rest, last = small
    return Cells(node, tuple(rest), total, held, last, _owners(rest))


def pack_codes(
    codes: Sequence[NDArray[Any]], spaces: Sequence[int], rows: int
) -> tuple[NDArray[Any], int]:
    """One integer per cell and the number of integers there could be."""
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


def _unpacked(keys: NDArray[Any], limits: Sequence[int]) -> list[NDArray[Any]]:
    taken: list[NDArray[Any]] = []
    for limit in reversed(limits):
        if limit <= 1:
            taken.append(np.zeros(len(keys), np.uint8))
            continue
        keys, code = np.divmod(keys, keys.dtype.type(limit))
        taken.append(code)
    return taken[::-1]


def _counted(
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


def _sorted(key: NDArray[Any], space: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The order of the keys and where in it each distinct key starts."""
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


def _owners(codes: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """Number the runs of cells with equal codes."""
    rows = len(codes[0]) if codes else 0
    fresh = np.zeros(rows, bool)
    if rows:
        fresh[0] = True
    for code in codes:
        fresh[1:] |= code[1:] != code[:-1]
    return np.cumsum(fresh) - 1
