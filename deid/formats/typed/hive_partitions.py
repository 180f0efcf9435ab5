"""Hive partitions: the folders `site=south/year=2021` above a Parquet file are cells of its rows.

These cells become columns of the table with their own rules. The released folders are numbered, and
the files hold the cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote

import pyarrow as pa

from deid.formats.typed.arrow_batches import Lost

_PARTITION = re.compile(r"([^=/.]+)=(.*)", re.DOTALL)
_NULL = "__HIVE_DEFAULT_PARTITION__"


def partitions_above(path: Path, columns: list[str]) -> dict[str, str | None]:
    """Return the columns, each with one value, in the names of folders above a file, outermost
    first.

    A column of the file takes precedence over a folder, and an inner folder over an outer one. ""
    is null, as in other readers.
    """
    found: dict[str, str | None] = {}
    for folder in path.absolute().parent.parts[::-1]:
        partition = _PARTITION.fullmatch(folder)
        if partition is None:
            break
        name, value = unquote(partition[1]), unquote(partition[2])
        if name not in (*columns, *found) and "\0" not in name + value:
            found[name] = None if value in (_NULL, "") else value
    return dict(reversed(found.items()))


def with_partitions(schema: pa.Schema, values: Mapping[str, str | None]) -> pa.Schema:
    """The columns of the file, then the columns of its folders, as text."""
    for name in values:
        schema = schema.append(pa.field(name, pa.string()))
    return schema


def add_partitions(
    batches: Iterator[pa.RecordBatch | Lost], values: Mapping[str, str | None]
) -> Iterator[pa.RecordBatch | Lost]:
    """The batches of the file with the columns of its folders."""
    for batch in batches:
        if values and isinstance(batch, pa.RecordBatch):
            for name, value in values.items():
                cells = pa.repeat(pa.scalar(value, pa.string()), batch.num_rows)
                batch = batch.append_column(name, cells)
        yield batch
