"""The embedded state tables: people by state, five-year age group, sex, race and ethnicity.

Estimates of the Census Bureau (Population Estimates Program, Vintage 2024), unchanged. Sources and
totals: `embedded/SOURCE.md`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from risk.population.national_ages import embedded
from risk.population.table import Population
from risk.tables.coding import CodedColumn, CodedTable

HISPANIC = "hispanic"
#: Five-year age groups; the columns of the embedded tables.
AGE_GROUPS: tuple[str, ...] = (*(f"{age}-{age + 4}" for age in range(0, 85, 5)), "85+")
_BUREAU_FILE = (
    "Population Estimates Program, Vintage 2024: July 1, {year}, by state, age, sex, race and "
    "Hispanic origin (US Census Bureau, sc-est2024-alldata6)"
)


def population_2020() -> Population:
    """People of July 2020 by state, age group, sex and race; Hispanics are counted in their
    race."""
    return _counted("state-pep2020", "2020", ("state", "sex", "race"))


def population_2024() -> Population:
    """People of July 2024 by state, age group, sex, race and ethnicity."""
    return _counted("state-pep2024", "2024", ("state", "sex", "race", "ethnicity"))


def population_2024_hispanic_apart() -> Population:
    """Return the people of July 2024 by state, age group, sex and race.

    Hispanics of any race are a group of their own, as in records that have one column for both.
    """
    return _counted("state-pep2024-race-ethnicity", "2024", ("state", "sex", "race"))


def hispanic_apart(row: Mapping[str, str]) -> str:
    """The race of a row; `hispanic` if the row is of Hispanic people of any race."""
    return HISPANIC if row.get("ethnicity") == HISPANIC else row["race"]


def state_rows(year: str) -> tuple[list[dict[str, str]], str]:
    """Return the rows of the embedded table of 2020 or 2024, and its SHA-256.

    Each row holds a state, sex, race (and ethnicity), and the people of each age group.
    """
    return embedded(f"state_estimates_{year}.csv")


def people_by_group(row: Mapping[str, str]) -> NDArray[np.float64]:
    """The people of a row by age group: 18 counts."""
    return np.array([float(row[group]) for group in AGE_GROUPS])


def _counted(name: str, year: str, labels: Sequence[str]) -> Population:
    rows, sha256 = state_rows(year)
    if "ethnicity" not in labels:
        rows = [{**row, "race": hispanic_apart(row)} for row in rows]
    summed: dict[tuple[str, ...], NDArray[np.float64]] = {}
    for row in rows:
        key = tuple(row[label] for label in labels)
        summed[key] = summed.get(key, 0.0) + people_by_group(row)
    people = np.array(list(summed.values()))
    columns = [
        _repeated(label, values, len(AGE_GROUPS))
        for label, values in zip(labels, zip(*summed, strict=True), strict=True)
    ]
    ages = np.tile(np.arange(len(AGE_GROUPS), dtype=np.uint8), len(people))
    columns.insert(1, CodedColumn("age", ages, np.array(AGE_GROUPS, object)))
    cells = CodedTable(tuple(columns), people.size)
    source = _BUREAU_FILE.format(year=year)
    return Population(name, source, f"{year}-07-01", False, cells, people.reshape(-1), sha256)


def _repeated(name: str, labels: Sequence[str], times: int) -> CodedColumn:
    distinct, codes = np.unique(labels, return_inverse=True)
    return CodedColumn(name, np.repeat(codes, times).astype(np.uint8), distinct.astype(object))
