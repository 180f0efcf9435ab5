"""Delimited text as Arrow batches: delimiter, header, and quotation marks that are never closed."""

from __future__ import annotations

import csv
import io
import sys
import time
from collections.abc import Iterator, Sequence
from typing import IO, Any

import pyarrow as pa
from pyarrow import csv as arrow_csv

from risk.tables.coding import checked_columns
from risk.tables.damage import unreadable_table

KNOWN_DELIMITERS = ",;\t|"
_BLOCK_BYTES = 4 << 20
_LONGEST_CELL = 1 << 28
# The seconds to wait for Arrow to release the stream, and the references to the stream that remain
# when it is released: those of the generator, of the function that it calls, and of `getrefcount`.
_PATIENCE, _OWN_REFERENCES = 1.0, 3


def delimited_layout(name: str, delimiter: str | None) -> tuple[list[str], str]:
    """The column names of the header line, and the delimiter."""
    with _open_stream(name) as stream:
        return _parse_header(_first_line(_first_bytes(stream)), delimiter)


def delimited_batches(
    name: str, columns: Sequence[str] | None, delimiter: str | None
) -> tuple[list[str], Iterator[Any]]:
    """The names of the wanted columns, and batches of all rows; `-` is stdin.

    The batches raise `RiskError` at their end if a quotation mark was never closed.
    """
    with _open_stream(name) as peeked:
        head = _first_bytes(peeked)
        stream = _CountingStream(_RejoinedStream(head, sys.stdin.buffer)) if name == "-" else None
    stream = stream or _CountingStream(_open_stream(name))
    known, found = _parse_header(_first_line(head), delimiter)
    wanted = checked_columns(known, columns)
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
    return wanted, _closed_quotes(name, found, stream, reader)


def _closed_quotes(
    name: str, delimiter: str, stream: _CountingStream, batches: Any
) -> Iterator[Any]:
    rows = 0
    try:
        for batch in batches:
            rows += batch.num_rows
            yield batch
    finally:
        batches.close()
        del batches
        _await_release(stream)
    if stream.quotes % 2 and stream.lines > rows + 1 and _has_open_quote(name, delimiter):
        raise unreadable_table("a quotation mark is never closed", "open-quote")


def _await_release(stream: _CountingStream) -> None:
    """Wait until Arrow's reading thread has released the stream.

    That happens some moments after the last batch. A process that ends earlier is aborted (code
    134).
    """
    patience = time.monotonic() + _PATIENCE
    while sys.getrefcount(stream) > _OWN_REFERENCES and time.monotonic() < patience:
        time.sleep(0.001)


def ragged_row(name: str, delimiter: str | None) -> int | None:
    """The number of the first row with more or fewer cells than the header."""
    known, found = delimited_layout(name, delimiter)
    with _open_stream(name) as stream:
        lines = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="")
        next(lines)
        for ordinal, row in enumerate(csv.reader(lines, delimiter=found), 1):
            if row and len(row) != len(known):
                return ordinal
    return None


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
        raise unreadable_table("the file is empty", "empty-file")
    return head


def _first_line(head: bytes) -> str:
    return head.splitlines()[0].decode("utf-8-sig")


def _has_open_quote(name: str, delimiter: str) -> bool:
    """Whether a quotation mark is still open at the end of the file.

    Standard input cannot be read again, so the result for it is always True.
    """
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
    """A stream that counts quotation marks and line ends while it is read.

    A quotation mark that is never closed would swallow all following rows into one cell without an
    error.
    """

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
