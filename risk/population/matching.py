"""Match records to the cells of a population: how many people share the values of each record?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from risk.population.table import Population, population_mapping
from risk.population.values import ZIP_COLUMNS, Shares, value_shares, zip_width
from risk.tables.classes import Classes, pack_rows
from risk.tables.coding import CodedColumn, CodedTable, smallest


@dataclass(frozen=True, eq=False, repr=False)
class PopulationMatch:
    """`people[j]` of the population match the records of class j (0 if no cell does).

    `columns` maps the table's columns to the population's. `left_out` lists the quasi-identifiers
    that the population does not have, `coarser` those that it has with fewer digits. With these
    details, the groups could only be smaller.
    """

    people: NDArray[np.float64]
    sizes: NDArray[np.int64]
    columns: dict[str, str]
    left_out: tuple[str, ...]
    coarser: tuple[str, ...]
    reference_year: int | None

    @property
    def unmatched_records(self) -> int:
        return int(self.sizes[self.people <= 0].sum())


def match_population(
    classes: Classes,
    population: Population,
    mapping: Mapping[str, str] | None = None,
    *,
    reference_year: int | None = None,
) -> PopulationMatch:
    """Count for each class the people who share its values, as far as the population distinguishes
    them.

    Years of birth are converted to ages by the reference year (the population's own by default). If
    the population pools ages that the records distinguish (100-104, 110+), the cohort's own members
    are placed at their ages first, and the rest of the people are spread evenly over the years, as
    in Malin et al. 2011.
    """
    columns = population_mapping(classes.quasi_identifiers, population.columns, mapping)
    year = population.year if reference_year is None else reference_year
    mine = classes.distinct.select(list(columns))
    cells, counts, shared = _recoded(mine, population, columns, year)
    keys, ids = _joint_keys(mine, cells)
    cohort = np.bincount(ids[: mine.rows], classes.sizes, minlength=keys).astype(np.float64)
    pairs = ids[mine.rows :]
    people = _people_by_row(counts, shared, pairs, cohort)
    totals = np.bincount(pairs, people, minlength=keys).astype(np.float64)
    left_out = tuple(n for n in classes.quasi_identifiers if n not in columns)
    coarser = _coarser(mine, population, columns)
    return PopulationMatch(
        totals[ids[: mine.rows]], classes.sizes, columns, left_out, coarser, year
    )


def recode_population(
    classes: Classes,
    population: Population,
    mapping: Mapping[str, str] | None = None,
    *,
    reference_year: int | None = None,
) -> tuple[CodedTable, NDArray[np.float64]]:
    """Recode the population's cells to the values of the table's columns.

    Returns the cells and the people in each. Combinations without a record are included. Pooled
    ages are split as in `match_population`.
    """
    columns = population_mapping(classes.quasi_identifiers, population.columns, mapping)
    year = population.year if reference_year is None else reference_year
    mine = classes.distinct.select(list(columns))
    cells, counts, shared = _recoded(mine, population, columns, year)
    keys, ids = _joint_keys(mine, cells)
    cohort = np.bincount(ids[: mine.rows], classes.sizes, minlength=keys).astype(np.float64)
    return cells, _people_by_row(counts, shared, ids[mine.rows :], cohort)


@dataclass(frozen=True, eq=False)
class _CellParts:
    """The population cell that each recoded row came from, and the share of the cell that it
    gets."""

    cell: NDArray[np.int64]
    share: NDArray[np.float64]


def _recoded(
    mine: CodedTable, population: Population, columns: Mapping[str, str], year: int | None
) -> tuple[CodedTable, NDArray[np.float64], _CellParts]:
    """Recode the population's cells to the table's values.

    There is one row for each combination of values that a cell matches.
    """
    cell = np.flatnonzero(population.counts > 0)
    share = np.ones(len(cell))
    codes: list[NDArray[np.int64]] = []
    for column in mine.columns:
        theirs = population.cells.column(columns[column.name])
        starts, targets, parts = _inverted(
            _shares(column, theirs, columns[column.name], population, year),
            theirs.cardinality,
        )
        own = theirs.codes[cell]
        times = np.diff(starts)[own]
        rows = np.repeat(np.arange(len(cell)), times)
        offset = np.arange(len(rows)) - np.repeat(np.cumsum(times) - times, times)
        picked = starts[own[rows]] + offset
        codes = [earlier[rows] for earlier in codes] + [targets[picked]]
        cell, share = cell[rows], share[rows] * parts[picked]
    recoded = tuple(
        CodedColumn(c.name, code.astype(smallest(c.cardinality)), c.values)
        for c, code in zip(mine.columns, codes, strict=True)
    )
    return CodedTable(recoded, len(cell)), population.counts[cell], _CellParts(cell, share)


def _shares(
    mine: CodedColumn, theirs: CodedColumn, name: str, population: Population, year: int | None
) -> Shares:
    people = np.bincount(theirs.codes, population.counts, minlength=theirs.cardinality)
    return value_shares(name, list(mine.values), list(theirs.values), year, people.tolist())


def _coarser(
    mine: CodedTable, population: Population, columns: Mapping[str, str]
) -> tuple[str, ...]:
    """The columns with more detail than the population's, such as five ZIP digits, not three."""
    found = []
    for column in mine.columns:
        name = columns[column.name]
        if name.lower() in ZIP_COLUMNS:
            theirs = population.cells.column(name)
            if zip_width(list(column.values)) > zip_width(list(theirs.values)):
                found.append(column.name)
    return tuple(found)


def _inverted(
    found: list[list[tuple[int, float]]], cardinality: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Invert the mapping of table values to population values; return offsets into flat arrays."""
    pairs = [(other, i, share) for i, row in enumerate(found) for other, share in row]
    pairs.sort()
    flat = np.array([(other, i) for other, i, _ in pairs], np.int64).reshape(-1, 2)
    starts = np.searchsorted(flat[:, 0], np.arange(cardinality + 1))
    return starts, flat[:, 1], np.array([share for _, _, share in pairs], np.float64)


def _joint_keys(mine: CodedTable, cells: CodedTable) -> tuple[int, NDArray[np.int64]]:
    """The number of distinct keys, and the keys: first of each row of the table, then of each
    cell."""
    both = tuple(
        CodedColumn(a.name, np.concatenate((a.codes, b.codes)), a.values)
        for a, b in zip(mine.columns, cells.columns, strict=True)
    )
    key, _ = pack_rows(CodedTable(both, mine.rows + cells.rows))
    distinct, ids = np.unique(key, return_inverse=True)
    return len(distinct), ids


def _people_by_row(
    counts: NDArray[np.float64],
    shared: _CellParts,
    pairs: NDArray[np.int64],
    cohort: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the people of each recoded row, that is, its share of the cell.

    If a cell is split between several values, the cohort's members are placed first.
    """
    split = shared.share < 1.0
    if not split.any():
        return counts
    people = counts * shared.share
    known = np.where(split, cohort[pairs], 0.0)
    in_cell = np.bincount(shared.cell, known, minlength=int(shared.cell.max()) + 1)[shared.cell]
    rest = np.maximum(0.0, counts - in_cell) * shared.share
    fits = split & (in_cell <= counts)
    people[fits] = known[fits] + rest[fits]
    return people
