"""Parquet: read row group by row group, written with fresh statistics and no metadata."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from deid.errors import DeidError, unreadable
from deid.formats.contract import ReadOptions, RecordSource, Sink
from deid.formats.typed.arrow_batches import ColumnarSink, ColumnarSource, Lost, leaving
from deid.formats.typed.hive_partitions import (
    add_partitions,
    partitions_above,
    with_partitions,
)

_PARQUET_SUFFIXES = (".parquet", ".parq", ".pq")
_ENCRYPTED = b"PARE"  # at the beginning and at the end
GROUP, AT_ONCE = 1 << 15, 1 << 25  # rows, bytes
# No real file has larger row groups; a file that expands to more is an attack.
LARGEST_ROW_GROUP = 1 << 35


class Parquet:
    """A Parquet file. A string column in the output holds only values of the output."""

    name = "parquet"
    is_tabular = True

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether the suffix is that of Parquet."""
        return suffix in _PARQUET_SUFFIXES

    def open(self, path: Path, options: ReadOptions) -> RecordSource:
        """Read the footer.

        Raises:
            DeidError: `encrypted-parquet`, `broken-parquet`, `empty-table`, `double-header`.
        """
        with _open_parquet(path) as file:
            schema, groups = file.schema_arrow, range(file.metadata.num_row_groups)
            size = sum(file.metadata.row_group(group).total_byte_size for group in groups)
        if not schema.names:
            raise _parquet_refusal("empty-table", "the table has no columns")
        if len(set(schema.names)) != len(schema.names):
            raise _parquet_refusal("double-header", "two columns have the same name")
        if any("\0" in name for name in schema.names):
            raise _parquet_refusal("broken-header", "a column's name holds control characters")
        values = partitions_above(path, schema.names)
        schema = with_partitions(schema.remove_metadata(), values)
        read = partial(_partitioned_batches, path, values)
        return ColumnarSource(schema, read, None, size, options.keys)

    def create(self, path: Path, source: ColumnarSource, columns: Mapping[int, str]) -> Sink:
        """Open the output. Its types follow from its cells."""
        return ColumnarSink(path, leaving(source, columns), write_parquet)

    def left_behind(
        self, path: Path, member: str = "", options: ReadOptions | None = None
    ) -> Mapping[str, int]:
        """The number of metadata entries in the footer, written by pandas, Spark and others."""
        with _open_parquet(path) as file:
            found = len(file.metadata.metadata or {})
        return {"metadata": found} if found else {}


def write_parquet(path: Path, schema: pa.Schema, batches: Iterator[pa.RecordBatch]) -> Path:
    """Write batches of one schema in row groups of equal size, with only Parquet's own metadata."""
    with pq.ParquetWriter(path, schema, store_schema=False) as writer:
        waiting: list[pa.RecordBatch] = []
        for batch in batches:
            waiting.append(batch)
            rows = sum(b.num_rows for b in waiting)
            if rows >= GROUP:
                table = pa.Table.from_batches(waiting, schema)
                whole = rows - rows % GROUP
                writer.write_table(table.slice(0, whole), row_group_size=GROUP)
                waiting = table.slice(whole).to_batches()
        if waiting:
            writer.write_table(pa.Table.from_batches(waiting, schema), row_group_size=GROUP)
    return path


def _open_parquet(path: Path) -> pq.ParquetFile:
    if _parquet_marks(path) == (_ENCRYPTED, _ENCRYPTED):
        raise _parquet_refusal("encrypted-parquet", "the file is encrypted", "decrypt it first")
    try:
        return pq.ParquetFile(path)
    except (pa.ArrowException, OSError, ValueError):
        pass
    raise _parquet_refusal("broken-parquet", "the footer of the file cannot be read")


def _partitioned_batches(
    path: Path, values: Mapping[str, str | None]
) -> Iterator[pa.RecordBatch | Lost]:
    return add_partitions(_parquet_batches(path), values)


def _parquet_batches(path: Path) -> Iterator[pa.RecordBatch | Lost]:
    with _open_parquet(path) as file:
        metadata, texts = file.metadata, _repeating(file)
    # Dictionary-encoded text stays encoded, so that a small file cannot expand in memory.
    with pq.ParquetFile(path, read_dictionary=texts) as file:
        for group in range(metadata.num_row_groups):
            rows, read = metadata.row_group(group).num_rows, 0
            if metadata.row_group(group).total_byte_size > LARGEST_ROW_GROUP:
                yield Lost(rows, "over-large")
                continue
            try:
                for batch in file.iter_batches(_at_once(metadata.row_group(group)), [group]):
                    yield batch
                    read += batch.num_rows
            except (pa.ArrowException, OSError, ValueError):
                yield Lost(rows - read, "broken-row-group")


def _at_once(row_group: pq.RowGroupMetaData) -> int:
    """The number of rows to read at once: many if rows are short, few if they are long."""
    longest: int = max(1, row_group.total_byte_size // max(1, row_group.num_rows))
    return max(256, min(GROUP, AT_ONCE // longest))


def _repeating(file: pq.ParquetFile) -> list[str]:
    """The paths of the text columns that any row group stores with a dictionary."""
    found: dict[str, None] = {}
    for group in range(file.metadata.num_row_groups):
        row_group = file.metadata.row_group(group)
        for number in range(row_group.num_columns):
            column = row_group.column(number)
            if column.physical_type == "BYTE_ARRAY" and column.has_dictionary_page:
                found[column.path_in_schema] = None
    top = {field.name for field in file.schema_arrow if pa.types.is_string(field.type)}
    return [path for path in found if path in top]


def _parquet_marks(path: Path) -> tuple[bytes, bytes]:
    """The first and the last four bytes of the file."""
    try:
        with path.open("rb") as file:
            head, size = file.read(4), path.stat().st_size
            file.seek(max(0, size - 4))
            return head, file.read(4)
    except OSError:
        return b"", b""


def _parquet_refusal(code: str, message: str, hint: str = "write the file again") -> DeidError:
    return unreadable(code, message, hint=hint)


FORMAT = Parquet()
