"""Read a table into codes: delimited text, Parquet (a file or a folder of parts), or a database.

Columns are encoded batch by batch while the file is read, so ten million rows need only the memory
of their codes; `read_classes` counts the classes meanwhile and keeps no row. No error repeats a
value of the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from risk.errors import RiskError
from risk.tables.batch_counter import BatchCounter
from risk.tables.classes import Classes
from risk.tables.coding import CodedTable, coded_column, index_array, smallest
from risk.tables.damage import unreadable_table
from risk.tables.database_files import is_database, split_member
from risk.tables.delimited_text import delimited_batches, delimited_layout, ragged_row
from risk.tables.parquet_tables import PARQUET_SUFFIXES, parquet_batches, parquet_names


def read_table(
    path: Path | str,
    columns: Sequence[str] | None = None,
    *,
    delimiter: str | None = None,
) -> CodedTable:
    """Read the named columns (all by default) of a table; `-` is delimited text on stdin.

    Delimited text is UTF-8 with a header line, optionally gzipped. The delimiter is detected among
    comma, semicolon, tab and pipe unless given. A folder holds Parquet files; its `name=value`
    folders are columns. `clinic.duckdb::visits` is a table of a database (DuckDB or SQLite); the
    table may be left out if it is the only one. Raises `RiskError`: exit code 2 for an unknown
    column, 6 for a file that cannot be read.
    """
    with _table_batches_of(path, columns, delimiter) as (wanted, batches):
        growing = [GrowingColumn(name) for name in wanted]
        parts: list[list[NDArray[Any]]] = [[] for _ in wanted]
        rows = 0
        for batch in batches:
            rows += batch.num_rows
            for i, column in enumerate(growing):
                parts[i].append(column.encode(batch.column(i)))
    coded = []
    for column, codes in zip(growing, parts, strict=True):
        joined = np.concatenate(codes) if codes else np.zeros(0, np.uint8)
        codes.clear()
        coded.append(coded_column(column.name, joined, column.values))
    return CodedTable(tuple(coded), rows)


def read_classes(
    path: Path | str,
    quasi: Sequence[str],
    *,
    delimiter: str | None = None,
) -> Classes:
    """The equivalence classes of a table, as `Classes.of(read_table(path, quasi))` would form them.

    No row is kept: memory grows with the number of classes (about 40 bytes each), not with the
    number of rows. Raises the same errors as `read_table`.
    """
    if not quasi:
        raise RiskError(
            "name at least one quasi-identifier", code="no-quasi-identifier", hint="use --quasi A,B"
        )
    with _table_batches_of(path, quasi, delimiter) as (wanted, batches):
        growing = [GrowingColumn(name) for name in wanted]
        counter = BatchCounter(len(wanted))
        for batch in batches:
            codes = [column.encode(batch.column(i)) for i, column in enumerate(growing)]
            counter.add(codes, [len(column.known) for column in growing])
    found, sizes = counter.classes()
    columns = [
        coded_column(column.name, codes, column.values)
        for column, codes in zip(growing, found, strict=True)
    ]
    return Classes.of(CodedTable(tuple(columns), len(sizes)), counts=sizes)


def read_header(path: Path | str, *, delimiter: str | None = None) -> tuple[str, ...]:
    """The column names of a table, in order."""
    name = str(path)
    if _is_parquet(name):
        return tuple(parquet_names(Path(name)))
    file, table = split_member(name)
    if name != "-" and is_database(file):
        from risk.tables.database_tables import database_names  # DuckDB is a slow import

        return tuple(database_names(file, table))
    return tuple(delimited_layout(name, delimiter)[0])


def read_delimiter(path: Path | str) -> str:
    """The delimiter of delimited text; a comma for stdin and for tables with typed columns."""
    name = str(path)
    if name == "-" or _is_parquet(name) or is_database(split_member(name)[0]):
        return ","
    return delimited_layout(name, None)[1]


class GrowingColumn:
    """One column while it is read: a dictionary that grows, and the codes of each batch."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.known: dict[Any, int] = {}

    def encode(self, cells: Any) -> NDArray[Any]:
        """The codes of one batch, in the smallest type that holds all codes so far."""
        if not pa.types.is_dictionary(cells.type):
            cells = cells.dictionary_encode(null_encoding="encode")
        known = self.known
        words = cells.dictionary.to_pylist()
        mapping = np.fromiter((known.setdefault(w, len(known)) for w in words), np.int64)
        indices = cells.indices
        if indices.null_count:
            mapping = np.append(mapping, known.setdefault(None, len(known)))
            indices = indices.fill_null(len(words))
        codes: NDArray[Any] = mapping.astype(smallest(max(1, len(known))))[index_array(indices)]
        return codes

    @property
    def values(self) -> NDArray[np.object_]:
        values = np.empty(len(self.known), object)
        values[:] = list(self.known)
        return values


@contextmanager
def _table_batches_of(
    path: Path | str, columns: Sequence[str] | None, delimiter: str | None
) -> Iterator[tuple[list[str], Iterator[Any]]]:
    """The names of the wanted columns, and the batches.

    Errors of the readers are raised as `RiskError`.
    """
    name = str(path)
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
        raise RiskError(
            "--delimiter must be one character",
            code="delimiter-invalid",
            hint="for example `;`",
        )
    file, table = split_member(name)
    if name != "-" and not file.exists():
        raise unreadable_table("the file does not exist", "missing-file")
    try:
        if _is_parquet(name):
            yield parquet_batches(Path(name), columns)
        elif name != "-" and is_database(file):
            from risk.tables.database_tables import database_batches

            yield database_batches(file, columns, table)
        else:
            yield delimited_batches(name, columns, delimiter)
    except pa.ArrowInvalid as error:
        raise _invalid_table(name, delimiter, str(error)) from None
    except UnicodeDecodeError:
        raise unreadable_table("the file is not UTF-8 text", "not-utf8") from None
    except (OSError, EOFError, pa.ArrowException):
        raise unreadable_table(
            "the file is damaged or has another format", "unreadable-file"
        ) from None


def _is_parquet(name: str) -> bool:
    return name.lower().endswith(PARQUET_SUFFIXES) or Path(name).is_dir()


def _invalid_table(name: str, delimiter: str | None, message: str) -> RiskError:
    if "UTF8" in message or "UTF-8" in message:
        return unreadable_table("the file is not UTF-8 text", "not-utf8")
    if name != "-" and not _is_parquet(name):
        row = ragged_row(name, delimiter)
        if row is not None:
            return unreadable_table(
                "a row has more or fewer cells", "ragged-row", place=f"row {row}"
            )
    return unreadable_table("the file is damaged or has another format", "unreadable-file")
