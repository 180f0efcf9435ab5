"""Local recoding: each record is generalized only as far as necessary.

The nodes of the lattice are visited in order of loss. At each node the records that are not yet
recoded are grouped, and those in large enough classes are recoded at that node. Every record is
therefore recoded at the first node, in order of loss, that puts it in a class of k. The few records
left at the end are joined by records borrowed from classes larger than k.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.hierarchies.level_maps import LevelMap
from risk.lattice.frequency_table import FrequencyTable, LatticeNode, pack_codes
from risk.lattice.losses import Granularity, LossBasis
from risk.tables.coding import BooleanArray, smallest

_MOST_NODES_RECODED = 100_000


@dataclass(frozen=True)
class BorrowedRecords:
    """`count` records of a cell that are recoded at another node, to complete a small class."""

    cell: int
    count: int
    node: int


@dataclass(frozen=True, eq=False, repr=False)
class LocalRecoding:
    """The node at which the records of each cell are recoded.

    `of_cell[cell]` indexes `nodes`; it is -1 if the records of the leaf cell are suppressed.
    """

    cells: FrequencyTable
    nodes: tuple[LatticeNode, ...]
    of_cell: NDArray[np.int64]
    loans: tuple[BorrowedRecords, ...]

    @property
    def left_out(self) -> int:
        return int(self.cells.sizes[self.of_cell < 0].sum())

    def parts(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Return the cell, node and number of records of every part.

        Borrowed records are parts of their own.
        """
        sizes = self.cells.sizes.copy()
        for loan in self.loans:
            sizes[loan.cell] -= loan.count
        cell = np.concatenate([np.arange(len(sizes)), [x.cell for x in self.loans]])
        node = np.concatenate([self.of_cell, [x.node for x in self.loans]])
        size = np.concatenate([sizes, [x.count for x in self.loans]])
        held = (node >= 0) & (size > 0)
        return (
            cell[held].astype(np.int64),
            node[held].astype(np.int64),
            size[held].astype(np.int64),
        )

    def granularity(self, basis: LossBasis) -> float:
        """The mean loss of a cell, as in `losses.Granularity`; a suppressed record counts 1."""
        cell, node, size = self.parts()
        lost = 0.0
        for i, (code, level_map) in enumerate(zip(self.cells.codes, basis.level_maps, strict=True)):
            levels = np.array([n[i] for n in self.nodes], np.int64)[node]
            full = 0.0 if level_map.floor >= 1 else 1.0
            column = self.left_out * full
            for level in range(level_map.height + 1):
                here = levels == level
                labels = level_map.between(0, level)[code[cell[here]]]
                column += float(size[here] @ level_map.scaled(level)[labels])
            lost += basis.weights[i] * column
        return lost / max(1, basis.records)

    def of_rows(self, ids: NDArray[Any]) -> NDArray[np.int64]:
        """The node of each row, given the cell of each row; -1 for a suppressed row."""
        node: NDArray[np.int64] = self.of_cell[ids]
        for loan in self.loans:
            rows = np.flatnonzero(ids == loan.cell)
            taken = [other for other in self.loans if other.cell == loan.cell]
            start = sum(other.count for other in taken[: taken.index(loan)])
            node[rows[start : start + loan.count]] = loan.node
        return node


def recode_locally(cells: FrequencyTable, basis: LossBasis, k: int) -> LocalRecoding:
    """Recode every record at the node of least loss that puts it in a class of k records.

    `cells` is the leaf table, without a population. Records are suppressed only if even the
    coarsest node leaves them in a smaller class.
    """
    nodes, order = _by_loss(basis)
    of_cell = np.full(len(cells), -1, np.int64)
    open_cells = np.arange(len(cells))
    used: list[LatticeNode] = []
    vain = np.zeros([level_map.height + 1 for level_map in basis.level_maps], bool)
    for place in order:
        if not len(open_cells):
            break
        node = nodes[place]
        if vain[node]:
            continue
        recoded = _in_large_class(cells, basis.level_maps, node, open_cells, k)
        if recoded.any():
            of_cell[open_cells[recoded]] = len(used)
            used.append(node)
            open_cells = open_cells[~recoded]
        else:
            top = _coarsest_failing_node(cells, basis.level_maps, node, open_cells, k)
            vain[tuple(slice(0, level + 1) for level in top)] = True
    local = LocalRecoding(cells, tuple(used), of_cell, ())
    return _borrow_records(local, basis, k, [nodes[place] for place in order])


