"""The table flow by column: each distinct cell is transformed or checked once.

It takes simple tables only: no texts, no tags numbered per patient, no crosswalk, and rows that
hold all that is known of their own person. Rows that columns alone cannot decide go through the row
flow (`deid.tables.row_flow`): a kept cell might hold a value of its row, or an age and the dates of
the row might show an age over 89. The output is the same to the byte.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

import pyarrow as pa

from deid.arrow.prefilter import BATCH_ROWS, rebatch
from deid.arrow.work_partitions import THIS_PROCESS, WorkPartitions
from deid.decision import Decision
from deid.formats import ColumnSource, RecordSource
from deid.people.patients import People
from deid.residual.column_search import OwnRows
from deid.tables.question_columns import label_columns
from deid.tables.row_flow import RowFlow
from deid.tables.vectorized.ages import late_rows, rows_over_89
from deid.tables.vectorized.changed_cells import ChangedCells, Kind
from deid.tables.vectorized.coded_batch import CodedBatch
from deid.tables.vectorized.kept_columns import KeptColumns
from deid.text.change import Change
from deid.text.scrubber import Scrubber


@dataclass(slots=True)
class ColumnsOut:
    """Some rows after the flow: the columns that leave, and the changes in them.

    `late` counts rows with dates after the reference date.
    """

    first: int
    rows: int
    columns: list[pa.Array] = field(repr=False)
    cells: Counter[Kind]
    singles: list[tuple[int, int, tuple[Change, ...]]]
    characters: int = 0
    late: int = 0

    @property
    def last(self) -> int:
        """The ordinal of the last row."""
        return self.first + self.rows - 1


def can_go_by_column(
    source: RecordSource, decisions: Sequence[Decision], scrubber: Scrubber
) -> bool:
    """Can the table go by column, as far as its file and its columns show?"""
    plain = not any(d.action == "text" or d.counts_from is not None for d in decisions)
    personal = scrubber.allocate is not None or scrubber.policy.tags != "plain"
    if label_columns(decisions) or not plain or personal or not any(d.leaves for d in decisions):
        return False
    return isinstance(source, ColumnSource) and source.is_regular()


def open_column_flow(
    relative: str,
    source: RecordSource,
    decisions: Sequence[Decision],
    scrubber: Scrubber,
    people: People,
) -> ColumnFlow | None:
    """The column flow of a single table that is not held in memory; None if it must go by row."""
    if not people.is_single_table(relative) or not can_go_by_column(source, decisions, scrubber):
        return None
    assert isinstance(source, ColumnSource)
    return ColumnFlow(source, RowFlow(relative, tuple(decisions), scrubber, people))


@dataclass(slots=True)
class ColumnFlow:
    """One table going by column."""

    source: ColumnSource = field(repr=False)
    flow: RowFlow = field(repr=False)
    rows: int = 0
    _spread: WorkPartitions = field(default=THIS_PROCESS, repr=False)
    _cells: ChangedCells = field(init=False, repr=False)
    _kept: KeptColumns = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._cells, self._kept = ChangedCells(self.flow), KeptColumns(self.flow)

    def run(self, spread: WorkPartitions = THIS_PROCESS) -> Iterator[ColumnsOut]:
        """The table in batches, in order. Every row of a regular table leaves."""
        self.rows, self._spread = 0, spread
        for out in spread(partial(_batches, self.source), self._run_batch):
            self.rows += out.rows
            yield out

    def owners(self) -> OwnRows:
        """What the rows tell of their persons, for the search of the output."""
        return OwnRows(self.source, self.flow.own, self.rows, self._spread)

    def _run_batch(self, number: int, read: pa.RecordBatch) -> ColumnsOut:
        batch, changed = CodedBatch(read), Counter[Kind]()
        written = {
            decision.index: self._cells.column(decision, batch, changed)
            for decision in self.flow.decisions
            if decision.leaves
        }
        rows_over_89(self._cells, batch, written, changed)
        held = self._kept.check(batch, written)
        held.blank(written)
        first = number * BATCH_ROWS + 1
        return ColumnsOut(
            first,
            batch.size,
            list(written.values()),
            changed,
            held.singles(first),
            int(read.nbytes),
            late_rows(self.flow, batch),
        )


def _batches(source: ColumnSource) -> Iterator[pa.RecordBatch]:
    return rebatch(source.batches())


def hold_in_memory(
    people: People,
    tables: Iterable[tuple[str, RecordSource, Sequence[Decision]]],
    scrubber: Scrubber,
) -> None:
    """Hold a single table in memory after all if it must go row by row."""
    for relative, source, decisions in tables:
        if people.is_single_table(relative) and not can_go_by_column(source, decisions, scrubber):
            people.fill()
