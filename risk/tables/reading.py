"""Read CSV, TSV and Parquet files directly into coded tables. Only this module imports pyarrow.

Columns are encoded batch by batch while the file is read, so ten million rows need only the memory
of their codes. No error repeats a value of the file.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import csv as arrow_csv

from risk.errors import RiskError
from risk.tables.coding import (
    CodedColumn,
    CodedTable,
    coded_column,
    index_array,
    smallest,
    unknown_column,
)

KNOWN_DELIMITERS = ",;\t|"
_BLOCK_BYTES = 4 << 20
_LONGEST_CELL = 1 << 28
_PARQUET = (".parquet", ".pq")


def read_table(
    path: Path | str, columns: Sequence[str] | None = None, *, delimiter: str | None = None
) -> CodedTable:
    """Read the named columns (all by default) of a CSV, TSV or Parquet file; `-` is stdin.

    Delimited text is UTF-8 with a header line, optionally gzipped. The delimiter is detected among
    comma, semicolon, tab and pipe unless given. Raises `RiskError`: exit code 2 for an unknown
    column, 6 for a file that cannot be read.
    """
    name = str(path)
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
        raise RiskError(
            "--delimiter must be one character",
            code="delimiter-invalid",
            hint="for example `;`",
        )
    if name != "-" and not Path(path).is_file():
        raise _unreadable_table("the file does not exist", "missing-file")
    try:
        if name.lower().endswith(_PARQUET):
            return _read_batches(*_parquet(name, columns))
        return _delimited(name, columns, delimiter)
    except pa.ArrowInvalid as error:
        raise _invalid_table(name, delimiter, str(error)) from None
    except UnicodeDecodeError:
        raise _unreadable_table("the file is not UTF-8 text", "not-utf8") from None
    except (OSError, EOFError, pa.ArrowException):
        raise _unreadable_table(
            "the file is damaged or has another format", "unreadable-file"
        ) from None


def read_header(path: Path | str, *, delimiter: str | None = None) -> tuple[str, ...]:
    """The column names of a table, in order."""
    name = str(path)
    if name.lower().endswith(_PARQUET):
        return _parquet_names(name)
    with _open_stream(name) as stream:
        return tuple(_parse_header(_first_line(_first_bytes(stream)), delimiter)[0])


def _parquet_names(name: str) -> tuple[str, ...]:
    from pyarrow import parquet

    return tuple(parquet.ParquetFile(pa.OSFile(name)).schema_arrow.names)


def _parquet(name: str, columns: Sequence[str] | None) -> tuple[list[str], Iterator[Any]]:
    from pyarrow import parquet

    # Given a name, Arrow may read it as a URL and open a connection.
    file = parquet.ParquetFile(pa.OSFile(name))
    known = list(file.schema_arrow.names)
    wanted = _checked_columns(known, columns)
    return wanted, file.iter_batches(batch_size=1 << 19, columns=wanted, use_threads=True)


def _delimited(name: str, columns: Sequence[str] | None, delimiter: str | None) -> CodedTable:
    with _open_stream(name) as peeked:
        head = _first_bytes(peeked)
        stream = _CountingStream(_RejoinedStream(head, sys.stdin.buffer)) if name == "-" else None
    stream = stream or _CountingStream(_open_stream(name))
    known, found = _parse_header(_first_line(head), delimiter)
    wanted = _checked_columns(known, columns)
    kind = pa.dictionary(pa.int32(), pa.string())
    reader = arrow_csv.open_csv(
        stream,
        read_options=arrow_csv.ReadOptions(block_size=_BLOCK_BYTES),
        parse_options=arrow_csv.ParseOptions(
            delimiter=found, newlines_in_values=True, ignore_empty_lines=len(known) > 1
        ),
        convert_options=arrow_csv.ConvertOptions(
            include_columns=wanted or known[:1], column_types=dict.fromkeys(known, kind)
        ),
    )
    table = _read_batches(wanted, iter(reader))
    if stream.quotes % 2 and stream.lines > table.rows + 1 and _has_open_quote(name, found):
        raise _unreadable_table("a quotation mark is never closed", "open-quote")
    return table


def _read_batches(wanted: list[str], batches: Iterator[Any]) -> CodedTable:
    parts: list[_ColumnBuilder] = [_ColumnBuilder(name) for name in wanted]
    rows = 0
    for batch in batches:
        rows += batch.num_rows
        for part in parts:
            part.add(batch.column(part.name))
    return CodedTable(tuple(part.column() for part in parts), rows)


class _ColumnBuilder:
    """One column while it is read: a growing dictionary and the codes of each batch."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.known: dict[Any, int] = {}
        self.codes: list[NDArray[Any]] = []

    def add(self, values: Any) -> None:
        if not pa.types.is_dictionary(values.type):
            values = values.dictionary_encode(null_encoding="encode")
        known = self.known
        words = values.dictionary.to_pylist()
        mapping = np.fromiter((known.setdefault(w, len(known)) for w in words), np.int64)
        indices = values.indices
        if indices.null_count:
            mapping = np.append(mapping, known.setdefault(None, len(known)))
            indices = indices.fill_null(len(words))
        taken = mapping.astype(smallest(max(1, len(known))))[index_array(indices)]
        self.codes.append(taken)

    def column(self) -> CodedColumn:
        values = np.empty(len(self.known), object)
        values[:] = list(self.known)
        codes = np.concatenate(self.codes) if self.codes else np.zeros(0, np.uint8)
        self.codes.clear()
        return coded_column(self.name, codes, values)


