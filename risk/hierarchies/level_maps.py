"""Maps the codes of a table to hierarchies: for each level of each column, an integer array."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError
from risk.hierarchies.hierarchy import TOP, Hierarchy
from risk.tables.coding import CodedColumn, CodedTable, ValueArray


@dataclass(frozen=True, eq=False, repr=False)
class LevelMap:
    """The levels of one column.

    `steps[level][code]` is the label of a value of the column, `labels[level]` holds the label
    texts, `shares[level]` is each label's share of the domain, and `floor` is the share that counts
    as no loss.
    """

    name: str
    steps: tuple[NDArray[np.int64], ...]
    labels: tuple[ValueArray, ...]
    shares: tuple[NDArray[np.float64], ...]
    floor: float
    _between: dict[tuple[int, int], NDArray[np.int64]] = field(default_factory=dict)

    @property
    def height(self) -> int:
        return len(self.steps) - 1

    def between(self, low: int, high: int) -> NDArray[np.int64]:
        """Return the array that maps the labels of one level to those of a coarser one."""
        if (low, high) not in self._between:
            mapping = np.zeros(len(self.labels[low]), np.int64)
            mapping[self.steps[low]] = self.steps[high]
            self._between[low, high] = mapping
        return self._between[low, high]

    def scaled(self, level: int) -> NDArray[np.float64]:
        """The loss of each label, 0 for a single value and 1 for the whole domain."""
        if self.floor >= 1:
            return np.zeros(len(self.shares[level]))
        scaled: NDArray[np.float64] = (self.shares[level] - self.floor) / (1 - self.floor)
        return scaled

    def __repr__(self) -> str:
        return f"Ladder({self.name!r}, {self.height} levels)"


def map_levels(hierarchy: Hierarchy, column: CodedColumn) -> LevelMap:
    """Map the values of a column to the labels of a hierarchy.

    A missing value that the hierarchy does not contain stays missing at every level with several
    labels; at a level with a single label, it gets that label. Raises `RiskError` if the hierarchy
    lacks values of the column. The message says only how many; `missing_lines` lists them.
    """
    places = _leaf_positions(hierarchy, column)
    lost = [i for i, place in enumerate(places) if place is None and column.values[i] is not None]
    if lost:
        raise _uncovered(column, lost)
    extra = any(place is None for place in places)
    leaf = np.array([len(hierarchy.leaves) if p is None else p for p in places], np.int64)
    steps, labels, shares = [], [], []
    for level, (group, label) in enumerate(zip(hierarchy.groups, hierarchy.labels, strict=True)):
        share = hierarchy.shares(level)
        if extra:
            alone = level == 0 or len(label) > 1
            group = np.append(group, len(label) if alone else 0)
            label = np.append(label, np.array([None], object)) if alone else label
            share = np.append(share, hierarchy.floor) if alone else share
        steps.append(group[leaf])
        labels.append(label)
        shares.append(share)
    return _compact(column.name, steps, labels, shares, hierarchy.floor)


def _compact(
    name: str,
    steps: list[NDArray[np.int64]],
    labels: list[ValueArray],
    shares: list[NDArray[np.float64]],
    floor: float,
) -> LevelMap:
    """Keep only the labels that occur, because fewer labels give smaller keys.

    If every value has its own label, the label's number is the value's code.
    """
    kept = []
    for step, label, share in zip(steps, labels, shares, strict=True):
        used, packed = np.unique(step, return_inverse=True)
        if len(used) == len(step):
            used, packed = step, np.arange(len(step))
        kept.append((packed.astype(np.int64), label[used], share[used]))
    return LevelMap(
        name,
        tuple(step for step, _, _ in kept),
        tuple(label for _, label, _ in kept),
        tuple(share for _, _, share in kept),
        floor,
    )


def missing_lines(hierarchy: Hierarchy, column: CodedColumn) -> list[list[str]]:
    """Return the rows to add to a hierarchy for the values that it lacks.

    Each value is its own label at every level but the last. The label of the last level is taken
    from the file. The rows hold values of the data: show them only to the user.
    """
    lines = []
    for place, value in zip(_leaf_positions(hierarchy, column), column.values, strict=True):
        if place is None and value is not None:
            top = str(hierarchy.labels[-1][0]) if len(hierarchy.labels[-1]) == 1 else TOP
            lines.append([text_of(value)] * hierarchy.height + [top])
    return lines


def text_of(value: object) -> str:
    """A value as it is written in a hierarchy file: 39.0 in a float column is 39."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)


def _leaf_positions(hierarchy: Hierarchy, column: CodedColumn) -> list[int | None]:
    known: Mapping[Any, int] = hierarchy.positions
    found: list[int | None] = []
    for value in column.values:
        place = None if value is None else known.get(value if isinstance(value, str) else None)
        if place is None and value is not None:
            place = known.get(text_of(value), known.get(str(value)))
        if value is None:
            place = known.get(None, known.get(""))
        found.append(place)
    return found


def _uncovered(column: CodedColumn, lost: Sequence[int]) -> RiskError:
    hit = np.isin(column.codes, lost)
    rows = int(np.count_nonzero(hit))
    first = int(np.flatnonzero(hit)[0]) + 1 if rows else 0
    return RiskError(
        f"the hierarchy of {column.name!r} lacks {len(lost)} of {column.cardinality} values",
        code="hierarchy-incomplete",
        place=f"column {column.name!r}, {rows} rows, the first is row {first}",
        hint="`--missing-lines FILE` writes the missing lines, with their values, to a file",
    )


def map_table_levels(
    hierarchies: Mapping[str, Hierarchy], table: CodedTable
) -> tuple[LevelMap, ...]:
    """A level map for every column of the table, after a check that no hierarchy lacks values."""
    return tuple(map_levels(hierarchies[column.name], column) for column in table.columns)
