"""CSV and TSV: read as strings, record by record, and written with the same punctuation marks."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

from deid.errors import DeidError, unreadable
from deid.formats.contract import (
    ReadOptions,
    Record,
    RecordFault,
    RecordSource,
    Sink,
    delimiter_named,
)
from deid.formats.delimited.broken_rows import RowLines
from deid.formats.delimited.column_reader import is_regular, read_batches, written_records
from deid.formats.delimited.header_row import (
    LOOKED_AT,
    grouped_header,
    has_row_names,
    header_place,
    is_record,
    next_rows,
)
from deid.formats.delimited.separators import SAMPLE, is_delimited_text, sniff_delimiter
from deid.formats.text.encoding import Encoding, detect_encoding

# The most characters in one field. A record with a longer field is withheld. Beyond the second
# limit, the end of the record is unknown, so the rest of the file is withheld.
LONGEST_FIELD, LONGEST_READ = 1 << 24, 1 << 28
# The name that R gives to the column of row names.
ROW_NAMES = "row.names"
CSV_SUFFIXES = (".csv", ".tsv", ".tab", ".psv")
_QUOTED_FIELD = re.compile(r'"(?:[^"]|"")*"')
# JSON and XML in files with the suffix of a table: their first line is not a header.
_JSON_OR_XML_CELL = re.compile(r'\s*(?:\[\s*)*\{\s*["}]|\s*\[\s*["\[]|\s*<[?!/A-Za-z]')
_SURROGATE = re.compile("[\ud800-\udfff\x00]")


@dataclass(frozen=True, slots=True)
class Punctuation:
    """The punctuation of a file: delimiter, line end, and whether every field is quoted."""

    delimiter: str
    line_end: str
    quote_all: bool


@dataclass(frozen=True, slots=True)
class CsvSource:
    """One delimited file. Its `repr` shows its format and none of its content.

    `top` is the number of rows above its header. A file whose first row is a record
    (`header_rows` is 0) has the columns `column_1`, `column_2` and so on, and is written with these
    names: with fewer columns or cells, its first record may look like a header. A header of two
    rows is written as one.
    """

    path: Path
    columns: tuple[str, ...]
    encoding: Encoding
    punctuation: Punctuation
    top: int = 0
    header_rows: int = 1

    def __repr__(self) -> str:
        return f"CsvSource({len(self.columns)} columns, {self.encoding.codec})"

    def records(self) -> Iterator[Record | RecordFault]:
        """Yield a `RecordFault` for each line above the header, then every record or its fault."""
        with self.encoding.open(self.path) as file:
            lines = RowLines(iter(file))
            reader = _csv_reader(lines, self.punctuation.delimiter)
            above = sum(any(cell.strip() for cell in row) for row in next_rows(reader, self.top))
            yield from (RecordFault(ordinal, "above-the-header") for ordinal in range(1, above + 1))
            for _ in range(self.header_rows):
                next(reader)
            lines.end_row()
            for found in _csv_records(reader, len(self.columns), above):
                if isinstance(found, RecordFault) and found.code == "broken-quotes":
                    lines.lose_first_line(len(self.columns), self.punctuation.delimiter)
                lines.end_row()
                yield found

    def is_regular(self) -> bool:
        """Whether all CSV readers read the same cells, so that the file can be read by column."""
        if (
            self.top
            or self.header_rows != 1
            or self.encoding.codec not in ("utf-8", "ascii")
            or self.encoding.damaged
        ):
            return False
        return is_regular(self.path, *self._marks)

    def batches(self) -> Iterator[pa.RecordBatch]:
        """The records of a regular file by column, with the same cells as `records`."""
        return read_batches(self.path, *self._marks)

    @property
    def _marks(self) -> tuple[int, str, int]:
        return len(self.encoding.bom), self.punctuation.delimiter, len(self.columns)


def _csv_records(
    reader: Iterator[list[str]], width: int, ordinal: int = 0
) -> Iterator[Record | RecordFault]:
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            ordinal += 1
            if "limit" in str(error):
                yield RecordFault(ordinal, "field-too-long")
                return
            yield RecordFault(ordinal, "broken-quotes")
            continue
        if not row and width > 1:
            continue
        ordinal += 1
        yield _csv_record(ordinal, row or [""], width)


def _csv_record(ordinal: int, row: list[str], width: int) -> Record | RecordFault:
    if len(row) != width:
        return RecordFault(ordinal, "ragged-row")
    if max(map(len, row)) > LONGEST_FIELD:
        return RecordFault(ordinal, "field-too-long")
    if any(_SURROGATE.search(cell) for cell in row):
        return RecordFault(ordinal, "undecodable-bytes")
    return Record(ordinal, tuple(row))


class CsvSink:
    """Writes records with the punctuation, encoding and byte order mark of their source."""

    def __init__(self, path: Path, source: CsvSource, columns: Mapping[int, str]) -> None:
        encoding, marks = source.encoding, source.punctuation
        with path.open("wb") as file:
            file.write(encoding.bom)
        self._file = path.open("a", encoding=encoding.codec, newline="")
        self._single, self._codec = len(columns) < 2, encoding.codec
        # A delimiter that no line has is not detected: other marks in the cells would seem to be.
        quoted = marks.quote_all or (self._single and len(source.columns) > 1)
        self._writer = csv.writer(
            self._file,
            delimiter=marks.delimiter,
            lineterminator=marks.line_end,
            quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL,
        )
        self._marks = marks.delimiter, marks.line_end, marks.quote_all
        self._writer.writerow(columns.values())

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None:
        """Write one record: the cells of the released columns, in order."""
        self._writer.writerow(["" if cell is None else cell for cell in cells])

    def write_columns(self, columns: Sequence[pa.Array]) -> None:
        """Write many records: an array of strings for each released column, in order."""
        if self._single or self._codec != "utf-8":
            for cells in zip(*(column.to_pylist() for column in columns), strict=True):
                self.write(cells)
            return
        self._file.flush()
        self._file.buffer.write(written_records(columns, *self._marks))

    def close(self) -> None:
        """Write what is buffered and close the file."""
        self._file.close()


class CsvTable:
    """Delimited text with a header line."""

    name = "csv"
    is_tabular = True

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether the suffix is that of a table, or the lines of a text file are a table."""
        return suffix in CSV_SUFFIXES or is_delimited_text(path)

    def open(self, path: Path, options: ReadOptions) -> RecordSource:
        """Read the header and check that every byte can be decoded.

        Raises:
            DeidError: `unreadable-encoding`, `empty-table`, `broken-header`, `not-a-table`.
        """
        encoding = detect_encoding(path)
        with encoding.open(path) as file:
            sample = file.read(SAMPLE)
        if not sample.strip():
            raise _csv_refusal("empty-table", "the table has no header line")
        if _JSON_OR_XML_CELL.match(sample):
            raise _csv_refusal("not-a-table", "the file is named as a table but holds JSON or XML")
        delimiter = delimiter_named(options.delimiter) or sniff_delimiter(path, sample)
        with encoding.open(path) as file:
            first, *below = rows = list(next_rows(_csv_reader(file, delimiter), LOOKED_AT))
        top = header_place(rows)
        punctuation = Punctuation(delimiter, _line_end(sample), _quotes_all(sample, delimiter))
        if grouped := grouped_header(rows, top):
            return CsvSource(path, grouped.names, encoding, punctuation, grouped.place, 2)
        headed = bool(top) or not is_record(first, below)
        with encoding.open(path) as file:
            columns = _csv_header(file, delimiter, top)
        if headed and not top and has_row_names(rows, sample):
            columns = (ROW_NAMES, *columns)
        if not headed:
            columns = tuple(f"column_{number}" for number in range(1, len(columns) + 1))
        return CsvSource(path, columns, encoding, punctuation, top, int(headed))

    def create(self, path: Path, source: CsvSource, columns: Mapping[int, str]) -> Sink:
        """Open the output, which is written in the same way as `source`."""
        return CsvSink(path, source, columns)


