"""The packed forms of each patient: hashes of forms, and days, stored on disk.

Most values of a patient are dates, and a day has some twenty forms. So days are stored as numbers,
and their forms are looked up once for all patients.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from deid.people.packed_keys import PackedKeys
from deid.residual.packed.hashed_runs import stretch_hashes
from deid.spool import Spill

_HASH_BYTES = 8


@dataclass(frozen=True, slots=True)
class PackedPatient:
    """The hashes of a patient's forms, `count` of them, and the days, as bytes.

    `longest` is the number of characters of the longest form.
    """

    patient: str = field(repr=False)
    count: int
    longest: int
    data: bytes = field(repr=False)


def packed_patients(
    told: Iterable[tuple[str, Sequence[str], Collection[int]]],
) -> Iterator[PackedPatient]:
    """Pack patients, each with the keys of the forms (letters and digits) and the days."""
    patients = list(told)
    hashes, start = stretch_hashes([key for _, keys, _ in patients for key in keys]), 0
    for patient, keys, days in patients:
        own = np.unique(hashes[start : start + len(keys)])
        start += len(keys)
        data = own.tobytes() + np.array(sorted(days), np.int32).tobytes()
        yield PackedPatient(patient, len(own), max(map(len, keys), default=0), data)


class PatientForms:
    """The hashes of the forms of each patient, and their days. The `repr` shows a count."""

    def __init__(self) -> None:
        self._numbers = PackedKeys()
        self._places = array("q", [0])
        self._counts = array("l")
        self._store = Spill()
        self.longest = 0

    def __repr__(self) -> str:
        return f"PatientForms({len(self._numbers)} patients)"

    def add(self, packed: PackedPatient) -> None:
        """Add a patient."""
        self._numbers.put(packed.patient, len(self._numbers))
        self.longest = max(self.longest, packed.longest)
        self._store.append(packed.data)
        self._places.append(len(self._store))
        self._counts.append(packed.count)

    def of(self, patient: str) -> tuple[np.ndarray, np.ndarray] | None:
        """The hashes of a patient's forms, and the days; None if the patient was not added."""
        number = self._numbers.find(patient)
        if number is None:
            return None
        place = self._places[number]
        data = self._store.read(place, self._places[number + 1] - place)
        split = self._counts[number] * _HASH_BYTES
        return np.frombuffer(data[:split], np.uint64), np.frombuffer(data[split:], np.int32)
