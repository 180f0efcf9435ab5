"""Equivalence classes: the rows that agree on every quasi-identifier.

Each column is encoded once (see `risk.tables.coding`). The codes of a row are packed into one
integer, and the integers are sorted or counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError
from risk.tables.coding import CodedColumn, CodedTable, encode, smallest

Sizes = NDArray[np.int64]
_KEY_LIMIT = 2**63


@dataclass(frozen=True, eq=False, repr=False)
class Packing:
    """How the codes of the columns were packed into one key, so that a key can be unpacked.

    A step is the cardinality of the next column. If the product would not fit into 63 bits, a step
    is the sorted distinct keys so far, which were replaced by their ranks.
    """

    steps: tuple[int | NDArray[Any], ...]
    space: int

    def unpack(self, keys: NDArray[Any]) -> list[NDArray[Any]]:
        """The codes of each column, in the order of packing."""
        codes: list[NDArray[Any]] = []
        for step in reversed(self.steps):
            if isinstance(step, int):
                keys, code = np.divmod(keys, keys.dtype.type(step))
                codes.append(code)
            else:
                keys = step[keys]
        return [*reversed(codes)]


def pack_rows(table: CodedTable) -> tuple[NDArray[Any], Packing]:
    """One integer per row; two rows have equal integers exactly if all their codes are equal."""
    space = 1
    for column in table.columns:
        space *= max(1, column.cardinality)
    kind: type[Any] = np.uint32 if space < 2**32 else np.uint64
    key = np.zeros(table.rows, kind)
    steps: list[int | NDArray[Any]] = []
    space = 1
    for column in table.columns:
        cardinality = max(1, column.cardinality)
        if space * cardinality > _KEY_LIMIT:
            distinct, ranks = np.unique(key, return_inverse=True)
            key = ranks.astype(np.uint64, copy=False)
            steps.append(distinct)
            space = len(distinct)
        steps.append(cardinality)
        key *= kind(cardinality)
        key += column.codes.astype(kind, copy=False)
        space *= cardinality
    return key, Packing(tuple(steps), space)


@dataclass(frozen=True, eq=False, repr=False)
class Classes:
    """The equivalence classes of a table on its quasi-identifiers.

    `sizes[j]` is the number of records in class j (always positive), `ids[row]` the class of each
    row, `keys` the packed codes in ascending order. Use `Classes.of` to build one.
    """

    table: CodedTable
    packed: NDArray[Any]
    packing: Packing
    keys: NDArray[Any]
    sizes: Sizes

    @classmethod
    def of(
        cls, table: Any, quasi: Sequence[str] | None = None, *, counts: NDArray[Any] | None = None
    ) -> Classes:
        """Group the rows of a pandas frame, Arrow table, mapping or `CodedTable`.

        `quasi` names the columns (all by default). `counts` gives the number of records each row
        stands for (integers, zero allowed): a row with count w counts as w equal rows. Raises
        `RiskError` for a column that is unknown or named twice.

        >>> Classes.of({"sex": ["M", "F", "M"], "born": [1970, 1980, 1970]}).sizes.tolist()
        [2, 1]
        """
        names = None if quasi is None else list(quasi)
        if names is not None and len(set(names)) != len(names):
            raise RiskError("a quasi-identifier is named twice", code="repeated-column")
        coded = encode(table, names)
        if counts is None:
            key, packing = pack_rows(coded)
            keys, sizes = _tally(key, packing.space)
            return cls(coded, key, packing, keys, sizes)
        counts = _checked_counts(counts, coded.rows)
        kept = counts > 0
        if not kept.all():
            coded, counts = coded.take(kept), counts[kept]
        key, packing = pack_rows(coded)
        if (key[1:] > key[:-1]).all():
            return cls(coded, key, packing, key, counts)
        keys, ids = np.unique(key, return_inverse=True)
        sizes = np.bincount(ids, counts, minlength=len(keys)).astype(np.int64)
        return cls(coded, key, packing, keys, sizes)

    @property
    def quasi_identifiers(self) -> tuple[str, ...]:
        return self.table.names

    @cached_property
    def records(self) -> int:
        return int(self.sizes.sum())

    def __len__(self) -> int:
        """The number of classes."""
        return len(self.sizes)

    @cached_property
    def ids(self) -> NDArray[Any]:
        """The class of each row of `table`, as a position in `sizes` and `keys`."""
        if self.packing.space <= 2 * max(self.table.rows, 2**15):
            rank = np.zeros(self.packing.space, smallest(max(1, len(self.keys))))
            rank[self.keys] = np.arange(len(self.keys))
            looked_up: NDArray[Any] = rank[self.packed]
            return looked_up
        ranks: NDArray[np.intp] = np.unique(self.packed, return_inverse=True)[1]
        return ranks

    @cached_property
    def histogram(self) -> tuple[Sizes, Sizes]:
        """Distinct class sizes, ascending, and how many classes have each."""
        if not len(self.sizes):
            return self.sizes, self.sizes
        if int(self.sizes.max()) <= 4 * len(self.sizes) + 2**16:
            counted = np.bincount(self.sizes)
            present = np.flatnonzero(counted)
            return present.astype(np.int64), counted[present].astype(np.int64)
        distinct, counted = np.unique(self.sizes, return_counts=True)
        return distinct, counted.astype(np.int64)

    @cached_property
    def distinct(self) -> CodedTable:
        """One row per class: the codes of the class, over the same values as `table`.

        `Classes.of(distinct.select(...), counts=sizes)` forms the classes on other columns without
        reading the rows again.
        """
        codes = self.packing.unpack(self.keys)
        columns = tuple(
            CodedColumn(c.name, code.astype(c.codes.dtype), c.values)
            for c, code in zip(self.table.columns, codes, strict=True)
        )
        return CodedTable(columns, len(self))

    def totals(self, amounts: NDArray[Any]) -> NDArray[np.float64]:
        """For each class, the sum of an amount per row (for example, a sampling weight)."""
        return np.bincount(self.ids, weights=amounts, minlength=len(self)).astype(np.float64)

    def without(self, name: str) -> Classes:
        """The classes that remain when one quasi-identifier is left out."""
        rest = [other for other in self.quasi_identifiers if other != name]
        return Classes.of(self.distinct.select(rest), counts=self.sizes)

    def __repr__(self) -> str:
        return f"Classes({len(self)} classes of {self.records} records)"


def _tally(key: NDArray[Any], space: int) -> tuple[NDArray[Any], Sizes]:
    """Return the distinct keys in ascending order with their counts.

    Small key spaces are counted in an array, large ones are sorted, so that memory stays
    proportional to the number of keys.
    """
    if not len(key):
        return key, np.zeros(0, np.int64)
    if space <= 2 * max(len(key), 2**15):
        counted = np.bincount(key.astype(np.int64, copy=False), minlength=1)
        keys = np.flatnonzero(counted)
        return keys.astype(key.dtype), counted[keys].astype(np.int64, copy=False)
    ordered = np.sort(key)
    starts = np.flatnonzero(ordered[1:] != ordered[:-1])
    starts += 1
    bounds = np.concatenate(([0], starts, [len(ordered)]))
    return ordered[bounds[:-1]], np.diff(bounds).astype(np.int64, copy=False)


def _checked_counts(counts: NDArray[Any], rows: int) -> Sizes:
    counts = np.asarray(counts)
    if counts.shape != (rows,):
        raise ValueError("one count for each row is needed")
    if len(counts) and (not np.all(np.isfinite(counts)) or counts.min() < 0):
        raise RiskError("a count is negative or not a number", code="bad-count")
    whole = counts.astype(np.int64)
    if not np.array_equal(whole, counts):
        raise RiskError("a count is not a whole number", code="bad-count")
    return whole
