"""Ages, births and the dates of a row, weighed together: who might be over 89 goes as a row."""

from __future__ import annotations

from collections import Counter
from datetime import date
from functools import lru_cache, partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from deid.columnar_batch import CodedBatch
from deid.columnar_cells import Cells, Kind
from deid.decision import Decision
from deid.formats import Record
from deid.table import DATES, Flow, with_unit
from safe_harbor import OLDEST_AGE, read_age, read_date


def agree(
    cells: Cells, batch: CodedBatch, written: dict[int, pa.Array], changed: Counter[Kind]
) -> None:
    """Rows whose ages, births and dates together might show somebody over 89: as rows.

    Their cells in `written` and what is counted in `changed` become those of the flow of rows.
    """
    flow = cells.flow
    weighed = _weighed(flow)
    if not weighed:
        return
    places = np.flatnonzero(_might_be_old(flow, batch))
    if not len(places):
        return
    told = [d.index for d in flow.decisions if d in weighed or _is_day(d)]
    columns = {index: batch.column(index).take(pa.array(places)).to_pylist() for index in told}
    texts: dict[int, list[str | None]] = {d.index: [] for d in weighed}
    for number, place in enumerate(places):
        record = [None] * len(flow.decisions)
        for index, column in columns.items():
            record[index] = column[number]
        row = flow.weighed(Record(int(place) + 1, tuple(record)))
        for decision in weighed:
            texts[decision.index].append(row.cells[decision.index])
            cells.recount(decision, record[decision.index], row.changes, changed)
    mask = np.zeros(batch.size, bool)
    mask[places] = True
    for decision in weighed:
        array = pa.array(texts[decision.index], pa.string())
        column = written[decision.index]
        written[decision.index] = pc.replace_with_mask(column, pa.array(mask), array)


def _weighed(flow: Flow) -> list[Decision]:
    """The columns whose cells depend on others of their row: ages, and births told twice."""
    decisions = [d for d in flow.decisions if d.leaves]
    ages = [d for d in decisions if d.entity == "AGE"]
    births = [d for d in decisions if d.birth and d.action == "year"]
    return [*ages, *births] if ages or len(births) > 1 else []


def _might_be_old(flow: Flow, batch: CodedBatch) -> np.ndarray:
    """Rows that hold a birth of 89 years ago or more, or an age that could be 90 by now."""
    reference = flow.scrubber.reference_date
    aged, earliest = np.zeros(batch.size, int), np.full(batch.size, reference.year)
    old = np.zeros(batch.size, bool)
    for decision in flow.decisions:
        if decision.entity == "AGE":
            reads = partial(_years_of_age, shape=decision.shape)
            aged = np.maximum(aged, batch.numbers(decision.index, reads))
        elif _is_day(decision):
            reads = partial(_year, reference=reference, birth=decision.birth)
            years = batch.numbers(decision.index, reads)
            if decision.birth:
                old |= (years > 0) & (reference.year - years >= OLDEST_AGE)
            else:
                earliest = np.minimum(earliest, np.where(years > 0, years, reference.year))
    return np.asarray(old | (aged + (reference.year - earliest) + 1 >= OLDEST_AGE), bool)


def _is_day(decision: Decision) -> bool:
    """Is it a column that the flow of rows reads days, or years of birth, of?"""
    return decision.shape in DATES or decision.birth


@lru_cache(maxsize=1 << 16)
def _years_of_age(value: str, shape: str) -> int:
    age = read_age(with_unit(shape, value))
    return 0 if age is None else OLDEST_AGE + 1 if age.over_89 else age.years


@lru_cache(maxsize=1 << 17)
def _year(value: str, reference: date, birth: bool) -> int:
    found = read_date(value, reference, birth, counted=True)
    return 0 if found is None else found.year
