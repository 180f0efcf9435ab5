"""Reads delimited text by column, for regular files only.

A regular file is UTF-8 and has one record per line and the same number of fields in each record.
Quotes are only around whole fields and hold no line ends, so every CSV reader reads the same cells.
Each block is matched against that grammar before parsing; `csv_table` reads all other files row by
row.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pcsv
import re2

from deid.errors import DeidError, unreadable

BLOCK = 1 << 23
_BOM = "\ufeff".encode()
# RE2 cannot compile the grammar of a wider table.
WIDEST_TABLE = 1000
ROWS_PER_BLOCK = 1 << 16
# With RE2's default of 8 MiB, a table of 800 columns is thirty times slower.
GRAMMAR_MEMORY = 1 << 26


@lru_cache(maxsize=64)
def grammar(delimiter: str, width: int) -> Any:
    """The pattern for whole blocks of records with `width` fields."""
    end = re.escape(delimiter)
    fields = rf'(?:"(?:[^"\r\n\x00]|"")*"|[^"{end}\r\n\x00]*)'
    text = rf"(?:{fields}(?:{end}{fields}){{{width - 1}}}\r?\n)*"
    chosen = re2.Options()
    chosen.max_mem, chosen.log_errors = GRAMMAR_MEMORY, False
    return re2.compile(text.encode(), chosen)


@lru_cache(maxsize=64)
def _is_regular(path: Path, stamp: tuple[int, int], bom: int, delimiter: str, width: int) -> bool:
    whole = grammar(delimiter, width)
    for block in _blocks(path, bom):
        # Arrow would take a byte order mark within the file for one at its beginning.
        if block is None or _BOM in block or whole.fullmatch(block) is None:
            return False
        try:
            block.decode("utf-8")
        except UnicodeDecodeError:
            return False
    return True


def is_regular(path: Path, bom: int, delimiter: str, width: int) -> bool:
    """Whether every line of the file, including the header, matches the grammar."""
    if not 2 <= width <= WIDEST_TABLE or not delimiter.isascii():
        return False
    found = path.stat()
    return _is_regular(path, (found.st_mtime_ns, found.st_size), bom, delimiter, width)


def _blocks(path: Path, bom: int) -> Iterator[bytes | None]:
    """The file in blocks of whole, terminated lines; None for a line longer than a block."""
    with path.open("rb") as file:
        file.seek(bom)
        rest = b""
        while data := file.read(BLOCK):
            data = rest + data
            cut = data.rfind(b"\n") + 1
            if not cut:
                yield None
                return
            yield data[:cut]
            rest = data[cut:]
        if rest:
            yield rest + b"\n"


def read_batches(path: Path, bom: int, delimiter: str, width: int) -> Iterator[pa.RecordBatch]:
    """The records after the header, in batches of `ROWS_PER_BLOCK` with string columns.

    The file must be regular. Raises `DeidError` `input-changed` if the file changed.
    """
    names = [str(number) for number in range(width)]
    held: list[pa.RecordBatch] = []
    count = 0
    for number, block in enumerate(_blocks(path, bom)):
        if block is None:
            raise _changed()
        for batch in _parsed_block(
            block[block.find(b"\n") + 1 :] if not number else block, names, delimiter
        ):
            held.append(batch)
            count += batch.num_rows
        while count >= ROWS_PER_BLOCK:
            table = pa.Table.from_batches(held)
            yield _one_batch(table.slice(0, ROWS_PER_BLOCK))
            held, count = table.slice(ROWS_PER_BLOCK).to_batches(), count - ROWS_PER_BLOCK
    if count:
        yield _one_batch(pa.Table.from_batches(held))


def _one_batch(table: pa.Table) -> pa.RecordBatch:
    columns = [column.combine_chunks() for column in table.columns]
    return pa.record_batch(
        [c.chunk(0) if isinstance(c, pa.ChunkedArray) else c for c in columns],
        names=table.column_names,
    )


def _parsed_block(block: bytes, names: Sequence[str], delimiter: str) -> list[pa.RecordBatch]:
    if not block:
        return []
    try:
        table = pcsv.read_csv(
            pa.BufferReader(block),
            pcsv.ReadOptions(use_threads=False, block_size=len(block) + 1, column_names=names),
            pcsv.ParseOptions(delimiter=delimiter, ignore_empty_lines=False),
            pcsv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()),
                strings_can_be_null=False,
                null_values=[],
            ),
        )
    except pa.ArrowException:
        raise _changed() from None
    batches: list[pa.RecordBatch] = table.to_batches()
    return batches


def _changed() -> DeidError:
    return unreadable("input-changed", "the table changed while it was being read")


def written_records(
    columns: Sequence[pa.Array], delimiter: str, line_end: str, quote_all: bool
) -> Any:
    """The bytes of records as Python's `csv` writes them, from string columns of equal length."""
    fields = [_quoted_fields(column, delimiter, line_end, quote_all) for column in columns]
    last = pc.binary_join_element_wise(fields[-1], _large_string(line_end), _large_string(""))
    lines = pc.binary_join_element_wise(*fields[:-1], last, _large_string(delimiter))
    data = lines.buffers()[2]
    size = pc.sum(pc.binary_length(lines)).as_py() or 0
    return memoryview(data)[:size] if size else b""


def _large_string(value: str) -> pa.Scalar:
    return pa.scalar(value, pa.large_string())


def _quoted_fields(column: pa.Array, delimiter: str, line_end: str, quote_all: bool) -> pa.Array:
    """The fields as Python's `csv` writes them in rows of several fields.

    In a row of one field, `csv` would quote an empty field.
    """
    column = pc.fill_null(column.cast(pa.large_string()), "")
    if pc.any(_holding(column, "\r", "\n")).as_py():
        coded = column.dictionary_encode()
        words = [_field(c, delimiter, line_end, quote_all) for c in coded.dictionary.to_pylist()]
        return pa.array(words, pa.large_string()).take(coded.indices)
    needs = _holding(column, '"', delimiter)
    if not quote_all and not pc.any(needs).as_py():
        return column
    doubled = pc.replace_substring(column, '"', '""')
    mark = _large_string('"')
    whole = pc.binary_join_element_wise(mark, doubled, mark, _large_string(""))
    return whole if quote_all else pc.if_else(needs, whole, column)


def _holding(column: pa.Array, one: str, other: str) -> pa.Array:
    """Mark the cells that contain either of two characters."""
    return pc.or_(pc.match_substring(column, one), pc.match_substring(column, other))


def _field(cell: str, delimiter: str, line_end: str, quote_all: bool) -> str:
    out = io.StringIO(newline="")
    csv.writer(
        out,
        delimiter=delimiter,
        lineterminator=line_end,
        quoting=csv.QUOTE_ALL if quote_all else csv.QUOTE_MINIMAL,
    ).writerow([cell, ""])
    tail = (f'{delimiter}""' if quote_all else delimiter) + line_end
    return out.getvalue().removesuffix(tail)
