"""The account of one table during scrubbing: counts, lines of `changes.jsonl`, withheld records.

In a table with texts, each changed cell has a line. In a table without texts, all cells of a column
are treated alike, so there is one line per column and stretch of records; `docs/decisions/`
explains why.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TextIO

from deid.decision import ColumnDecision
from deid.jobs.job import WithheldRecord
from deid.release.manifest import BLANKED, COARSENED, DROPPED, KEPT, REPLACED, TEXT, ReleaseCounts
from deid.tables.kept_cells import why_blanked
from deid.tables.table_flow import BatchOut
from deid.tables.transformed_cells import Kind
from deid.text.change import Change
from safe_harbor import Residue

RECORDS_PER_LINE = 1 << 16
_LINE_ENCODER = json.JSONEncoder(separators=(",", ":"))
_FATES = {
    Residue.VALUE: KEPT,
    Residue.NOTHING: BLANKED,
    Residue.TAG: REPLACED,
    Residue.RANDOM_CODE: REPLACED,
    Residue.DERIVED_CODE: REPLACED,
    Residue.SHIFTED_DATE: REPLACED,
    Residue.SURROGATE: REPLACED,
}
CellEntry = tuple[int, tuple[Change, ...]]
"""The column index of a changed cell, and the changes in the cell."""


@dataclass(frozen=True, slots=True)
class BatchAccount:
    """The account of one batch, without values: counts, lines of `changes.jsonl`, changes of whole
    cells by kind, first and last record, and withheld records as (ordinal, code)."""

    counts: ReleaseCounts
    lines: str
    cells: Counter[Kind]
    first: int
    last: int
    withheld: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class BatchAccountant:
    """Makes the account of each batch of one table; `decisions` are the decisions on its columns.

    `whole`: the table is one column of texts, so its records are documents rather than rows.
    `by_stretch`: the table has no texts, so changes are written per stretch of records.
    """

    ordinal: int
    decisions: Sequence[ColumnDecision]
    whole: bool
    by_stretch: bool

    def account(self, out: BatchOut) -> BatchAccount:
        """The account of a scrubbed batch."""
        counts, cells = ReleaseCounts(), out.counted()
        texts = Counter(place for column in out.texts.values() for place in column)
        counts.documents = texts.total()
        counts.rows = len(out) - (len(texts) if self.whole else 0)
        counts.records_out, counts.quarantined = len(out), len(out.withheld)
        counts.records_in = len(out) + len(out.withheld)
        counts.dated_later = int(out.late.sum())
        entries = self._singles(out) if self.by_stretch else self._all_changes(out)
        lines = [
            self.line({"record": record, "column": index + 1, "changes": _as_json(changes)})
            for record, (index, changes) in entries
            if changes
        ]
        for (_, index), changes in out.singles.items():
            for change in changes:
                counts.count(change.identifier, change.residue)
                if why := why_blanked(change.source):
                    counts.blanked[index + 1, why] += 1
        counts.cells = self._cell_fates(out, cells)
        if not self.by_stretch:
            count_whole_cells(counts, cells)
            cells = Counter()
        first, last = (out.batch.ordinals[0], out.batch.ordinals[-1]) if len(out) else (0, 0)
        return BatchAccount(counts, "".join(lines), cells, first, last, tuple(out.withheld))

    def _cell_fates(self, out: BatchOut, whole: Counter[Kind]) -> Counter[tuple[int, str]]:
        """The number of filled cells by column position and fate (kept, replaced and so on)."""
        fates: Counter[tuple[int, str]] = Counter()
        for (index, _, _, _, residue, *_), times in whole.items():
            fates[index + 1, _FATES.get(residue, COARSENED)] += times
        for (_, index), changes in out.singles.items():
            if index not in out.texts:
                fates[index + 1, _FATES.get(changes[0].residue, COARSENED)] += 1
        cells = out.batch.filled_cells()
        for decision in self.decisions:
            position, filled = decision.index + 1, cells[decision.index]
            if not decision.leaves:
                fates[position, DROPPED] = filled
            elif decision.action == "text":
                fates[position, TEXT] = filled
            else:
                changed = sum(fates[position, fate] for fate in (COARSENED, REPLACED, BLANKED))
                fates[position, KEPT] = max(0, filled - changed)
        return +fates

    def _singles(self, out: BatchOut) -> Iterator[tuple[int, CellEntry]]:
        """The changed cells that are counted individually, in row order."""
        for place, index in sorted(out.singles):
            yield out.batch.ordinals[place], (index, out.singles[place, index])

    def _all_changes(self, out: BatchOut) -> Iterator[tuple[int, CellEntry]]:
        """All changed cells in row order."""
        by_row: dict[int, list[int]] = defaultdict(list)
        for place, index in out.singles:
            by_row[place].append(index)
        cells = {c.decision.index: (c, out.batch.cells(c.decision.index)) for c in out.cells}
        for place, ordinal in enumerate(out.batch.ordinals):
            for index in sorted([*cells, *by_row[place]]):
                if (place, index) in out.singles:
                    yield ordinal, (index, out.singles[place, index])
                    continue
                column, before = cells[index]
                change = column.at(place, before[place] or "")
                if change is not None:
                    yield ordinal, (index, (change,))

    def line(self, entry: Mapping[str, Any]) -> str:
        """One line of `changes.jsonl`."""
        return _LINE_ENCODER.encode({"file": self.ordinal, **entry}) + "\n"


def _as_json(changes: Iterable[Change]) -> list[dict[str, Any]]:
    return [change.as_json() for change in changes]


@dataclass(slots=True)
class TableAccount:
    """The counts of one table, and its lines of `changes.jsonl` in record order."""

    of: BatchAccountant
    log: TextIO = field(repr=False)
    tally: ReleaseCounts = field(default_factory=ReleaseCounts)
    fallen: list[WithheldRecord] = field(default_factory=list)
    _cells: Counter[Kind] = field(default_factory=Counter)
    _first: int = 0
    _last: int = 0
    _rows: int = 0

    @property
    def ordinal(self) -> int:
        """The ordinal of the table."""
        return self.of.ordinal

    def add(self, batch: BatchAccount) -> None:
        """Add the account of the next batch."""
        self.tally.add(batch.counts)
        self.fallen += [WithheldRecord(self.ordinal, *one) for one in batch.withheld]
        self.log.write(batch.lines)
        self._cells += batch.cells
        self._first, self._last = self._first or batch.first, batch.last or self._last
        self._rows += batch.counts.records_out
        if self._rows >= RECORDS_PER_LINE:
            self.end_stretch()

    def end_stretch(self) -> None:
        """End a stretch: write each column's whole-cell changes since the last stretch."""
        columns: dict[int, list[Mapping[str, Any]]] = {}
        count_whole_cells(self.tally, self._cells)
        for kind, cells in sorted(self._cells.items(), key=lambda item: item[0][:4]):
            index, identifier, entity, transform, residue, source, score = kind
            entry = {
                "cells": cells,
                "identifier": identifier.value,
                "entity": entity,
                "transform": transform,
                "residue": residue.value,
                "source": source,
                "score": round(score, 4),
            }
            columns.setdefault(index, []).append(entry)
        stretch = [self._first, self._last]
        for index, whole in sorted(columns.items()):
            line = {"records": stretch, "column": index + 1, "whole_cells": whole}
            self.log.write(self.of.line(line))
        self._cells.clear()
        self._first = self._rows = 0


def count_whole_cells(counts: ReleaseCounts, cells: Counter[Kind]) -> None:
    """Count whole-cell changes by kind."""
    for (_, identifier, _, _, residue, *_), times in cells.items():
        counts.count(identifier, residue, times)
