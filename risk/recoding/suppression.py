"""Suppression of cells: few cells blanked so that every class is large enough.

A suppressed cell is a value of its own (the strict reading): rows that are blank in the same
columns and agree elsewhere are a class. Read as a wildcard, a blank matches anything; fewer cells
do then, but rows stay that nobody else looks like, so that reading comes with its strict count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError
from risk.lattice.frequency_table import pack_codes
from risk.tables.classes import Classes
from risk.tables.coding import CodedColumn, CodedTable, smallest

BLANK = "*"
Reading = Literal["strict", "wildcard"]
Pattern = tuple[int, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Blanks:
    """What is blanked. `patterns[number]` are the columns of a pattern, `of_class[j]` the pattern
    of class j of `classes`, `left_out[j]` whether its records are left out altogether."""

    classes: Classes
    patterns: tuple[Pattern, ...]
    of_class: NDArray[np.int64]
    left_out: NDArray[np.bool_]
    reading: Reading

    @property
    def cells(self) -> int:
        """The number of cells blanked in records that stay."""
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
        """Cells blanked in each column."""
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
        """The released columns, and which of the rows they hold."""
        ids = self.classes.ids
        kept = ~self.left_out[ids]
        pattern = self.of_class[ids][kept]
        columns = []
        for i, column in enumerate(self.classes.table.columns):
            blank = np.array([i in p for p in self.patterns])[pattern]
            columns.append(_blanked(column, kept, blank))
        return CodedTable(tuple(columns), int(kept.sum())), kept


def suppress_cells(table: CodedTable, k: int, *, reading: Reading = "strict") -> Blanks:
    """Blank cells until every class holds k records at least.

    Greedy over sets of columns, the smallest sets first; among sets of one size the one that saves
    most records goes first. Only records of classes below k are touched. Fewer than k records that
    nothing saves are left out.
    """
    if k < 1:
        raise RiskError("k is at least 1", code="bad-limit")
    classes = Classes.of(table)
    return _Greedy(classes, k).run(reading)


class _Greedy:
    """The state of the greedy choice: the classes that no pattern has saved yet."""

    def __init__(self, classes: Classes, k: int) -> None:
        self.classes, self.k = classes, k
        self.codes = [column.codes for column in classes.distinct.columns]
        self.spaces = [max(1, column.cardinality) for column in classes.table.columns]
        self.open = np.flatnonzero(classes.sizes < k)
        self.patterns: list[Pattern] = [()]
        self.of_class = np.zeros(len(classes), np.int64)

    def run(self, reading: Reading) -> Blanks:
        choose = self._strict if reading == "strict" else self._wildcard
        width = len(self.codes)
        for blanks in range(1, width + 1):
            if len(self.open):
                choose(list(combinations(range(width), blanks)))
        left_out = np.zeros(len(self.classes), bool)
        left_out[self.open] = True
        return Blanks(self.classes, tuple(self.patterns), self.of_class, left_out, reading)

    def _strict(self, patterns: list[Pattern]) -> None:
        """Lazy greedy: what a pattern saves only falls as others are taken, so a stale gain is an
        upper bound, and a gain reckoned anew that still leads is the greatest."""
        heap = [(-np.inf, pattern) for pattern in patterns]
        heapify(heap)
        while heap and len(self.open):
            _, pattern = heappop(heap)
            saved = self._saved_by(pattern)
            gain = float(self.classes.sizes[self.open[saved]].sum())
            if gain == 0:
                continue
            if heap and gain < -heap[0][0]:
                heappush(heap, (-gain, pattern))
                continue
            self._take(pattern, saved)

    def _saved_by(self, pattern: Pattern) -> NDArray[np.bool_]:
        rest = [i for i in range(len(self.codes)) if i not in pattern]
        codes = [self.codes[i][self.open] for i in rest]
        key, space = pack_codes(codes, [self.spaces[i] for i in rest], len(self.open))
        return _totals(key, space, self.classes.sizes[self.open]) >= self.k

    def _wildcard(self, patterns: list[Pattern]) -> None:
        """A blanked record matches all that agree on what is left of it, blanked or not."""
        for pattern in patterns:
            rest = [i for i in range(len(self.codes)) if i not in pattern]
            codes = [self.codes[i] for i in rest]
            key, space = pack_codes(codes, [self.spaces[i] for i in rest], len(self.classes))
            saved = _totals(key, space, self.classes.sizes)[self.open] >= self.k
            self._take(pattern, saved)

    def _take(self, pattern: Pattern, saved: NDArray[np.bool_]) -> None:
        self.of_class[self.open[saved]] = len(self.patterns)
        self.patterns.append(pattern)
        self.open = self.open[~saved]


def subsample(rows: int, fraction: float, seed: int) -> NDArray[np.bool_]:
    """Which rows a random sample keeps: a share `fraction`, rounded down.

    The chance that a person is in the release scales the risk of one who does not know it.
    """
    if not 0 < fraction <= 1:
        raise RiskError("a sampling fraction lies above 0 and at most at 1", code="bad-fraction")
    picked = np.zeros(rows, bool)
    chosen = np.random.default_rng(seed).choice(rows, int(rows * fraction), replace=False)
    picked[chosen] = True
    return picked


def fewest_columns(table: CodedTable, fits: Callable[[Classes], bool]) -> tuple[str, ...] | None:
    """Quasi-identifier suppression: the fewest columns whose removal alone meets `fits`, of equally
    many those with the fewest distinct values; None where not even all do."""
    order = sorted(table.columns, key=lambda column: (column.cardinality, column.name))
    for count in range(len(order) + 1):
        for dropped in combinations(order, count):
            names = {column.name for column in dropped}
            rest = [name for name in table.names if name not in names]
            if fits(Classes.of(table.select(rest))):
                return tuple(name for name in table.names if name in names)
    return None


def _totals(key: NDArray[Any], space: int, sizes: NDArray[np.int64]) -> NDArray[Any]:
    """For each key the sum of the sizes over all equal keys."""
    if space <= 4 * max(len(key), 2**12):
        index = key.astype(np.int64)
        return np.asarray(np.bincount(index, sizes, minlength=space))[index]
    _, ids = np.unique(key, return_inverse=True)
    return np.asarray(np.bincount(ids, sizes))[ids]


def _blanked(column: CodedColumn, kept: NDArray[np.bool_], blank: NDArray[np.bool_]) -> CodedColumn:
    blanks = [i for i, value in enumerate(column.values) if value == BLANK]
    values = column.values if blanks else np.append(column.values, np.array([BLANK], object))
    codes = column.codes[kept].astype(smallest(len(values)))
    codes[blank] = blanks[0] if blanks else len(values) - 1
    return CodedColumn(column.name, codes, values)
