"""The kept cells of a table as prefilters for known values.

A value that no prefilter passes is in none of the cells, so its rows need no search. Cells are
added batch by batch; a person is asked about each cell once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pyarrow as pa

from deid.arrow.prefilter import candidate_rows, matching_cells
from deid.people.known_cells import KnownColumn, KnownColumns
from deid.tables.table_batch import TableBatch
from recognizers import KnownValue, KnownValuePrefilter, KnownValues
from safe_harbor import Identifier

# The most distinct cells held from earlier batches, and answers held.
MOST_CELLS, MOST_ANSWERS = 1 << 14, 1 << 18
# The most persons of whom the values met are held.
MOST_PEOPLE = 1 << 13
_TOGETHER = frozenset((Identifier.NAMES, Identifier.PLACES))
# The most cells that are held as prefilters of their own.
MOST_SINGLE_CELLS = 1 << 12


@dataclass(frozen=True, slots=True)
class _Level:
    """Some cells as one prefilter; `end` counts the cells up to the last of them."""

    cells: list[str] = field(repr=False)
    prefilter: KnownValuePrefilter
    end: int


@dataclass(slots=True)
class CellPrefilter:
    """The distinct kept cells of a table so far. The `repr` shows counts."""

    own: KnownColumns
    _levels: list[_Level] = field(default_factory=list)
    _cells: set[str] = field(default_factory=set, repr=False)
    _people: dict[str, tuple[int, KnownValues]] = field(default_factory=dict, repr=False)
    _values: dict[tuple[int, int, str], bool] = field(default_factory=dict, repr=False)
    _single_cells: dict[str, KnownValuePrefilter] = field(default_factory=dict, repr=False)

    def renew(self) -> None:
        """Forget the cells where they are too many."""
        if len(self._cells) > MOST_CELLS:
            self._levels, self._cells = [], set()
            self._people.clear()
            self._values.clear()

    def add(self, cells: Iterable[str]) -> None:
        """Add cells; a level takes in those before it that are not twice as large."""
        new = [cell for cell in dict.fromkeys(cells) if cell not in self._cells]
        if not new:
            return
        self._cells.update(new)
        while self._levels and len(self._levels[-1].cells) < 2 * len(new):
            new = self._levels.pop().cells + new
        prefilter = KnownValuePrefilter()
        prefilter.add(new)
        self._levels.append(_Level(new, prefilter, len(self._cells)))
        self._values.clear()

    def live(self, words: Sequence[str | None]) -> np.ndarray:
        """Which cells may hold any value at all."""
        live = set().union(*(level.prefilter.live for level in self._levels))
        return np.array([word in live for word in words], bool)

    def sifts(self, cell: str) -> bool:
        """Is it a cell in which nothing is found but what `met_by` tells?"""
        return cell in self._cells and not any(cell in n.prefilter.live for n in self._levels)

    def met_by(self, key: str, known: KnownValues) -> KnownValues:
        """The values of a person that might be found in one of the cells.

        Names are found together, and so are the parts of an address.
        """
        asked, met = self._people.get(key, (0, KnownValues()))
        if asked < len(self._cells):
            new = [level.prefilter for level in self._levels if level.end > asked]
            met = _values_met(new, known, met)
            if len(self._people) >= MOST_PEOPLE:
                self._people.clear()
            self._people[key] = len(self._cells), met
        return met

    def rows(self, batch: TableBatch) -> np.ndarray:
        """The rows whose own cells tell a value that might be found in one of the cells."""
        found = np.zeros(len(batch), bool)
        for number, level in enumerate(self._levels):
            for column in self.own.columns:
                cells = batch.column(column.index)
                array = pa.array(cells, pa.string()) if isinstance(cells, list) else cells
                candidates = candidate_rows(array, level.prefilter, column.identifier)
                found |= matching_cells(array, candidates, partial(self._meets, number, column))
            if level.prefilter.rows:
                found |= self._signed(level.prefilter, batch)
        return found

    def _meets(self, number: int, column: KnownColumn, value: str) -> bool:
        key = (number, column.index, value)
        if (known := self._values.get(key)) is not None:
            return known
        whose = bool(self.own.role_columns)
        part, role = "" if whose else column.part, "employer" if whose else column.role
        meets = self._levels[number].prefilter.meets(column.identifier, part, value, role)
        if len(self._values) < MOST_ANSWERS:
            self._values[key] = meets
        return meets

    def _signed(self, prefilter: KnownValuePrefilter, batch: TableBatch) -> np.ndarray:
        """The rows whose person may have initials that equal one of the cells."""
        names = [c.index for c in self.own.columns if c.identifier is Identifier.NAMES]
        columns = [batch.cells(index) for index in names]
        found = [prefilter.signs(filter(None, values)) for values in zip(*columns, strict=True)]
        return np.array(found or np.zeros(len(batch)), bool)

    def cell_may_hold(self, cell: str, known: Iterable[KnownValue]) -> bool:
        """Might one of these values be found in this cell?"""
        if cell not in self._single_cells:
            if len(self._single_cells) >= MOST_SINGLE_CELLS:
                self._single_cells.clear()
            self._single_cells[cell] = KnownValuePrefilter()
            self._single_cells[cell].add([cell])
        prefilter = self._single_cells[cell]
        return cell in prefilter.live or _meets_any(prefilter, known)


def _values_met(
    prefilters: Sequence[KnownValuePrefilter], known: KnownValues, before: KnownValues
) -> KnownValues:
    """Those that meet one of the prefilters, those met before, and what is found with them."""
    met = set(before)
    met.update(
        v
        for v in known
        if v not in met and any(n.meets(v.identifier, v.part, v.value, v.role) for n in prefilters)
    )
    together = {v.identifier for v in met} & _TOGETHER
    names = [v.value for v in known if v.identifier is Identifier.NAMES]
    if any(n.rows and n.signs(names) for n in prefilters):
        together.add(Identifier.NAMES)
    return KnownValues(tuple(v for v in known if v in met or v.identifier in together))


def _meets_any(prefilter: KnownValuePrefilter, known: Iterable[KnownValue]) -> bool:
    values = list(known)
    if any(prefilter.meets(v.identifier, v.part, v.value, v.role) for v in values):
        return True
    return bool(prefilter.rows) and prefilter.signs(
        v.value for v in values if v.identifier is Identifier.NAMES
    )
