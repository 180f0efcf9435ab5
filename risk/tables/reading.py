"""Tables from files straight into codes: CSV and its kin, Parquet. The one door to pyarrow.

Columns are encoded batch by batch while the file is read, so that ten million rows cost their
codes and no more. No error repeats what stands in the file.
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
from risk.tables.coding import CodedColumn, CodedTable, plain, settled, smallest, unknown_column

DELIMITERS = ",;\t|"
_BLOCK = 4 << 20
_LONGEST_CELL = 1 << 28
_PARQUET = (".parquet", ".pq")


def read_table(
    path: Path | str, columns: Sequence[str] | None = None, *, delimiter: str | None = None
) -> CodedTable:
    """Read the named columns (all by default) of a CSV, TSV or Parquet file, `-` for stdin.

    Delimited text is UTF-8 with a header line, gzip or not; its delimiter is found among comma,
    semicolon, tab and pipe unless given. Raises `RiskError`: exit code 2 for an unknown column,
    6 for a file that cannot be read.
    """
    name = str(path)
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
        raise RiskError(
            "--delimiter is not one character",
            code="delimiter-invalid",
            hint="one character, `;` say",
        )
    if name != "-" and not Path(path).is_file():
        raise _unreadable("no such file", "missing-file")
    try:
        if name.lower().endswith(_PARQUET):
            return _gather(*_parquet(name, columns))
        return _delimited(name, columns, delimiter)
    except pa.ArrowInvalid as error:
        raise _invalid(name, delimiter, str(error)) from None
    except UnicodeDecodeError:
        raise _unreadable("the file is not UTF-8 text", "not-utf8") from None
    except (OSError, EOFError, pa.ArrowException):
        raise _unreadable("the file is damaged or of another format", "unreadable-file") from None


def read_header(path: Path | str, *, delimiter: str | None = None) -> tuple[str, ...]:
    """The column names of a table, in order."""
    name = str(path)
    if name.lower().endswith(_PARQUET):
        return _parquet_names(name)
    with _opened(name) as stream:
        return tuple(_header(_first_line(_head(stream)), delimiter)[0])


def _parquet_names(name: str) -> tuple[str, ...]:
    from pyarrow import parquet

    return tuple(parquet.ParquetFile(pa.OSFile(name)).schema_arrow.names)


def _parquet(name: str, columns: Sequence[str] | None) -> tuple[list[str], Iterator[Any]]:
    from pyarrow import parquet

    # Of a name Arrow would make a URL where it can, and ask the network.
    file = parquet.ParquetFile(pa.OSFile(name))
    known = list(file.schema_arrow.names)
    wanted = _wanted(known, columns)
    return wanted, file.iter_batches(batch_size=1 << 19, columns=wanted, use_threads=True)


def _delimited(name: str, columns: Sequence[str] | None, delimiter: str | None) -> CodedTable:
    with _opened(name) as peeked:
        head = _head(peeked)
        stream = _Counted(_Rejoined(head, sys.stdin.buffer)) if name == "-" else None
    stream = stream or _Counted(_opened(name))
    known, found = _header(_first_line(head), delimiter)
    wanted = _wanted(known, columns)
    kind = pa.dictionary(pa.int32(), pa.string())
    reader = arrow_csv.open_csv(
        stream,
        read_options=arrow_csv.ReadOptions(block_size=_BLOCK),
        parse_options=arrow_csv.ParseOptions(
            delimiter=found, newlines_in_values=True, ignore_empty_lines=len(known) > 1
        ),
        convert_options=arrow_csv.ConvertOptions(
            include_columns=wanted or known[:1], column_types=dict.fromkeys(known, kind)
        ),
    )
    table = _gather(wanted, iter(reader))
    if stream.quotes % 2 and stream.lines > table.rows + 1 and _left_open(name, found):
        raise _unreadable("a quotation mark is never closed", "open-quote")
    return table


def _gather(wanted: list[str], batches: Iterator[Any]) -> CodedTable:
    parts: list[_Part] = [_Part(name) for name in wanted]
    rows = 0
    for batch in batches:
        rows += batch.num_rows
        for part in parts:
            part.add(batch.column(part.name))
    return CodedTable(tuple(part.column() for part in parts), rows)


class _Part:
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
        taken = mapping.astype(smallest(max(1, len(known))))[plain(indices)]
        self.codes.append(taken)

    def column(self) -> CodedColumn:
        values = np.empty(len(self.known), object)
        values[:] = list(self.known)
        codes = np.concatenate(self.codes) if self.codes else np.zeros(0, np.uint8)
        self.codes.clear()
        return settled(self.name, codes, values)


def _wanted(known: list[str], columns: Sequence[str] | None) -> list[str]:
    wanted = known if columns is None else list(dict.fromkeys(columns))
    for name in wanted:
        if known.count(name) != 1:
            raise unknown_column(name, known)
    return wanted


def _opened(name: str) -> IO[bytes]:
    if name == "-":
        return open(sys.stdin.fileno(), "rb", buffering=0, closefd=False)
    stream: IO[bytes] = pa.input_stream(name, compression="detect")
    return stream


def _head(stream: IO[bytes]) -> bytes:
    """The bytes up to the end of the first line, or a little more."""
    head = b""
    while b"\n" not in head:
        more = stream.read(1 << 16)
        if not more:
            break
        head += more
    if not head.strip():
        raise _unreadable("the file is empty", "empty-file")
    return head


def _first_line(head: bytes) -> str:
    return head.splitlines()[0].decode("utf-8-sig")


def _left_open(name: str, delimiter: str) -> bool:
    """Whether a quotation mark is open where the file ends; standard input cannot be read again."""
    if name == "-":
        return True
    usual = csv.field_size_limit(_LONGEST_CELL)
    with _opened(name) as stream:
        lines = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace", newline="")
        try:
            for _ in csv.reader(lines, delimiter=delimiter, strict=True):
                pass
        except csv.Error as error:
            return "expected after" not in str(error)
        finally:
            csv.field_size_limit(usual)
    return False


class _Counted(io.RawIOBase):
    """A stream whose quotation marks and line ends are counted while it is read: a mark that is
    never closed takes all rows after it into one cell, and nobody would miss them."""

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


class _Rejoined(io.RawIOBase):
    """Bytes already taken from a stream, followed by the rest of it."""

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


def _header(line: str, delimiter: str | None) -> tuple[list[str], str]:
    found = delimiter or max(DELIMITERS, key=lambda mark: len(_split(line, mark)))
    return _split(line, found), found


def _split(line: str, delimiter: str) -> list[str]:
    return next(csv.reader([line], delimiter=delimiter), [])


def _invalid(name: str, delimiter: str | None, message: str) -> RiskError:
    if "UTF8" in message or "UTF-8" in message:
        return _unreadable("the file is not UTF-8 text", "not-utf8")
    if name == "-" or name.lower().endswith(_PARQUET):
        return _unreadable("the file is damaged or of another format", "unreadable-file")
    with _opened(name) as stream:
        known, found = _header(_first_line(_head(stream)), delimiter)
    with _opened(name) as stream:
        lines = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="")
        next(lines)
        for ordinal, row in enumerate(csv.reader(lines, delimiter=found), 1):
            if row and len(row) != len(known):
                place = f"row {ordinal}"
                return _unreadable("a row has more or fewer cells", "ragged-row", place)
    return _unreadable("the file is damaged or of another format", "unreadable-file")


def _unreadable(message: str, code: str, place: str = "the table") -> RiskError:
    hints = {
        "missing-file": "check the path",
        "ragged-row": "mend the row, or name the delimiter with --delimiter",
        "not-utf8": "convert the file to UTF-8",
        "empty-file": "a table needs a header line",
        "open-quote": "close it, or write it twice within a quoted cell",
    }
    hint = hints.get(code, "give a CSV, TSV or Parquet file")
    return RiskError(message, code=code, place=place, hint=hint, exit_code=6)
