"""Full-domain plans: generalize every value of a column to one level, at the least loss.

`plan` finds the generalization. `Plan.table` is what would be released; its classes are counted
again from the released labels, not taken from the search.

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
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError
from risk.hierarchies.hierarchy import Hierarchy
from risk.hierarchies.level_maps import LevelMap, map_table_levels
from risk.hierarchies.register import with_hierarchies
from risk.lattice.closeness import Closeness
from risk.lattice.frequency_table import FrequencyTable, LatticeNode, leaf_table, pack_codes
from risk.lattice.frontier import FrontierPoint, evaluate_nodes
from risk.lattice.limits import PlanLimit
from risk.lattice.losses import LOSSES, LossBasis, named_loss
from risk.lattice.search import find_optimum
from risk.lattice.search_task import Optimum
from risk.plans.person_histories import as_histories
from risk.plans.plan import Plan, PlanRequest
from risk.population.matching import recode_population
from risk.population.table import Population
from risk.recoding.generalization import generalize
from risk.tables.classes import Classes
from risk.tables.coding import BooleanArray, CodedColumn, CodedTable
from risk.tables.longitudinal import separate_unnamed
from risk.tables.value_distances import number_ranks

_REPORTED_LOSSES = ("granularity", "non_uniform_entropy", "discernibility")


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
    seconds_left: Callable[[], float] = lambda: inf,
) -> Plan:
    """The full-domain generalization of least loss that meets the limits.

    It is proven optimal unless `give_up` ended the search early.

    `table` is anything that `encode` accepts. A column without a hierarchy gets the built-in one
    that fits its values. With `person`, the unit is the person: all rows of a person form one
    history, and classes count persons.

    >>> from risk.lattice.limits import ClassSize
    >>> people = {"sex": list("MMFF"), "zip": ["02138", "02139", "02138", "02139"]}
    >>> found = plan(people, {}, PlanRequest((ClassSize(2),)))
    >>> found.levels, found.suppressed_records, found.optimal
    ({'sex': 0, 'zip': 1}, 0, True)

    Raises:
        RiskError: a hierarchy that lacks values, limits that cannot be combined, or no
            generalization that meets them.
    """
    table, hierarchies = with_hierarchies(table, hierarchies)
    _refuse_together(population, person, sensitive)
    peopled, people = None, None
    if population is not None:
        table = _over_leaves(table, hierarchies)
        peopled, people = recode_population(
            Classes.of(table), population, population_columns, reference_year=reference_year
        )
        _same_columns(table, peopled)
    laid = _prepare(table, hierarchies, person)
    cells = leaf_table(
        laid.units,
        laid.level_maps,
        population=peopled,
        people=people,
        secret=None if sensitive is None else _secret_codes(sensitive, request.limits),
    )
    basis = LossBasis.of(cells, laid.level_maps, request.weights)
    found = find_optimum(
        cells,
        basis,
        request.limits,
        named_loss(request.loss),
        max_suppression=request.max_suppression,
        ranges=request.ranges,
        give_up=give_up,
        seconds_left=seconds_left,
    )
    return _plan_from(found, basis, laid, hierarchies, request)


def _secret_codes(sensitive: CodedColumn, limits: Sequence[PlanLimit]) -> NDArray[Any]:
    """Return the codes of the sensitive value.

    If a limit measures ordered distances, these are the ranks of its numbers.
    """
    if not any(isinstance(limit, Closeness) and limit.ordered for limit in limits):
        return sensitive.codes
    ranks = number_ranks(sensitive)
    if ranks is None:
        raise RiskError(
            "--distance ordered needs numbers, but --sensitive has missing or other values",
            code="not-numbers",
            hint="use --distance equal",
        )
    return ranks.astype(sensitive.codes.dtype)[sensitive.codes]


@dataclass(frozen=True, eq=False, repr=False)
class _PreparedTable:
    """The rows and the counted units (rows or persons), each with its level maps.

    `unit` is the unit of each row; None if the rows are the units.
    """

    rows: CodedTable
    row_level_maps: tuple[LevelMap, ...]
    units: CodedTable
    level_maps: tuple[LevelMap, ...]
    unit: NDArray[np.int64] | None


def _prepare(
    table: CodedTable, hierarchies: Mapping[str, Hierarchy], person: CodedColumn | None
) -> _PreparedTable:
    level_maps = map_table_levels(hierarchies, table)
    someone = None if person is None else separate_unnamed(person)
    return _PreparedTable(table, level_maps, *as_histories(table, level_maps, someone))


def _plan_from(
    found: Optimum,
    basis: LossBasis,
    laid: _PreparedTable,
    hierarchies: Mapping[str, Hierarchy],
    request: PlanRequest,
) -> Plan:
    """Turn the optimum into a plan: the released rows and units, and those that are suppressed."""
    lost = found.verdict.gone
    gone = _suppressed_rows(laid.units, laid.level_maps, found.node, found.classes, lost)
    units, _ = generalize(laid.units, laid.level_maps, [found.node], np.where(gone, -1, 0))
    released, kept = units, ~gone
    if laid.unit is not None:
        of_row = np.where(gone[laid.unit], -1, 0)
        released, kept = generalize(laid.rows, laid.row_level_maps, [found.node], of_row)
    return Plan(
        method="full-domain",
        request=request,
        records=laid.rows.rows,
        table=released,
        kept=kept,
        units=units,
        levels=dict(zip(laid.units.names, found.node, strict=True)),
        losses={n: LOSSES[n].of(basis, found.classes, lost) for n in _REPORTED_LOSSES},
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
    """Code the same rows over all values of the hierarchies.

    People of the population with values that do not occur in the table are then counted under their
    labels.
    """
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
    """Refuse combinations of a population, persons and a sensitive column."""
    if population is not None and person is not None:
        raise RiskError(
            "--population and --person-column cannot be given together",
            code="persons-and-population",
            hint="leave out --person-column, and plan a table with one row per person",
        )
    if sensitive is not None and (population is not None or person is not None):
        raise RiskError(
            "--sensitive cannot be combined with --population or --person-column",
            code="sensitive-and-people",
            hint="plan without the sensitive column, then measure it with `deid risk --sensitive`",
        )


def _same_columns(mine: CodedTable, theirs: CodedTable) -> None:
    if mine.names != theirs.names:
        lacking = [name for name in mine.names if name not in theirs.names]
        raise RiskError(
            f"the population lacks the columns {', '.join(map(repr, lacking))}",
            code="no-shared-column",
            hint="map them with --population-columns mine=theirs, or leave them out of --quasi",
        )


def _suppressed_rows(
    table: CodedTable,
    level_maps: Sequence[LevelMap],
    node: LatticeNode,
    classes: FrequencyTable,
    gone: BooleanArray,
) -> BooleanArray:
    """Mark the rows that belong to a suppressed class."""
    if not (gone & (classes.sizes > 0)).any():
        return np.zeros(table.rows, bool)
    spaces = [
        len(level_map.labels[level]) for level_map, level in zip(level_maps, node, strict=True)
    ]
    codes = []
    for column, level_map, level, known in zip(
        table.columns, level_maps, node, classes.codes, strict=True
    ):
        codes.append(
            np.concatenate([known, level_map.steps[level].astype(known.dtype)[column.codes]])
        )
    key, space = pack_codes(codes, spaces, len(classes) + table.rows)
    lost, rows = key[: len(classes)][gone], key[len(classes) :]
    if space <= 4 * max(len(key), 2**12):
        marked = np.zeros(space, bool)
        marked[lost] = True
        found: BooleanArray = marked[rows]
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
) -> tuple[FrontierPoint, ...]:
    """Return every node with its loss and, for each size, the share of records in smaller
    classes.
    """
    level_maps = map_table_levels(hierarchies, table)
    cells = leaf_table(table, level_maps)
    return evaluate_nodes(cells, LossBasis.of(cells, level_maps), loss=loss, sizes=sizes)
