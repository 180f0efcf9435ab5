"""Separates the rows of an earlier release from the copy of a table (`--since` on a database).

A table that only grew, in the order of its primary key, begins with the rows of the earlier
copies, and the same rows make the same bytes. So the hashes and row counts in the manifest of a
release show where the new rows begin. A table whose old rows changed is copied whole.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from deid.formats.typed.parquet_file import AT_ONCE, GROUP

ROWS_FETCHED = 1 << 10


class CopiedRows:
    """Writes the copy of a table. Its bytes depend only on the schema and the ordered rows."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self._schema = schema
        self._writer = pq.ParquetWriter(path, schema, store_schema=False)
        self._waiting: list[pa.RecordBatch] = []

    def __enter__(self) -> CopiedRows:
        return self

    def __exit__(self, *_: object) -> None:
        self._write_group()
        self._writer.close()

    def add(self, batch: pa.RecordBatch) -> None:
        """Add a batch. All batches but the last have `ROWS_FETCHED` rows."""
        self._waiting.append(batch)
        rows, size = sum(b.num_rows for b in self._waiting), sum(map(_cell_bytes, self._waiting))
        if rows >= GROUP or size >= AT_ONCE:
            self._write_group()

    def _write_group(self) -> None:
        if self._waiting:
            self._writer.write_table(pa.Table.from_batches(self._waiting, self._schema))
            self._waiting.clear()


def _cell_bytes(batch: pa.RecordBatch) -> int:
    """The size of the cells in bytes, regardless of the layout of their buffers in memory."""
    texts = (c for c in batch.columns if pa.types.is_string(c.type) or pa.types.is_binary(c.type))
    held = sum(pc.sum(pc.binary_length(column)).as_py() or 0 for column in texts)
    return int(held + 8 * batch.num_rows * batch.num_columns)


def split_off_earlier(path: Path, earlier: Mapping[str, int]) -> None:
    """Move the first rows of a copy into files beside it, each equal to an earlier copy.

    `earlier` gives the number of rows by the SHA-256 of a copy. The new rows keep the name of the
    copy; a table without new rows leaves no file of that name.
    """
    rows = pq.ParquetFile(path).metadata.num_rows
    if _copy_sha256(path) in earlier:
        return
    begin = number = 0
    part = path.with_name(f".{path.name}.part")
    while count := _split_part(path, part, begin, rows, earlier):
        number, begin = number + 1, begin + count
        part.rename(path.with_name(f"{path.stem}_earlier_{number}.parquet"))
    if begin == rows:
        path.unlink()
    elif begin:
        _copy_between(path, begin, rows, left := path.with_name(f".{path.name}.left"))
        left.replace(path)


def _split_part(path: Path, part: Path, begin: int, rows: int, earlier: Mapping[str, int]) -> int:
    """Write to `part` the longest run of rows from `begin` on that equals a copy in `earlier`.

    Returns the number of these rows; 0, and no file, if they equal no copy.
    """
    counts = {count for count in earlier.values() if 0 < count <= rows - begin}
    for count in sorted(counts, reverse=True):
        _copy_between(path, begin, begin + count, part)
        if earlier.get(_copy_sha256(part)) == count:
            return count
    part.unlink(missing_ok=True)
    return 0


def _copy_between(path: Path, begin: int, end: int, target: Path) -> None:
    source = pq.ParquetFile(path)
    with CopiedRows(target, source.schema_arrow) as copy:
        for batch in _batches_between(source, begin, end):
            copy.add(batch)


def _batches_between(source: pq.ParquetFile, begin: int, end: int) -> Iterator[pa.RecordBatch]:
    """The rows in batches as they were fetched: all but the last have `ROWS_FETCHED` rows."""
    waiting, place = source.schema_arrow.empty_table(), 0
    for batch in source.iter_batches(batch_size=ROWS_FETCHED):
        first, last = max(begin - place, 0), min(end - place, batch.num_rows)
        place += batch.num_rows
        if first < last:
            waiting = pa.concat_tables(
                [waiting, pa.Table.from_batches([batch.slice(first, last - first)])]
            )
        while waiting.num_rows >= ROWS_FETCHED:
            yield from waiting.slice(0, ROWS_FETCHED).combine_chunks().to_batches()
            waiting = waiting.slice(ROWS_FETCHED)
        if place >= end:
            break
    if waiting.num_rows:
        yield from waiting.combine_chunks().to_batches()


def _copy_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