def _in_large_class(
    cells: FrequencyTable,
    level_maps: Sequence[LevelMap],
    node: LatticeNode,
    some: NDArray[np.int64],
    k: int,
) -> BooleanArray:
    """Mark the given cells that belong to a class of at least k records at a node."""
    key, space = _packed_labels(cells, level_maps, node, some)
    return _large(key, space, cells.sizes[some], k)


def _coarsest_failing_node(
    cells: FrequencyTable,
    level_maps: Sequence[LevelMap],
    node: LatticeNode,
    some: NDArray[np.int64],
    k: int,
) -> LatticeNode:
    """From a node without a large enough class, find a coarsest such node above it.

    All finer nodes fail as well, now and later, when fewer cells are left.
    """
    for i, level_map in enumerate(level_maps):
        while node[i] < level_map.height:
            coarser = (*node[:i], node[i] + 1, *node[i + 1 :])
            if _in_large_class(cells, level_maps, coarser, some, k).any():
                break
            node = coarser
    return node


def is_too_wide(basis: LossBasis) -> bool:
    """Whether the lattice has too many nodes to visit every one."""
    return prod(level_map.height + 1 for level_map in basis.level_maps) > _MOST_NODES_RECODED


def _by_loss(basis: LossBasis) -> tuple[list[LatticeNode], NDArray[np.intp]]:
    loss = Granularity()
    bound = np.zeros(())
    for i, level_map in enumerate(basis.level_maps):
        parts = [loss.bound(basis, i, level) for level in range(level_map.height + 1)]
        bound = np.add.outer(bound, np.array(parts))
    nodes = [tuple(map(int, index)) for index in np.ndindex(*bound.shape)]
    return nodes, np.argsort(bound.ravel(), kind="stable")


def _packed_labels(
    cells: FrequencyTable,
    level_maps: Sequence[LevelMap],
    node: LatticeNode,
    some: NDArray[np.int64],
) -> tuple[NDArray[Any], int]:
    codes = [
        level_map.between(0, level).astype(smallest(len(level_map.labels[level])))[code[some]]
        for code, level_map, level in zip(cells.codes, level_maps, node, strict=True)
    ]
    spaces = [
        len(level_map.labels[level]) for level_map, level in zip(level_maps, node, strict=True)
    ]
    return pack_codes(codes, spaces, len(some))


def _large(key: NDArray[Any], space: int, sizes: NDArray[np.int64], k: int) -> BooleanArray:
    """Mark the cells that belong to a class of at least k records."""
    if space <= 4 * max(len(key), 2**12):
        index = key.astype(np.int64)
        large: BooleanArray = (np.bincount(index, sizes, minlength=space) >= k)[index]
        return large
    _, ids = np.unique(key, return_inverse=True)
    return np.asarray(np.bincount(ids, sizes) >= k)[ids]


def _borrow_records(
    local: LocalRecoding, basis: LossBasis, k: int, nodes: Sequence[LatticeNode]
) -> LocalRecoding:
    """Complete the classes of the records left over.

    At each node, in order of loss, records of classes larger than k that have the same labels join
    them.
    """
    cells, used = local.cells, list(local.nodes)
    of_cell, loans = local.of_cell.copy(), []
    left = np.flatnonzero(of_cell < 0)
    if not len(left) or int(cells.sizes.sum()) < k:
        return local
    spare = _spare_records(local, basis, k)
    alike = _NodeMatcher(cells, basis.level_maps, np.flatnonzero(spare.left > 0))
    for node in nodes:
        if not len(left):
            break
        key, _ = _packed_labels(cells, basis.level_maps, node, left)
        for mark in np.unique(key):
            here = left[key == mark]
            needed = k - int(cells.sizes[here].sum())
            lenders = alike.to(int(here[0]), node)
            taken = spare.take(lenders, needed)
            if taken is None:
                continue
            loans += [BorrowedRecords(cell, count, len(used)) for cell, count in taken]
            of_cell[here] = len(used)
            used.append(node)
        left = np.flatnonzero(of_cell < 0)
    if len(left):
        _join_classes(of_cell, spare.owner, left, cells, basis, nodes, used)
    return LocalRecoding(cells, tuple(used), of_cell, tuple(loans))


