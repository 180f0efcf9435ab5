"""The known values of each row's person, from the patient's key, the record or the row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from deid.people.known_cells import KnownColumns
from deid.people.linking import Owners
from deid.people.patients import People
from deid.tables.table_batch import TableBatch
from recognizers import KnownValueError, KnownValues


@dataclass(frozen=True, slots=True)
class RowKnowledge:
    """The patients of the rows of a batch, and the known values of each.

    `own` are the columns that hold known values. `stated` gives, by row, the known values that the
    record itself states, joined with those of its patient.
    """

    batch: TableBatch = field(repr=False)
    owners: Owners
    people: People = field(repr=False)
    own: KnownColumns
    stated: dict[int, KnownValues] = field(repr=False)
    _rows: dict[int, KnownValues] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls, batch: TableBatch, relative: str, people: People, own: KnownColumns, width: int
    ) -> tuple[RowKnowledge, list[int]]:
        """The knowledge about the rows, and the rows whose stated known values cannot be read."""
        told = [record.patient for record in batch.records or ()]
        owners = people.owners(relative, batch, told, width=width)
        stated: dict[int, KnownValues] = {}
        broken = []
        for place, record in enumerate(batch.records or ()):
            if not record.known:
                continue
            try:
                values = KnownValues.of(record.known)
            except KnownValueError:
                broken.append(place)
                continue
            known = people.of(owners.key(place))
            stated[place] = values if known is None else known + values
        return cls(batch, owners, people, own, stated), broken

    def known(self, place: int) -> KnownValues:
        """The known values of the person of a row."""
        if place in self.stated:
            return self.stated[place]
        known = self.people.of(self.owners.key(place))
        return self.of_row(place) if known is None else known

    def birth(self, place: int) -> str | None:
        """The birth date of a row's person from the record or from other rows of the patient."""
        stated = self.stated.get(place)
        known = self.people.of(self.owners.key(place)) if stated is None else stated
        births = (k.value for k in known or () if k.part == "birth" and k.role == "patient")
        return next(births, None)

    def strangers(self) -> np.ndarray:
        """Mark the rows without a known patient and stated values: only their cells count."""
        known = [self.people.knows(key) for key in self.owners.people]
        found = ~np.array(known or [True], bool)[self.owners.codes]
        found[list(self.stated)] = False
        return np.asarray(found)

    def told(self, place: int) -> KnownValues | None:
        """The values that the record states, else those in its cells if no key gives a patient."""
        if place in self.stated:
            return KnownValues(self.stated[place].values)
        if self.people.knows(self.owners.key(place)):
            return None
        return self.of_row(place) if len(self.of_row(place)) else None

    def of_row(self, place: int) -> KnownValues:
        """The known values in the cells of a row."""
        if place not in self._rows:
            self._rows[place] = KnownValues(tuple(self.own.values(self.cells(place))))
        return self._rows[place]

    def cells(self, place: int) -> Sequence[str | None]:
        """The cells of a row."""
        return self.batch.record(place).cells
