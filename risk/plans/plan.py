"""A plan and the request that led to it: levels, losses, released rows and suppressed rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from risk.hierarchies.hierarchy import Hierarchy
from risk.lattice.limits import PlanLimit
from risk.lattice.search import LevelRange
from risk.recoding.suppression import SUPPRESSED
from risk.tables.classes import Classes
from risk.tables.coding import BooleanArray, CodedTable


@dataclass(frozen=True)
class PlanRequest:
    """The requirements of a plan.

    `weights` and `ranges` are keyed by column; `max_suppression` is the largest share of records
    that may be suppressed.
    """

    limits: tuple[PlanLimit, ...]
    loss: str = "granularity"
    max_suppression: float = 0.0
    weights: Mapping[str, float] = field(default_factory=dict)
    ranges: Mapping[str, LevelRange] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, repr=False)
class Plan:
    """The plan found.

    `table` holds the released quasi-identifiers of the rows `kept`; `units` holds those of the
    units that are counted, rows or persons. `levels` is empty if records differ in level (local
    recoding, cell suppression); `details` then lists what was done in each column. `losses` is
    keyed by name; `loss` is the value of the requested loss.
    """

    method: str
    request: PlanRequest
    records: int
    table: CodedTable
    kept: BooleanArray
    units: CodedTable
    levels: Mapping[str, int]
    losses: Mapping[str, float]
    loss: float
    optimal: bool
    gap: float
    nodes: int
    checked: int
    hierarchies: Mapping[str, Hierarchy]
    details: Mapping[str, Any]

    @property
    def suppressed_records(self) -> int:
        return int(self.records - np.count_nonzero(self.kept))

    def summary(self) -> dict[str, Any]:
        """The plan as the command line prints it, without any value of the data."""
        classes = Classes.of(self.units)
        return {
            "method": self.method,
            "quasi_identifiers": list(self.table.names),
            "records": self.records,
            "levels": dict(self.levels),
            "suppressed_records": self.suppressed_records,
            "classes": len(classes),
            "smallest_class": int(classes.sizes.min()) if len(classes) else 0,
            "loss": {name: self.losses[name] for name in self.losses},
            "minimised": {"loss": self.request.loss, "value": self.loss, "gap": self.gap},
            "optimal": self.optimal,
            "nodes": {"total": self.nodes, "checked": self.checked},
            "limits": [limit.describe() for limit in self.request.limits],
            "max_suppression": self.request.max_suppression,
            "hierarchies": {name: h.source for name, h in self.hierarchies.items()},
            "details": dict(self.details),
        }

    def __repr__(self) -> str:
        return f"Plan({self.method}, {self.records} records, optimal={self.optimal})"


def changed_cells(table: CodedTable, plan: Plan) -> Iterator[tuple[int, str | None, str]]:
    """Yield every change that the plan makes to this table, without any value.

    A change is the row (from 1), the column (None for the whole record) and the action (`left out`,
    `suppressed` or `generalised`).
    """
    for row in np.flatnonzero(~plan.kept).tolist():
        yield row + 1, None, "left out"
    here = np.flatnonzero(plan.kept)
    for mine, released in zip(table.columns, plan.table.columns, strict=True):
        known = {_text_or_none(value): code for code, value in enumerate(released.values)}
        same = np.array([known.get(_text_or_none(value), -1) for value in mine.values] or [-1])
        blank = np.array([value == SUPPRESSED for value in released.values] or [False])
        changed = np.flatnonzero(same[mine.codes[here]] != released.codes)
        for row, lost in zip(
            here[changed].tolist(), blank[released.codes[changed]].tolist(), strict=True
        ):
            yield row + 1, mine.name, "suppressed" if lost else "generalised"


def _text_or_none(value: object) -> str | None:
    return None if value is None else str(value)
