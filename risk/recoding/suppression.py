"""Cell suppression: blank a few cells so that every class is large enough.

By the strict reading, a suppressed cell is a value of its own: rows that are blank in the same
columns and agree elsewhere form a class. By the wildcard reading, a blank matches anything. The
wildcard reading needs fewer blanks, but leaves rows that are identical to no other row, so the
smallest class by the strict reading is reported as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import combinations
from math import comb
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError, check_fraction
from risk.hierarchies.level_maps import map_table_levels
from risk.hierarchies.register import apply_rule
from risk.hierarchies.rules import FlatRule
from risk.lattice.frequency_table import FrequencyTable, pack_codes
from risk.lattice.losses import LossBasis
from risk.recoding.mondrian import split_down
from risk.tables.classes import Classes
from risk.tables.coding import CodedColumn, CodedTable, smallest

SUPPRESSED = "*"
#: With up to this many columns, every set of columns is tried; with more, only the sizes with few
#: sets.
_MOST_COLUMNS_TRIED = 15
_MOST_PATTERNS = 1_500
BlankReading = Literal["strict", "wildcard"]
BlankPattern = tuple[int, ...]


@dataclass(frozen=True, eq=False, repr=False)
class CellSuppression:
    """The blanked cells.

    `patterns[number]` lists the columns of a pattern, `of_class[j]` is the pattern of class j of
    `classes`, `left_out[j]` whether its records are suppressed entirely.
    """

    classes: Classes
    patterns: tuple[BlankPattern, ...]
    of_class: NDArray[np.int64]
    left_out: NDArray[np.bool_]
    reading: BlankReading

    @property
    def cells(self) -> int:
        """The number of blanked cells in the records that are kept."""
        widths = np.array([len(pattern) for pattern in self.patterns])
        kept = ~self.left_out
        return int(widths[self.of_class[kept]] @ self.classes.sizes[kept])

    @property
    def records_touched(self) -> int:
        return int(self.classes.sizes[(self.of_class > 0) & ~self.left_out].sum())

    @property
    def records_left_out(self) -> int:
        return int(self.classes.sizes[self.left_out].sum())

    def by_column(self) -> dict[str, int]:
        """The number of blanked cells in each column."""
        counts = np.bincount(
            self.of_class[~self.left_out],
            self.classes.sizes[~self.left_out],
            minlength=len(self.patterns),
        ).astype(int)
        return {
            name: int(sum(counts[p] for p, pattern in enumerate(self.patterns) if i in pattern))
            for i, name in enumerate(self.classes.quasi_identifiers)
        }

    def apply(self) -> tuple[CodedTable, NDArray[np.bool_]]:
        """The released columns, and the rows that they hold."""
        ids = self.classes.ids
        kept = ~self.left_out[ids]
        pattern = self.of_class[ids][kept]
        columns = []
        for i, column in enumerate(self.classes.table.columns):
            blank = np.array([i in p for p in self.patterns])[pattern]
            columns.append(_blanked(column, kept, blank))
        return CodedTable(tuple(columns), int(kept.sum())), kept


def suppress_cells(
    table: CodedTable,
    k: int,
    *,
    reading: BlankReading = "strict",
    give_up: Callable[[], bool] = lambda: False,
) -> CellSuppression:
    """Blank cells until every class has at least k records.

    The choice is greedy over sets of columns, the smallest sets first; among sets of one size, the
    set that saves the most records is taken first. Only records in classes below k are changed. If
    the sets are too many (more than 15 columns), or once `give_up` returns True, the remaining
    records are all blanked and then split by one column after the other, as in Mondrian. Fewer than
    k records that no set saves are suppressed.
    """
    if k < 1:
        raise RiskError("k must be at least 1", code="bad-limit")
    classes = Classes.of(table)
    return _Greedy(classes, k, give_up).run(reading)


class _Greedy:
    """The state of the greedy choice: the classes that no pattern has saved yet."""

    def __init__(self, classes: Classes, k: int, give_up: Callable[[], bool]) -> None:
        self.classes, self.k, self.give_up = classes, k, give_up
        self.codes = [column.codes for column in classes.distinct.columns]
        self.spaces = [max(1, column.cardinality) for column in classes.table.columns]
        self.open = np.flatnonzero(classes.sizes < k)
        self.patterns: list[BlankPattern] = [()]
        self.of_class = np.zeros(len(classes), np.int64)

    def run(self, reading: BlankReading) -> CellSuppression:
        choose = self._strict if reading == "strict" else self._wildcard
        width = len(self.codes)
        for blanks in range(1, width + 1):
            if width > _MOST_COLUMNS_TRIED and comb(width, blanks) > _MOST_PATTERNS:
                break
            if len(self.open) and not self.give_up():
                choose(list(combinations(range(width), blanks)))
        self._partition()
        left_out = np.zeros(len(self.classes), bool)
        left_out[self.open] = True
        return CellSuppression(self.classes, tuple(self.patterns), self.of_class, left_out, reading)

    def _strict(self, patterns: list[BlankPattern]) -> None:
        """Choose patterns greedily, and recompute gains only when needed.

        The gain of a pattern only falls as other patterns are taken. An old gain is therefore an
        upper bound, and a recomputed gain that is still the first is the largest."""
        heap = [(-np.inf, pattern) for pattern in patterns]
        heapify(heap)
        while heap and len(self.open) and not self.give_up():
            _, pattern = heappop(heap)
            saved = self._saved_by(pattern)
            gain = float(self.classes.sizes[self.open[saved]].sum())
            if gain == 0:
                continue
            if heap and gain < -heap[0][0]:
                heappush(heap, (-gain, pattern))
                continue
            self._take(pattern, saved)

    def _saved_by(self, pattern: BlankPattern) -> NDArray[np.bool_]:
        rest = [i for i in range(len(self.codes)) if i not in pattern]
        codes = [self.codes[i][self.open] for i in rest]
        key, space = pack_codes(codes, [self.spaces[i] for i in rest], len(self.open))
        return _totals(key, space, self.classes.sizes[self.open]) >= self.k

    def _wildcard(self, patterns: list[BlankPattern]) -> None:
        """Choose patterns if a blanked record matches all records that agree on the rest."""
        for pattern in patterns:
            if self.give_up():
                return
            rest = [i for i in range(len(self.codes)) if i not in pattern]
            codes = [self.codes[i] for i in rest]
            key, space = pack_codes(codes, [self.spaces[i] for i in rest], len(self.classes))
            saved = _totals(key, space, self.classes.sizes)[self.open] >= self.k
            self._take(pattern, saved)

    def _partition(self) -> None:
        """Blank every column of the records left, then show one column after the other.

        A column is shown in every group that stays large enough.
        """
        if int(self.classes.sizes[self.open].sum()) < self.k:
            return
        rest = self.classes.distinct.take(self.open)
        flat = {c.name: apply_rule(FlatRule(), _labeled(c)) for c in rest.columns}
        columns = tuple(_labeled(column) for column in rest.columns)
        maps = map_table_levels(flat, CodedTable(columns, rest.rows))
        codes = tuple(m.steps[0][c.codes] for m, c in zip(maps, columns, strict=True))
        sizes = self.classes.sizes[self.open]
        cells = FrequencyTable((0,) * len(maps), codes, sizes)
        found = split_down(cells, LossBasis.of(cells, maps), self.k)
        known = {pattern: number for number, pattern in enumerate(self.patterns)}
        numbers = []
        for node in found.nodes:
            blank = tuple(i for i, level in enumerate(node) if level)
            numbers.append(known.setdefault(blank, len(known)))
        self.patterns = list(known)
        saved = found.of_cell >= 0
        self.of_class[self.open[saved]] = np.array(numbers, np.int64)[found.of_cell[saved]]
        self.open = self.open[~saved]

    def _take(self, pattern: BlankPattern, saved: NDArray[np.bool_]) -> None:
        self.of_class[self.open[saved]] = len(self.patterns)
        self.patterns.append(pattern)
        self.open = self.open[~saved]


def subsample(rows: int, fraction: float, seed: int) -> NDArray[np.bool_]:
    """Mark the rows that a simple random sample keeps: a share `fraction`, rounded down.

    If an attacker does not know whether a person is in the release, the risk is multiplied by the
    probability that the person is.
    """
    check_fraction(fraction)
    picked = np.zeros(rows, bool)
    chosen = np.random.default_rng(seed).choice(rows, int(rows * fraction), replace=False)
    picked[chosen] = True
    return picked


def fewest_columns(table: CodedTable, fits: Callable[[Classes], bool]) -> tuple[str, ...] | None:
    """Return the smallest set of columns whose removal satisfies `fits`.

    Among sets of equal size, it is the one with the fewest distinct values. The result is None if
    even the removal of all columns does not satisfy `fits`.
    """
    order = sorted(table.columns, key=lambda column: (column.cardinality, column.name))
    for count in range(len(order) + 1):
        for dropped in combinations(order, count):
            names = {column.name for column in dropped}
            rest = [name for name in table.names if name not in names]
            if fits(Classes.of(table.select(rest))):
                return tuple(name for name in table.names if name in names)
    return None


def _labeled(column: CodedColumn) -> CodedColumn:
    """Return the column with its codes as values.

    A flat hierarchy needs no others, and a missing value is one of them.
    """
    return CodedColumn(
        column.name, column.codes, np.array([str(i) for i in range(column.cardinality)], object)
    )


def _totals(key: NDArray[Any], space: int, sizes: NDArray[np.int64]) -> NDArray[Any]:
    """For each key, the sum of the sizes over all equal keys."""
    if space <= 4 * max(len(key), 2**12):
        index = key.astype(np.int64)
        return np.asarray(np.bincount(index, sizes, minlength=space))[index]
    _, ids = np.unique(key, return_inverse=True)
    return np.asarray(np.bincount(ids, sizes))[ids]


def _blanked(column: CodedColumn, kept: NDArray[np.bool_], blank: NDArray[np.bool_]) -> CodedColumn:
    blanks = [i for i, value in enumerate(column.values) if value == SUPPRESSED]
    values = column.values if blanks else np.append(column.values, np.array([SUPPRESSED], object))
    codes = column.codes[kept].astype(smallest(len(values)))
    codes[blank] = blanks[0] if blanks else len(values) - 1
    return CodedColumn(column.name, codes, values)
