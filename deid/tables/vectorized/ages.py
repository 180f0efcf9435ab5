"""Ages, births and dates of a row judged together; rows that may show an age over 89 go by row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date
from functools import lru_cache, partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from deid.formats import Record
from deid.tables.row_births import DATE_SHAPES, with_unit
from deid.tables.row_flow import RowFlow
from deid.tables.vectorized.changed_cells import ChangedCells, Kind
from deid.tables.vectorized.coded_batch import CodedBatch
from safe_harbor import OLDEST_AGE, effective_reference, read_age, read_date


def rows_over_89(
    cells: ChangedCells, batch: CodedBatch, written: dict[int, pa.Array], changed: Counter[Kind]
) -> None:
    """Send rows that might show an age over 89 through the row flow.

    Their cells in `written` and counts in `changed` are replaced by those of the row flow.
    """
    flow = cells.flow
    late = flow.scrubber.latest_date > flow.scrubber.reference_date
    dependent = flow.births.dependent_columns(late)
    if not dependent:
        return
    places = np.flatnonzero(_might_be_old(flow, batch))
    if not len(places):
        return
    read = {d.index for d in (*dependent, *flow.births.births, *flow.births.dates)}
    known_columns = sorted(read | {d.index for d, _ in flow.births.ages})
    columns = {
        index: batch.column(index).take(pa.array(places)).to_pylist() for index in known_columns
    }
    texts: dict[int, list[str | None]] = {d.index: [] for d in dependent}
    for number, place in enumerate(places):
        record = [None] * len(flow.decisions)
        for index, column in columns.items():
            record[index] = column[number]
        row = flow.judged(Record(int(place) + 1, tuple(record)))
        for decision in dependent:
            texts[decision.index].append(row.cells[decision.index])
            cells.recount(decision, record[decision.index], row.changes, changed)
    mask = np.zeros(batch.size, bool)
    mask[places] = True
    for decision in dependent:
        array = pa.array(texts[decision.index], pa.string())
        column = written[decision.index]
        written[decision.index] = pc.replace_with_mask(column, pa.array(mask), array)


def late_rows(flow: RowFlow, batch: CodedBatch) -> int:
    """How many rows have dates after the reference date, up to the day of the run."""
    reference, latest = flow.scrubber.reference_date, flow.scrubber.latest_date
    late = np.zeros(batch.size, bool)
    for decision in flow.births.dates if latest > reference else ():
        reads = partial(_is_late, reference=reference, latest=latest, shape=decision.shape)
        late |= batch.numbers(decision.index, reads) > 0
    return int(late.sum())


def _might_be_old(flow: RowFlow, batch: CodedBatch) -> np.ndarray:
    """Rows with a year 89 or more years ago, an age that could be 90 by now, or a life event."""
    reference, latest = flow.scrubber.reference_date, flow.scrubber.latest_date.year
    aged, earliest = np.zeros(batch.size, int), np.full(batch.size, latest)
    old = np.zeros(batch.size, bool)
    births, events = flow.births.births, dict(_implied(flow))
    for decision, _ in flow.births.ages:
        reads = partial(_years_of_age, shape=decision.shape)
        aged = np.maximum(aged, batch.numbers(decision.index, reads))
    for decision in (*births, *flow.births.dates):
        reads = partial(_year, reference=reference, birth=decision.birth, shape=decision.shape)
        years = batch.numbers(decision.index, reads)
        told = years > 0
        old |= told & (latest - years + events.get(decision.index, 0) >= OLDEST_AGE)
        if not decision.birth:
            earliest = np.minimum(earliest, np.where(told, years, latest))
    return np.asarray(old | (aged + (latest - earliest) + 1 >= OLDEST_AGE), bool)


def _implied(flow: RowFlow) -> Iterator[tuple[int, int]]:
    """The columns of life events, with the greatest age that each implies."""
    for decision, event in flow.births.events:
        yield decision.index, (event.usual or event.youngest) + 1


@lru_cache(maxsize=1 << 16)
def _years_of_age(value: str, shape: str) -> int:
    age = read_age(with_unit(shape, value))
    return 0 if age is None else OLDEST_AGE + 1 if age.over_89 else age.years


@lru_cache(maxsize=1 << 17)
def _year(value: str, reference: date, birth: bool, shape: str) -> int:
    found = read_date(value, reference, birth, counted=shape in DATE_SHAPES)
    return 0 if found is None else found.year


@lru_cache(maxsize=1 << 17)
def _is_late(value: str, reference: date, latest: date, shape: str) -> int:
    found = read_date(value, reference, counted=shape in DATE_SHAPES)
    return int(found is not None and effective_reference(reference, [found], latest) > reference)
