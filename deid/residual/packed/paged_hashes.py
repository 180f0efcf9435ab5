"""A set of many hashes in encrypted pages. Memory holds a filter of 2 to 4 bytes per hash."""

from __future__ import annotations

import numpy as np

from deid.people.sorted_pages import SortedPages

_BITS_PER_HASH = 16
# The first bits of a hash, and those of its products with these factors, choose its bits in the
# filter. Of the hashes that are not in the set, at most 5 in a thousand pass.
_FACTORS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F))


class PagedHashes:
    """Hashes, each with one or more codes. The `repr` shows a count."""

    def __init__(self, entries: SortedPages) -> None:
        self._entries = entries
        width = max((_BITS_PER_HASH * len(entries)).bit_length(), 16)
        self._shift = np.uint64(64 - width)
        self._bits = np.zeros(1 << (width - 3), np.uint8)
        for hashes, _ in entries.chunks():
            for numbers in (hashes, *(hashes * factor for factor in _FACTORS)):
                places, bits = self._bit_of(numbers)
                np.bitwise_or.at(self._bits, places, np.left_shift(np.uint8(1), bits))

    def __repr__(self) -> str:
        return f"PagedHashes({len(self)} hashes)"

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def nbytes(self) -> int:
        """The memory that the set uses, in bytes."""
        return self._bits.nbytes + self._entries.nbytes

    def _bit_of(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The byte of the filter for each number, and the bit in the byte."""
        first = numbers >> self._shift
        return first >> np.uint64(3), (first & np.uint64(7)).astype(np.uint8)

    def _has_bit(self, numbers: np.ndarray) -> np.ndarray:
        places, bits = self._bit_of(numbers)
        return np.flatnonzero(self._bits[places] >> bits & 1)

    def places(self, asked: np.ndarray) -> np.ndarray:
        """The indexes of the hashes in `asked` that are in the set."""
        maybe = self._has_bit(asked)
        for factor in _FACTORS:
            maybe = maybe[self._has_bit(asked[maybe] * factor)]
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
