"""Parquet as Arrow batches: one file, or a folder of parts whose folder names may be columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pyarrow as pa
from pyarrow import parquet

from risk.tables.coding import checked_columns
from risk.tables.damage import unreadable_table

PARQUET_SUFFIXES = (".parquet", ".pq")
_ROWS_PER_BATCH = 1 << 19
#: What Hive and Spark write for a missing value of a partition.
_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"


def parquet_names(path: Path) -> list[str]:
    """The columns of the file or of the first part, then those of the folder names.

    Raises `RiskError` if a folder has no Parquet file, or if its parts differ in columns.
    """
    parts = parquet_parts(path)
    found = [*_open_parquet_part(parts[0]).schema_arrow.names, *_partition(path, parts[0])]
    for part in parts[1:]:
        other = [*_open_parquet_part(part).schema_arrow.names, *_partition(path, part)]
        if sorted(other) != sorted(found):
            raise unreadable_table("the parts of the folder have different columns", "parts-differ")
    return found


def parquet_batches(path: Path, columns: Sequence[str] | None) -> tuple[list[str], Iterator[Any]]:
    """The names of the wanted columns, and batches of all rows."""
    wanted = checked_columns(parquet_names(path), columns)
    return wanted, _all_batches(path, wanted)


def parquet_parts(path: Path) -> list[Path]:
    """Return the files of a table in the order of their names.

    Names that begin with `_` or `.` are ignored, because they hold metadata of the program that
    wrote the folder.
    """
    if not path.is_dir():
        return [path]
    found = [
        part
        for part in sorted(path.rglob("*"))
        if part.suffix.lower() in PARQUET_SUFFIXES
        and not any(name.startswith(("_", ".")) for name in part.relative_to(path).parts)
    ]
    if not found:
        raise unreadable_table("the folder holds no Parquet file", "unreadable-file")
    return found


def _all_batches(path: Path, wanted: list[str]) -> Iterator[Any]:
    for part in parquet_parts(path):
        told = _partition(path, part)
        own = [name for name in wanted if name not in told]
        batches = _open_parquet_part(part).iter_batches(
            _ROWS_PER_BATCH, columns=own, use_threads=True
        )
        for batch in batches:
            columns = [
                _constant(told[name], batch.num_rows) if name in told else batch.column(name)
                for name in wanted
            ]
            yield pa.RecordBatch.from_arrays(columns, names=wanted) if wanted else batch


def _open_parquet_part(part: Path) -> parquet.ParquetFile:
    # If given a name, Arrow may read it as a URL and open a connection.
    schema = parquet.ParquetFile(pa.OSFile(str(part))).schema_arrow
    words = [field.name for field in schema if pa.types.is_string(field.type)]
    return parquet.ParquetFile(pa.OSFile(str(part)), read_dictionary=words)


def _partition(path: Path, part: Path) -> dict[str, str | None]:
    """The columns of the folder names: `year=2024/state=NY/part-0.parquet`."""
    if part == path:
        return {}
    pairs = (name.partition("=") for name in part.relative_to(path).parts[:-1] if "=" in name)
    return {unquote(key): None if v == _NO_VALUE else unquote(v) for key, _, v in pairs}


def _constant(value: str | None, rows: int) -> Any:
    indices = pa.repeat(pa.scalar(None if value is None else 0, pa.int32()), rows)
    return pa.DictionaryArray.from_arrays(indices, pa.array([value or ""], pa.string()))
