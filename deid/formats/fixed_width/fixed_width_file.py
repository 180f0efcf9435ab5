"""Fixed-width files, such as state discharge data and claims, read with a layout.

Every line is written with the same places. A cell that does not fit into its place is visibly
shortened or left out (`fitting`). Places that the layout does not name are blank.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa

from deid.formats.contract import ReadOptions, Record, RecordFault, RecordSource, Sink
from deid.formats.documents.whole_text import refuse_document
from deid.formats.fixed_width.columns import (
    aligned_right,
    line_arrays,
    read_columns,
    written_lines,
)
from deid.formats.fixed_width.fitting import fitted_cell, key_of_place, size_of
from deid.formats.fixed_width.layout import COUNT_PLACE, RECORD_PLACE, Layout
from deid.formats.fixed_width.lines import (
    BrokenLine,
    FixedLine,
    LineLength,
    ends_with_line_end,
    file_lines,
    is_structure,
    line_end,
    line_lengths,
    taken_apart,
    type_of_line,
    unnamed_characters,
)
from deid.formats.text.encoding import Encoding, detect_encoding

# With a layout, files with these suffixes are fixed-width; others must also look fixed-width.
_FIXED_SUFFIXES = (".fwf", ".dat", ".asc", ".fix", ".prn", ".fw")
_PERHAPS_FIXED = (".txt", ".text", ".out", "")
_LINES_JUDGED, _FITTING = 200, 0.9
# Letters, digits and the blank in EBCDIC; most of these bytes are not ASCII text.
_EBCDIC = frozenset((0x40, 0x4B, *range(0x81, 0x8A), *range(0x91, 0x9A), *range(0xA2, 0xAA),
                     *range(0xC1, 0xCA), *range(0xD1, 0xDA), *range(0xE2, 0xEA),
                     *range(0xF0, 0xFA)))  # fmt: skip
_MOSTLY, _JUDGED_BYTES = 0.8, 1 << 12


@dataclass(frozen=True, slots=True)
class FixedWidthSource:
    """One file. `lengths` has the length of each type of line; `keys` is as in `ReadOptions`.

    `keeps_columns` says that a withheld column stays as a blank place, so that the released file
    can be read with the same layout.
    """

    path: Path
    layout: Layout = field(repr=False)
    encoding: Encoding
    lengths: Mapping[str, LineLength] = field(repr=False)
    end: str
    keys: int = 0
    keeps_columns: bool = True

    def __repr__(self) -> str:
        return f"FixedWidthSource({len(self.columns)} columns, {self.encoding.codec})"

    @property
    def columns(self) -> tuple[str, ...]:
        """The column names in the layout."""
        return self.layout.columns

    def records(self) -> Iterator[Record | RecordFault]:
        """One record per line. A column that this type of line does not have is null."""
        numbers = {name: number for number, name in enumerate(self.columns)}
        for ordinal, data in enumerate(file_lines(self.path, len(self.encoding.bom)), 1):
            try:
                line = taken_apart(data, self.layout, self.lengths, self.encoding)
            except BrokenLine as error:
                yield RecordFault(ordinal, str(error))
                continue
            cells: list[str | None] = [None] * len(numbers)
            for place, raw in zip(self.layout.places_of(line.record), line.raw, strict=True):
                if not is_structure(place):
                    cells[numbers[place.name]] = key_of_place(raw.strip(" "), self.keys)
            yield Record(ordinal, tuple(cells), skeleton=line)

    def is_regular(self) -> bool:
        """Whether the file can be read by column: plain ASCII, and all lines of equal length."""
        return self.aligned() is not None

    def aligned(self) -> tuple[bool, ...] | None:
        """For each column of a regular file, whether it is aligned right in its place."""
        length = self.lengths.get("")
        if self.encoding.bom or self.encoding.damaged or length is None or not length.exact:
            return None
        state = self.path.stat()
        stamp = state.st_mtime_ns, state.st_size
        return aligned_right(self.path, stamp, self.layout, length.most, self.end)

    def batches(self) -> Iterator[pa.RecordBatch]:
        """The records of a regular file by column.

        Raises:
            DeidError: `input-changed`.
        """
        numbers = {name: number for number, name in enumerate(self.columns)}
        places = sorted(self.layout.places, key=lambda place: numbers[place.name])
        for rows in line_arrays(self.path, self.lengths[""].most, self.end):
            if rows is None:
                raise refuse_document("input-changed")
            yield read_columns(rows, places, self.keys)


class FixedWidthSink:
    """Writes lines with the same places as in the source.

    Withheld records are subtracted from a count of records. Their number is known only at the end,
    so counts are written when the file is closed.
    """

    def __init__(self, path: Path, source: FixedWidthSource, columns: Mapping[int, str]) -> None:
        self._file = path.open("w+b")
        self._file.write(source.encoding.bom)
        self._source = source
        self._positions = {column: place for place, column in enumerate(columns)}
        self._numbers = {name: number for number, name in enumerate(source.columns)}
        aligned = source.aligned()
        places = source.layout.places_of("") if aligned else ()
        self._right = dict(zip((p.name for p in places), aligned or (), strict=True))
        self._written = 0
        self._counts: list[tuple[int, int, int]] = []

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None:
        """Write one line: the cells of the released columns, in order, and the line as read."""
        if not isinstance(skeleton, FixedLine):
            raise TypeError("a line of fixed width needs the line it was read from")
        layout, length = self._source.layout, self._source.lengths[skeleton.record]
        line, counts = b"", []
        for place, raw in zip(layout.places_of(skeleton.record), skeleton.raw, strict=True):
            line += b" " * (place.start - self._size_so_far(line, skeleton.codec))
            if place.kind == RECORD_PLACE:
                told = raw
            elif place.kind == COUNT_PLACE:
                told = " " * place.width
                counts.append((len(line), place.width, _count_of(raw)))
            else:
                told = self._released(place.name, raw, cells, place.width, skeleton.codec)
            line += told.encode(self._source.encoding.codec, "replace")
        line += b" " * (skeleton.length - self._size_so_far(line, skeleton.codec))
        at = self._file.tell()
        self._counts += [(at + start, width, count) for start, width, count in counts]
        bare = line if length.exact or counts else line.rstrip(b" ") or b" "
        self._file.write(bare + self._source.end.encode())
        self._written += 1

    def _size_so_far(self, line: bytes, codec: str) -> int:
        return len(line) if codec else len(line.decode(self._source.encoding.codec))

    def _released(
        self, name: str, raw: str, cells: Sequence[str | None], width: int, codec: str
    ) -> str:
        position = self._positions.get(self._numbers[name])
        cell = None if position is None else cells[position]
        if cell is not None and cell == raw.strip(" "):
            return raw + " " * (width - size_of(raw, codec))
        put = fitted_cell(" ".join((cell or "").splitlines()), width, codec)
        blanks = " " * (width - size_of(put, codec))
        right = self._right.get(name, raw.startswith(" ") and not raw.endswith(" "))
        return blanks + put if right else put + blanks

    def write_columns(self, columns: Sequence[pa.Array]) -> None:
        """Write many lines: an array of strings for each released column, in order."""
        source = self._source
        length = source.lengths[""].most
        leaving = [
            (place, self._right[place.name], columns[position])
            for place in source.layout.places_of("")
            if (position := self._positions.get(self._numbers[place.name])) is not None
        ]
        size = len(columns[0])
        self._file.write(written_lines(leaving, size, length, source.end))
        self._written += size

    def close(self) -> None:
        """Write the counts, and end the file in the same way as the source."""
        source = self._source
        if self._counts:
            total = sum(1 for _ in file_lines(source.path, len(source.encoding.bom)))
            for at, width, count in self._counts:
                left = count - (total - self._written)
                told = str(left) if 0 <= left <= count <= total else ""
                self._file.seek(at)
                self._file.write((told.zfill(width) if told else " " * width)[:width].encode())
        if self._written and not ends_with_line_end(source.path):
            self._file.seek(-len(source.end), 2)
            self._file.truncate()
        self._file.close()


def _count_of(raw: str) -> int:
    """Return the number in a count of records; a huge number if the text is not a number."""
    bare = raw.strip()
    return int(bare) if bare.isascii() and bare.isdecimal() else 1 << 62


@dataclass(frozen=True, slots=True)
class FixedWidth:
    """Files that a layout describes."""

    layout: Layout = field(repr=False)
    name: str = "fixed_width"

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether the suffix is that of a fixed-width file, or a text's lines fit the layout."""
        return suffix in _FIXED_SUFFIXES or (suffix in _PERHAPS_FIXED and self._fits(path))

    def _fits(self, path: Path) -> bool:
        encoding = Encoding("latin-1")
        lengths = line_lengths(path, self.layout, 0)
        seen = Counter[bool]()
        for line in islice(file_lines(path), _LINES_JUDGED):
            try:
                taken_apart(line, self.layout, lengths, encoding)
                seen[True] += 1
            except BrokenLine:
                seen[False] += 1
        exact = any(length.exact for length in lengths.values())
        return exact and seen[True] >= _FITTING * seen.total() > 0

    def open(self, path: Path, options: ReadOptions) -> RecordSource:
        """Read the first lines and check that every byte can be decoded.

        Raises:
            DeidError: `ebcdic-text`, `unreadable-encoding`, `empty-table`, `layout-mismatch`.
        """
        with path.open("rb") as file:
            head = file.read(_JUDGED_BYTES)
        if head and sum(byte in _EBCDIC for byte in head) >= _MOSTLY * len(head):
            raise refuse_document("ebcdic-text")
        encoding = detect_encoding(path)
        if encoding.codec not in ("utf-8", "cp1252"):
            raise refuse_document("unreadable-encoding")
        bom = len(encoding.bom)
        lines = list(islice(file_lines(path, bom), _LINES_JUDGED))
        if not lines:
            raise refuse_document("empty-table")
        lengths = line_lengths(path, self.layout, bom)
        source = FixedWidthSource(
            path, self.layout, encoding, lengths, line_end(path), options.keys
        )
        if not any(isinstance(record, Record) for record in islice(source.records(), len(lines))):
            raise refuse_document("layout-mismatch")
        return source

    def create(self, path: Path, source: FixedWidthSource, columns: Mapping[int, str]) -> Sink:
        """Open the output."""
        return FixedWidthSink(path, source, columns)

    def left_behind(
        self, path: Path, member: str = "", options: ReadOptions | None = None
    ) -> Mapping[str, int]:
        """The number of lines with characters outside the places of the layout."""
        found = sum(
            unnamed_characters(line, self.layout.places_of(record))
            for line in file_lines(path)
            if (record := type_of_line(line, self.layout)) is not None
        )
        return {"lines-with-unnamed-places": found} if found else {}
