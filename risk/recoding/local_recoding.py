"""Local recoding: each record told only as coarsely as it must be.

It takes the nodes of the lattice from the least loss up. At each node the records that
are not yet told are grouped; classes that are large enough are told at that node and leave. So
every record is told at the first node, in order of loss, that gives it company. The few records
that are left at the end borrow company from classes with records to spare.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError
from risk.hierarchies.level_maps import Ladder
from risk.lattice.frequency_table import Cells, Node, pack_codes
from risk.lattice.losses import Granularity, Ground
from risk.tables.coding import smallest

Mask = NDArray[np.bool_]
_MOST = 100_000


@dataclass(frozen=True)
class Loan:
    """`count` records of a cell are told at another node than the rest of it, to keep company."""

    cell: int
    count: int
    node: int


@dataclass(frozen=True, eq=False, repr=False)
class Local:
    """`of_cell[cell]` is the number in `nodes` at which a cell of the bottom is told, -1 where its
    records are left out."""

    cells: Cells
    nodes: tuple[Node, ...]
    of_cell: NDArray[np.int64]
    loans: tuple[Loan, ...]

    @property
    def left_out(self) -> int:
        return int(self.cells.sizes[self.of_cell < 0].sum())

    def parts(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Cell, node and number of records of every part: the cells, those on loan taken apart."""
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

    def granularity(self, ground: Ground) -> float:
        """The mean loss of a cell, as `losses.Granularity`; a record left out counts 1."""
        cell, node, size = self.parts()
        lost = 0.0
        for i, (code, ladder) in enumerate(zip(self.cells.codes, ground.ladders, strict=True)):
            levels = np.array([n[i] for n in self.nodes], np.int64)[node]
            full = 0.0 if ladder.floor >= 1 else 1.0
            column = self.left_out * full
            for level in range(ladder.height + 1):
                here = levels == level
                labels = ladder.climb(0, level)[code[cell[here]]]
                column += float(size[here] @ ladder.scaled(level)[labels])
            lost += ground.weights[i] * column
        return lost / max(1, ground.records)

    def of_rows(self, ids: NDArray[Any]) -> NDArray[np.int64]:
        """The node of each row, given the cell of each row; -1 where it is left out."""
        node: NDArray[np.int64] = self.of_cell[ids]
        for loan in self.loans:
            rows = np.flatnonzero(ids == loan.cell)
            taken = [other for other in self.loans if other.cell == loan.cell]
            start = sum(other.count for other in taken[: taken.index(loan)])
            node[rows[start : start + loan.count]] = loan.node
        return node


def recode_locally(cells: Cells, ground: Ground, k: int) -> Local:
    """Tell every record at the node of least loss that gives it k - 1 others.

    `cells` are those of the bottom, without a population. Records are left out only where not even
    the coarsest node gives them company.
    """
    nodes, order = _by_loss(ground)
    of_cell = np.full(len(cells), -1, np.int64)
    open_cells = np.arange(len(cells))
    used: list[Node] = []
    vain = np.zeros([ladder.height + 1 for ladder in ground.ladders], bool)
    for place in order:
        if not len(open_cells):
            break
        node = nodes[place]
        if vain[node]:
            continue
        told = _company(cells, ground.ladders, node, open_cells, k)
        if told.any():
            of_cell[open_cells[told]] = len(used)
            used.append(node)
            open_cells = open_cells[~told]
        else:
            top = _coarsest_in_vain(cells, ground.ladders, node, open_cells, k)
            vain[tuple(slice(0, level + 1) for level in top)] = True
    local = Local(cells, tuple(used), of_cell, ())
    return _with_loans(local, ground, k, [nodes[place] for place in order])


def _company(
    cells: Cells, ladders: Sequence[Ladder], node: Node, some: NDArray[np.int64], k: int
) -> Mask:
    """Which of some cells are of a class of at least k records at a node."""
    key, space = _key(cells, ladders, node, some)
    return _large(key, space, cells.sizes[some], k)


def _coarsest_in_vain(
    cells: Cells, ladders: Sequence[Ladder], node: Node, some: NDArray[np.int64], k: int
) -> Node:
    """A node above one that gives nobody company, as coarse as it goes, that gives nobody company
    either: none that is finer will, now or when fewer cells are left."""
    for i, ladder in enumerate(ladders):
        while node[i] < ladder.height:
            coarser = (*node[:i], node[i] + 1, *node[i + 1 :])
            if _company(cells, ladders, coarser, some, k).any():
                break
            node = coarser
    return node


def _by_loss(ground: Ground) -> tuple[list[Node], NDArray[np.intp]]:
    loss = Granularity()
    count = prod(ladder.height + 1 for ladder in ground.ladders)
    if count > _MOST:
        raise RiskError(
            f"the lattice has {count} nodes; records are recoded over at most {_MOST}",
            code="lattice-too-large",
            hint="take fewer quasi-identifiers or flatter hierarchies, or `--method full-domain`",
        )
    bound = np.zeros(())
    for i, ladder in enumerate(ground.ladders):
        parts = [loss.bound(ground, i, level) for level in range(ladder.height + 1)]
        bound = np.add.outer(bound, np.array(parts))
    nodes = [tuple(map(int, index)) for index in np.ndindex(*bound.shape)]
    return nodes, np.argsort(bound.ravel(), kind="stable")


