"""The known values of each patient: those of the latest patients held, the others spilled to disk.

A patient whose values come in several parts has a chain of records, the latest first.
"""

from __future__ import annotations

import marshal
from array import array
from collections.abc import Iterable, Iterator

from deid.people.packed_keys import PersonNumbers
from deid.spool import Spill
from recognizers import KnownValue
from safe_harbor import Identifier

PATIENTS_HELD = 1 << 12
_ABSENT, _EMPTY = -2, -1
_WORDS = tuple(Identifier)
_PLACES = {word: place for place, word in enumerate(_WORDS)}
_HEAD_BYTES = 16  # the size of a record and the place of the one before it


class PatientValues:
    """What is known of each patient, in order of appearance. Its `repr` shows a count."""

    def __init__(self, persons: PersonNumbers, held: int = PATIENTS_HELD) -> None:
        self._persons = persons
        self._most_held = held
        self._held: dict[int, dict[KnownValue, None]] = {}
        self._spilled = Spill()
        self._latest = array("q")  # of each person: the latest record, or why there is none
        self._count = 0

    def __repr__(self) -> str:
        return f"PatientValues({len(self)} patients)"

    def __len__(self) -> int:
        return self._count

    def __contains__(self, person: object) -> bool:
        return isinstance(person, str) and self._number(person) is not None

    def _number(self, person: str) -> int | None:
        number = self._persons.find(person)
        known = number is not None and number < len(self._latest)
        return number if known and self._latest[number or 0] != _ABSENT else None

    def get(self, person: str) -> tuple[KnownValue, ...] | None:
        """All that is known of a patient, the first known first; None for who is none."""
        number = self._number(person)
        return None if number is None else self._values(number)

    def all(self) -> Iterator[tuple[str, tuple[KnownValue, ...]]]:
        """Every patient and what is known of them."""
        for number, latest in enumerate(self._latest):
            if latest != _ABSENT:
                yield self._persons.person(number), self._values(number)

    def add(self, person: str, values: Iterable[KnownValue]) -> bool:
        """Make somebody a patient, and add values; False if there are none."""
        number = self._persons.number(person)
        while len(self._latest) <= number:
            self._latest.append(_ABSENT)
        if self._latest[number] == _ABSENT:
            self._latest[number] = _EMPTY
            self._count += 1
        noted = dict.fromkeys(values)
        if noted:
            self._held.setdefault(number, {}).update(noted)
        if len(self._held) > self._most_held:
            self._spill()
        return bool(noted)

    def _values(self, number: int) -> tuple[KnownValue, ...]:
        parts = [self._held.get(number, {})]
        place = self._latest[number]
        while place >= 0:
            values, place = self._record(place)
            parts.append(dict.fromkeys(values))
        return tuple({value: None for part in reversed(parts) for value in part})

    def _spill(self) -> None:
        """Move what is held to disk; of patients who have a record only what is new."""
        for number, values in self._held.items():
            before = self._latest[number]
            if before >= 0:
                values = self._without(number, values)
            if not values:
                continue
            data = packed_values(values)
            head = len(data).to_bytes(8, "little") + before.to_bytes(8, "little", signed=True)
            self._latest[number] = self._spilled.append(head + data)
        self._held = {}

    def _without(self, number: int, values: dict[KnownValue, None]) -> dict[KnownValue, None]:
        """The values that no record of the patient has yet."""
        place = self._latest[number]
        left = dict(values)
        while place >= 0 and left:
            known, place = self._record(place)
            for value in known:
                left.pop(value, None)
        return left

    def _record(self, place: int) -> tuple[list[KnownValue], int]:
        """The values of one record, and the place of the one before it."""
        head = self._spilled.read(place, _HEAD_BYTES)
        size, before = (
            int.from_bytes(head[:8], "little"),
            int.from_bytes(head[8:], "little", signed=True),
        )
        return unpacked_values(self._spilled.read(place + _HEAD_BYTES, size)), before


def packed_values(values: Iterable[KnownValue]) -> bytes:
    """The values as bytes."""
    return marshal.dumps([(_PLACES[v.identifier], v.value, v.role, v.part) for v in values])


def unpacked_values(data: bytes) -> list[KnownValue]:
    """The values of these bytes."""
    return [KnownValue(_WORDS[word], *more) for word, *more in marshal.loads(data)]
