"""Count equivalence classes while rows are read, so that no row is kept.

The codes of a row are packed into machine words of 63 bits, with a field of bits for each column.
A few million rows at a time are sorted by these words and counted, and the counts are merged into
the classes found so far. If a column outgrows its bits, the classes are packed again with wider
fields.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from risk.tables.coding import CodeArray, smallest

PackedWords = list[NDArray[np.uint64]]
Tally = tuple[PackedWords, NDArray[np.int64]]
_ROWS_AT_A_TIME = 1 << 22
_BITS = 63


class BatchCounter:
    """Classes of rows that arrive in batches of codes, one array of codes for each column."""

    def __init__(self, columns: int) -> None:
        self._fields = _Fields((0,) * columns)
        self._waiting: list[Sequence[CodeArray]] = []
        self._rows = 0
        self._values: Sequence[int] = (0,) * columns
        self._tallies: list[Tally] = []

    def add(self, codes: Sequence[CodeArray], values: Sequence[int]) -> None:
        """Add a batch; `values[column]` is the number of distinct values of the column so far."""
        self._waiting.append(codes)
        self._rows += len(codes[0])
        self._values = values
        if self._rows >= _ROWS_AT_A_TIME:
            self._count()

    def classes(self) -> tuple[list[CodeArray], NDArray[np.int64]]:
        """The codes of each class, column by column, and the number of its rows."""
        self._count()
        self._merge()
        words, sizes = self._tallies.pop()
        return self._fields.unpack(words), sizes

    def _count(self) -> None:
        """Count the waiting rows."""
        wider = self._fields.holding(self._values)
        if wider != self._fields:
            self._tallies = [
                (wider.pack(self._fields.unpack(words)), sizes) for words, sizes in self._tallies
            ]
            self._fields = wider
        columns = [np.concatenate(parts) for parts in zip(*self._waiting, strict=True)]
        self._waiting, self._rows = [], 0
        if not columns:
            columns = [np.zeros(0, np.uint8)] * len(self._fields.bits)
        self._tallies.append(_tally_rows(self._fields.pack(columns)))
        if sum(len(s) for _, s in self._tallies[1:]) >= len(self._tallies[0][1]):
            self._merge()

    def _merge(self) -> None:
        if len(self._tallies) == 1:
            return
        together = zip(*(words for words, _ in self._tallies), strict=True)
        words = [np.concatenate(parts) for parts in together]
        sizes = np.concatenate([sizes for _, sizes in self._tallies])
        self._tallies.clear()
        self._tallies.append(_tally_classes(words, sizes))


class _Fields:
    """The number of bits of each column and the word that holds them.

    A word holds as many columns as fit.
    """

    def __init__(self, bits: tuple[int, ...]) -> None:
        self.bits = bits
        self.words: list[list[int]] = [[]]
        for column, width in enumerate(bits):
            if sum(bits[other] for other in self.words[-1]) + width > _BITS:
                self.words.append([])
            self.words[-1].append(column)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Fields) and self.bits == other.bits

    __hash__ = None  # type: ignore[assignment]

    def holding(self, values: Sequence[int]) -> _Fields:
        """Return fields that are wide enough for these numbers of distinct values. No field becomes
        narrower than it is now.
        """
        needed = (max(0, many - 1).bit_length() for many in values)
        return _Fields(tuple(max(pair) for pair in zip(needed, self.bits, strict=True)))

    def pack(self, columns: Sequence[CodeArray]) -> PackedWords:
        found = []
        for members in self.words:
            word = np.zeros(len(columns[0]), np.uint64)
            for column in members:
                word <<= np.uint64(self.bits[column])
                word |= columns[column]
            found.append(word)
        return found

    def unpack(self, words: PackedWords) -> list[CodeArray]:
        columns: dict[int, CodeArray] = {}
        for word, members in zip(words, self.words, strict=True):
            rest = word
            for column in reversed(members):
                width = self.bits[column]
                field = rest & np.uint64((1 << width) - 1)
                columns[column] = field.astype(smallest(1 << width))
                rest = rest >> np.uint64(width)
        return [columns[column] for column in range(len(self.bits))]


def _tally_rows(words: PackedWords) -> Tally:
    """The distinct rows in ascending order, and how often each occurs."""
    if len(words) > 1:
        return _tally_classes(words, np.ones(len(words[0]), np.int64))
    (word,) = words
    word.sort()
    first = _starts(words)
    return [word[first]], np.diff(np.append(first, len(word))).astype(np.int64)


def _tally_classes(words: PackedWords, sizes: NDArray[np.int64]) -> Tally:
    """Return the distinct rows in ascending order, and the sum of `sizes` over each.

    A stable sort merges sorted parts in linear time.
    """
    order = np.lexsort(words[::-1]) if len(words) > 1 else np.argsort(words[0], kind="stable")
    for position, word in enumerate(words):
        words[position] = word[order]
    sizes = sizes[order]
    del order
    first = _starts(words)
    if len(first):
        sizes = np.add.reduceat(sizes, first)
    return [word[first] for word in words], sizes


def _starts(words: PackedWords) -> NDArray[np.intp]:
    """The positions of rows that differ from the row before."""
    differs = np.zeros(len(words[0]), bool)
    differs[:1] = True
    for word in words:
        differs[1:] |= word[1:] != word[:-1]
    return np.flatnonzero(differs)
