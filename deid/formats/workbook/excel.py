"""Excel workbooks: every sheet is a member; the output is a new workbook with values only.

Content other than cells (comments, names, pictures, pivot caches, macros, properties, links) is
never passed on. A formula is replaced by the value that was saved with it.
"""

from __future__ import annotations

import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from openpyxl import Workbook, load_workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.rich_text import CellRichText

from deid.errors import DeidError, unreadable
from deid.formats.contract import (
    ContainerPart,
    ReadOptions,
    Record,
    RecordFault,
    RecordSource,
    first_bytes,
)
from deid.formats.delimited.header_row import grouped_header, header_place
from deid.formats.parts import PartFormat, part_columns, part_rows
from deid.formats.typed.typed_values import spell_value
from deid.formats.workbook.excel_package import check_package, left_in_package, repack_workbook

_EXCEL_SUFFIXES = (".xlsx", ".xlsm", ".xltx", ".xltm", ".xls")
_COMPOUND_FILE_MAGIC = bytes.fromhex("d0cf11e0a1b11ae1")
# The header is in one of the first rows, and has at least half as many cells as the widest row.
_TOP, _HEADED = 60, 0.5
_LONGEST_TITLE = 31
_FORBIDDEN = re.compile(r"[\[\]:*?/\\]|^'|'$")
# Characters that XML does not allow, and lone surrogates.
_XML_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

RowValues = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class SheetSource:
    """One sheet: the cells below its header, which has one or two rows.

    `top` is the number of rows before the first.
    """

    path: Path = field(repr=False)
    sheet: str = field(repr=False)
    columns: tuple[str, ...] = field(repr=False)
    top: int
    keys: int = 0
    header_rows: int = 1

    def records(self) -> Iterator[Record | RecordFault]:
        """The rows above the header as faults, then every row that is not empty."""
        width, ordinal = len(self.columns), 0
        try:
            with _sheet(self.path, self.sheet) as rows:
                for number, row in enumerate(rows):
                    titled = self.top - self.header_rows <= number < self.top
                    if titled or not any(v is not None for v in row):
                        continue
                    ordinal += 1
                    if number < self.top:
                        yield RecordFault(ordinal, "above-the-header")
                    else:
                        yield _sheet_record(ordinal, row, width, self.keys)
        except DeidError:
            yield RecordFault(ordinal + 1, "broken-workbook")


