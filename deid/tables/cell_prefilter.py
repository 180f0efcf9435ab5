"""The kept cells of a table as prefilters for known values.

A prefilter rules out values that are in none of its cells, so that they need no search. Cells are
added batch by batch; each cell is checked once against the values of each person.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

import numpy as np
import pyarrow as pa

from deid.arrow.prefilter import ColumnReading, matching_cells
from deid.people.known_cells import KnownColumn, KnownColumns
from deid.people.packed_features import PatientFeatures
from deid.tables.cell_groups import CellGroup, CellLevel
from deid.tables.table_batch import TableBatch
from recognizers import KnownValue, KnownValuePrefilter, KnownValues
from safe_harbor import Identifier

# The most distinct cells kept from earlier batches, and the most cached answers.
MOST_CELLS, MOST_ANSWERS = 1 << 14, 1 << 18
# The most persons whose matched values are cached.
MOST_PEOPLE = 1 << 13
_IN_COMPANY = frozenset((Identifier.NAMES, Identifier.PLACES))
# The most cells that are cached, each with a prefilter of its own.
MOST_SINGLE_CELLS = 1 << 12


class AskedPatients(Protocol):
    """The lookups about patients that a prefilter needs."""

    def features(self, key: str | None, /) -> PatientFeatures | None:
        """The features of a patient's known values; None for an unknown patient."""

    def some(self, key: str, places: Sequence[int], /) -> Mapping[int, KnownValue]:
        """Return the known values of a patient at these indices, by index."""


@dataclass(frozen=True, slots=True)
class MetValues:
    """The values of a patient that might be found in the cells, and the cells concerned."""

    values: KnownValues
    cells: frozenset[str] = field(repr=False)


_NOTHING_MET = MetValues(KnownValues(), frozenset())


