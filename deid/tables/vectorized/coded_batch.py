"""A batch of a table as distinct cells and codes, so that each distinct cell is judged once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa

from deid.arrow.prefilter import dictionary_encode, null_cells


class CodedBatch:
    """A batch whose columns are read as distinct cells and the index of each row's cell."""

    def __init__(self, batch: pa.RecordBatch) -> None:
        self._batch = batch
        self._words: dict[int, tuple[list[str | None], np.ndarray]] = {}
        self._nulls: dict[int, np.ndarray] = {}
        self.size: int = batch.num_rows

    def column(self, index: int) -> pa.Array:
        """The cells of a column."""
        return self._batch.column(index)

    def row(self, place: int) -> tuple[str | None, ...]:
        """The cells of one row, counted from 0."""
        return tuple(column[place].as_py() for column in self._batch.columns)

    def words(self, index: int) -> tuple[list[str | None], np.ndarray]:
        """The distinct cells of a column, and for each row the index of its cell."""
        if index not in self._words:
            self._words[index] = dictionary_encode(self.column(index))
        return self._words[index]

    def numbers(self, index: int, reads: Callable[[str], int]) -> np.ndarray:
        """`reads` of the cell of each row (called once per distinct cell), 0 for empty cells."""
        words, places = self.words(index)
        read = np.array([reads(word) if word else 0 for word in words] or [0], int)
        return np.asarray(read[places])

    def nulls(self, index: int) -> np.ndarray:
        """Where a cell is empty or a word for nothing."""
        if index not in self._nulls:
            self._nulls[index] = null_cells(self.column(index))
        return self._nulls[index]
