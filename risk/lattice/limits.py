"""Risk limits: the classes to suppress at a node, and a lower bound of the records to suppress.

Each limit names the classes that break it. `least` is a lower bound of the number of records that
must be suppressed at this node. This bound never grows when the node is made coarser, so the search
can use it to prune.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError
from risk.lattice.frequency_table import FrequencyTable
from risk.tables.coding import BooleanArray


class PlanLimit(Protocol):
    """A risk limit: `broken(cells, gone)` adds the classes that it suppresses to `gone`."""

    def broken(self, cells: FrequencyTable, gone: BooleanArray) -> BooleanArray: ...

    def least(self, cells: FrequencyTable) -> int: ...

    def describe(self) -> dict[str, Any]: ...


@dataclass(frozen=True)
class ClassSize:
    """k-anonymity (maximum prosecutor risk 1/k): no class smaller than k."""

    k: int

    def __post_init__(self) -> None:
        if self.k < 1:
            raise RiskError("k must be at least 1", code="bad-limit", place="--k")

    def broken(self, cells: FrequencyTable, gone: BooleanArray) -> BooleanArray:
        return gone | (cells.classes.sizes < self.k)

    def least(self, cells: FrequencyTable) -> int:
        sizes = cells.classes.sizes
        return int(sizes[sizes < self.k].sum())

    def describe(self) -> dict[str, Any]:
        return {"k": self.k}


@dataclass(frozen=True)
class KMap:
    """k-map: every released class matches at least k people of the population."""

    k: int

    def __post_init__(self) -> None:
        if self.k < 1:
            raise RiskError("k must be at least 1", code="bad-limit", place="--k-map")

    def broken(self, cells: FrequencyTable, gone: BooleanArray) -> BooleanArray:
        return gone | (people_of(cells.classes) < self.k)

    def least(self, cells: FrequencyTable) -> int:
        held = cells.classes
        return int(held.sizes[people_of(held) < self.k].sum())

    def describe(self) -> dict[str, Any]:
        return {"k_map": self.k}


@dataclass(frozen=True)
class Diversity:
    """Distinct, entropy or recursive (c, l)-diversity of a sensitive value (Machanavajjhala 2007).

    All three are monotone: merging diverse classes gives a diverse class. A class that is not
    diverse may contain a finer class that is, unless it has too few values.
    """

    l: float  # noqa: E741
    kind: str = "distinct"
    c: float = 3.0

    def __post_init__(self) -> None:
        if not self.l >= 1:
            raise RiskError("l must be at least 1", code="bad-limit")

    def broken(self, cells: FrequencyTable, gone: BooleanArray) -> BooleanArray:
        return gone | self._poor(cells)

    def least(self, cells: FrequencyTable) -> int:
        """Return all records of the classes with too few values, and one record of each other
        broken class.

        Only one record counts there, because all but one of the finer classes in it may be diverse.
        """
        poor = self._poor(cells)
        few = self._values(cells) < self.l
        return int(cells.classes.sizes[poor & few].sum() + (poor & ~few).sum())

    def describe(self) -> dict[str, Any]:
        extra = {"c": self.c} if self.kind == "recursive" else {}
        return {"l_diversity": self.l, "kind": self.kind, **extra}

    def _values(self, cells: FrequencyTable) -> NDArray[np.int64]:
        """The number of different sensitive values in each class."""
        if cells.owner is None:
            raise RiskError(
                "l-diversity needs a sensitive column",
                code="no-sensitive-column",
                hint="name one with --sensitive",
            )
        return np.bincount(cells.owner[cells.sizes > 0], minlength=len(cells.classes))

    def _poor(self, cells: FrequencyTable) -> BooleanArray:
        values = self._values(cells)
        if self.kind == "distinct":
            return values < self.l
        owner, count = cells.owner, len(cells.classes)
        assert owner is not None
        present = cells.sizes > 0
        sizes = cells.classes.sizes.astype(float)
        if self.kind == "entropy":
            share = cells.sizes[present] / sizes[owner[present]]
            lost = np.bincount(owner[present], -share * np.log2(share), minlength=count)
            poor: BooleanArray = lost < np.log2(self.l) - 1e-12
            return poor
        return self._recursive(cells, owner, count)

    def _recursive(
        self, cells: FrequencyTable, owner: NDArray[np.int64], count: int
    ) -> BooleanArray:
        order = np.lexsort((-cells.sizes, owner))
        start = np.flatnonzero(np.diff(owner, prepend=-1))
        rank = np.arange(len(owner)) - start[owner]
        largest = cells.sizes[order][start]
        rest = np.bincount(owner, cells.sizes[order] * (rank >= self.l - 1), minlength=count)
        poor: BooleanArray = ~(largest < self.c * rest)
        return poor


@dataclass(frozen=True)
class AverageRisk:
    """The average prosecutor risk, classes divided by records, is at most `at_most`.

    `strict` also requires a maximum risk of one third (El Emam, strict average): classes of at
    least three records. The smallest classes are suppressed first. For any number of suppressed
    classes, this costs the fewest records and leaves the lowest average.
    """

    at_most: float
    strict: bool = False

    def __post_init__(self) -> None:
        check_share(self.at_most)

    def broken(self, cells: FrequencyTable, gone: BooleanArray) -> BooleanArray:
        held = cells.classes
        gone = gone | (held.sizes < 3) if self.strict else gone.copy()
        order, number = self._order(held.sizes, gone)
        gone[order[:number]] = True
        return gone

    def least(self, cells: FrequencyTable) -> int:
        gone = self.broken(cells, cells.classes.sizes == 0)
        return int(cells.classes.sizes[gone].sum())

    def describe(self) -> dict[str, Any]:
        return {"average": self.at_most, "strict": self.strict}

    def _order(self, sizes: NDArray[np.int64], gone: BooleanArray) -> tuple[NDArray[np.intp], int]:
        left = np.flatnonzero(~gone & (sizes > 0))
        order = left[np.argsort(sizes[left], kind="stable")]
        ordered = sizes[order]
        records = ordered.sum() - np.concatenate(([0], np.cumsum(ordered)[:-1]))
        classes = len(order) - np.arange(len(order))
        fits = classes <= self.at_most * records * (1 + 1e-12)
        return order, int(np.argmax(fits)) if fits.any() else len(order)


@dataclass(frozen=True)
class ShareAtRisk:
    """At most a share `at_most` of the released records is in classes smaller than `k`.

    The smallest classes are suppressed first. If a of n records are at risk, r of them must be
    suppressed so that (a - r) / (n - r) <= at_most, whichever classes they are in.
    """

    k: int
    at_most: float

    def __post_init__(self) -> None:
        check_share(self.at_most)

    def broken(self, cells: FrequencyTable, gone: BooleanArray) -> BooleanArray:
        sizes = cells.classes.sizes
        gone = gone.copy()
        needed = self._needed(sizes, gone)
        risky = np.flatnonzero(~gone & (sizes < self.k) & (sizes > 0))
        order = risky[np.argsort(sizes[risky], kind="stable")]
        before = np.cumsum(sizes[order]) - sizes[order]
        gone[order[before < needed]] = True
        return gone

    def least(self, cells: FrequencyTable) -> int:
        sizes = cells.classes.sizes
        return self._needed(sizes, np.zeros(len(sizes), bool))

    def describe(self) -> dict[str, Any]:
        return {"at_risk": self.at_most, "cell_size": self.k}

    def _needed(self, sizes: NDArray[np.int64], gone: BooleanArray) -> int:
        left = sizes[~gone]
        risky, whole = int(left[left < self.k].sum()), int(left.sum())
        if self.at_most >= 1:
            return 0
        return max(0, ceil((risky - self.at_most * whole) / (1 - self.at_most) - 1e-9))


@dataclass(frozen=True)
class PopulationRisk:
    """The total risk, a sum over records, is at most `at_most` (Malin, Benitez & Masys 2011).

    Without `group` it is the sum of 1/g^scaling; with `group`, only records with g <= group count
    (graduated), and scaling 0 counts them (non-graduated). A record that matches no person counts
    1. The riskiest classes are suppressed first.
    """

    at_most: float
    scaling: float = 1.0
    group: int | None = None

    def broken(self, cells: FrequencyTable, gone: BooleanArray) -> BooleanArray:
        held, gone = cells.classes, gone.copy()
        risk = self.of_class(held)
        left = np.flatnonzero(~gone & (risk > 0) & (held.sizes > 0))
        order = left[np.argsort(-risk[left], kind="stable")]
        falls = np.cumsum(risk[order] * held.sizes[order])
        whole = float(falls[-1]) if len(falls) else 0.0
        before = np.concatenate(([0.0], falls[:-1])) if len(falls) else falls
        gone[order[whole - before > self.at_most + 1e-9]] = True
        return gone

    def least(self, cells: FrequencyTable) -> int:
        """Return the smallest number of records that must be suppressed to bring the sum within the
        limit.

        This would suffice if single records, and not only whole classes, could be suppressed.
        """
        held = cells.classes
        risk = self.of_class(held)
        over = float(risk @ held.sizes) - self.at_most - 1e-9
        if over <= 0:
            return 0
        order = np.argsort(-risk, kind="stable")
        falls = np.cumsum(risk[order] * held.sizes[order])
        last = min(int(np.searchsorted(falls, over)), len(order) - 1)
        before = float(falls[last - 1]) if last else 0.0
        records = int(held.sizes[order[:last]].sum())
        return records + ceil((over - before) / max(float(risk[order[last]]), 1e-300) - 1e-9)

    def of_class(self, cells: FrequencyTable) -> NDArray[np.float64]:
        """The risk of one record of each class."""
        people = np.maximum(people_of(cells), 1.0)
        risk: NDArray[np.float64] = 1.0 / people**self.scaling
        return risk if self.group is None else np.where(people <= self.group, risk, 0.0)

    def describe(self) -> dict[str, Any]:
        return {"population_risk": self.at_most, "scaling": self.scaling, "group": self.group}


@dataclass(frozen=True)
class RequiredSuppression:
    """The classes to suppress, and the number of their records.

    `least` is the fewest records that any suppression must remove.
    """

    gone: BooleanArray
    records: int
    least: int


def required_suppression(cells: FrequencyTable, limits: Sequence[PlanLimit]) -> RequiredSuppression:
    """Apply every limit in turn until none adds another class."""
    sizes = cells.classes.sizes
    gone: BooleanArray = sizes == 0
    least = max((limit.least(cells) for limit in limits), default=0)
    while True:
        before = int(gone.sum())
        for limit in limits:
            gone = limit.broken(cells, gone)
        if int(gone.sum()) == before or len(limits) == 1:
            return RequiredSuppression(gone, int(sizes[gone].sum()), least)


def allowed_suppression(records: int, max_suppression: float) -> int:
    """Return how many records may be suppressed: a share of all records, rounded down."""
    if not 0 <= max_suppression <= 1:
        raise RiskError(
            "the largest suppressed share must be between 0 and 1",
            code="bad-limit",
            place="--max-suppression",
        )
    return floor(records * max_suppression + 1e-9)


def check_share(at_most: float) -> None:
    if not 0 <= at_most <= 1:
        raise RiskError(
            "a limit on an average or a share must be between 0 and 1", code="bad-limit"
        )


def people_of(cells: FrequencyTable) -> NDArray[np.float64]:
    if cells.people is None:
        raise RiskError(
            "a limit of the plan needs --population, which is not given",
            code="no-population",
            hint="`deid population list` shows the names",
        )
    return cells.people
