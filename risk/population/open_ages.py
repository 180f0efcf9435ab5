"""Open-ended age groups spread over single years, for policies that release those years."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from risk.population.national_ages import OLDEST_SINGLE_AGE, people_by_age
from risk.population.table import Population
from risk.population.values import parse_ages
from risk.tables.coding import CodedColumn, CodedTable, smallest

#: Groups that begin here or later (100+, 110+) are spread evenly by the code that uses them.
_LAST_SINGLE_YEAR = 100


def split_open_ages(population: Population, column: str = "age") -> Population:
    """Spread an open-ended age group over the single years to 99 and 100+, like the nation's
    people.

    This is 85+ or any such group that begins before 100. The resulting counts are not whole
    numbers.
    """
    coded = population.cells.column(column)
    spans = [parse_ages(value) for value in coded.values]
    is_open = [
        s is not None and s.high >= OLDEST_SINGLE_AGE and s.low < _LAST_SINGLE_YEAR for s in spans
    ]
    if not any(is_open):
        return population
    people = people_by_age().sum(axis=0)
    values: list[object] = list(coded.values)
    targets: dict[int, list[tuple[int, float]]] = {}
    for code, span in enumerate(spans):
        if span is None or not is_open[code]:
            targets[code] = [(code, 1.0)]
            continue
        whole = people[span.low :].sum()
        singles = [(str(year), people[year] / whole) for year in range(span.low, _LAST_SINGLE_YEAR)]
        shares = [*singles, (f"{_LAST_SINGLE_YEAR}+", people[_LAST_SINGLE_YEAR:].sum() / whole)]
        targets[code] = [(_position(values, label), float(share)) for label, share in shares]
    times = np.array([len(targets[code]) for code in range(len(spans))])[coded.codes]
    rows = np.repeat(np.arange(population.cells.rows), times)
    flat = [pair for code in coded.codes.tolist() for pair in targets[code]]
    codes = np.array([code for code, _ in flat], smallest(len(values)))
    shares_of = np.array([share for _, share in flat])
    named = np.empty(len(values), object)
    named[:] = values
    columns = tuple(
        CodedColumn(c.name, codes, named)
        if c.name == column
        else CodedColumn(c.name, c.codes[rows], c.values)
        for c in population.cells.columns
    )
    cells = CodedTable(columns, len(rows))
    return replace(population, cells=cells, counts=population.counts[rows] * shares_of)


def _position(values: list[object], label: str) -> int:
    """Return the position of a label among the values; append a new label."""
    texts = [str(value) for value in values]
    if label in texts:
        return texts.index(label)
    values.append(label)
    return len(values) - 1
