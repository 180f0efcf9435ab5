"""The packed forms of each patient: hashes of forms, and days, stored on disk.

Most values of a patient are dates, and a day has some twenty forms. So days are stored as numbers,
and their forms are looked up once for all patients.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Sequence

import numpy as np

from deid.people.packed_keys import PackedKeys
from deid.residual.packed.hashed_runs import stretch_hashes
from deid.spool import Spill

KEYS_AT_ONCE = 1 << 14
_HASH_BYTES, _DAY_BYTES = 8, 4


class PatientForms:
    """The hashes of the forms of each patient, and their days. The `repr` shows a count."""

    def __init__(self) -> None:
        self._numbers = PackedKeys()
        self._places = array("q", [0])
        self._counts = array("l")
        self._store = Spill()
        self._waiting: list[tuple[Sequence[str], Collection[int]]] = []
        self._waiting_keys = 0
        self.longest = 0

    def __repr__(self) -> str:
        return f"PatientForms({len(self._numbers)} patients)"

    def add(self, patient: str, keys: Sequence[str], days: Collection[int]) -> None:
        """Add a patient with the keys of the forms (letters and digits) and the days."""
        self._numbers.put(patient, len(self._numbers))
        self._waiting.append((keys, days))
        self._waiting_keys += len(keys) + 1
        if self._waiting_keys > KEYS_AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Pack the patients that were added since the last call."""
        keys = [key for some, _ in self._waiting for key in some]
        self.longest = max(self.longest, *map(len, keys), 0) if keys else self.longest
        hashes, start = stretch_hashes(keys), 0
        for some, days in self._waiting:
            own = np.unique(hashes[start : start + len(some)])
            start += len(some)
            self._store.append(own.tobytes() + np.array(sorted(days), np.int32).tobytes())
            self._places.append(len(self._store))
            self._counts.append(len(own))
        self._waiting, self._waiting_keys = [], 0

    def of(self, patient: str) -> tuple[np.ndarray, np.ndarray] | None:
        """The hashes of a patient's forms, and the days; None if the patient was not added."""
        number = self._numbers.find(patient)
        if number is None:
            return None
        place = self._places[number]
        data = self._store.read(place, self._places[number + 1] - place)
        split = self._counts[number] * _HASH_BYTES
        return np.frombuffer(data[:split], np.uint64), np.frombuffer(data[split:], np.int32)
