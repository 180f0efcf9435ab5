"""Groups of kept cells, to find the cells that might hold a known value.

A check of a group rules out all of its cells at once. A group that is not ruled out is split until
single cells are left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from recognizers import KnownValue, KnownValuePrefilter

# The number of smaller groups into which a group is split.
PARTS_OF_GROUP = 6
# A filter checks this many low bits of a hash first; the full hash is searched for only if they
# occur.
_FILTER_BITS = 22
_FILTER_MASK = np.uint32((1 << _FILTER_BITS) - 1)
# The most answers that are cached per group.
MOST_ANSWERS = 1 << 18
Asked = TypeVar("Asked")
Held = TypeVar("Held")


@dataclass(slots=True)
class CellGroup:
    """Some distinct cells. The `repr` shows no cell."""

    cells: Sequence[str] = field(repr=False)
    prefilter: KnownValuePrefilter = field(init=False)
    _parts: list[CellGroup] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        self.prefilter = KnownValuePrefilter()
        self.prefilter.add(self.cells)

    def meets(self, value: KnownValue) -> bool:
        """Whether the value might be found in one of the cells."""
        return self.prefilter.meets(value.identifier, value.part, value.value, value.role)

    def met_by(self, value: KnownValue) -> frozenset[str]:
        """The cells in which the value might be found."""
        return self._cells_of(lambda group: group.meets(value))

    def signed_by(self, names: Sequence[str]) -> frozenset[str]:
        """Return the cells that might be the initials of a person with these names."""
        return self._cells_of(
            lambda group: bool(group.prefilter.rows) and group.prefilter.signs(names)
        )

    def _cells_of(self, holds: Callable[[CellGroup], bool]) -> frozenset[str]:
        """Return the cells for which `holds` is true of each group that contains them."""
        found: list[str] = []
        waiting = [self]
        while waiting:
            group = waiting.pop()
            if holds(group):
                waiting += group.parts
                found += group.cells if len(group.cells) == 1 else ()
        return frozenset(found)

    @property
    def parts(self) -> Sequence[CellGroup]:
        """The smaller groups into which the group is split; empty for a group of a single cell."""
        if self._parts is None:
            size = -(-len(self.cells) // PARTS_OF_GROUP)
            starts = range(0, len(self.cells) if len(self.cells) > 1 else 0, size)
            self._parts = [CellGroup(self.cells[start : start + size]) for start in starts]
        return self._parts


class FeatureSet:
    """The features of a group's cells, in which those of a patient's values are looked up."""

    def __init__(self, prefilter: KnownValuePrefilter) -> None:
        self._hashes = np.unique(np.fromiter(prefilter.feature_hashes(), np.uint32))
        self._filter = np.zeros(1 << _FILTER_BITS, bool)
        self._filter[self._hashes & _FILTER_MASK] = True

    def __repr__(self) -> str:
        return f"FeatureSet({len(self._hashes)} features)"

    def places(self, asked: np.ndarray) -> np.ndarray:
        """Return the indices of the hashes in `asked` that the set has."""
        maybe = np.flatnonzero(self._filter[asked & _FILTER_MASK])
        some = asked[maybe]
        at = np.minimum(np.searchsorted(self._hashes, some), max(len(self._hashes) - 1, 0))
        return np.asarray(maybe[self._hashes[at] == some] if len(self._hashes) else maybe)


@dataclass(slots=True)
class CellLevel:
    """Some cells of a table, with cached answers.

    `end` is the number of cells in all levels up to this one.
    """

    group: CellGroup
    end: int
    _features: FeatureSet | None = field(default=None, repr=False)
    answers: dict[int, bool] = field(default_factory=dict, repr=False)
    _met: dict[KnownValue, frozenset[str]] = field(default_factory=dict, repr=False)
    _signed: dict[frozenset[str], frozenset[str]] = field(default_factory=dict, repr=False)

    @property
    def features(self) -> FeatureSet:
        """The features of the cells; a value that is found in a cell has one of them."""
        if self._features is None:
            self._features = FeatureSet(self.group.prefilter)
        return self._features

    def cells_met(self, value: KnownValue) -> frozenset[str]:
        """The cells in which the value might be found."""
        found = self._met.get(value)
        if found is None:
            found = self.group.met_by(value)
            _hold(self._met, value, found)
        return found

    def cells_signed(self, names: Sequence[str]) -> frozenset[str]:
        """The cells that might be the initials of a person with these names."""
        key = frozenset(names)
        found = self._signed.get(key)
        if found is None:
            found = self.group.signed_by(names)
            _hold(self._signed, key, found)
        return found

    def remember(self, number: int, answer: bool) -> None:
        """Cache whether the value of this number might be found in the cells."""
        _hold(self.answers, number, answer)


def _hold(answers: dict[Asked, Held], key: Asked, answer: Held) -> None:
    if len(answers) >= MOST_ANSWERS:
        answers.clear()
    answers[key] = answer