def _key(
    cells: Cells, ladders: Sequence[Ladder], node: Node, some: NDArray[np.int64]
) -> tuple[NDArray[Any], int]:
    codes = [
        ladder.climb(0, level).astype(smallest(len(ladder.labels[level])))[code[some]]
        for code, ladder, level in zip(cells.codes, ladders, node, strict=True)
    ]
    spaces = [len(ladder.labels[level]) for ladder, level in zip(ladders, node, strict=True)]
    return pack_codes(codes, spaces, len(some))


def _large(key: NDArray[Any], space: int, sizes: NDArray[np.int64], k: int) -> Mask:
    """Which cells are of a class of at least k records."""
    if space <= 4 * max(len(key), 2**12):
        index = key.astype(np.int64)
        large: Mask = (np.bincount(index, sizes, minlength=space) >= k)[index]
        return large
    _, ids = np.unique(key, return_inverse=True)
    return np.asarray(np.bincount(ids, sizes) >= k)[ids]


def _with_loans(local: Local, ground: Ground, k: int, nodes: Sequence[Node]) -> Local:
    """Company for the records left over: at each node from the least loss up, records that classes
    larger than k can spare join those that look alike at that node."""
    cells, used = local.cells, list(local.nodes)
    of_cell, loans = local.of_cell.copy(), []
    left = np.flatnonzero(of_cell < 0)
    if not len(left) or int(cells.sizes.sum()) < k:
        return local
    spare = _spare(local, ground, k)
    alike = _Alike(cells, ground.ladders, np.flatnonzero(spare.left > 0))
    for node in nodes:
        if not len(left):
            break
        key, _ = _key(cells, ground.ladders, node, left)
        for mark in np.unique(key):
            here = left[key == mark]
            needed = k - int(cells.sizes[here].sum())
            lenders = alike.to(int(here[0]), node)
            taken = spare.take(lenders, needed)
            if taken is None:
                continue
            loans += [Loan(cell, count, len(used)) for cell, count in taken]
            of_cell[here] = len(used)
            used.append(node)
        left = np.flatnonzero(of_cell < 0)
    if len(left):
        _join_classes(of_cell, spare.owner, left, cells, ground, nodes, used)
    return Local(cells, tuple(used), of_cell, tuple(loans))


def _join_classes(
    of_cell: NDArray[np.int64],
    owner: NDArray[np.int64],
    left: NDArray[np.int64],
    cells: Cells,
    ground: Ground,
    nodes: Sequence[Node],
    used: list[Node],
) -> None:
    """Where nobody can spare a record, a whole class is told more coarsely with those left over:
    the smallest that looks like them at the node of least loss."""
    everyone = np.arange(len(cells))
    for node in nodes:
        if not (of_cell[left] < 0).any():
            return
        key, _ = _key(cells, ground.ladders, node, everyone)
        for mark in np.unique(key[left[of_cell[left] < 0]]):
            here = left[(key[left] == mark) & (of_cell[left] < 0)]
            inside = _whole_classes(owner, key == mark, cells.sizes)
            if inside is not None:
                of_cell[here] = of_cell[owner == inside] = len(used)
                owner[here] = owner[owner == inside] = owner.max() + 1
                used.append(node)


def _whole_classes(
    owner: NDArray[np.int64], matching: Mask, sizes: NDArray[np.int64]
) -> int | None:
    """The smallest class all of whose cells match; None where there is none."""
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
class _Alike:
    """Which of some cells look like another at a node; each column told at a level once."""

    cells: Cells
    ladders: Sequence[Ladder]
    some: NDArray[np.intp]
    told: dict[tuple[int, int], NDArray[Any]] = field(default_factory=dict)

    def to(self, cell: int, node: Node) -> NDArray[np.intp]:
        """The positions of those cells, a mask a column."""
        match = np.ones(len(self.some), bool)
        for i, level in enumerate(node):
            ladder, code = self.ladders[i], self.cells.codes[i]
            if len(ladder.labels[level]) == 1:
                continue
            climb = ladder.climb(0, level)
            if (i, level) not in self.told:
                kind = smallest(len(ladder.labels[level]))
                self.told[i, level] = climb.astype(kind)[code[self.some]]
            match &= self.told[i, level] == climb[code[cell]]
        return self.some[match]


@dataclass(eq=False, repr=False)
class _Spare:
    """Records that classes can lend and stay large enough. A loan is a class of its own, so it
    lowers the class it came from."""

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


def _spare(local: Local, ground: Ground, k: int) -> _Spare:
    owner = np.full(len(local.cells), -1, np.int64)
    totals: list[NDArray[np.int64]] = []
    start = 0
    for number, node in enumerate(local.nodes):
        here = np.flatnonzero(local.of_cell == number)
        key, _ = _key(local.cells, ground.ladders, node, here)
        _, ids = np.unique(key, return_inverse=True)
        held = np.bincount(ids, local.cells.sizes[here]).astype(np.int64)
        owner[here] = ids + start
        start += len(held)
        totals.append(held - k)
    return _Spare(owner, np.concatenate(totals), local.cells.sizes.copy())
