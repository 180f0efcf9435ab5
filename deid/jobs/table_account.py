"""The account of one table during scrubbing: counts, lines of `changes.jsonl`, withheld records.

A record with a text has a line for each changed cell. A table without texts, where each column is
treated alike throughout, has one line per column and stretch of records; `docs/decisions/` explains
why.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TextIO

from deid.decision import RowOut
from deid.jobs.job import WithheldRecord
from deid.release.manifest import ReleaseCounts
from deid.tables.row import why_blanked
from deid.tables.vectorized.changed_cells import Kind
from deid.tables.vectorized.column_flow import ColumnsOut
from deid.text.change import Change

RECORDS_PER_LINE = 1 << 16


@dataclass(slots=True)
class TableAccount:
    """Counts and lines of one table, in record order.

    `whole` says that the table is one column of texts, whose records are documents rather than
    rows.
    """

    ordinal: int
    whole: bool
    by_stretch: bool
    log: TextIO = field(repr=False)
    tally: ReleaseCounts = field(default_factory=ReleaseCounts)
    fallen: list[WithheldRecord] = field(default_factory=list)
    _cells: Counter[Kind] = field(default_factory=Counter)
    _first: int = 0
    _last: int = 0
    _rows: int = 0

    def withheld(self, row: RowOut) -> None:
        """Count a record that is withheld."""
        self.tally.records_in += 1
        self.tally.quarantined += 1
        self.fallen.append(WithheldRecord(self.ordinal, row.ordinal, row.code))

    def released(self, row: RowOut) -> None:
        """Count a record that leaves, and its changes."""
        tally = self.tally
        tally.records_in += 1
        tally.records_out += 1
        tally.dated_later += row.late
        tally.documents += len(row.texts)
        tally.rows += not (self.whole and row.texts)
        if not self.by_stretch:
            for index, changes in sorted(row.changes.items()):
                self._line(row.ordinal, index, changes)
            return
        for index, changes in row.changes.items():
            change = changes[0] if len(changes) == 1 else None
            if change is None or change.source != "column":
                self._line(row.ordinal, index, changes)
            else:
                self._cells[_kind(index, change)] += 1
        self._first = self._first or row.ordinal
        self._last = row.ordinal
        self._rows += 1
        if self._rows == RECORDS_PER_LINE:
            self.end_stretch()

    def released_columns(self, out: ColumnsOut) -> None:
        """Count records that leave by column, as one stretch."""
        self.tally.records_in += out.rows
        self.tally.records_out += out.rows
        self.tally.rows += out.rows
        self.tally.dated_later += out.late
        for record, index, changes in out.singles:
            self._line(record, index, changes)
        self._cells += out.cells
        self._first, self._last = out.first, out.last
        self.end_stretch()

    def _line(self, record: int, index: int, changes: Iterable[Change]) -> None:
        entry = [change.as_json() for change in changes]
        for change in changes:
            self.tally.count(change.identifier, change.residue, change.round)
            if why := why_blanked(change.source):
                self.tally.blanked[index + 1, why] += 1
        if entry:
            self._write({"record": record, "column": index + 1, "changes": entry})

    def end_stretch(self) -> None:
        """Write the whole-cell changes of each column since the last stretch."""
        columns: dict[int, list[Mapping[str, Any]]] = {}
        for kind, cells in sorted(self._cells.items(), key=lambda item: item[0][:4]):
            index, identifier, entity, transform, residue, source, score, round_number = kind
            self.tally.count(identifier, residue, round_number, cells)
            entry = {
                "cells": cells,
                "identifier": identifier.value,
                "entity": entity,
                "transform": transform,
                "residue": residue.value,
                "source": source,
                "score": round(score, 4),
                "round": round_number,
            }
            columns.setdefault(index, []).append(entry)
        stretch = [self._first, self._last]
        for index, whole in sorted(columns.items()):
            self._write({"records": stretch, "column": index + 1, "whole_cells": whole})
        self._cells.clear()
        self._first = self._rows = 0

    def _write(self, line: Mapping[str, Any]) -> None:
        entry = json.dumps({"file": self.ordinal, **line}, separators=(",", ":"))
        self.log.write(entry + "\n")


def _kind(index: int, change: Change) -> Kind:
    return (
        index,
        change.identifier,
        change.entity,
        change.transform,
        change.residue,
        change.source,
        change.score,
        change.round,
    )
