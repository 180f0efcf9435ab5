"""The features of what is known of each patient, packed and spilled to disk, for quick looks.

They are computed once a job, before processes are forked, whatever the number of linked tables.
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
    """The features of one patient's values: each as a hash, and the place of its value.

    Values that have no features are always asked about: `asked` tells their places, and by which
    number an answer on each is remembered for all persons.
    """

    hashes: np.ndarray = field(repr=False)
    places: np.ndarray = field(repr=False)
    asked: np.ndarray = field(repr=False)
    asked_places: np.ndarray = field(repr=False)

    @classmethod
    def of(cls, values: Sequence[KnownValue]) -> PatientFeatures:
        """Of the values of a patient, in order."""
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
        """As bytes."""
        head = np.array((len(self.asked), len(self.hashes)), _SIZES)
        parts = (self.asked, self.asked_places, self.hashes, self.places)
        return b"".join((head.tobytes(), *(part.tobytes() for part in parts)))

    @classmethod
    def unpacked(cls, data: bytes) -> PatientFeatures:
        """Of these bytes."""
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

    def add(self, number: int, features: PatientFeatures) -> None:
        """Add those of one patient."""
        while len(self._places) <= number:
            self._places.append(_ABSENT)
            self._sizes.append(0)
        data = features.packed()
        self._places[number], self._sizes[number] = self._store.append(data), len(data)

    def of(self, number: int) -> PatientFeatures | None:
        """Those of one patient; None for who was not added."""
        if number >= len(self._places) or (place := self._places[number]) == _ABSENT:
            return None
        return PatientFeatures.unpacked(self._store.read(place, self._sizes[number]))
