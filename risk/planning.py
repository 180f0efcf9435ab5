"""A plan: how a table is to be told so that its risk stays within limits, at what loss.

`plan` finds the generalisation of least loss over hierarchies, `plan_locally` tells each record
only as coarsely as it must be, `plan_cells` blanks cells and generalises nothing. `Plan.table`
is what would leave; its classes are counted again from what is told, not from the search.

>>> from risk import ClassSize, PlanRequest, plan
>>> table = {"age": ["23", "27", "41", "44"], "sex": ["F", "F", "M", "M"]}
>>> found = plan(table, {}, PlanRequest((ClassSize(2),)))
>>> found.levels, found.optimal, found.summary()["smallest_class"]
({'age': 3, 'sex': 0}, True, 2)
>>> ages = found.table.column("age")
>>> list(ages.values[ages.codes])
['20-29', '20-29', '40-49', '40-49']
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from risk.cells import Cells, Node, bottom, pack_codes
from risk.classes import Classes
from risk.coding import CodedColumn, CodedTable, encode
from risk.errors import RiskError
from risk.frontier import Point, every_node
from risk.hierarchies.hierarchy import Hierarchy
from risk.hierarchies.register import build_hierarchy, guess_hierarchy
from risk.ladders import Ladder, lay_all
from risk.limits import ClassSize, Limit
from risk.losses import LOSSES, Ground, named_loss
from risk.mondrian import split_down
from risk.persons import of_persons
from risk.population.matching import tell_cells
from risk.population.table import Population
from risk.recoding import recode_locally, tell
from risk.search import LevelRange, find_optimum
from risk.suppression import BLANK, Reading, suppress_cells

Mask = NDArray[np.bool_]
Way = Literal["local", "mondrian"]
_TOLD = ("granularity", "non_uniform_entropy", "discernibility")


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


def plan(
    table: Any,
    hierarchies: Mapping[str, Hierarchy],
    request: PlanRequest,
    *,
    sensitive: CodedColumn | None = None,
    population: Population | None = None,
    population_columns: Mapping[str, str] | None = None,
    reference_year: int | None = None,
    person: CodedColumn | None = None,
    give_up: Callable[[], bool] = lambda: False,
) -> Plan:
    """The full-domain generalisation of least loss that meets the limits, proven so unless
    `give_up` cut the search short. `table` is anything `encode` takes; a column without a hierarchy
    gets the built-in one its values speak for. With `person` the unit is the person: all rows of a
    person are one history, and classes count persons.

    Raises:
        RiskError: a hierarchy that lacks values, a lattice too large, no generalisation that does.

    >>> from risk import ClassSize
    >>> table = {"age": [31, 34, 38, 61, 62, 67], "sex": list("MMMFFF")}
    >>> made = plan(table, {}, PlanRequest(limits=(ClassSize(3),)))
    >>> made.optimal, made.levels, made.summary()["smallest_class"]
    (True, {'age': 3, 'sex': 0}, 3)
    """
    table, hierarchies = _given(table, hierarchies)
    people = None
    if population is not None:
        table = _over_leaves(table, hierarchies)
        _no_persons_there(person)
        people = tell_cells(
            Classes.of(table), population, population_columns, reference_year=reference_year
        )
        _same_columns(table, people[0])
    rows, row_ladders = table, lay_all(hierarchies, table)
    table, ladders, unit = of_persons(rows, row_ladders, person)
    cells = bottom(
        table,
        ladders,
        population=None if people is None else people[0],
        people=None if people is None else people[1],
        secret=None if sensitive is None else sensitive.codes,
    )
    ground = Ground.of(cells, ladders, request.weights)
    found = find_optimum(
        cells,
        ground,
        request.limits,
        named_loss(request.loss),
        max_suppression=request.max_suppression,
        ranges=request.ranges,
        give_up=give_up,
    )
    gone = _gone_rows(table, ladders, found.node, found.classes, found.verdict.gone)
    units, _ = tell(table, ladders, [found.node], np.where(gone, -1, 0))
    told, kept = units, ~gone
    if unit is not None:
        told, kept = tell(rows, row_ladders, [found.node], np.where(gone[unit], -1, 0))
    losses = {n: LOSSES[n].of(ground, found.classes, found.verdict.gone) for n in _TOLD}
    return Plan(
        method="full-domain",
        request=request,
        records=rows.rows,
        table=told,
        kept=kept,
        units=units,
        levels=dict(zip(table.names, found.node, strict=True)),
        losses=losses,
        loss=found.loss,
        optimal=found.optimal,
        gap=found.gap,
        nodes=found.nodes,
        checked=found.checked,
        hierarchies=hierarchies,
        details={
            "unit": "record" if unit is None else "person",
            "units": table.rows,
            "suppressed_units": found.verdict.records,
            "suppressed_classes": int((found.verdict.gone & (found.classes.sizes > 0)).sum()),
        },
    )


def plan_locally(
    table: Any, hierarchies: Mapping[str, Hierarchy], request: PlanRequest, *, way: Way = "local"
) -> Plan:
    """Local recoding for k: every record told at the node of least loss that gives it company, or,
    by the way `mondrian`, by splitting classes from the coarsest down."""
    k = _only_k(request)
    table, hierarchies = _given(table, hierarchies)
    ladders = lay_all(hierarchies, table)
    classes = Classes.of(table)
    cells = bottom(table, ladders)
    ground = Ground.of(cells, ladders, request.weights)
    recode = split_down if way == "mondrian" else recode_locally
    local = recode(cells, ground, k)
    of_row = local.of_rows(_cells_of_rows(classes, cells, ladders))
    told, kept = tell(table, ladders, local.nodes, of_row)
    grain = local.granularity(ground)
    sizes = Classes.of(told).sizes
    left = table.rows - told.rows
    losses = {"granularity": grain, "discernibility": float(sizes @ sizes + left * table.rows)}
    return Plan(
        method=way,
        request=request,
        records=table.rows,
        table=told,
        kept=kept,
        units=told,
        levels={},
        losses=losses,
        loss=grain,
        optimal=False,
        gap=grain,
        nodes=int(np.prod([ladder.height + 1 for ladder in ladders])),
        checked=len(local.nodes),
        hierarchies=hierarchies,
        details=_local_details(table.names, ladders, local.nodes, of_row),
    )


def plan_cells(table: Any, request: PlanRequest, *, reading: Reading = "strict") -> Plan:
    """Blank the fewest cells for k; nothing is generalised."""
    table = encode(table)
    blanks = suppress_cells(table, _only_k(request), reading=reading)
    told, kept = blanks.apply()
    width = max(1, len(table.columns))
    lost = (blanks.cells + width * blanks.records_left_out) / max(1, width * table.rows)
    sizes = Classes.of(told).sizes
    squares = float(sizes @ sizes + blanks.records_left_out * table.rows)
    details: dict[str, Any] = {
        "reading": reading,
        "cells": blanks.cells,
        "cells_by_column": blanks.by_column(),
        "records_touched": blanks.records_touched,
        "reason": f"class smaller than {_only_k(request)}",
    }
    if reading == "wildcard":
        details["warning"] = (
            "a blank is read as matching anything; counted strictly the smallest class is "
            f"{int(sizes.min()) if len(sizes) else 0}"
        )
    return Plan(
        method="cells",
        request=request,
        records=table.rows,
        table=told,
        kept=kept,
        units=told,
        levels={},
        losses={"granularity": lost, "discernibility": squares},
        loss=lost,
        optimal=False,
        gap=lost,
        nodes=0,
        checked=0,
        hierarchies={},
        details=details,
    )


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


def _given(
    table: Any, hierarchies: Mapping[str, Hierarchy]
) -> tuple[CodedTable, dict[str, Hierarchy]]:
    """The table encoded, and a hierarchy for every column of it."""
    coded = encode(table)
    found = {
        column.name: hierarchies.get(column.name)
        or build_hierarchy(guess_hierarchy(column), column)[0]
        for column in coded.columns
    }
    return coded, found


def _only_k(request: PlanRequest) -> int:
    if len(request.limits) != 1 or not isinstance(request.limits[0], ClassSize):
        raise RiskError(
            "this method knows one limit, k",
            code="bad-limit",
            hint="use the full-domain method for averages, shares, diversity or a population",
        )
    return request.limits[0].k


def _over_leaves(table: CodedTable, hierarchies: Mapping[str, Hierarchy]) -> CodedTable:
    """The same rows over all values of the hierarchies, so that people of the population whose
    value nobody in the table has are counted with those they are told alike."""
    columns = []
    for column in table.columns:
        held = set(column.values)
        more = [leaf for leaf in hierarchies[column.name].leaves if leaf not in held]
        values = np.empty(len(column.values) + len(more), object)
        values[: len(column.values)] = column.values
        values[len(column.values) :] = more
        columns.append(CodedColumn(column.name, column.codes, values))
    return CodedTable(tuple(columns), table.rows)


def _no_persons_there(person: CodedColumn | None) -> None:
    if person is not None:
        raise RiskError(
            "a population counts people once, so it cannot be met by histories of several rows",
            code="persons-and-population",
            hint="make a table of one row a person first",
        )


def _same_columns(mine: CodedTable, theirs: CodedTable) -> None:
    if mine.names != theirs.names:
        lacking = [name for name in mine.names if name not in theirs.names]
        raise RiskError(
            f"the population does not know {', '.join(map(repr, lacking))}",
            code="no-shared-column",
            hint="name them with --population-columns mine=theirs, or leave them out of --quasi",
        )


def _gone_rows(
    table: CodedTable, ladders: Sequence[Ladder], node: Node, classes: Cells, gone: Mask
) -> Mask:
    """Which rows belong to a class that goes."""
    if not (gone & (classes.sizes > 0)).any():
        return np.zeros(table.rows, bool)
    spaces = [len(ladder.labels[level]) for ladder, level in zip(ladders, node, strict=True)]
    codes = []
    for column, ladder, level, known in zip(
        table.columns, ladders, node, classes.codes, strict=True
    ):
        codes.append(np.concatenate([known, ladder.steps[level].astype(known.dtype)[column.codes]]))
    key, space = pack_codes(codes, spaces, len(classes) + table.rows)
    lost, rows = key[: len(classes)][gone], key[len(classes) :]
    if space <= 4 * max(len(key), 2**12):
        marked = np.zeros(space, bool)
        marked[lost] = True
        found: Mask = marked[rows]
        return found
    lost.sort()
    place = np.minimum(np.searchsorted(lost, rows), len(lost) - 1)
    return np.asarray(lost[place] == rows)


def _cells_of_rows(classes: Classes, cells: Cells, ladders: Sequence[Ladder]) -> NDArray[np.int64]:
    """The cell of each row; classes whose values are told alike at level 0 share one."""
    spaces = [len(ladder.labels[0]) for ladder in ladders]
    codes = []
    for column, ladder, known in zip(classes.distinct.columns, ladders, cells.codes, strict=True):
        codes.append(np.concatenate([known, ladder.steps[0].astype(known.dtype)[column.codes]]))
    key, _ = pack_codes(codes, spaces, len(cells) + len(classes))
    mine, theirs = key[: len(cells)], key[len(cells) :]
    order = np.argsort(mine)
    of_class = order[np.searchsorted(mine[order], theirs)].astype(np.int64)
    found: NDArray[np.int64] = of_class[classes.ids]
    return found


def _local_details(
    names: Sequence[str], ladders: Sequence[Ladder], nodes: Sequence[Node], of_row: NDArray[Any]
) -> dict[str, Any]:
    counts = np.bincount(of_row[of_row >= 0], minlength=len(nodes)).astype(int)
    by_column = {
        name: {
            str(level): int(sum(c for c, n in zip(counts, nodes, strict=True) if n[i] == level))
            for level in range(ladder.height + 1)
        }
        for i, (name, ladder) in enumerate(zip(names, ladders, strict=True))
    }
    told = [
        {"levels": dict(zip(names, map(int, node), strict=True)), "records": int(count)}
        for node, count in zip(nodes, counts, strict=True)
    ]
    return {"records_by_level": by_column, "nodes": told}


def frontier_of(
    table: CodedTable,
    hierarchies: Mapping[str, Hierarchy],
    *,
    loss: str = "granularity",
    sizes: Sequence[int] = (5, 3, 11),
    weights: Mapping[str, float] | None = None,
) -> tuple[Point, ...]:
    """Every node of the lattice with its loss and the records in classes below each size."""
    ladders = lay_all(hierarchies, table)
    cells = bottom(table, ladders)
    return every_node(cells, Ground.of(cells, ladders, weights), loss=loss, sizes=sizes)