@dataclass(slots=True)
class CellPrefilter:
    """The distinct kept cells of a table so far. The `repr` shows only counts."""

    own: KnownColumns
    _levels: list[CellLevel] = field(default_factory=list)
    _cells: set[str] = field(default_factory=set, repr=False)
    _people: dict[str, tuple[int, dict[int, KnownValue], MetValues]] = field(
        default_factory=dict, repr=False
    )
    _values: dict[tuple[int, int, str], bool] = field(default_factory=dict, repr=False)
    _single_cells: dict[str, KnownValuePrefilter] = field(default_factory=dict, repr=False)

    def renew(self) -> None:
        """Forget the cells if there are too many."""
        if len(self._cells) > MOST_CELLS:
            self._levels, self._cells = [], set()
            self._people.clear()
            self._values.clear()

    def add(self, cells: Iterable[str]) -> None:
        """Add cells as a new level, which absorbs earlier levels less than twice its size."""
        new = [cell for cell in dict.fromkeys(cells) if cell not in self._cells]
        if not new:
            return
        self._cells.update(new)
        while self._levels and len(self._levels[-1].group.cells) < 2 * len(new):
            new = [*self._levels.pop().group.cells, *new]
        self._levels.append(CellLevel(CellGroup(new), len(self._cells)))
        self._values.clear()

    @property
    def _prefilters(self) -> list[KnownValuePrefilter]:
        return [level.group.prefilter for level in self._levels]

    def live(self, words: Sequence[str | None]) -> np.ndarray:
        """Mark the cells that may hold values that a prefilter cannot rule out."""
        live = set().union(*(prefilter.live for prefilter in self._prefilters))
        return np.array([word in live for word in words], bool)

    def sifts(self, cell: str) -> bool:
        """Whether `met_by` reports every value that can be found in the cell."""
        return cell in self._cells and not any(cell in one.live for one in self._prefilters)

    def sifts_all_but_dates(self, cell: str) -> bool:
        """Whether `met_by` reports all but the dates and ages that can be found in the cell."""
        return self.sifts(cell) or any(cell in one.dated for one in self._prefilters)

    def met_by(self, key: str | None, people: AskedPatients) -> MetValues | None:
        """The values of a patient that might be found in one of the cells; None for an unknown key.

        Matching reads a patient's names together, and the parts of an address together.
        """
        features = people.features(key)
        if features is None or key is None:
            return None
        asked, held, met = self._people.get(key, (0, {}, _NOTHING_MET))
        if asked < len(self._cells):
            new = [level for level in self._levels if level.end > asked]
            held = held | self._newly_met(new, key, features, people)
            met = self._with_company(new, key, held, met, features, people)
            if len(self._people) >= MOST_PEOPLE:
                self._people.clear()
            self._people[key] = len(self._cells), held, met
        return met

    def _newly_met(
        self,
        levels: Sequence[CellLevel],
        key: str,
        features: PatientFeatures,
        people: AskedPatients,
    ) -> dict[int, KnownValue]:
        """Return the values that might be found in the cells of these levels, by index."""
        met: dict[int, KnownValue] = {}
        for level in levels:
            shared = level.features.places(features.hashes)
            alike = sorted(set(features.places[shared].tolist()))
            numbers = features.asked.tolist()
            answers = [level.answers.get(number) for number in numbers]
            open_ = [n for n, answer in enumerate(answers) if answer is not False]
            places = features.asked_places[open_].tolist()
            values = people.some(key, [*alike, *places]) if alike or places else {}
            for n, place in zip(open_, places, strict=True):
                if answers[n] is None:
                    answers[n] = level.group.meets(values[place])
                    level.remember(numbers[n], bool(answers[n]))
            meeting = [place for place in alike if level.group.meets(values[place])]
            meeting += [place for n, place in zip(open_, places, strict=True) if answers[n]]
            met |= {place: values[place] for place in meeting}
        return met

    def _with_company(
        self,
        levels: Sequence[CellLevel],
        key: str,
        held: dict[int, KnownValue],
        before: MetValues,
        features: PatientFeatures,
        people: AskedPatients,
    ) -> MetValues:
        """The matched values, the values that are searched with them, and the cells that match."""
        asked = features.asked_places.tolist()
        signed = any(level.group.prefilter.rows for level in levels)
        together = {value.identifier for value in (*held.values(), *before.values)} & _IN_COMPANY
        values = people.some(key, asked) if asked and (signed or together) else {}
        names = [v.value for v in values.values() if v.identifier is Identifier.NAMES]
        signs = frozenset[str]().union(*(level.cells_signed(names) for level in levels if signed))
        together |= {Identifier.NAMES} if signs else set()
        company = {place: v for place, v in values.items() if v.identifier in together}
        cells = before.cells.union(signs, *(n.cells_met(v) for n in levels for v in held.values()))
        whole = dict(sorted((held | company).items()))
        return MetValues(KnownValues(tuple(whole.values())), cells)

    def rows(self, batch: TableBatch) -> np.ndarray:
        """Mark the rows with a value of their own that might be found in one of the kept cells."""
        found = np.zeros(len(batch), bool)
        for column in self.own.columns:
            cells = batch.column(column.index)
            array = pa.array(cells, pa.string()) if isinstance(cells, list) else cells
            reading = ColumnReading(array, column.identifier)
            for number, prefilter in enumerate(self._prefilters):
                candidates = reading.candidates(prefilter) & ~found
                found |= matching_cells(array, candidates, partial(self._meets, number, column))
        for prefilter in self._prefilters:
            if prefilter.rows:
                found |= self._signed(prefilter, batch)
        return found

    def _meets(self, number: int, column: KnownColumn, value: str) -> bool:
        key = (number, column.index, value)
        if (known := self._values.get(key)) is not None:
            return known
        whose = bool(self.own.role_columns)
        part, role = "" if whose else column.part, "employer" if whose else column.role
        meets = self._levels[number].group.prefilter.meets(column.identifier, part, value, role)
        if len(self._values) < MOST_ANSWERS:
            self._values[key] = meets
        return meets

    def _signed(self, prefilter: KnownValuePrefilter, batch: TableBatch) -> np.ndarray:
        """Mark the rows whose person may have initials that equal one of the cells."""
        names = [c.index for c in self.own.columns if c.identifier is Identifier.NAMES]
        columns = [batch.cells(index) for index in names]
        found = [prefilter.signs(filter(None, values)) for values in zip(*columns, strict=True)]
        return np.array(found or np.zeros(len(batch)), bool)

    def may_hold(self, cells: Sequence[str], known: KnownValues) -> bool:
        """Whether one of these values might be found in one of these cells."""
        own = [cell for cell in cells if cell in self._cells]
        if not all(map(self.sifts, own)):
            return True
        names = [v.value for v in known if v.identifier is Identifier.NAMES]
        for level in self._levels if own else ():
            if not level.cells_signed(names).isdisjoint(own):
                return True
            if not all(level.cells_met(value).isdisjoint(own) for value in known):
                return True
        return any(self._alone_may_hold(cell, known) for cell in cells if cell not in self._cells)

    def _alone_may_hold(self, cell: str, known: KnownValues) -> bool:
        """Whether one of these values might be found in a cell that no level contains."""
        if cell not in self._single_cells:
            if len(self._single_cells) >= MOST_SINGLE_CELLS:
                self._single_cells.clear()
            self._single_cells[cell] = KnownValuePrefilter()
            self._single_cells[cell].add([cell])
        prefilter = self._single_cells[cell]
        return cell in prefilter.live or _meets_any(prefilter, known)


def _meets_any(prefilter: KnownValuePrefilter, known: Iterable[KnownValue]) -> bool:
    values = list(known)
    if any(prefilter.meets(v.identifier, v.part, v.value, v.role) for v in values):
        return True
    return bool(prefilter.rows) and prefilter.signs(
        v.value for v in values if v.identifier is Identifier.NAMES
    )
