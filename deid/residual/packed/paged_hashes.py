"""A set of many hashes in encrypted pages. Memory holds a filter of 2 to 4 bytes per hash."""

from __future__ import annotations

import numpy as np

from deid.people.sorted_pages import SortedPages
from deid.residual.packed.hashed_runs import HashFilter


class PagedHashes:
    """Hashes, each with one or more codes. The `repr` shows a count."""

    def __init__(self, entries: SortedPages) -> None:
        self._entries = entries
        self._filter = HashFilter(len(entries), (hashes for hashes, _ in entries.chunks()))

    def __repr__(self) -> str:
        return f"PagedHashes({len(self)} hashes)"

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def nbytes(self) -> int:
        """The memory that the set uses, in bytes."""
        return self._filter.nbytes + self._entries.nbytes

    def places(self, asked: np.ndarray) -> np.ndarray:
        """The indexes of the hashes in `asked` that are in the set."""
        maybe = self._filter.places(asked)
        if not len(maybe):
            return maybe
        distinct, places = np.unique(asked[maybe], return_inverse=True)
        is_met = np.zeros(len(distinct), bool)
        is_met[self._entries.find(distinct)[0]] = True
        return np.asarray(maybe[is_met[places]])

    def codes(self, hashed: int) -> list[int]:
        """The codes of a hash, in order."""
        codes: list[int] = self._entries.find(np.array([hashed], np.uint64))[1].tolist()
        return codes
