"""A batch of a table whose columns are had as different words, each asked once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa

from deid.arrow.prefilter import dictionary_encode, null_cells


class CodedBatch:
    """A batch whose columns are had as words and the place of each cell's word among them."""

    def __init__(self, batch: pa.RecordBatch) -> None:
        self._batch = batch
        self._words: dict[int, tuple[list[str | None], np.ndarray]] = {}
        self._nulls: dict[int, np.ndarray] = {}
        self.size: int = batch.num_rows

    def column(self, index: int) -> pa.Array:
        """The cells as they are."""
        return self._batch.column(index)

    def row(self, place: int) -> tuple[str | None, ...]:
        """The cells of one row, counted from 0."""
        return tuple(column[place].as_py() for column in self._batch.columns)

    def words(self, index: int) -> tuple[list[str | None], np.ndarray]:
        """Different cells, and for each row the number of its own."""
        if index not in self._words:
            self._words[index] = dictionary_encode(self.column(index))
        return self._words[index]

    def numbers(self, index: int, reads: Callable[[str], int]) -> np.ndarray:
        """What is read of each cell, 0 of empty ones; asked once a different cell."""
        words, places = self.words(index)
        read = np.array([reads(word) if word else 0 for word in words] or [0], int)
        return np.asarray(read[places])

    def nulls(self, index: int) -> np.ndarray:
        """Where nothing stands: empty cells, and words for nothing."""
        if index not in self._nulls:
            self._nulls[index] = null_cells(self.column(index))
        return self._nulls[index]
