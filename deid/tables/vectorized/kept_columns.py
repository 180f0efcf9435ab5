"""Check the kept cells of a table by column: by their shape, and by what their rows tell.

The distinct cells of a batch go into a prefilter. Only rows that tell a value which passes it are
checked one by one, in the row flow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from deid.arrow.prefilter import candidate_rows, dictionary_encode, matching_cells
from deid.decision import Decision
from deid.formats import Record
from deid.people.known_cells import KnownColumn
from deid.tables.kept_cells import is_plain
from deid.tables.row import KEPT_CELL, blanked_cell
from deid.tables.row_flow import RowFlow
from deid.tables.vectorized.coded_batch import CodedBatch
from deid.text.change import Change
from recognizers import KnownValuePrefilter, is_null
from safe_harbor import Identifier

MAX_MATCHES, LARGEST_CACHE = 1 << 18, 1 << 12
# The most distinct kept cells held from earlier batches.
MOST_CELLS, MOST_PENDING = 1 << 14, 1 << 12


class PendingCell(Enum):
    """A cell that may stay so far: a value of its row may yet be found in it."""

    PENDING = "stands"


PENDING = PendingCell.PENDING
CellMark = PendingCell | tuple[Identifier, str] | None
"""Of a kept cell: may stay so far, must not stay (as that identifier, and why), or says nothing."""


@dataclass(slots=True)
class KeptColumns:
    """The kept cells of one table, batch by batch."""

    flow: RowFlow = field(repr=False)
    _prefilter: KnownValuePrefilter = field(default_factory=KnownValuePrefilter)
    _single_cell_prefilters: dict[str, KnownValuePrefilter] = field(
        default_factory=dict, repr=False
    )
    _meets_memo: dict[int, dict[str, bool]] = field(default_factory=dict, repr=False)
    _version: int = 0

    def check(self, batch: CodedBatch, written: Mapping[int, pa.Array]) -> HeldCells:
        """The kept cells of a batch, as they are `written`, that may not leave."""
        held, suspects = self._checked(written)
        if held.pending.any():
            suspects |= self._suspects(batch) & held.pending
        for place in np.flatnonzero(suspects):
            self._by_row(int(place), batch, written, held)
        return held

    def _checked(self, written: Mapping[int, pa.Array]) -> tuple[HeldCells, np.ndarray]:
        """Judge cells by shape; return them and the rows that must be checked in any case."""
        size = len(next(iter(written.values())))
        if self._prefilter.version > MOST_CELLS:
            self._prefilter, self._version = KnownValuePrefilter(), -1
        held, live = HeldCells(np.zeros(size, bool)), np.zeros(size, bool)
        for decision in self.flow.decisions:
            if not decision.stays:
                continue
            words, places = dictionary_encode(written[decision.index])
            marks = [self._mark(decision, word) for word in words]
            pending = [w for w, m in zip(words, marks, strict=True) if w and m is PENDING]
            held.note(decision, words, places, marks)
            if len(pending) > MOST_PENDING:  # nearly one cell per row: each is checked in its row
                live |= np.array([m is PENDING for m in marks], bool)[places]
                continue
            self._prefilter.add(pending)
            live |= np.array([w in self._prefilter.live for w in words], bool)[places]
        return held, live & held.pending

    def _mark(self, decision: Decision, word: str | None) -> CellMark:
        """None if a cell says nothing; why it must not stay; or that it may stay so far."""
        if word is None or is_null(word):
            return None
        if (refusal := decision.refuses(word)) is not None:
            return refusal
        return None if is_plain(word) else PENDING

    def _suspects(self, batch: CodedBatch) -> np.ndarray:
        """The rows that tell a value which might be found in one of the pending cells."""
        found = np.zeros(batch.size, bool)
        for column in self.flow.own.columns:
            cells = batch.column(column.index)
            candidates = candidate_rows(cells, self._prefilter, column.identifier)
            found |= matching_cells(cells, candidates, partial(self._meets, column))
        if self._prefilter.rows:
            found |= self._matches_initials(batch)
        return found

    def _meets(self, column: KnownColumn, value: str) -> bool:
        if self._version != self._prefilter.version:
            self._meets_memo.clear()
            self._version = self._prefilter.version
        memo = self._meets_memo.setdefault(column.index, {})
        if (known := memo.get(value)) is not None:
            return known
        whose = bool(self.flow.own.role_columns)
        part, role = "" if whose else column.part, "employer" if whose else column.role
        meets = self._prefilter.meets(column.identifier, part, value, role)
        if len(memo) < MAX_MATCHES:
            memo[value] = meets
        return meets

    def _matches_initials(self, batch: CodedBatch) -> np.ndarray:
        """The rows whose person may have initials that equal one of the cells."""
        names = [c.index for c in self.flow.own.columns if c.identifier is Identifier.NAMES]
        columns = [batch.column(index).to_pylist() for index in names]
        return np.array(
            [self._prefilter.signs(filter(None, values)) for values in zip(*columns, strict=True)]
            or np.zeros(batch.size),
            bool,
        )

    def _by_row(
        self, place: int, batch: CodedBatch, written: Mapping[int, pa.Array], held: HeldCells
    ) -> None:
        """Check one row whose kept cells might hold a value of it, in the row flow."""
        cells = batch.row(place)
        kept = (written[d.index][place].as_py() for d in self.flow.decisions if d.stays)
        if not any(self._might_hold(cell, cells) for cell in kept if cell):
            return
        out = self.flow.out(self.flow.row(Record(place + 1, cells)))
        for index, changes in out.changes.items():
            if changes[0].source.startswith(KEPT_CELL):
                held.hold(place, index, changes)

    def _might_hold(self, cell: str, cells: Sequence[str | None]) -> bool:
        if is_plain(cell):
            return False
        if cell not in self._single_cell_prefilters:
            if len(self._single_cell_prefilters) > LARGEST_CACHE:
                self._single_cell_prefilters.clear()
            self._single_cell_prefilters[cell] = KnownValuePrefilter()
            self._single_cell_prefilters[cell].add([cell])
        prefilter, own = self._single_cell_prefilters[cell], self.flow.own
        if cell in prefilter.live:
            return True
        values = list(own.values(cells))
        if any(prefilter.meets(v.identifier, v.part, v.value, v.role) for v in values):
            return True
        return prefilter.signs(v.value for v in values if v.identifier is Identifier.NAMES)


@dataclass(slots=True)
class HeldCells:
    """Kept cells of a batch that may not stay, and the rows that have pending cells."""

    pending: np.ndarray
    masks: dict[int, np.ndarray] = field(default_factory=dict)
    changes: dict[tuple[int, int], tuple[Change, ...]] = field(default_factory=dict)

    def note(
        self,
        decision: Decision,
        words: Sequence[str | None],
        places: np.ndarray,
        marks: Sequence[CellMark],
    ) -> None:
        """Record the marks of a column's distinct cells."""
        self.pending |= np.array([mark is PENDING for mark in marks], bool)[places]
        blanks = {
            number: blanked_cell(words[number] or "", *mark)
            for number, mark in enumerate(marks)
            if isinstance(mark, tuple)
        }
        for place in np.flatnonzero(np.isin(places, list(blanks))):
            self.hold(int(place), decision.index, (blanks[int(places[place])],))

    def hold(self, place: int, index: int, changes: tuple[Change, ...]) -> None:
        """Blank a cell."""
        if index not in self.masks:
            self.masks[index] = np.zeros(len(self.pending), bool)
        self.masks[index][place] = True
        self.changes[place, index] = changes

    def blank(self, written: dict[int, pa.Array]) -> None:
        """Blank these cells in the columns."""
        for index, mask in self.masks.items():
            written[index] = pc.replace_with_mask(written[index], pa.array(mask), pa.scalar(""))

    def singles(self, first: int) -> list[tuple[int, int, tuple[Change, ...]]]:
        """(ordinal, column, changes), in row order."""
        return [(first + p, i, self.changes[p, i]) for p, i in sorted(self.changes)]
