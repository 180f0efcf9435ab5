"""Read the tables of a release in OUT, after a check that it is what its job wrote."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

import pyarrow as pa

from deid.errors import HELD, DeidError, unreadable
from deid.formats import ReadOptions, Record, RecordSource, format_of, members_of, open_source
from deid.formats.contract import is_tabular
from deid.formats.targets.contract import LoadableRelease, LoadableTable
from deid.formats.typed.arrow_batches import ColumnarSource
from deid.release.account_check import compare_account
from deid.release.sealing import MANIFEST, RELEASE_FOLDER, files_of_release, read_manifest

_ROWS_TAKEN = 1 << 13
_PARTITION_FOLDER = re.compile(r"folder_\d+")
_RELEASE_HINT = "give the folder that `deid scrub -o` wrote"


def read_release(out: Path) -> LoadableRelease:
    """The tables of the release in OUT.

    Raises:
        DeidError: `no-release`, `release-held`, `release-altered`, `release-without-tables`,
            `table-name-twice`.
    """
    if not (out / RELEASE_FOLDER / MANIFEST).is_file():
        raise unreadable("no-release", "OUT holds no finished release", hint=_RELEASE_HINT)
    differs = compare_account(out)
    if differs.altered or differs.unlisted or differs.faults:
        raise DeidError(
            "release-altered",
            "the release is not what its job wrote",
            hint="`deid check OUT` shows the differences; scrub again",
            exit_code=HELD,
        )
    told = read_manifest(out)
    if told["verdict"]["held"] or told["residual"]["hits"]:
        raise DeidError(
            "release-held",
            "the release is on hold and cannot be loaded",
            hint="its manifest gives the reason; scrub again",
            exit_code=HELD,
        )
    read = [(path, format_of(path)) for path in files_of_release(out)]
    tables = [
        table
        for path, found in read
        if found is not None and is_tabular(found)
        for table in _tables_of(out, path)
    ]
    tables = _one_table_each(tables)
    _refuse_names(tables)
    others = sum(found is None or not is_tabular(found) for _, found in read)
    return LoadableRelease(str(told["released_tree_sha256"]), tuple(tables), others)


def _refuse_names(tables: list[LoadableTable]) -> None:
    if not tables:
        hint = "texts, messages and documents are files; copy the folder of the release"
        raise unreadable("release-without-tables", "the release holds no table", hint=hint)
    names = [table.name.casefold() for table in tables]
    if len(set(names)) != len(names):
        hint = "release them in several jobs, one target each"
        raise DeidError("table-name-twice", "two released tables have the same name", hint=hint)


def _tables_of(out: Path, path: Path) -> Iterator[LoadableTable]:
    folders = path.relative_to(out).parent.parts
    for member in members_of(path):
        own = [folder for folder in folders if not _PARTITION_FOLDER.fullmatch(folder)]
        # Files in a numbered folder are parts of one table, named by the folder above it.
        is_part = len(own) < len(folders) and bool(own) and path.suffix == ".parquet"
        last = [] if is_part else [member or path.name.partition(".")[0]]
        name = "_".join((*(own if is_part else folders), *last)).replace(".", "_")
        source = open_source(path, ReadOptions(), member)
        schema, batches = _with_types(source)
        yield LoadableTable(name, schema, batches)


def _one_table_each(tables: list[LoadableTable]) -> list[LoadableTable]:
    """Join tables of equal name and columns; a column of several types becomes text."""
    named: dict[str, list[LoadableTable]] = {}
    for table in tables:
        named.setdefault(table.name, []).append(table)
    joined = []
    for parts in named.values():
        columns = parts[0].schema.names
        if len(parts) == 1 or any(part.schema.names != columns for part in parts):
            joined += parts
        else:
            kinds = [{part.schema.field(name).type for part in parts} for name in columns]
            types = [kind.pop() if len(kind) == 1 else pa.string() for kind in kinds]
            schema = pa.schema(list(zip(columns, types, strict=True)))
            joined.append(LoadableTable(parts[0].name, schema, partial(_chained, parts, schema)))
    return joined


def _chained(parts: list[LoadableTable], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    for part in parts:
        for batch in part.batches():
            yield batch.cast(schema)


def _with_types(source: RecordSource) -> tuple[pa.Schema, Callable[[], Iterator[pa.RecordBatch]]]:
    """The schema and batches of a table. Columns without a type in the file are text."""
    if isinstance(source, ColumnarSource):
        schema, typed = source.schema, source
        return schema, lambda: _sound_batches(typed.read(), schema)
    schema = pa.schema([(column, pa.string()) for column in source.columns])
    return schema, lambda: _sound_batches(_as_texts(source, schema), schema)


def _as_texts(source: RecordSource, schema: pa.Schema) -> Iterator[object]:
    records = source.records()
    while part := list(islice(records, _ROWS_TAKEN)):
        if not all(isinstance(record, Record) for record in part):
            yield None
            return
        columns = zip(*(record.cells for record in part if isinstance(record, Record)), strict=True)
        yield pa.record_batch([pa.array(c, pa.string()) for c in columns], schema=schema)


def _sound_batches(batches: Iterator[object], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The batches, cast to the types of the table: text columns may be dictionary-encoded."""
    for batch in batches:
        if not isinstance(batch, pa.RecordBatch):
            raise unreadable("release-altered", "rows of the release cannot be read", _RELEASE_HINT)
        yield batch.cast(schema)
