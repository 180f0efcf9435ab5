"""Excel workbooks: every sheet is a member; the output is a new workbook with values only.

What a workbook holds beside the cells of its sheets (comments, names, pictures, pivot caches,
macros, properties, links) is never passed on; a formula leaves the value that was saved with it.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from openpyxl import Workbook, load_workbook
from openpyxl.cell import WriteOnlyCell

from deid.errors import DeidError, unreadable
from deid.formats.contract import (
    ContainerPart,
    ReadOptions,
    Record,
    RecordFault,
    RecordSource,
    Sink,
)
from deid.formats.delimited.header_row import header_place
from deid.formats.parts import PartSink, part_columns, part_rows
from deid.formats.typed.typed_values import spell_value
from deid.formats.workbook.excel_package import check_package, left_in_package, repack_workbook

_EXCEL_SUFFIXES = (".xlsx", ".xlsm", ".xltx", ".xltm", ".xls")
_COMPOUND_FILE_MAGIC = bytes.fromhex("d0cf11e0a1b11ae1")
# A header stands within the first rows, and heads at least half of the widest of these.
_TOP, _HEADED = 60, 0.5
_LONGEST_TITLE = 31
_FORBIDDEN = re.compile(r"[\[\]:*?/\\]|^'|'$")
# What XML cannot hold, and half characters.
_XML_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

RowValues = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class SheetSource:
    """One sheet: the cells under its header. `top` is how many rows stand before the first."""

    path: Path = field(repr=False)
    sheet: str = field(repr=False)
    columns: tuple[str, ...] = field(repr=False)
    top: int
    keys: int = 0

    def records(self) -> Iterator[Record | RecordFault]:
        """What stands above the header as faults, then every row that is not empty."""
        width, ordinal = len(self.columns), 0
        try:
            with _sheet(self.path, self.sheet) as rows:
                for number, row in enumerate(rows):
                    if number == self.top - 1 or not any(v is not None for v in row):
                        continue
                    ordinal += 1
                    if number < self.top:
                        yield RecordFault(ordinal, "above-the-header")
                    else:
                        yield _sheet_record(ordinal, row, width, self.keys)
        except DeidError:
            yield RecordFault(ordinal + 1, "broken-workbook")


class Excel:
    """A workbook of Excel 2007 and later."""

    name = "excel"
    is_tabular = True

    def accepts(self, path: Path, suffix: str) -> bool:
        """By the end of its name."""
        return suffix in _EXCEL_SUFFIXES

    def members(self, path: Path, options: ReadOptions) -> tuple[str, ...]:
        """The sheets that hold anything, hidden ones too, in their order.

        Raises:
            DeidError: `encrypted-workbook`, `broken-workbook`, `xml-dtd`, and what
                `zip_safety.opened_zip` says of the archive that a workbook is.
        """
        _refuse_compound(path)
        check_package(path)
        with _workbook(path) as book:
            names = [sheet.title for sheet in book.worksheets]
        return tuple(name for name in names if _holds_anything(path, name))

    def open(self, path: Path, options: ReadOptions, member: str = "") -> RecordSource:
        """One sheet.

        Raises:
            DeidError: as `members`; `table-missing`, `empty-table`, `double-header`.
        """
        _refuse_compound(path)
        check_package(path)
        with _sheet(path, member) as rows:
            top = list(islice(rows, _TOP))
        place = _header_place(top)
        if place is None:
            raise unreadable("empty-table", "the sheet has no header", "leave it out")
        titles = [_title_cell(value) for value in top[place]]
        while titles and not titles[-1]:
            titles.pop()
        named = [title for title in titles if title]
        if len(set(named)) != len(named):
            raise unreadable("double-header", "two columns have the same name", "rename one")
        if any(_XML_FORBIDDEN.search(title) for title in named):
            raise unreadable(
                "broken-header", "a header holds control characters", "retype the header"
            )
        return SheetSource(path, member, tuple(titles), place + 1, options.keys)

    def create(self, path: Path, source: RecordSource, columns: Mapping[int, str]) -> Sink:
        """One sheet as a part."""
        if not isinstance(source, SheetSource):
            raise TypeError("a workbook's sink needs a sheet")
        return PartSink(path, columns)

    def assemble(self, target: Path, path: Path, parts: Sequence[ContainerPart]) -> tuple[str, ...]:
        """A new workbook of values; sheets that were hidden are again."""
        with _workbook(path) as old:
            states = {sheet.title: sheet.sheet_state for sheet in old.worksheets}
        book, titles = Workbook(write_only=True), list[str]()
        for number, part in enumerate(parts, 1):
            titles.append(_title(part.name, number, titles))
            sheet = book.create_sheet(titles[-1])
            sheet.append([_text_cell(sheet, c.header) for c in part_columns(part.path)])
            for row in part_rows(part.path):
                sheet.append([_sheet_cell(sheet, value) for value in row])
        shown = [n for n, part in enumerate(parts) if states[part.member] == "visible"]
        for number, part in enumerate(parts):  # one sheet has to be seen
            seen = number in shown or (not shown and number == 0)
            book.worksheets[number].sheet_state = "visible" if seen else states[part.member]
        book.active = shown[0] if shown else 0
        book.save(target)
        repack_workbook(target)
        return tuple(titles)

    def left_behind(
        self, path: Path, member: str = "", options: ReadOptions | None = None
    ) -> Mapping[str, int]:
        """Comments, defined names, pictures, pivot caches, macros and the like, by kind."""
        return {} if member else left_in_package(path)


def _sheet_record(ordinal: int, row: RowValues, width: int, keys: int) -> Record | RecordFault:
    if any(value is not None for value in row[width:]):
        return RecordFault(ordinal, "ragged-row")
    values = row[:width] + (None,) * (width - len(row))
    if any(isinstance(v, str) and _XML_FORBIDDEN.search(v) for v in values):
        return RecordFault(ordinal, "control-characters")
    return Record(ordinal, tuple(spell_value(value, keys) for value in values), skeleton=values)


def _header_place(rows: Sequence[RowValues]) -> int | None:
    """The row of column names; else the first that heads most of the columns, as titles do not."""
    width = max(map(len, rows), default=0)
    spelled = [[_title_cell(value) for value in row] + [""] * (width - len(row)) for row in rows]
    if place := header_place(spelled):
        return place
    filled = [sum(value is not None for value in row) for row in rows]
    widest = max(filled, default=0)
    return next((n for n, many in enumerate(filled) if many and many >= _HEADED * widest), None)


def _title_cell(value: Any) -> str:
    return "" if value is None else (spell_value(value) or "").strip()


def _holds_anything(path: Path, name: str) -> bool:
    with _sheet(path, name) as rows:
        return any(value is not None for row in rows for value in row)


@contextmanager
def _workbook(path: Path) -> Iterator[Any]:
    with path.open("rb") as file:  # openpyxl asks a path for the end of its name
        try:
            book = load_workbook(file, read_only=True, data_only=True, keep_links=False)
        except Exception:  # openpyxl says what it met
            raise _broken_workbook() from None
        try:
            yield book
        finally:
            book.close()


@contextmanager
def _sheet(path: Path, name: str) -> Iterator[Iterator[RowValues]]:
    with _workbook(path) as book:
        if name not in book.sheetnames:
            raise unreadable("table-missing", "the workbook has no such sheet", "name one it has")
        sheet = book[name]
        if hasattr(sheet, "reset_dimensions"):
            sheet.reset_dimensions()  # what a sheet says of its size need not be so
        yield _guarded(sheet.iter_rows(values_only=True))


def _guarded(rows: Iterator[RowValues]) -> Iterator[RowValues]:
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except Exception:
            raise _broken_workbook() from None
        yield row


def _sheet_cell(sheet: Any, value: Any) -> Any:
    return _text_cell(sheet, value) if isinstance(value, str) else value


def _text_cell(sheet: Any, text: str) -> Any:
    """A text is a text: one that begins with `=` becomes no formula."""
    cell = WriteOnlyCell(sheet, text)
    cell.data_type = "s"
    return cell


def _title(name: str, number: int, taken: Sequence[str]) -> str:
    title = _FORBIDDEN.sub("_", name)[:_LONGEST_TITLE]
    folded = {other.casefold() for other in taken}
    return title if title and title.casefold() not in folded else f"sheet_{number}"


def _refuse_compound(path: Path) -> None:
    """An encrypted workbook is a compound file, and so is one of Excel 97."""
    try:
        with path.open("rb") as file:
            head = file.read(len(_COMPOUND_FILE_MAGIC))
    except OSError:
        head = b""
    if head == _COMPOUND_FILE_MAGIC:
        hint = "open it with its password, and save it without as .xlsx"
        raise unreadable(
            "encrypted-workbook", "the workbook is encrypted or in Excel 97 format", hint
        )
    if not zipfile.is_zipfile(path):
        raise _broken_workbook()


def _broken_workbook() -> DeidError:
    return unreadable("broken-workbook", "the workbook cannot be read", "save it again as .xlsx")


FORMAT = Excel()
