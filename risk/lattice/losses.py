"""Information loss of a generalized table.

The separable losses (granularity, non-uniform entropy, precision) are sums over columns. Without
suppression, a node's loss follows from the marginal counts alone, and suppression only adds to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError
from risk.hierarchies.level_maps import LevelMap
from risk.lattice.frequency_table import FrequencyTable, LatticeNode
from risk.tables.coding import BooleanArray


@dataclass(frozen=True, eq=False, repr=False)
class LossBasis:
    """The data from which losses are computed.

    It holds the level maps, the frequency of each value of a column, the number of records, and the
    weight of each column (the weights sum to 1).
    """

    level_maps: tuple[LevelMap, ...]
    marginals: tuple[NDArray[np.int64], ...]
    records: int
    weights: tuple[float, ...]

    @classmethod
    def of(
        cls,
        cells: FrequencyTable,
        level_maps: Sequence[LevelMap],
        weights: Mapping[str, float] | None = None,
    ) -> LossBasis:
        given = {level_map.name: 1.0 for level_map in level_maps} | dict(weights or {})
        chosen = [float(given[level_map.name]) for level_map in level_maps]
        if len(given) > len(level_maps) or min(chosen, default=1) < 0 or sum(chosen) <= 0:
            wrong = [*list(given)[len(level_maps) :], *(n for n, w in given.items() if w < 0)]
            raise RiskError(
                "a weight is negative, all weights are zero, or a weight names no quasi-identifier",
                code="bad-weight",
                place=f"column {wrong[0]!r}" if wrong else "",
                hint="use --weights COL=W,… with columns of --quasi",
            )
        marginals = tuple(
            np.bincount(code, cells.sizes, minlength=len(level_map.labels[0])).astype(np.int64)
            for code, level_map in zip(cells.codes, level_maps, strict=True)
        )
        whole = sum(chosen)
        return cls(
            tuple(level_maps), marginals, int(cells.sizes.sum()), tuple(w / whole for w in chosen)
        )

    def counts(self, column: int, level: int) -> NDArray[np.int64]:
        """Records under each label of a level, before any suppression."""
        level_map = self.level_maps[column]
        step = level_map.between(0, level)
        counted = np.bincount(step, self.marginals[column], minlength=len(level_map.labels[level]))
        return counted.astype(np.int64)


class Loss(Protocol):
    """A measure of information loss.

    `bound(basis, column, level)` is the column's part of the loss at a level without suppression;
    None if the loss is not a sum over columns. `floor(basis, classes, most_gone)` is a lower bound
    of the loss at this node and every coarser one. `of` is the loss itself.
    """

    @property
    def name(self) -> str: ...

    def bound(self, basis: LossBasis, column: int, level: int) -> float | None: ...

    def floor(self, basis: LossBasis, classes: FrequencyTable, most_gone: int) -> float: ...

    def of(self, basis: LossBasis, classes: FrequencyTable, gone: BooleanArray) -> float: ...


@dataclass(frozen=True)
class _Separable:
    def bound(self, basis: LossBasis, column: int, level: int) -> float | None:
        raise NotImplementedError

    def floor(self, basis: LossBasis, classes: FrequencyTable, most_gone: int) -> float:
        return self._whole(basis, classes.node)

    def _whole(self, basis: LossBasis, node: LatticeNode) -> float:
        return sum(self.bound(basis, i, level) or 0.0 for i, level in enumerate(node))


@dataclass(frozen=True)
class Granularity(_Separable):
    """The mean over columns of the share of the domain that a cell covers (LM of Iyengar 2002).

    It is scaled so that a single value is 0 and the whole domain 1; a suppressed record counts 1.
    """

    name: str = "granularity"

    def bound(self, basis: LossBasis, column: int, level: int) -> float | None:
        scaled = basis.level_maps[column].scaled(level)
        spread = float(basis.counts(column, level) @ scaled) / max(1, basis.records)
        return basis.weights[column] * spread

    def of(self, basis: LossBasis, classes: FrequencyTable, gone: BooleanArray) -> float:
        extra = 0.0
        here = np.flatnonzero(gone)
        sizes = classes.sizes[here]
        for i, (code, level) in enumerate(zip(classes.codes, classes.node, strict=True)):
            scaled = basis.level_maps[i].scaled(level)
            full = 0.0 if basis.level_maps[i].floor >= 1 else 1.0
            extra += basis.weights[i] * float(np.sum(sizes * (full - scaled[code[here]])))
        return self._whole(basis, classes.node) + extra / max(1, basis.records)


@dataclass(frozen=True)
class NonUniformEntropy(_Separable):
    """Bits lost: the mean over columns of the sum over records of -log2 Pr(value | label).

    The probability is that of the column's marginal over all records (De Waal & Willenborg 1999,
    computed as in ARX). Suppressed records add -log2 of their label's share among the suppressed
    records.
    """

    name: str = "non_uniform_entropy"

    def bound(self, basis: LossBasis, column: int, level: int) -> float | None:
        fine = basis.marginals[column]
        coarse = basis.counts(column, level)[basis.level_maps[column].between(0, level)]
        held = fine > 0
        bits = float(fine[held] @ (np.log2(coarse[held]) - np.log2(fine[held])))
        return basis.weights[column] * bits

    def of(self, basis: LossBasis, classes: FrequencyTable, gone: BooleanArray) -> float:
        extra = 0.0
        here = np.flatnonzero(gone)
        sizes = classes.sizes[here]
        whole = max(1, int(sizes.sum()))
        for i, code in enumerate(classes.codes):
            counted = np.bincount(code[here], sizes)
            counted = counted[counted > 0]
            extra += basis.weights[i] * float(counted @ (np.log2(whole) - np.log2(counted)))
        return self._whole(basis, classes.node) + extra


@dataclass(frozen=True)
class Precision(_Separable):
    """The mean over columns of level divided by height (Sweeney 2002); a suppressed record counts
    1."""

    name: str = "precision"

    def bound(self, basis: LossBasis, column: int, level: int) -> float | None:
        height = basis.level_maps[column].height
        return basis.weights[column] * (level / height if height else 0.0)

    def of(self, basis: LossBasis, classes: FrequencyTable, gone: BooleanArray) -> float:
        share = float(classes.sizes[gone].sum()) / max(1, basis.records)
        return (1 - share) * self._whole(basis, classes.node) + share


@dataclass(frozen=True)
class Discernibility:
    """The sum of squared class sizes; a suppressed record costs as much as all records.

    Source: Bayardo & Agrawal 2005. A record costs at least the size of its class, so the sum of all
    squares is a lower bound for every suppression, and merging classes only raises it.
    """

    name: str = "discernibility"

    def bound(self, basis: LossBasis, column: int, level: int) -> float | None:
        return None

    def floor(self, basis: LossBasis, classes: FrequencyTable, most_gone: int) -> float:
        return float(_sum_of_squares(classes.sizes))

    def of(self, basis: LossBasis, classes: FrequencyTable, gone: BooleanArray) -> float:
        return float(
            _sum_of_squares(classes.sizes[~gone]) + int(classes.sizes[gone].sum()) * basis.records
        )


@dataclass(frozen=True)
class AverageClassSize:
    """The number of records divided by the number of classes; the suppressed records are one class.

    This is C_avg of LeFevre, DeWitt & Ramakrishnan 2006, before dividing by k, counted as in ARX.
    Suppressing records never makes it smaller.
    """

    name: str = "average_class_size"

    def bound(self, basis: LossBasis, column: int, level: int) -> float | None:
        return None

    def floor(self, basis: LossBasis, classes: FrequencyTable, most_gone: int) -> float:
        """Return a lower bound: suppression and coarser levels never add a class."""
        return basis.records / max(1, int((classes.sizes > 0).sum()))

    def of(self, basis: LossBasis, classes: FrequencyTable, gone: BooleanArray) -> float:
        held = classes.sizes > 0
        groups = int((held & ~gone).sum()) + bool((held & gone).any())
        return basis.records / max(1, groups)


LOSSES: Mapping[str, Loss] = {
    loss.name: loss
    for loss in (
        Granularity(),
        NonUniformEntropy(),
        Precision(),
        Discernibility(),
        AverageClassSize(),
    )
}


def named_loss(name: str) -> Loss:
    """The loss with this name on the command line. Raises `RiskError` if there is none."""
    if name not in LOSSES:
        raise RiskError(
            "--loss names an unknown measure",
            code="unknown-loss",
            hint=f"use one of: {', '.join(LOSSES)}",
        )
    return LOSSES[name]


def _sum_of_squares(sizes: NDArray[np.int64]) -> int:
    """Return the exact sum of the squared sizes.

    The square of one size fits 63 bits, but the sum may not.
    """
    if len(sizes) and float(sizes.max()) * float(sizes.sum()) >= 2**62:
        return sum(int(size) ** 2 for size in sizes)
    return int(sizes @ sizes)
