"""Find birth dates by the ages next to them, regardless of the header.

If a birth date were treated as a visit date, the row would seem to give the patient's age on that
day, and the age of every adult would become `90+`: 164.514(b)(2)(i)(C).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import date

from safe_harbor import read_age, read_date

# The reference date for two-digit years. Only differences of years are used here.
_ANY_DAY = date(2030, 1, 1)
MAX_SAMPLED_ROWS = 300
LEAST_ROWS, LEAST_AGES, LEAST_AGE = 8, 5, 3
NEARLY_ALL = 0.95

ColumnCells = Sequence[str | None]


def find_births(dates: Mapping[int, ColumnCells], ages: ColumnCells) -> frozenset[int]:
    """Return the columns, among those of dates, that hold the births of the people with these ages.

    Birth year plus age is the year in which a person reached that age. In a column of birth dates,
    this year nearly always agrees with the date in one other column: it is the year of that date or
    the year before. Or this year is the same for all rows, give or take one year. Young children
    are left out, because almost any two recent dates match their age.
    """
    ages_by_row = _ages(ages[:MAX_SAMPLED_ROWS])
    if len(ages_by_row) < LEAST_ROWS or len(set(ages_by_row.values())) < LEAST_AGES:
        return frozenset()
    days = {
        column: _years(cells[:MAX_SAMPLED_ROWS], birth=False) for column, cells in dates.items()
    }
    found = set()
    for column, cells in dates.items():
        born = _years(cells[:MAX_SAMPLED_ROWS], birth=True)
        turned = {row: born[row] + age for row, age in ages_by_row.items() if row in born}
        others = [years for other, years in days.items() if other != column]
        if _are_one_year(turned.values()) or any(_agree(turned, years) for years in others):
            found.add(column)
    return frozenset(found)


def _ages(cells: ColumnCells) -> dict[int, int]:
    ages = {row: read_age(cell) for row, cell in enumerate(cells) if cell}
    return {row: age.years for row, age in ages.items() if age and age.years >= LEAST_AGE}


def _years(cells: ColumnCells, *, birth: bool) -> dict[int, int]:
    days = {row: read_date(cell, _ANY_DAY, birth) for row, cell in enumerate(cells) if cell}
    return {row: day.year for row, day in days.items() if day is not None}


def _agree(turned: Mapping[int, int], years: Mapping[int, int]) -> bool:
    """Whether nearly all other dates lie in the year of that age or in the next year."""
    passed = [years[row] - year for row, year in turned.items() if row in years]
    near = sum(0 <= since <= 1 for since in passed)
    return len(passed) >= LEAST_ROWS and near >= NEARLY_ALL * len(passed)


def _are_one_year(turned: Collection[int]) -> bool:
    """Whether birth year plus age is nearly always the same year or the year before it.

    This year is then the year of the extract.
    """
    counts = Counter(turned)
    most = max((counts[year] + counts[year + 1] for year in turned), default=0)
    return len(turned) >= LEAST_ROWS and most >= NEARLY_ALL * len(turned)
