"""A plan: how a table is to be told so that its risk stays within limits, at what loss.

`plan` finds the generalisation of least loss over hierarchies. `Plan.table` is what would leave;
its classes are counted again from what is told, not from the search.

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

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError
from risk.hierarchies.hierarchy import Hierarchy
from risk.hierarchies.level_maps import Ladder, lay_all
from risk.hierarchies.register import with_hierarchies
from risk.lattice.frequency_table import Cells, Node, bottom, pack_codes
from risk.lattice.frontier import Point, every_node
from risk.lattice.losses import LOSSES, Ground, named_loss
from risk.lattice.search import Optimum, find_optimum
from risk.plans.person_histories import of_persons
from risk.plans.plan import Plan, PlanRequest
from risk.population.matching import tell_cells
from risk.population.table import Population
from risk.recoding.generalization import Mask, tell
from risk.tables.classes import Classes
from risk.tables.coding import CodedColumn, CodedTable
from risk.tables.longitudinal import each_alone

_TOLD = ("granularity", "non_uniform_entropy", "discernibility")


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

    >>> from risk.limits import ClassSize
    >>> people = {"sex": list("MMFF"), "zip": ["02138", "02139", "02138", "02139"]}
    >>> found = plan(people, {}, PlanRequest((ClassSize(2),)))
    >>> found.levels, found.suppressed_records, found.optimal
    ({'sex': 0, 'zip': 1}, 0, True)

    Raises:
        RiskError: a hierarchy that lacks values, limits that cannot be weighed together, no
            generalisation that meets them.
    """
    table, hierarchies = with_hierarchies(table, hierarchies)
    _refuse_together(population, person, sensitive)
    peopled, people = None, None
    if population is not None:
        table = _over_leaves(table, hierarchies)
        peopled, people = tell_cells(
            Classes.of(table), population, population_columns, reference_year=reference_year
        )
        _same_columns(table, peopled)
    laid = _laid(table, hierarchies, person)
    cells = bottom(
        laid.units,
        laid.ladders,
        population=peopled,
        people=people,
        secret=None if sensitive is None else sensitive.codes,
    )
    ground = Ground.of(cells, laid.ladders, request.weights)
    found = find_optimum(
        cells,
        ground,
        request.limits,
        named_loss(request.loss),
        max_suppression=request.max_suppression,
        ranges=request.ranges,
        give_up=give_up,
    )
    return _carried_out(found, ground, laid, hierarchies, request)


@dataclass(frozen=True, eq=False, repr=False)
class _Laid:
    """Rows, and the units that are counted, each over ladders. `unit` is the unit of each row, None
    where the rows are the units."""

    rows: CodedTable
    row_ladders: tuple[Ladder, ...]
    units: CodedTable
    ladders: tuple[Ladder, ...]
    unit: NDArray[np.int64] | None


def _laid(
    table: CodedTable, hierarchies: Mapping[str, Hierarchy], person: CodedColumn | None
) -> _Laid:
    ladders = lay_all(hierarchies, table)
    someone = None if person is None else each_alone(person)
    return _Laid(table, ladders, *of_persons(table, ladders, someone))


def _carried_out(
    found: Optimum,
    ground: Ground,
    laid: _Laid,
    hierarchies: Mapping[str, Hierarchy],
    request: PlanRequest,
) -> Plan:
    """The optimum as a plan: what is told of the rows and of the units, and which of them go."""
    lost = found.verdict.gone
    gone = _gone_rows(laid.units, laid.ladders, found.node, found.classes, lost)
    units, _ = tell(laid.units, laid.ladders, [found.node], np.where(gone, -1, 0))
    told, kept = units, ~gone
    if laid.unit is not None:
        of_row = np.where(gone[laid.unit], -1, 0)
        told, kept = tell(laid.rows, laid.row_ladders, [found.node], of_row)
    return Plan(
        method="full-domain",
        request=request,
        records=laid.rows.rows,
        table=told,
        kept=kept,
        units=units,
        levels=dict(zip(laid.units.names, found.node, strict=True)),
        losses={n: LOSSES[n].of(ground, found.classes, lost) for n in _TOLD},
        loss=found.loss,
        optimal=found.optimal,
        gap=found.gap,
        nodes=found.nodes,
        checked=found.checked,
        hierarchies=hierarchies,
        details={
            "unit": "record" if laid.unit is None else "person",
            "units": laid.units.rows,
            "suppressed_units": found.verdict.records,
            "suppressed_classes": int((lost & (found.classes.sizes > 0)).sum()),
        },
    )


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


def _refuse_together(
    population: Population | None, person: CodedColumn | None, sensitive: CodedColumn | None
) -> None:
    """Of a population, persons and a sensitive column one can be weighed at a time."""
    if population is not None and person is not None:
        raise RiskError(
            "a population counts people once, so it cannot be met by histories of several rows",
            code="persons-and-population",
            hint="make a table of one row a person first",
        )
    if sensitive is not None and (population is not None or person is not None):
        raise RiskError(
            "diversity is counted over the records of a class, not over people or histories",
            code="sensitive-and-people",
            hint="plan without the sensitive column, then ask `deid risk --sensitive` of it",
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
