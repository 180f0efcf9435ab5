"""Mondrian on hierarchies: split classes top-down, each by the column that saves the most loss.

LeFevre, DeWitt & Ramakrishnan 2006 split by medians; here a class is split by the children of its
label in a column's hierarchy. Children that are too small stay together under the parent's label.
If together they have fewer than k records, the smallest of the large children stays with them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.lattice.frequency_table import FrequencyTable, LatticeNode, pack_codes
from risk.lattice.losses import LossBasis
from risk.recoding.local_recoding import LocalRecoding
from risk.tables.coding import BooleanArray, smallest


def split_down(cells: FrequencyTable, basis: LossBasis, k: int) -> LocalRecoding:
    """Recode every record at the node of its own class; `cells` is the leaf table.

    All classes are split at once, round by round, until none can be split. Records are suppressed
    only if even the coarsest labels leave them in a class below k.
    """
    state = _State.top(cells, basis)
    alone = np.bincount(state.owner, cells.sizes)[state.owner] < k
    while state.split(k):
        pass
    nodes, place = np.unique(state.levels, axis=0, return_inverse=True)
    of_cell = np.where(alone, -1, place.reshape(-1))
    used: tuple[LatticeNode, ...] = tuple(tuple(map(int, node)) for node in nodes)
    return LocalRecoding(cells, used, of_cell.astype(np.int64), ())


@dataclass(eq=False, repr=False)
class _State:
    """The state of the splitting.

    `levels[cell, column]` is the current level of a cell, `owner[cell]` its class, and
    `stuck[class, column]` whether a class can no longer be split by that column.
    """

    cells: FrequencyTable
    basis: LossBasis
    levels: NDArray[np.int64]
    owner: NDArray[np.int64]
    stuck: NDArray[np.bool_]

    @classmethod
    def top(cls, cells: FrequencyTable, basis: LossBasis) -> _State:
        heights = np.array([level_map.height for level_map in basis.level_maps], np.int64)
        levels = np.repeat(heights[None, :], len(cells), axis=0)
        labels = [
            level_map.between(0, level_map.height)[code]
            for code, level_map in zip(cells.codes, basis.level_maps, strict=True)
        ]
        owner = _numbered(labels, len(cells))
        count = int(owner.max(initial=-1)) + 1
        return cls(cells, basis, levels, owner, np.zeros((count, len(heights)), bool))

    def split(self, k: int) -> bool:
        """One round: split every class by its best column.

        The result is False if no class was split.
        """
        count = len(self.stuck)
        gains = np.full((count, len(self.basis.level_maps)), -1.0)
        fits = []
        for column in range(len(self.basis.level_maps)):
            gain, moved = self._try(column, k)
            gains[:, column] = gain
            fits.append(moved)
        best = np.argmax(gains, axis=1)
        able = gains[np.arange(count), best] > 0
        if not able.any():
            return False
        chosen = best[self.owner]
        extra = np.zeros(len(self.owner), np.int64)
        for column, moved in enumerate(fits):
            here = np.flatnonzero(moved & (chosen == column) & able[self.owner])
            self.levels[here, column] -= 1
            extra[here] = 1 + self._label(column, self.levels[:, column], here)
        goes = np.flatnonzero(extra)
        parent = self.owner[goes]
        self.owner[goes] = count + _numbered([parent, extra[goes]], len(goes))
        fresh = np.zeros((int(self.owner.max()) + 1 - count, self.stuck.shape[1]), bool)
        fresh[self.owner[goes] - count] = self.stuck[parent]
        self.stuck = np.vstack((self.stuck, fresh))
        return True

    def _label(
        self, column: int, levels: NDArray[np.int64], some: NDArray[np.intp]
    ) -> NDArray[np.int64]:
        """Return the labels of the given cells in a column, where each cell has its own level."""
        level_map, code = self.basis.level_maps[column], self.cells.codes[column]
        labels = np.zeros(len(some), np.int64)
        of_some = levels[some]
        for level in range(level_map.height + 1):
            here = np.flatnonzero(of_some == level)
            if len(here):
                labels[here] = level_map.between(0, level)[code[some[here]]]
        return labels

    def _try(self, column: int, k: int) -> tuple[NDArray[np.float64], BooleanArray]:
        """Return, for each class, the loss that a split by a column saves, and the cells that would
        move.
        """
        count = len(self.stuck)
        gain = np.full(count, -1.0)
        moved = np.zeros(len(self.owner), bool)
        open_ = ~self.stuck[:, column][self.owner] & (self.levels[:, column] > 0)
        here = np.flatnonzero(open_)
        if not len(here):
            return gain, moved
        owner, sizes = self.owner[here], self.cells.sizes[here]
        finer = np.zeros(len(self.owner), np.int64)
        finer[here] = self._label(column, self.levels[:, column] - 1, here)
        child = _numbered([owner, finer[here]], len(here))
        held = np.bincount(child, sizes)
        large = held[child] >= k
        rest = np.bincount(owner, sizes * ~large, minlength=count)
        short = ((rest > 0) & (rest < k))[owner]
        goes = large & ~(short & (child == _smallest(child, owner, held, k, count)[owner]))
        saved = self._saved(column, here, finer[here]) * sizes
        total = np.bincount(owner, saved * goes, minlength=count)
        some = np.bincount(owner, goes, minlength=count) > 0
        gain[some] = np.maximum(total[some], 1e-12)
        self.stuck[np.unique(owner[~some[owner]]), column] = True
        moved[here[goes]] = True
        return gain, moved

    def _saved(
        self, column: int, here: NDArray[np.intp], finer: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """The loss that a record of each cell saves by moving one level down."""
        level_map = self.basis.level_maps[column]
        levels = self.levels[here, column]
        code = self.cells.codes[column][here]
        saved = np.zeros(len(here))
        for level in np.unique(levels):
            at = levels == level
            up = level_map.scaled(int(level))[level_map.between(0, int(level))[code[at]]]
            saved[at] = up - level_map.scaled(int(level) - 1)[finer[at]]
        return saved * self.basis.weights[column]


def _smallest(
    child: NDArray[np.int64],
    owner: NDArray[np.int64],
    held: NDArray[Any],
    k: int,
    count: int,
) -> NDArray[np.int64]:
    """Return, for each class, its smallest child of at least k records.

    This child can stay with the small children to form a large enough class.
    """
    parent = np.zeros(len(held), np.int64)
    parent[child] = owner
    large = np.flatnonzero(held >= k)
    order = large[np.argsort(-held[large], kind="stable")]
    found = np.full(count, -1, np.int64)
    found[parent[order]] = order
    return found


def _numbered(codes: list[NDArray[np.int64]], rows: int) -> NDArray[np.int64]:
    """One number for each distinct combination."""
    spaces = [int(code.max(initial=0)) + 1 for code in codes]
    small = [code.astype(smallest(s)) for code, s in zip(codes, spaces, strict=True)]
    key, space = pack_codes(small, spaces, rows)
    if space <= 8 * max(rows, 2**12):
        place = key.astype(np.int64)
        present = np.zeros(space, np.int64)
        present[place] = 1
        numbers: NDArray[np.int64] = (np.cumsum(present) - 1)[place]
        return numbers
    return np.unique(key, return_inverse=True)[1].astype(np.int64)