def _join_classes(
    of_cell: NDArray[np.int64],
    owner: NDArray[np.int64],
    left: NDArray[np.int64],
    cells: FrequencyTable,
    basis: LossBasis,
    nodes: Sequence[LatticeNode],
    used: list[LatticeNode],
) -> None:
    """Recode a whole class with the records left over, if no class has records to spare.

    This is the smallest class with the same labels at the node of least loss.
    """
    everyone = np.arange(len(cells))
    for node in nodes:
        if not (of_cell[left] < 0).any():
            return
        key, _ = _packed_labels(cells, basis.level_maps, node, everyone)
        for mark in np.unique(key[left[of_cell[left] < 0]]):
            here = left[(key[left] == mark) & (of_cell[left] < 0)]
            inside = _smallest_whole_class(owner, key == mark, cells.sizes)
            if inside is not None:
                of_cell[here] = of_cell[owner == inside] = len(used)
                owner[here] = owner[owner == inside] = owner.max() + 1
                used.append(node)


def _smallest_whole_class(
    owner: NDArray[np.int64], matching: BooleanArray, sizes: NDArray[np.int64]
) -> int | None:
    """The smallest class in which all cells match; None if there is none."""
    held = owner >= 0
    if not held.any():
        return None
    count = int(owner.max()) + 1
    cells = np.bincount(owner[held], minlength=count)
    alike = np.bincount(owner[held & matching], minlength=count)
    records = np.bincount(owner[held], sizes[held], minlength=count)
    fits = np.flatnonzero((cells > 0) & (cells == alike))
    return int(fits[np.argmin(records[fits])]) if len(fits) else None


@dataclass(eq=False, repr=False)
class _NodeMatcher:
    """Finds the cells that have the same labels at a node as a given cell.

    Labels are computed once per column and level.
    """

    cells: FrequencyTable
    level_maps: Sequence[LevelMap]
    some: NDArray[np.intp]
    labels: dict[tuple[int, int], NDArray[Any]] = field(default_factory=dict)

    def to(self, cell: int, node: LatticeNode) -> NDArray[np.intp]:
        """The positions of the matching cells."""
        match = np.ones(len(self.some), bool)
        for i, level in enumerate(node):
            level_map, code = self.level_maps[i], self.cells.codes[i]
            if len(level_map.labels[level]) == 1:
                continue
            climb = level_map.between(0, level)
            if (i, level) not in self.labels:
                kind = smallest(len(level_map.labels[level]))
                self.labels[i, level] = climb.astype(kind)[code[self.some]]
            match &= self.labels[i, level] == climb[code[cell]]
        return self.some[match]


@dataclass(eq=False, repr=False)
class _SpareRecords:
    """The records that classes of more than k records can lend.

    Borrowed records form a class of their own, so lending makes the lending class smaller.
    """

    owner: NDArray[np.int64]
    of_class: NDArray[np.int64]
    sizes: NDArray[np.int64]

    @property
    def left(self) -> NDArray[np.int64]:
        found: NDArray[np.int64] = np.where(self.owner < 0, 0, self.of_class[self.owner])
        return found

    def take(self, lenders: NDArray[np.intp], needed: int) -> list[tuple[int, int]] | None:
        budget, taken = self.of_class.copy(), []
        for cell in lenders:
            owner = self.owner[cell]
            count = int(min(needed, budget[owner], self.sizes[cell]))
            if count > 0:
                budget[owner] -= count
                needed -= count
                taken.append((int(cell), count))
            if needed <= 0:
                break
        if needed > 0:
            return None
        self.of_class = budget
        for cell, count in taken:
            self.sizes[cell] -= count
        return taken


def _spare_records(local: LocalRecoding, basis: LossBasis, k: int) -> _SpareRecords:
    owner = np.full(len(local.cells), -1, np.int64)
    totals: list[NDArray[np.int64]] = []
    start = 0
    for number, node in enumerate(local.nodes):
        here = np.flatnonzero(local.of_cell == number)
        key, _ = _packed_labels(local.cells, basis.level_maps, node, here)
        _, ids = np.unique(key, return_inverse=True)
        held = np.bincount(ids, local.cells.sizes[here]).astype(np.int64)
        owner[here] = ids + start
        start += len(held)
        totals.append(held - k)
    return _SpareRecords(owner, np.concatenate(totals), local.cells.sizes.copy())
