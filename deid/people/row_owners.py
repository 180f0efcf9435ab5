"""The owner of each row of a written table: a patient, or the row's own known values on disk."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator

from deid.people.packed_keys import PersonNumbers
from deid.people.patient_values import packed_values, unpacked_values
from deid.spool import Spill
from recognizers import KnownValues

_NOBODY, _TELLS = -1, -2


class RowOwners:
    """The owner of each row: a patient's key, the row's own known values, or None.

    The `repr` shows a count.
    """

    def __init__(self, persons: PersonNumbers) -> None:
        self._persons = persons
        self._numbers = array("q")
        self._told = Spill()
        self._sizes = array("q")

    def __repr__(self) -> str:
        return f"RowOwners({len(self)} rows)"

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[str | KnownValues | None]:
        place = 0
        sizes = iter(self._sizes)
        for number in self._numbers:
            if number == _TELLS:
                size = next(sizes)
                yield KnownValues(tuple(unpacked_values(self._told.read(place, size))))
                place += size
            else:
                yield None if number == _NOBODY else self._persons.person(number)

    def extend(self, owners: Iterable[str | KnownValues | None]) -> None:
        """Add the owners of the next rows."""
        for owner in owners:
            if isinstance(owner, KnownValues):
                self._numbers.append(_TELLS)
                data = packed_values(owner)
                self._sizes.append(len(data))
                self._told.append(data)
            else:
                number = None if owner is None else self._persons.find(owner)
                self._numbers.append(_NOBODY if number is None else number)
