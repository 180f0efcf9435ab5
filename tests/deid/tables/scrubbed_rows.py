"""A table sent through the table flow, with one output row for each record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from deid.decision import ColumnDecision
from deid.formats import Record, RecordFault
from deid.people.patients import People
from deid.tables.table_batch import ReadRows, listed_cells, record_chunks
from deid.tables.table_flow import BatchOut, TableFlow
from deid.text.change import Change
from deid.text.scrubber import Scrubber


@dataclass(frozen=True)
class RowOut:
    """One record after the flow. If it was withheld, `cells` is None and `code` is the reason."""

    ordinal: int
    cells: tuple[str | None, ...] | None = None
    code: str = ""
    changes: Mapping[int, tuple[Change, ...]] = field(default_factory=dict)
    late: bool = False


def scrub_rows(
    records: Iterable[Record | RecordFault],
    relative: str,
    decisions: Sequence[ColumnDecision],
    scrubber: Scrubber,
    people: People,
    size: int = 128,
) -> Iterator[RowOut]:
    """One output row for each record, in order, processed in batches of the given size."""
    flow = TableFlow(relative, tuple(decisions), scrubber, people)
    for chunk in record_chunks(iter(records), size):
        yield from rows_of(flow.run(ReadRows(chunk[0].ordinal, chunk)), len(decisions))


def rows_of(out: BatchOut, width: int) -> list[RowOut]:
    """The rows of a batch, with withheld rows at their positions."""
    columns = {index: listed_cells(column) for index, column in out.columns.items()}
    rows = [RowOut(ordinal, None, code) for ordinal, code in out.withheld]
    for place, ordinal in enumerate(out.batch.ordinals):
        changes = {index: found for (row, index), found in out.singles.items() if row == place}
        for column in out.cells:
            index = column.decision.index
            if change := column.at(place, out.batch.cells(index)[place] or ""):
                changes[index] = (change,)
        cells = tuple(columns[i][place] if i in columns else None for i in range(width))
        rows.append(RowOut(ordinal, cells, "", changes, bool(out.late[place])))
    return sorted(rows, key=lambda row: row.ordinal)
