"""Reads and writes lines of equal length by column: plain ASCII, one type of line, no counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from deid.formats.fixed_width.fitting import fitted_cell
from deid.formats.fixed_width.layout import Layout, LayoutPlace

FIXED_ROWS, WIDEST_COLUMN = 1 << 16, 1 << 14
_BLANK, _FIRST_PRINTED, _LAST_PRINTED = 0x20, 0x20, 0x7E


@lru_cache(maxsize=64)
def aligned_right(
    path: Path, stamp: tuple[int, int], layout: Layout, length: int, end: str
) -> tuple[bool, ...] | None:
    """Return which columns are aligned right in their places; None if not every line is regular.

    A regular line has this length, and all cells of a column are aligned to the same side.
    """
    if layout.record_place is not None or any(place.kind for place in layout.places):
        return None
    places = layout.places_of("")
    if max(place.width for place in places) > WIDEST_COLUMN:
        return None
    left = np.zeros(len(places), bool)
    right = np.zeros(len(places), bool)
    for rows in line_arrays(path, length, end):
        if rows is None or not _are_plain_rows(rows, end):
            return None
        for number, place in enumerate(places):
            held = rows[:, place.start : place.end] != _BLANK
            filled = held.any(axis=1)
            left[number] |= bool((filled & ~held[:, 0]).any())
            right[number] |= bool((filled & ~held[:, -1]).any())
    return None if (left & right).any() else tuple(map(bool, left))


def line_arrays(path: Path, length: int, end: str) -> Iterator[np.ndarray | None]:
    """The bytes of the lines with their line ends, one row per line; None for uneven lines."""
    stride = length + len(end)
    with path.open("rb") as file:
        while block := file.read(stride * FIXED_ROWS):
            if len(block) % stride == length:
                block += end.encode()
            if len(block) % stride:
                yield None
                return
            yield np.frombuffer(block, np.uint8).reshape(-1, stride)


def _are_plain_rows(rows: np.ndarray, end: str) -> bool:
    body = rows[:, : rows.shape[1] - len(end)]
    ends = rows[:, body.shape[1] :]
    if not (ends == np.frombuffer(end.encode(), np.uint8)).all():
        return False
    return bool(body.min() >= _FIRST_PRINTED and body.max() <= _LAST_PRINTED)


def read_columns(rows: np.ndarray, places: Sequence[LayoutPlace], keys: int) -> pa.RecordBatch:
    """The cells of regular lines, without surrounding blanks."""
    columns = [_cells_at(rows, place, keys) for place in places]
    return pa.record_batch(columns, names=[str(number) for number in range(len(columns))])


def _cells_at(rows: np.ndarray, place: LayoutPlace, keys: int) -> pa.Array:
    data = np.ascontiguousarray(rows[:, place.start : place.end])
    offsets = np.arange(0, data.size + 1, place.width, dtype=np.int32)
    whole = pa.StringArray.from_buffers(len(rows), pa.py_buffer(offsets), pa.py_buffer(data))
    cells = pc.ascii_trim(whole, " ")
    if not keys:
        return cells
    tagged = pc.replace_substring_regex(cells, r"^(?:ID-|#)(\d{1,9})$", r"[ID-\1]")
    numbers = pc.cast(pc.replace_substring_regex(tagged, r"^\[ID-(\d{1,9})\]$", r"\1"), pa.string())
    known = pc.match_substring_regex(numbers, r"^\d{1,9}$")
    held = pc.if_else(known, numbers, "0").cast(pa.int64())
    numbered = pc.and_(pc.greater(held, 0), pc.less_equal(held, keys))
    return pc.if_else(pc.and_(known, numbered), tagged, cells)


def written_lines(
    columns: Sequence[tuple[LayoutPlace, bool, pa.Array]], size: int, length: int, end: str
) -> bytes:
    """Return lines made of columns; a column is its place, whether it is aligned right,
    its cells.
    """
    rows = np.full((size, length + len(end)), _BLANK, np.uint8)
    rows[:, length:] = np.frombuffer(end.encode(), np.uint8)
    for place, right, cells in columns:
        rows[:, place.start : place.end] = _padded(cells, place.width, right)
    return rows.tobytes()


def _padded(cells: pa.Array, width: int, right: bool) -> np.ndarray:
    """The cells as bytes, padded to `width`."""
    coded = pc.fill_null(cells, "").dictionary_encode()
    words = np.empty((len(coded.dictionary), width), np.uint8)
    for number, word in enumerate(coded.dictionary.to_pylist()):
        data = fitted_cell(word, width, "utf-8").encode("utf-8")
        padded = data.rjust(width) if right else data.ljust(width)
        words[number] = np.frombuffer(padded, np.uint8)
    found: Any = words[coded.indices.to_numpy(zero_copy_only=False)]
    return np.asarray(found)
