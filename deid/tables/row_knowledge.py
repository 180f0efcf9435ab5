"""What is known of the person of each row: by their key, by the record itself, or by the row."""

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
    """The patients of the rows of a batch, and what is known of each.

    `own` are the columns that tell who a row is about. `stated` is what records state themselves,
    joined with what is known of their patient, by row.
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
        """What is known of the rows, and the rows whose own statement cannot be read."""
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
        """What is known of the person of a row."""
        if place in self.stated:
            return self.stated[place]
        known = self.people.of(self.owners.key(place))
        return self.of_row(place) if known is None else known

    def birth(self, place: int) -> str | None:
        """The birth date of the person of a row that more than the row tells: the record, or other
        rows of the same patient."""
        stated = self.stated.get(place)
        known = self.people.of(self.owners.key(place)) if stated is None else stated
        births = (k.value for k in known or () if k.part == "birth" and k.role == "patient")
        return next(births, None)

    def strangers(self) -> np.ndarray:
        """The rows of which only the row itself says who they are about."""
        known = [self.people.knows(key) for key in self.owners.people]
        found = ~np.array(known or [True], bool)[self.owners.codes]
        found[list(self.stated)] = False
        return np.asarray(found)

    def told(self, place: int) -> KnownValues | None:
        """What a row itself tells, where that is more than its patient's key leads to."""
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
