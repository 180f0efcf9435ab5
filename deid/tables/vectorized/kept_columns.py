"""The kept cells of a table by column: by their shape, and by what their rows tell.

Of a batch the different cells are put into a sieve, and only rows that tell something the sieve
lets through are looked into, by the flow of rows.
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
from recognizers import Sieve, is_null
from safe_harbor import Identifier

LARGEST_MEMO, LARGEST_CACHE = 1 << 18, 1 << 12
# Different kept cells held of earlier batches.
MOST_CELLS, MOST_STANDING = 1 << 14, 1 << 12


class UNDECIDED_CELL(Enum):
    """A cell that stands so far: what its row tells may yet be found in it."""

    STANDS = "stands"


STANDS = UNDECIDED_CELL.STANDS
Mark = UNDECIDED_CELL | tuple[Identifier, str] | None
"""Of a kept cell: it stands so far, it may not stand (as that, and why), it says nothing."""


@dataclass(slots=True)
class KeptColumns:
    """The kept cells of one table, batch by batch."""

    flow: RowFlow = field(repr=False)
    _sieve: Sieve = field(default_factory=Sieve)
    _alone: dict[str, Sieve] = field(default_factory=dict, repr=False)
    _met: dict[int, dict[str, bool]] = field(default_factory=dict, repr=False)
    _version: int = 0

    def check(self, batch: CodedBatch, written: Mapping[int, pa.Array]) -> HeldCells:
        """The kept cells of a batch, as they are `written`, that may not leave."""
        held, suspects = self._checked(written)
        if held.standing.any():
            suspects |= self._suspects(batch) & held.standing
        for place in np.flatnonzero(suspects):
            self._by_row(int(place), batch, written, held)
        return held

    def _checked(self, written: Mapping[int, pa.Array]) -> tuple[HeldCells, np.ndarray]:
        """Which kept cells may not stand by their shape; which rows have cells to be looked into,
        and which of them are to be looked into whoever they are of."""
        size = len(next(iter(written.values())))
        if self._sieve.version > MOST_CELLS:
            self._sieve, self._version = Sieve(), -1
        held, live = HeldCells(np.zeros(size, bool)), np.zeros(size, bool)
        for decision in self.flow.decisions:
            if not decision.stays:
                continue
            words, places = dictionary_encode(written[decision.index])
            marks = [self._mark(decision, word) for word in words]
            standing = [w for w, m in zip(words, marks, strict=True) if w and m is STANDS]
            held.note(decision, words, places, marks)
            if len(standing) > MOST_STANDING:  # nearly a cell a row: each is asked by itself
                live |= np.array([m is STANDS for m in marks], bool)[places]
                continue
            self._sieve.add(standing)
            live |= np.array([w in self._sieve.live for w in words], bool)[places]
        return held, live & held.standing

    def _mark(self, decision: Decision, word: str | None) -> Mark:
        """Whether a kept cell says nothing (None), may not stand (a word), or stands so far."""
        if word is None or is_null(word):
            return None
        if (refusal := decision.refuses(word)) is not None:
            return refusal
        return None if is_plain(word) else STANDS

    def _suspects(self, batch: CodedBatch) -> np.ndarray:
        """The rows that tell a value which might be found in one of the cells that stand."""
        found = np.zeros(batch.size, bool)
        for column in self.flow.own.columns:
            cells = batch.column(column.index)
            sifted = candidate_rows(cells, self._sieve, column.identifier)
            found |= matching_cells(cells, sifted, partial(self._meets, column))
        if self._sieve.rows:
            found |= self._signed(batch)
        return found

    def _meets(self, column: KnownColumn, value: str) -> bool:
        if self._version != self._sieve.version:
            self._met.clear()
            self._version = self._sieve.version
        memo = self._met.setdefault(column.index, {})
        if (known := memo.get(value)) is not None:
            return known
        whose = bool(self.flow.own.who)
        part, role = "" if whose else column.part, "employer" if whose else column.role
        met = self._sieve.meets(column.identifier, part, value, role)
        if len(memo) < LARGEST_MEMO:
            memo[value] = met
        return met

    def _signed(self, batch: CodedBatch) -> np.ndarray:
        """The rows whose person may have initials that are one of the cells."""
        names = [c.index for c in self.flow.own.columns if c.identifier is Identifier.NAMES]
        columns = [batch.column(index).to_pylist() for index in names]
        return np.array(
            [self._sieve.signs(filter(None, values)) for values in zip(*columns, strict=True)]
            or np.zeros(batch.size),
            bool,
        )

    def _by_row(
        self, place: int, batch: CodedBatch, written: Mapping[int, pa.Array], held: HeldCells
    ) -> None:
        """One row whose own cells might hold a value of it: through the flow of rows."""
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
        if cell not in self._alone:
            if len(self._alone) > LARGEST_CACHE:
                self._alone.clear()
            self._alone[cell] = Sieve()
            self._alone[cell].add([cell])
        sieve, own = self._alone[cell], self.flow.own
        if cell in sieve.live:
            return True
        values = list(own.values(cells))
        if any(sieve.meets(v.identifier, v.part, v.value, v.role) for v in values):
            return True
        return sieve.signs(v.value for v in values if v.identifier is Identifier.NAMES)


@dataclass(slots=True)
class HeldCells:
    """Kept cells of a batch that may not stand, and the rows with cells to be looked into."""

    standing: np.ndarray
    masks: dict[int, np.ndarray] = field(default_factory=dict)
    changes: dict[tuple[int, int], tuple[Change, ...]] = field(default_factory=dict)

    def note(
        self,
        decision: Decision,
        words: Sequence[str | None],
        places: np.ndarray,
        marks: Sequence[Mark],
    ) -> None:
        """The cells of a column by the marks of its words."""
        self.standing |= np.array([mark is STANDS for mark in marks], bool)[places]
        blanks = {
            number: blanked_cell(words[number] or "", *mark)
            for number, mark in enumerate(marks)
            if isinstance(mark, tuple)
        }
        for place in np.flatnonzero(np.isin(places, list(blanks))):
            self.hold(int(place), decision.index, (blanks[int(places[place])],))

    def hold(self, place: int, index: int, changes: tuple[Change, ...]) -> None:
        """A cell that is blanked."""
        if index not in self.masks:
            self.masks[index] = np.zeros(len(self.standing), bool)
        self.masks[index][place] = True
        self.changes[place, index] = changes

    def blank(self, written: dict[int, pa.Array]) -> None:
        """Take these cells out of the columns."""
        for index, mask in self.masks.items():
            written[index] = pc.replace_with_mask(written[index], pa.array(mask), pa.scalar(""))

    def singles(self, first: int) -> list[tuple[int, int, tuple[Change, ...]]]:
        """(ordinal, column, changes), in order of the rows."""
        return [(first + p, i, self.changes[p, i]) for p, i in sorted(self.changes)]
