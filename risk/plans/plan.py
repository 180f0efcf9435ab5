"""A plan as it was asked for and found: levels, losses, what is told and what is left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.hierarchies.hierarchy import Hierarchy
from risk.lattice.limits import Limit
from risk.lattice.search import LevelRange
from risk.recoding.suppression import BLANK
from risk.tables.classes import Classes
from risk.tables.coding import CodedTable

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class PlanRequest:
    """What is asked for. `weights` and `ranges` are by column; `max_suppression` is the largest
    share of records that may be left out."""

    limits: tuple[Limit, ...]
    loss: str = "granularity"
    max_suppression: float = 0.0
    weights: Mapping[str, float] = field(default_factory=dict)
    ranges: Mapping[str, LevelRange] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, repr=False)
class Plan:
    """The way found. `table` are the released quasi-identifiers of the rows `kept`; `units` the
    same by what is counted, rows or persons.

    `levels` is empty where records differ in level (local recoding, cells); `details` then lists
    what was done in each column. `losses` by name; `loss` is the value of the one asked for.
    """

    method: str
    request: PlanRequest
    records: int
    table: CodedTable
    kept: Mask
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
        """The plan as the command line prints it: no value of the data in it."""
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
    """Every change of the plan for this table: row (from 1), column (None for the whole record) and
    what was done to it: `left out`, `suppressed` or `generalised`. No value in it."""
    for row in np.flatnonzero(~plan.kept).tolist():
        yield row + 1, None, "left out"
    here = np.flatnonzero(plan.kept)
    for mine, told in zip(table.columns, plan.table.columns, strict=True):
        known = {_text(value): code for code, value in enumerate(told.values)}
        same = np.array([known.get(_text(value), -1) for value in mine.values] or [-1])
        blank = np.array([value == BLANK for value in told.values] or [False])
        changed = np.flatnonzero(same[mine.codes[here]] != told.codes)
        for row, lost in zip(
            here[changed].tolist(), blank[told.codes[changed]].tolist(), strict=True
        ):
            yield row + 1, mine.name, "suppressed" if lost else "generalised"


def _text(value: object) -> str | None:
    return None if value is None else str(value)
