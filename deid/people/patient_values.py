"""The known values of each patient: the latest values in memory, the others on disk.

If the values of a patient come in several parts, the patient has a chain of records, the latest
first.
"""

from __future__ import annotations

import marshal
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from deid.people.packed_keys import PersonNumbers
from deid.spool import Spill
from recognizers import KnownValue
from safe_harbor import Identifier

VALUES_HELD = 1 << 17
# The patients that one worker packs before the next worker's turn.
PATIENTS_AT_ONCE = 1 << 8
_ABSENT, _EMPTY = -2, -1
_WORDS = tuple(Identifier)
_PLACES = {word: place for place, word in enumerate(_WORDS)}
_Told = tuple[int, str, str, str]
"""A value as it is packed: the place of its identifier, its text, role and part."""
_HEAD_BYTES = 16  # the size of a record and the offset of the previous record


class PatientValues:
    """The known values of each patient, in order of appearance. Its `repr` shows a count."""

    def __init__(self, persons: PersonNumbers, held: int | None = None) -> None:
        self._persons = persons
        self._most_held = VALUES_HELD if held is None else held
        self._held: dict[int, dict[KnownValue, None]] = {}
        self._values_held = 0
        self._spilled = Spill()
        self._latest = array("q")  # by person: the latest record, or why there is none
        self._count = 0

    def __repr__(self) -> str:
        return f"PatientValues({len(self)} patients)"

    def __len__(self) -> int:
        return self._count

    def __contains__(self, person: object) -> bool:
        return isinstance(person, str) and self.number(person) is not None

    def number(self, person: str) -> int | None:
        """The number of a patient; None if the person is not a patient."""
        number = self._persons.find(person)
        known = number is not None and number < len(self._latest)
        return number if known and self._latest[number or 0] != _ABSENT else None

    def get(self, person: str) -> tuple[KnownValue, ...] | None:
        """All known values of a patient, the earliest first; None for another person."""
        number = self.number(person)
        return None if number is None else self.values_of(number)

    def all(self) -> Iterator[tuple[str, tuple[KnownValue, ...]]]:
        """Every patient with their known values."""
        for number, values in self.numbered():
            yield self._persons.person(number), values

    def numbered(self, some: range | None = None) -> Iterator[tuple[int, tuple[KnownValue, ...]]]:
        """The number of every patient with their known values; only numbers in `some`, if given."""
        for number in range(len(self._latest)) if some is None else some:
            if self._latest[number] != _ABSENT:
                yield number, self.values_of(number)

    def roles(self) -> Counter[str]:
        """The number of known values by role, over all patients."""
        return Counter(role for n in range(len(self._latest)) for role in self._roles_of(n))

    def _roles_of(self, number: int) -> Iterator[str]:
        if number in self._held:
            return (value.role for value in self.values_of(number))
        return (role for _, _, role, _ in _told_in(self._spilled, self._latest[number]))

    def ranges(self) -> Iterator[range]:
        """Ranges that hold the numbers of all patients, in order."""
        for start in range(0, len(self._latest), PATIENTS_AT_ONCE):
            yield range(start, min(start + PATIENTS_AT_ONCE, len(self._latest)))

    def add(self, person: str, values: Iterable[KnownValue]) -> bool:
        """Register a person as a patient and add values; False if there are no values."""
        number = self._persons.number(person)
        while len(self._latest) <= number:
            self._latest.append(_ABSENT)
        if self._latest[number] == _ABSENT:
            self._latest[number] = _EMPTY
            self._count += 1
        noted = dict.fromkeys(values)
        if noted:
            own = self._held.setdefault(number, {})
            before = len(own)
            own.update(noted)
            self._values_held += len(own) - before
        if self._values_held > self._most_held:
            self._spill()
        return bool(noted)

    def values_of(self, number: int) -> tuple[KnownValue, ...]:
        """All known values of the patient with that number."""
        held, place = self._held.get(number, {}), self._latest[number]
        values = tuple(map(_built_value, _told_in(self._spilled, place)))
        return tuple(dict.fromkeys((*values, *held))) if values and held else values or tuple(held)

    def some(self, number: int, places: Sequence[int]) -> dict[int, KnownValue]:
        """The values of the patient at these indices, by index; no other values are built."""
        place = self._latest[number]
        if number not in self._held and place >= 0:
            told, before = _record(self._spilled, place)
            if before < 0:
                return {index: _built_value(told[index]) for index in places}
        values = self.values_of(number)
        return {index: values[index] for index in places}

    def _spill(self) -> None:
        """Move the values in memory to disk."""
        for number, values in self._held.items():
            self._write(number, packed_values(values), self._latest[number])
        self._held, self._values_held = {}, 0

    def _write(self, number: int, data: bytes, before: int) -> None:
        """Append a record of a patient; `before` is the offset of the previous record."""
        head = len(data).to_bytes(8, "little") + before.to_bytes(8, "little", signed=True)
        self._latest[number] = self._spilled.append(head + data)

    def settle(self) -> None:
        """Merge the records of each patient into one."""
        if not len(self._spilled):
            return
        self._spill()
        scattered, self._spilled = self._spilled, Spill()
        for number, place in enumerate(self._latest):
            if place >= 0:
                self._write(number, marshal.dumps(_told_in(scattered, place)), _EMPTY)


def _record(records: Spill, place: int) -> tuple[list[_Told], int]:
    """The values of one record as they are packed, and the offset of the previous record."""
    head = records.read(place, _HEAD_BYTES)
    size = int.from_bytes(head[:8], "little")
    before = int.from_bytes(head[8:], "little", signed=True)
    return marshal.loads(records.read(place + _HEAD_BYTES, size)), before


def _told_in(records: Spill, place: int) -> list[_Told]:
    """The distinct values of a chain of records as they are packed, the earliest first."""
    parts: list[list[_Told]] = []
    while place >= 0:
        told, place = _record(records, place)
        parts.append(told)
    if len(parts) == 1:  # the values of one record are distinct
        return parts[0]
    return list(dict.fromkeys(chain.from_iterable(reversed(parts))))


def packed_values(values: Iterable[KnownValue]) -> bytes:
    """The values as bytes."""
    return marshal.dumps([(_PLACES[v.identifier], v.value, v.role, v.part) for v in values])


def unpacked_values(data: bytes) -> list[KnownValue]:
    """The values of these bytes."""
    return [*map(_built_value, marshal.loads(data))]


def _built_value(told: _Told) -> KnownValue:
    word, value, role, part = told
    return KnownValue(_WORDS[word], value, role, part)