def _checked_columns(known: list[str], columns: Sequence[str] | None) -> list[str]:
    wanted = known if columns is None else list(dict.fromkeys(columns))
    for name in wanted:
        if known.count(name) != 1:
            raise unknown_column(name, known)
    return wanted


def _open_stream(name: str) -> IO[bytes]:
    if name == "-":
        return open(sys.stdin.fileno(), "rb", buffering=0, closefd=False)
    stream: IO[bytes] = pa.input_stream(name, compression="detect")
    return stream


def _first_bytes(stream: IO[bytes]) -> bytes:
    """The bytes up to the end of the first line, or a little more."""
    head = b""
    while b"\n" not in head:
        more = stream.read(1 << 16)
        if not more:
            break
        head += more
    if not head.strip():
        raise _unreadable_table("the file is empty", "empty-file")
    return head


def _first_line(head: bytes) -> str:
    return head.splitlines()[0].decode("utf-8-sig")


def _has_open_quote(name: str, delimiter: str) -> bool:
    """Whether a quotation mark is still open at the end of the file. Standard input cannot be read
    again, so there the answer is always True."""
    if name == "-":
        return True
    usual = csv.field_size_limit(_LONGEST_CELL)
    with _open_stream(name) as stream:
        lines = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace", newline="")
        try:
            for _ in csv.reader(lines, delimiter=delimiter, strict=True):
                pass
        except csv.Error as error:
            return "expected after" not in str(error)
        finally:
            csv.field_size_limit(usual)
    return False


class _CountingStream(io.RawIOBase):
    """A stream that counts quotation marks and line ends while it is read. A quotation mark that is
    never closed would swallow all following rows into one cell without an error."""

    def __init__(self, stream: IO[bytes] | io.RawIOBase) -> None:
        self._stream = stream
        self.quotes = 0
        self.lines = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        taken = self._stream.read(size) or b""
        self.quotes += taken.count(b'"')
        self.lines += max(taken.count(b"\n"), taken.count(b"\r"))
        return taken


class _RejoinedStream(io.RawIOBase):
    """Bytes already read from a stream, followed by the rest of the stream."""

    def __init__(self, head: bytes, rest: IO[bytes]) -> None:
        self._head = memoryview(head)
        self._rest = rest

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if len(self._head):
            taken = self._head if size < 0 else self._head[:size]
            self._head = self._head[len(taken) :]
            more = self._rest.read() if size < 0 else self._rest.read(size - len(taken))
            return bytes(taken) + bytes(more)
        return self._rest.read(size)


def _parse_header(line: str, delimiter: str | None) -> tuple[list[str], str]:
    found = delimiter or max(KNOWN_DELIMITERS, key=lambda mark: len(_split_line(line, mark)))
    return _split_line(line, found), found


def _split_line(line: str, delimiter: str) -> list[str]:
    return next(csv.reader([line], delimiter=delimiter), [])


def _invalid_table(name: str, delimiter: str | None, message: str) -> RiskError:
    if "UTF8" in message or "UTF-8" in message:
        return _unreadable_table("the file is not UTF-8 text", "not-utf8")
    if name == "-" or name.lower().endswith(_PARQUET):
        return _unreadable_table("the file is damaged or has another format", "unreadable-file")
    with _open_stream(name) as stream:
        known, found = _parse_header(_first_line(_first_bytes(stream)), delimiter)
    with _open_stream(name) as stream:
        lines = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="")
        next(lines)
        for ordinal, row in enumerate(csv.reader(lines, delimiter=found), 1):
            if row and len(row) != len(known):
                place = f"row {ordinal}"
                return _unreadable_table("a row has more or fewer cells", "ragged-row", place)
    return _unreadable_table("the file is damaged or has another format", "unreadable-file")


def _unreadable_table(message: str, code: str, place: str = "the table") -> RiskError:
    hints = {
        "missing-file": "check the path",
        "ragged-row": "fix the row, or name the delimiter with --delimiter",
        "not-utf8": "convert the file to UTF-8",
        "empty-file": "a table needs a header line",
        "open-quote": "close it, or double it inside a quoted cell",
    }
    hint = hints.get(code, "give a CSV, TSV or Parquet file")
    return RiskError(message, code=code, place=place, hint=hint, exit_code=6)
