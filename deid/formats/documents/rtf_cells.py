"""Tables with RTF in their cells, such as EHR notes: read as text, written as RTF or as text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from deid.errors import DeidError
from deid.formats.contract import (
    Format,
    ReadOptions,
    Record,
    RecordFault,
    RecordSource,
    sink_path,
)
from deid.formats.documents.rtf import read_rtf, write_rtf
from deid.formats.documents.whole_text import ReadText
from deid.formats.table_cells import CellDocuments

RTF_CELLS_LOOKED_AT = 200
_RTF_START = re.compile(r"\s*\{\\rtf", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RtfRow:
    """What a row's sink needs: the skeleton of the table's row, and the columns that held RTF."""

    inner: Any = field(repr=False)
    columns: frozenset[int]


@dataclass(frozen=True, slots=True)
class RtfCellsSource:
    """A table with RTF in some cells. Broken RTF is not opened, and is withheld.

    `as_text` says that the cells are written as text and not as new RTF.
    """

    inner: RecordSource
    columns: tuple[str, ...] = field(repr=False)
    of_rtf: frozenset[int]
    as_text: bool

    def __repr__(self) -> str:
        return f"RtfCellsSource({len(self.columns)} columns, {len(self.of_rtf)} of RTF)"

    @property
    def nested(self) -> frozenset[str]:
        """The columns of lists and bytes in which the table itself cannot be searched."""
        return frozenset(getattr(self.inner, "nested", ()))

    @property
    def trees(self) -> frozenset[str]:
        """The columns of lists that the table reads as JSON."""
        return frozenset(getattr(self.inner, "trees", ()))

    def records(self) -> Iterator[Record | RecordFault]:
        """Every row in order, with text in place of its RTF."""
        for record in self.inner.records():
            yield self._opened(record) if isinstance(record, Record) else record

    def _opened(self, row: Record) -> Record:
        texts = {n: text for n in self.of_rtf if (text := _rtf_text_of(row.cells[n])) is not None}
        cells = tuple(texts.get(n, cell) for n, cell in enumerate(row.cells))
        return replace(row, cells=cells, skeleton=RtfRow(row.skeleton, frozenset(texts)))


def _rtf_text_of(cell: str | None) -> str | None:
    """The text of an RTF document; None for any other cell."""
    if cell is None or not _RTF_START.match(cell):
        return None
    try:
        return read_rtf(_in_ascii(cell)).text
    except DeidError:
        return None


def _in_ascii(cell: str) -> bytes:
    """The RTF in ASCII, with RTF escapes for the characters that a database decoded."""
    if cell.isascii():
        return cell.encode("ascii")
    out = []
    for char in cell:
        wide = char.encode("utf-16-le", "surrogatepass")
        codes = [int.from_bytes(wide[i : i + 2], "little") for i in range(0, len(wide), 2)]
        out.append(char if char.isascii() else "".join(f"\\uc1\\u{code}?" for code in codes))
    return "".join(out).encode("ascii")


class RtfCellsSink:
    """Writes cells that were RTF as RTF, and the rows with the sink of the table."""

    def __init__(
        self, path: Path, table: Format, source: RtfCellsSource, columns: Mapping[int, str]
    ) -> None:
        self._asked, self._leaving = path, tuple(columns)
        self._as_text = source.as_text
        self._inner = table.create(path, source.inner, columns)

    @property
    def path(self) -> Path:
        """The path of the written table."""
        return sink_path(self._inner, self._asked)

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None:
        """Write one row: the cells of the released columns, in order."""
        if not isinstance(skeleton, RtfRow):
            raise TypeError("a sink of RTF cells needs the row that was read")
        row = [
            write_rtf(ReadText(""), cell).decode("ascii")
            if cell is not None and column in skeleton.columns and not self._as_text
            else cell
            for column, cell in zip(self._leaving, cells, strict=True)
        ]
        self._inner.write(row, skeleton.inner)

    def close(self) -> None:
        """Write what is buffered and close the file."""
        self._inner.close()


def open_rtf_cells(source: RecordSource, options: ReadOptions) -> RecordSource:
    """The table with text in place of its RTF; the table itself if its first rows hold no RTF."""
    found = {
        n
        for record in islice(source.records(), RTF_CELLS_LOOKED_AT)
        for n, cell in enumerate(record.cells if isinstance(record, Record) else ())
        if cell is not None and _RTF_START.match(cell)
    }
    if not found:
        return source
    return RtfCellsSource(source, source.columns, frozenset(found), options.rtf == "text")


RTF_CELLS = CellDocuments(open_rtf_cells, RtfCellsSource, RtfCellsSink)
