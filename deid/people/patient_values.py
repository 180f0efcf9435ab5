"""The known values of each patient, packed: in memory while they are few, else on disk.

Gathering adds a record per patient and batch of rows, so a patient has a chain of records, the
latest first. When it has ended, each chain becomes one record.
"""

from __future__ import annotations

import marshal
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from deid.people.packed_keys import PersonNumbers
from deid.spool import Spill
from recognizers import KnownValue
from safe_harbor import Identifier

# The patients that one worker packs before the next worker's turn.
PATIENTS_AT_ONCE = 1 << 8
_ABSENT, _EMPTY = -2, -1
_WORDS = tuple(Identifier)
_PLACES = {word: place for place, word in enumerate(_WORDS)}
_Told = tuple[int, str, str, str]
"""A value as it is packed: the place of its identifier, its text, role and part."""
_HEAD_BYTES = 16  # the size of a record and the offset of the previous record
_NOT_NAMES = ("state", "zip", "facility", "organization")


@dataclass(slots=True)
class ValueSummary:
    """The known values of all patients together. The `repr` shows no value.

    `roles` counts the values by role; `words` are the words of every known name and street;
    `has_names` says whether any patient's own name is known.
    """

    roles: Counter[str] = field(default_factory=Counter)
    words: set[str] = field(default_factory=set, repr=False)
    has_names: bool = False

    def see(self, values: Iterable[KnownValue]) -> None:
        """Count the values of a patient."""
        for one in values:
            self.roles[one.role] += 1
            is_name = one.identifier is Identifier.NAMES
            self.has_names |= is_name and one.role == "patient"
            if (is_name or one.identifier is Identifier.PLACES) and one.part not in _NOT_NAMES:
                self.words.update(re.findall(r"[^\W\d_]{3,}", one.value.casefold()))

    def add(self, other: ValueSummary) -> None:
        """Add the summary of other patients."""
        self.roles.update(other.roles)
        self.words |= other.words
        self.has_names |= other.has_names

    def without(self, words: re.Pattern[str]) -> ValueSummary:
        """The same summary without the words that match as a whole."""
        left = {word for word in self.words if not words.fullmatch(word)}
        return replace(self, words=left)


class PatientValues:
    """The known values of each patient, in order of appearance. Its `repr` shows a count."""

    def __init__(self, persons: PersonNumbers) -> None:
        self._persons = persons
        self._records = Spill()
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
        for number, values in self.numbered(range(len(self._latest))):
            yield self._persons.person(number), values

    def numbered(self, some: range) -> Iterator[tuple[int, tuple[KnownValue, ...]]]:
        """The number of every patient in the range, with their known values."""
        for number in some:
            if self._latest[number] != _ABSENT:
                yield number, self.values_of(number)

    def ranges(self) -> Iterator[range]:
        """Ranges that hold the numbers of all patients, in order."""
        for start in range(0, len(self._latest), PATIENTS_AT_ONCE):
            yield range(start, min(start + PATIENTS_AT_ONCE, len(self._latest)))

    def add(self, person: str, values: Iterable[KnownValue]) -> bool:
        """Register a person as a patient and add values; False if there are no values."""
        data = packed_record(values)
        self.add_record(self._persons.number(person), data)
        return bool(data)

    def add_record(self, number: int, data: bytes) -> None:
        """Register the patient with that number; add values, as `packed_record` packed them."""
        while len(self._latest) <= number:
            self._latest.append(_ABSENT)
        before = max(self._latest[number], _EMPTY)
        self._count += self._latest[number] == _ABSENT
        self._latest[number] = before
        if data:
            head = len(data).to_bytes(8, "little") + before.to_bytes(8, "little", signed=True)
            self._latest[number] = self._records.append(head + data)

    def values_of(self, number: int) -> tuple[KnownValue, ...]:
        """All known values of the patient with that number."""
        return tuple(map(_built_value, self._told(number)))

    def some(self, number: int, places: Sequence[int]) -> dict[int, KnownValue]:
        """The values of the patient at these indices, by index; no other values are built."""
        told = self._told(number)
        return {index: _built_value(told[index]) for index in places}

    def _told(self, number: int) -> list[_Told]:
        """The distinct values of a chain of records, the earliest first."""
        parts, place = [], self._latest[number]
        while place >= 0:
            told, place = self._record(place)
            parts.append(told)
        if len(parts) == 1:
            return parts[0]
        return list(dict.fromkeys(chain.from_iterable(reversed(parts))))

    def _record(self, place: int) -> tuple[list[_Told], int]:
        """The values of one record as they are packed, and the offset of the previous record."""
        head = self._records.read(place, _HEAD_BYTES)
        size = int.from_bytes(head[:8], "little")
        before = int.from_bytes(head[8:], "little", signed=True)
        return marshal.loads(self._records.read(place + _HEAD_BYTES, size)), before


def packed_record(values: Iterable[KnownValue]) -> bytes:
    """The distinct values as bytes; no bytes if there are none."""
    told = dict.fromkeys((_PLACES[v.identifier], v.value, v.role, v.part) for v in values)
    return marshal.dumps(list(told)) if told else b""


def packed_values(values: Iterable[KnownValue]) -> bytes:
    """The values as bytes."""
    return marshal.dumps([(_PLACES[v.identifier], v.value, v.role, v.part) for v in values])


def unpacked_values(data: bytes) -> list[KnownValue]:
    """The values of these bytes."""
    return [*map(_built_value, marshal.loads(data))]


def _built_value(told: _Told) -> KnownValue:
    word, value, role, part = told
    return KnownValue(_WORDS[word], value, role, part)
