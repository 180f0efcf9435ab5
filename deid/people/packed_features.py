"""The features of each patient's known values, packed and spilled to disk for quick lookup.

They are computed once per job, by all workers, before any of them scrubs, for any number of linked
tables.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from deid.people.packed_keys import key_hash
from deid.spool import Spill
from recognizers import KnownValue, feature_hash, value_features

_ABSENT = -1
_SIZES = np.dtype([("asked", "<u4"), ("features", "<u4")])


@dataclass(frozen=True, slots=True)
class PatientFeatures:
    """The features of one patient's values: the hash of each feature, and the index of its value.

    Values without features are always checked. `asked_places` are the indices of these values, and
    `asked` are the numbers under which their answers are cached for all persons.
    """

    hashes: np.ndarray = field(repr=False)
    places: np.ndarray = field(repr=False)
    asked: np.ndarray = field(repr=False)
    asked_places: np.ndarray = field(repr=False)

    @classmethod
    def of(cls, values: Sequence[KnownValue]) -> PatientFeatures:
        """Compute the features of a patient's values, given in order."""
        hashes, places = array("I"), array("I")
        asked, asked_places = array("Q"), array("I")
        for place, one in enumerate(values):
            features = value_features(one.identifier, one.part, one.value)
            if features is None:
                asked.append(key_hash("\n".join((one.identifier, one.part, one.role, one.value))))
                asked_places.append(place)
            else:
                hashes.extend(map(feature_hash, features))
                places.extend([place] * len(features))
        return cls(*(np.array(some) for some in (hashes, places, asked, asked_places)))

    def packed(self) -> bytes:
        """The features as bytes."""
        head = np.array((len(self.asked), len(self.hashes)), _SIZES)
        parts = (self.asked, self.asked_places, self.hashes, self.places)
        return b"".join((head.tobytes(), *(part.tobytes() for part in parts)))

    @classmethod
    def unpacked(cls, data: bytes) -> PatientFeatures:
        """Read the features from bytes."""
        head = np.frombuffer(data, _SIZES, 1)[0]
        asked, features = int(head["asked"]), int(head["features"])
        start = _SIZES.itemsize + 8 * asked
        small = np.frombuffer(data, np.uint32, asked + 2 * features, start)
        hashes, places = small[asked : asked + features], small[asked + features :]
        return cls(
            hashes, places, np.frombuffer(data, np.uint64, asked, _SIZES.itemsize), small[:asked]
        )


class PackedFeatures:
    """The features of all patients, by number. The `repr` shows a count."""

    def __init__(self) -> None:
        self._places = array("q")
        self._sizes = array("q")
        self._store = Spill()

    def __repr__(self) -> str:
        return f"PackedFeatures({len(self._places)} patients)"

    def add(self, number: int, data: bytes) -> None:
        """Add the packed features of one patient."""
        while len(self._places) <= number:
            self._places.append(_ABSENT)
            self._sizes.append(0)
        self._places[number], self._sizes[number] = self._store.append(data), len(data)

    def of(self, number: int) -> PatientFeatures | None:
        """The features of one patient; None for a patient who was not added."""
        if number >= len(self._places) or (place := self._places[number]) == _ABSENT:
            return None
        return PatientFeatures.unpacked(self._store.read(place, self._sizes[number]))
