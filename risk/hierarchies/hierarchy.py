"""A generalization hierarchy: leaves, and the label of every leaf at each level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError
from risk.tables.coding import ValueArray

TOP = "*"


@dataclass(frozen=True, eq=False, repr=False)
class Hierarchy:
    """`groups[level][leaf]` indexes `labels[level]`; at level 0 every leaf has its own label.

    `weights[leaf]` is the leaf's share of the domain before scaling (1 each by default). The loss
    of a label is the weight of its leaves divided by the weight of the domain. Levels must be
    nested: leaves that share a label share all coarser labels.
    """

    column: str
    leaves: tuple[str | None, ...]
    groups: tuple[NDArray[np.int64], ...]
    labels: tuple[ValueArray, ...]
    weights: NDArray[np.float64]
    source: str = "file"

    def __post_init__(self) -> None:
        for level, (fine, coarse) in enumerate(zip(self.groups, self.groups[1:], strict=False)):
            parent = np.zeros(len(self.labels[level]), np.int64)
            parent[fine] = coarse
            if not np.array_equal(parent[fine], coarse):
                raise RiskError(
                    f"values that share a label at level {level} differ at level {level + 1}",
                    code="hierarchy-not-nested",
                    place=f"hierarchy of {self.column!r}",
                    hint="values with the same label need the same label at every coarser level",
                )

    @classmethod
    def of_rows(
        cls,
        column: str,
        rows: Sequence[Sequence[str | None]],
        *,
        weights: NDArray[np.float64] | None = None,
        source: str = "file",
    ) -> Hierarchy:
        """Build a hierarchy from rows `value, level 1, level 2, ...`, the form of ARX's CSV files.

        Raises:
            RiskError: no rows, unequal rows, a repeated value, or levels that are not nested.
        """
        widths = {len(row) for row in rows}
        place = f"hierarchy of {column!r}"
        if len(widths) != 1:
            odd = next((i for i, r in enumerate(rows, 1) if len(r) != len(rows[0])), 0)
            raise RiskError(
                "the rows of the hierarchy differ in length" if rows else "the hierarchy is empty",
                code="hierarchy-ragged",
                place=f"{place}, row {odd}" if odd else place,
                hint="write every row as `value;level 1;level 2;...`, with equally many levels",
            )
        leaves = tuple(row[0] for row in rows)
        if len(set(leaves)) != len(leaves):
            raise RiskError(
                f"the hierarchy repeats values (extra rows: {len(leaves) - len(set(leaves))})",
                code="hierarchy-duplicate",
                place=place,
                hint="keep one row for each value",
            )
        groups, labels = [], []
        for level in range(widths.pop()):
            known: dict[str | None, int] = {}
            codes = [known.setdefault(row[level], len(known)) for row in rows]
            groups.append(np.array(codes, np.int64))
            names = np.empty(len(known), object)
            names[:] = list(known)
            labels.append(names)
        if weights is None:
            weights = np.ones(len(leaves))
        return cls(column, leaves, tuple(groups), tuple(labels), weights, source)

    @property
    def height(self) -> int:
        """The number of levels above the values themselves."""
        return len(self.groups) - 1

    def shares(self, level: int) -> NDArray[np.float64]:
        """For each label of the level, its share of the domain (0 to 1)."""
        held = np.bincount(self.groups[level], self.weights, minlength=len(self.labels[level]))
        share: NDArray[np.float64] = held / self.weights.sum()
        return share

    @property
    def floor(self) -> float:
        """The share that counts as no loss: that of one leaf, 1/m for m equal leaves."""
        return 1.0 / len(self.leaves)

    @cached_property
    def positions(self) -> dict[str | None, int]:
        return {leaf: i for i, leaf in enumerate(self.leaves)}

    def rows(self) -> list[list[str | None]]:
        """The hierarchy as rows that `of_rows` can read."""
        levels = [label[group] for label, group in zip(self.labels, self.groups, strict=True)]
        return [[level[leaf] for level in levels] for leaf in range(len(self.leaves))]

    def __repr__(self) -> str:
        return f"Hierarchy({self.column!r}, {len(self.leaves)} values, {self.height} levels)"
