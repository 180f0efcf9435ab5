"""SQL dumps in plain text: PostgreSQL's `COPY` blocks and `INSERT` statements of any server.

Every table with rows is a member and is written as a table of text columns. No other statement is
released.
"""

from __future__ import annotations

import codecs
import mmap
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import repeat
from pathlib import Path
from typing import IO

from deid.formats.contract import ContainerPart, ReadOptions, Record, RecordFault, RecordSource
from deid.formats.fhir.json_text import JsonError
from deid.formats.json.spans import Bytes, mapped_document
from deid.formats.parts import PartFormat, part_columns, part_rows
from deid.formats.sql.dump_values import DumpRow, copied, copied_rows, inserted, inserted_rows
from deid.formats.sql.statements import Dialect, Dump, Rows, dump_refusal, read_dump
from deid.formats.typed.typed_values import spell_value

_ROWS_AT_ONCE = 500
_SERVERS: Mapping[Dialect, str] = {
    "mysql": "MySQL dump",
    "sqlserver": "SQL Server script",
    "standard": "PostgreSQL database dump",
}
_NAME_QUOTES: Mapping[Dialect, str] = {"mysql": "``", "sqlserver": "[]", "standard": '""'}
_CHARACTERS_AT_ONCE = 1 << 20
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class SqlDumpSource:
    """The rows of one table, in the order of the dump."""

    path: Path = field(repr=False)
    columns: tuple[str, ...] = field(repr=False)
    rows: Rows
    dialect: Dialect
    keys: int = 0

    def records(self) -> Iterator[Record | RecordFault]:
        """Every row. A row that cannot be parsed becomes a fault."""
        for ordinal, row in enumerate(self._rows(), 1):
            if isinstance(row, str):
                yield RecordFault(ordinal, row)
            elif len(row) != len(self.columns):
                yield RecordFault(ordinal, "ragged-row")
            else:
                cells = tuple(spell_value(value, self.keys) for value in row)
                yield Record(ordinal, cells, skeleton=row)

    def _rows(self) -> Iterator[DumpRow]:
        yield from repeat("statement-not-understood", self.rows.lost)
        with _dump_bytes(self.path) as data:
            for start, end in self.rows.spans():
                if self.rows.copied:
                    yield from copied_rows(data, start, end)
                else:
                    yield from inserted_rows(data, start, end, self.dialect)


class SqlDump(PartFormat):
    """A dump. Definitions, keys, views, functions, comments and settings are left out."""

    name = "sql"
    is_tabular = True

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether its suffix is that of a dump."""
        return suffix == ".sql"

    def members(self, path: Path, options: ReadOptions) -> tuple[str, ...]:
        """The tables that have rows, in the order of their first row.

        Raises:
            DeidError: `broken-dump`, `document-too-long`, `no-table`, `unreadable-encoding`.
        """
        tables = _dump(path).tables
        if not any(rows.columns for rows in tables.values()):
            raise dump_refusal("the dump holds no rows of a table", "no-table")
        return tuple(tables)

    def open(self, path: Path, options: ReadOptions, member: str = "") -> RecordSource:
        """Open one table.

        Raises:
            DeidError: the codes of `members`; `table-missing`, `double-header`.
        """
        dump = _dump(path)
        rows = dump.tables.get(member)
        if rows is None:
            raise dump_refusal("the dump has no such table", "table-missing")
        if len(set(rows.columns)) != len(rows.columns):
            raise dump_refusal("two columns have the same name", "double-header")
        return SqlDumpSource(path, rows.columns, rows, dump.dialect, options.keys)

    def assemble(self, target: Path, path: Path, parts: Sequence[ContainerPart]) -> tuple[str, ...]:
        """Write a dump of new tables. Every column is a text column."""
        dump = _dump(path)
        with target.open("w", encoding="utf-8", newline="\n") as file:
            file.write(f"-- {_SERVERS[dump.dialect]}\n")
            for part in parts:
                _write_insert(file, part, dump.tables[part.member], dump.dialect)
        return tuple(part.name for part in parts)

    def left_behind(
        self, path: Path, member: str = "", options: ReadOptions | None = None
    ) -> Mapping[str, int]:
        """Count the statements that are left out, by their first word."""
        return {} if member else dict(_dump(path).others)


def _write_insert(file: IO[str], part: ContainerPart, rows: Rows, dialect: Dialect) -> None:
    quote = _NAME_QUOTES[dialect]
    kind, end = ("nvarchar(max)", ";\nGO\n") if dialect == "sqlserver" else ("text", ";\n")
    names = [_quoted_name(c.header, quote) for c in part_columns(part.path)] or [
        _quoted_name("withheld", quote)
    ]
    table = ".".join(_quoted_name(name, quote) for name in part.name.split("."))
    file.write(f"\nCREATE TABLE {table} ({', '.join(f'{name} {kind}' for name in names)}){end}")
    listed = ", ".join(names)
    if rows.copied:
        file.write(f"COPY {table} ({listed}) FROM stdin;\n")
        file.writelines(copied(row or (None,)) for row in part_rows(part.path))
        file.write("\\.\n")
        return
    waiting: list[str] = []
    for row in part_rows(part.path):
        waiting.append(inserted(row or (None,), dialect))
        if len(waiting) == _ROWS_AT_ONCE:
            file.write(f"INSERT INTO {table} ({listed}) VALUES\n{_joined_rows(waiting)}{end}")
            waiting.clear()
    if waiting:
        file.write(f"INSERT INTO {table} ({listed}) VALUES\n{_joined_rows(waiting)}{end}")


def _joined_rows(rows: Sequence[str]) -> str:
    return ",\n".join(rows)


def _quoted_name(name: str, quote: str) -> str:
    return quote[0] + name.replace(quote[1], quote[1] * 2) + quote[1]


def _dump(path: Path) -> Dump:
    stat = path.stat()
    return _read_dump(path, stat.st_mtime_ns, stat.st_size)


@contextmanager
def _dump_bytes(path: Path) -> Iterator[Bytes]:
    """The dump in UTF-8. SQL Server's UTF-16 is converted into an unnamed file."""
    with mapped_document(path) as data:
        if data[:2] not in _UTF_16:
            yield data
            return
    with tempfile.TemporaryFile() as file:
        try:
            with path.open(encoding="utf-16", newline="") as text:
                while part := text.read(_CHARACTERS_AT_ONCE):
                    file.write(part.encode("utf-8"))
        except UnicodeError:
            raise dump_refusal("the dump begins as UTF-16 but cannot be decoded") from None
        file.flush()
        if not file.tell():
            yield b""
            return
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as found:
            yield found


@lru_cache(maxsize=4)
def _read_dump(path: Path, changed: int, size: int) -> Dump:
    try:
        with _dump_bytes(path) as data:
            return read_dump(data)
    except JsonError as error:
        raise dump_refusal("the dump is longer than 2 GiB", error.code) from None


FORMAT = SqlDump()
