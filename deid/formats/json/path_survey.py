"""Collects the paths of the leaves of JSON records, and the paths where keys are values."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field

from deid.formats.json.keys import are_mixed, are_rare
from deid.formats.json.record_tree import TakenRecord
from deid.formats.path_columns import count_paths


@dataclass
class PathSurvey:
    """Counts of the paths and keys of records.

    `most` is the largest number of leaves at each path in one record.
    """

    records: int = 0
    most: Counter[str] = field(default_factory=Counter, repr=False)
    _objects: Counter[str] = field(default_factory=Counter, repr=False)
    _keys: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter), repr=False)
    _values: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set), repr=False)

    def add(self, taken: TakenRecord) -> None:
        """Add the counts of one record."""
        self.records += 1
        self._objects.update(taken.objects)
        for place, seen in taken.keys.items():
            self._keys[place].update(seen)
        for place, found in taken.values.items():
            self._values[place] |= found
        count_paths(self.most, (path for path, _ in taken.leaves))

    def keyed_by_values(self, own: Collection[str]) -> frozenset[str]:
        """The paths of objects whose keys are values; `own` are the paths of the records."""
        return frozenset(
            place
            for place, seen in self._keys.items()
            if are_rare(self._objects[place], seen)
            or are_mixed(len(self._values[place]), len(seen), own=place in own)
        )
