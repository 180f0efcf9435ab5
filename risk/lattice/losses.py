"""Losses of detail: what a transformed table no longer tells.

The separable ones (granularity, non-uniform entropy, precision) are sums over columns: without
suppression a node's loss follows from the marginal counts alone, and suppression only adds to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError
from risk.hierarchies.level_maps import Ladder
from risk.lattice.frequency_table import Cells, Node

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False, repr=False)
class Ground:
    """What losses are reckoned from: the ladders, how often each value of a column occurs, the
    number of records and the weight of each column (they sum to 1)."""

    ladders: tuple[Ladder, ...]
    marginals: tuple[NDArray[np.int64], ...]
    records: int
    weights: tuple[float, ...]

    @classmethod
    def of(
        cls, cells: Cells, ladders: Sequence[Ladder], weights: Mapping[str, float] | None = None
    ) -> Ground:
        given = {ladder.name: 1.0 for ladder in ladders} | dict(weights or {})
        chosen = [float(given[ladder.name]) for ladder in ladders]
        if len(given) > len(ladders) or min(chosen, default=1) < 0 or sum(chosen) <= 0:
            raise RiskError(
                "weights name other columns than the quasi-identifiers, or are not positive",
                code="bad-weight",
            )
        marginals = tuple(
            np.bincount(code, cells.sizes, minlength=len(ladder.labels[0])).astype(np.int64)
            for code, ladder in zip(cells.codes, ladders, strict=True)
        )
        whole = sum(chosen)
        return cls(
            tuple(ladders), marginals, int(cells.sizes.sum()), tuple(w / whole for w in chosen)
        )

    def counts(self, column: int, level: int) -> NDArray[np.int64]:
        """Records under each label of a level, before any suppression."""
        ladder = self.ladders[column]
        step = ladder.climb(0, level)
        counted = np.bincount(step, self.marginals[column], minlength=len(ladder.labels[level]))
        return counted.astype(np.int64)


class Loss(Protocol):
    """`bound(ground, column, level)` is the column's part of the loss at a level, of no suppressed
    record; None where the loss is not a sum over columns. `floor(ground, classes)` bounds the loss
    at this node and at every coarser one from below. `of` is the loss itself."""

    @property
    def name(self) -> str: ...

    def bound(self, ground: Ground, column: int, level: int) -> float | None: ...

    def floor(self, ground: Ground, classes: Cells, most_gone: int) -> float: ...

    def of(self, ground: Ground, classes: Cells, gone: Mask) -> float: ...


@dataclass(frozen=True)
class _Separable:
    def bound(self, ground: Ground, column: int, level: int) -> float | None:
        raise NotImplementedError

    def floor(self, ground: Ground, classes: Cells, most_gone: int) -> float:
        return self._whole(ground, classes.node)

    def _whole(self, ground: Ground, node: Node) -> float:
        return sum(self.bound(ground, i, level) or 0.0 for i, level in enumerate(node))


@dataclass(frozen=True)
class Granularity(_Separable):
    """The mean over columns of the share of the domain a cell is spread over, scaled so that a
    single value is 0 and all of the domain 1 (Iyengar 2002's LM); a suppressed record counts 1."""

    name: str = "granularity"

    def bound(self, ground: Ground, column: int, level: int) -> float | None:
        scaled = ground.ladders[column].scaled(level)
        spread = float(ground.counts(column, level) @ scaled) / max(1, ground.records)
        return ground.weights[column] * spread

    def of(self, ground: Ground, classes: Cells, gone: Mask) -> float:
        extra = 0.0
        here = np.flatnonzero(gone)
        sizes = classes.sizes[here]
        for i, (code, level) in enumerate(zip(classes.codes, classes.node, strict=True)):
            scaled = ground.ladders[i].scaled(level)
            full = 0.0 if ground.ladders[i].floor >= 1 else 1.0
            extra += ground.weights[i] * float(sizes @ (full - scaled[code[here]]))
        return self._whole(ground, classes.node) + extra / max(1, ground.records)


@dataclass(frozen=True)
class NonUniformEntropy(_Separable):
    """Bits lost, the mean over columns of the sum over records of -log2 Pr(value | label), the
    probability from the column's marginal over all records (De Waal & Willenborg 1999, as ARX
    reckons it); suppressed records add -log2 of their label's share among the suppressed."""

    name: str = "non_uniform_entropy"

    def bound(self, ground: Ground, column: int, level: int) -> float | None:
        fine = ground.marginals[column]
        coarse = ground.counts(column, level)[ground.ladders[column].climb(0, level)]
        held = fine > 0
        bits = float(fine[held] @ (np.log2(coarse[held]) - np.log2(fine[held])))
        return ground.weights[column] * bits

    def of(self, ground: Ground, classes: Cells, gone: Mask) -> float:
        extra = 0.0
        here = np.flatnonzero(gone)
        sizes = classes.sizes[here]
        whole = max(1, int(sizes.sum()))
        for i, code in enumerate(classes.codes):
            counted = np.bincount(code[here], sizes)
            counted = counted[counted > 0]
            extra += ground.weights[i] * float(counted @ (np.log2(whole) - np.log2(counted)))
        return self._whole(ground, classes.node) + extra


@dataclass(frozen=True)
class Precision(_Separable):
    """The mean over columns of level by height (Sweeney 2002); a suppressed record counts 1."""

    name: str = "precision"

    def bound(self, ground: Ground, column: int, level: int) -> float | None:
        height = ground.ladders[column].height
        return ground.weights[column] * (level / height if height else 0.0)

    def of(self, ground: Ground, classes: Cells, gone: Mask) -> float:
        share = float(classes.sizes[gone].sum()) / max(1, ground.records)
        return (1 - share) * self._whole(ground, classes.node) + share


@dataclass(frozen=True)
class Discernibility:
    """The sum of squared class sizes, a suppressed record counting all records (Bayardo &
    Agrawal 2005). A record costs at least the size of its class, so the sum of all squares bounds
    every suppression, and merging classes only raises it."""

    name: str = "discernibility"

    def bound(self, ground: Ground, column: int, level: int) -> float | None:
        return None

    def floor(self, ground: Ground, classes: Cells, most_gone: int) -> float:
        return float(_squares(classes.sizes))

    def of(self, ground: Ground, classes: Cells, gone: Mask) -> float:
        return float(
            _squares(classes.sizes[~gone]) + int(classes.sizes[gone].sum()) * ground.records
        )


@dataclass(frozen=True)
class AverageClassSize:
    """Released records by released classes (LeFevre 2006, before dividing by k); the number of
    records where none is released."""

    name: str = "average_class_size"

    def bound(self, ground: Ground, column: int, level: int) -> float | None:
        return None

    def floor(self, ground: Ground, classes: Cells, most_gone: int) -> float:
        """With g records suppressed at most, (n - g) records in no more classes than there are."""
        return (ground.records - most_gone) / max(1, int((classes.sizes > 0).sum()))

    def of(self, ground: Ground, classes: Cells, gone: Mask) -> float:
        kept = classes.sizes[~gone]
        kept = kept[kept > 0]
        return float(kept.sum()) / len(kept) if len(kept) else float(ground.records)


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
    """A loss by the name the command line gives it."""
    if name not in LOSSES:
        raise RiskError(
            "there is no such loss", code="unknown-loss", hint=f"known: {', '.join(LOSSES)}"
        )
    return LOSSES[name]


def _squares(sizes: NDArray[np.int64]) -> int:
    """Exact: a class of ten million squared is still far below 2^63, their sum may not be."""
    if len(sizes) and float(sizes.max()) * float(sizes.sum()) >= 2**62:
        return sum(int(size) ** 2 for size in sizes)
    return int(sizes @ sizes)