class Excel(PartFormat):
    """A workbook of Excel 2007 and later."""

    name = "excel"
    is_tabular = True

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether the suffix is that of a workbook."""
        return suffix in _EXCEL_SUFFIXES

    def members(self, path: Path, options: ReadOptions) -> tuple[str, ...]:
        """The sheets that are not empty, including hidden ones, in their order.

        Raises:
            DeidError: `encrypted-workbook`, `broken-workbook`, `xml-dtd`, and the codes of
                `zip_safety.opened_zip`, because a workbook is a ZIP archive.
        """
        _refuse_compound(path)
        check_package(path)
        with _workbook(path) as book:
            names = [sheet.title for sheet in book.worksheets]
        return tuple(name for name in names if _holds_anything(path, name))

    def open(self, path: Path, options: ReadOptions, member: str = "") -> RecordSource:
        """Open one sheet.

        Raises:
            DeidError: the codes of `members`; `table-missing`, `empty-table`, `double-header`.
        """
        _refuse_compound(path)
        check_package(path)
        with _sheet(path, member) as rows:
            top = list(islice(rows, _TOP))
        spelled = _spelled_rows(top)
        place = _header_place(top, spelled)
        if place is None:
            raise unreadable("empty-table", "the sheet has no header", "leave the sheet out")
        grouped = grouped_header(spelled, place)
        titles = _filled_titles(grouped.names if grouped else spelled[place], spelled[place + 1 :])
        named = [title for title in titles if title]
        if len(set(named)) != len(named):
            raise unreadable("double-header", "two columns have the same name", "rename a column")
        if any(_XML_FORBIDDEN.search(title) for title in named):
            raise unreadable(
                "broken-header", "a header holds control characters", "retype the header"
            )
        header_rows = 2 if grouped else 1
        first = (grouped.place if grouped else place) + header_rows
        return SheetSource(path, member, tuple(titles), first, options.keys, header_rows)

    def assemble(self, target: Path, path: Path, parts: Sequence[ContainerPart]) -> tuple[str, ...]:
        """Write a new workbook of values. Hidden sheets stay hidden."""
        with _workbook(path) as old:
            states = {sheet.title: sheet.sheet_state for sheet in old.worksheets}
        book, titles = Workbook(write_only=True), list[str]()
        for number, part in enumerate(parts, 1):
            titles.append(_title(part.name, number, titles))
            sheet = book.create_sheet(titles[-1])
            sheet.append([_text_cell(sheet, c.header) for c in part_columns(part.path)])
            for row in part_rows(part.path):
                sheet.append(_sheet_row(sheet, row))
        shown = [n for n, part in enumerate(parts) if states[part.member] == "visible"]
        for number, part in enumerate(parts):  # one sheet must be visible
            seen = number in shown or (not shown and number == 0)
            book.worksheets[number].sheet_state = "visible" if seen else states[part.member]
        book.active = shown[0] if shown else 0
        book.save(target)
        repack_workbook(target)
        return tuple(titles)

    def left_behind(
        self, path: Path, member: str = "", options: ReadOptions | None = None
    ) -> Mapping[str, int]:
        """Counts of comments, defined names, pictures, pivot caches, macros and so on, by kind."""
        return {} if member else left_in_package(path)


def _sheet_record(ordinal: int, row: RowValues, width: int, keys: int) -> Record | RecordFault:
    if any(value is not None for value in row[width:]):
        return RecordFault(ordinal, "ragged-row")
    values = row[:width] + (None,) * (width - len(row))
    if any(isinstance(v, str) and _XML_FORBIDDEN.search(v) for v in values):
        return RecordFault(ordinal, "control-characters")
    return Record(ordinal, tuple(spell_value(value, keys) for value in values), skeleton=values)


def _spelled_rows(rows: Sequence[RowValues]) -> list[list[str]]:
    """The cells as texts, and as many of them in each row as in the widest."""
    width = max(map(len, rows), default=0)
    return [[_title_cell(value) for value in row] + [""] * (width - len(row)) for row in rows]


def _header_place(rows: Sequence[RowValues], spelled: Sequence[Sequence[str]]) -> int | None:
    """Return the index of the row of column names, else of the first row that fills enough columns.

    Titles fill only a few columns.
    """
    if place := header_place(spelled):
        return place
    filled = [sum(value is not None for value in row) for row in rows]
    widest = max(filled, default=0)
    return next((n for n, many in enumerate(filled) if many and many >= _HEADED * widest), None)


def _filled_titles(titles: Sequence[str], below: Sequence[Sequence[str]]) -> list[str]:
    """The titles up to the last column that has a title or, as under a merged title, most cells.

    A row with a cell beyond these columns may be shifted, so it is a fault.
    """
    ends = [place for place, title in enumerate(titles, 1) if title]
    filled = Counter(place for row in below for place, cell in enumerate(row, 1) if cell)
    ends += [place for place, many in filled.items() if many > _HEADED * len(below)]
    return list(titles[: max(ends, default=0)])


def _title_cell(value: Any) -> str:
    return "" if value is None else (spell_value(value) or "").strip()


def _holds_anything(path: Path, name: str) -> bool:
    with _sheet(path, name) as rows:
        return any(value is not None for row in rows for value in row)


@contextmanager
def _workbook(path: Path) -> Iterator[Any]:
    with path.open("rb") as file:  # openpyxl would check the suffix of a path
        try:
            book = load_workbook(file, read_only=True, data_only=True, keep_links=False)
        except Exception:  # openpyxl's message may quote cells
            raise _broken_workbook() from None
        try:
            yield book
        finally:
            book.close()


@contextmanager
def _sheet(path: Path, name: str) -> Iterator[Iterator[RowValues]]:
    with _workbook(path) as book:
        if name not in book.sheetnames:
            raise unreadable(
                "table-missing", "the workbook has no such sheet", "give the name of a sheet in it"
            )
        sheet = book[name]
        if hasattr(sheet, "reset_dimensions"):
            sheet.reset_dimensions()  # the dimensions in the file may be wrong
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


def _sheet_row(sheet: Any, row: Sequence[Any]) -> list[Any]:
    """The cells of a row. A row without values holds an empty text.

    Otherwise no reader would count the row as a record: openpyxl writes nothing for `""`, and
    workbooks may hold any number of empty rows.
    """
    if row and all(value in (None, "") for value in row):
        return [_text_cell(sheet, CellRichText(""))]
    return [_sheet_cell(sheet, value) for value in row]


def _sheet_cell(sheet: Any, value: Any) -> Any:
    return _text_cell(sheet, value) if isinstance(value, str) else value


def _text_cell(sheet: Any, text: str | CellRichText) -> Any:
    """The cell for a text. A text that begins with `=` does not become a formula."""
    cell = WriteOnlyCell(sheet, text)
    cell.data_type = "s"
    return cell


def _title(name: str, number: int, taken: Sequence[str]) -> str:
    title = _FORBIDDEN.sub("_", name)[:_LONGEST_TITLE]
    folded = {other.casefold() for other in taken}
    return title if title and title.casefold() not in folded else f"sheet_{number}"


def _refuse_compound(path: Path) -> None:
    """Refuse compound files: encrypted workbooks and workbooks of Excel 97."""
    if first_bytes(path, len(_COMPOUND_FILE_MAGIC)) == _COMPOUND_FILE_MAGIC:
        hint = "open it, and save it without a password as .xlsx"
        raise unreadable(
            "encrypted-workbook", "the workbook is encrypted or in Excel 97 format", hint
        )
    if not zipfile.is_zipfile(path):
        raise _broken_workbook()


def _broken_workbook() -> DeidError:
    return unreadable("broken-workbook", "the workbook cannot be read", "save it again as .xlsx")


FORMAT = Excel()
