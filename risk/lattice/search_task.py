"""The task of a search, and its result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from risk.errors import RiskError
from risk.hierarchies.level_maps import LevelMap
from risk.lattice.frequency_table import FrequencyTable, LatticeNode, roll_up
from risk.lattice.limits import PlanLimit, RequiredSuppression
from risk.lattice.losses import Loss, LossBasis


@dataclass(frozen=True, eq=False, repr=False)
class Optimum:
    """The best node found.

    `optimal` is True if every other node is ruled out; otherwise the loss exceeds the least loss by
    at most `gap`.
    """

    node: LatticeNode
    classes: FrequencyTable
    verdict: RequiredSuppression
    loss: float
    optimal: bool
    gap: float
    nodes: int
    checked: int


@dataclass(eq=False, repr=False)
class TableCache:
    """The frequency tables computed so far.

    `at` rolls up a node from the smallest finer table.
    """

    level_maps: Sequence[LevelMap]
    tables: list[FrequencyTable]
    room: int = field(init=False)

    def __post_init__(self) -> None:
        self.room = 3 * len(self.tables[0]) + 2**16

    def at(self, node: LatticeNode) -> FrequencyTable:
        fine = [t for t in self.tables if all(a <= b for a, b in zip(t.node, node, strict=True))]
        source = min(fine, key=len)
        if source.node == node:
            return source
        made = roll_up(source, node, self.level_maps)
        if len(made) < len(source) and len(made) <= self.room:
            self.room -= len(made)
            self.tables.append(made)
        return made


@dataclass(frozen=True, eq=False, repr=False)
class SearchTask:
    """The limits and the loss by which every node is checked; at most `most` records may be
    suppressed."""

    cells: FrequencyTable
    cache: TableCache
    basis: LossBasis
    limits: Sequence[PlanLimit]
    loss: Loss
    most: int
    give_up: Callable[[], bool]
    seconds_left: Callable[[], float]


def no_transformation(records: int) -> RiskError:
    """The error for limits that even the coarsest levels do not meet."""
    return RiskError(
        "no generalization meets the limits with at most the permitted suppression",
        code="no-transformation",
        exit_code=3,
        place=f"{records} records",
        hint="raise --max-suppression, add coarser levels, or lower the limit",
    )