def _csv_header(file: IO[str], delimiter: str, top: int) -> tuple[str, ...]:
    reader = _csv_reader(file, delimiter)
    try:
        for _ in next_rows(reader, top):
            pass
        row = next(reader)
    except (StopIteration, csv.Error):
        raise _csv_refusal("broken-header", "the header line cannot be read") from None
    columns = tuple(row)
    if any(_SURROGATE.search(column) for column in columns):
        raise _csv_refusal("broken-header", "the header line holds bytes that are not text")
    return columns


def _csv_reader(lines: Iterable[str], delimiter: str) -> Any:
    csv.field_size_limit(LONGEST_READ)
    return csv.reader(lines, delimiter=delimiter, strict=True)


def _line_end(sample: str) -> str:
    plain = _QUOTED_FIELD.sub("", sample)
    if "\r\n" in plain:
        return "\r\n"
    return "\n" if "\n" in plain or "\r" not in plain else "\r"


def _quotes_all(sample: str, delimiter: str) -> bool:
    lines = _QUOTED_FIELD.sub("Q", sample).splitlines()[:20]
    cells = [cell for line in lines[:-1] or lines for cell in line.split(delimiter)]
    return bool(cells) and all(cell == "Q" for cell in cells)


def _csv_refusal(code: str, message: str) -> DeidError:
    hint = "write a line of column names at the beginning"
    return unreadable(code, message, hint)


FORMAT = CsvTable()
