"""Splits a dump into statements: locates the rows of each table and counts all other statements.

Strings, quoted names, comments and dollar quotes are recognized, so that nothing within them is
taken for the end of a statement.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from deid.errors import DeidError, unreadable
from deid.formats.json.spans import Bytes

Dialect = Literal["mysql", "sqlserver", "standard"]
_DUMP_HEAD_BYTES = 1 << 16
_MYSQL = re.compile(
    rb"-- (?:MySQL|MariaDB) dump|^(?:CREATE TABLE|INSERT INTO|LOCK TABLES|DROP TABLE)[^\n(]*`",
    re.MULTILINE,
)
# Scripts of SQL Server: names in brackets, or batches that end in a line `GO`.
_SQLSERVER = re.compile(
    rb"^(?:INSERT(?:\s+INTO)?|CREATE TABLE|USE|SET IDENTITY_INSERT)\s+\[|^GO[ \t]*\r?$",
    re.MULTILINE | re.IGNORECASE,
)
_BULK = re.compile(rb"BULK\s+INSERT\b", re.IGNORECASE)
_GO = re.compile(rb"GO(?:[ \t]+\d+)?[ \t]*;?\s*", re.IGNORECASE)
# SQL Server statements may end without a semicolon, before a line that begins with such a word.
_STATEMENT_LINE = (
    rb"\n[ \t]*(?=(?:GO|INSERT|SET|CREATE|ALTER|DROP|USE|PRINT|EXEC|EXECUTE|DECLARE|BULK|UPDATE|"
    rb"DELETE|TRUNCATE|IF|BEGIN|END|GRANT|COMMIT|MERGE)\b)"
)
_COMMON = rb'"[^"]*+"|`[^`]*+`|--[^\n]*+|/\*.*?\*/|;'
_QUOTED_STRING = rb"'(?:[^'\\]|\\.)*+'"
_TOKENS = {
    "mysql": re.compile(_QUOTED_STRING + rb"|#[^\n]*+|" + _COMMON + rb"|'", re.DOTALL),
    "sqlserver": re.compile(
        rb"'[^']*+'|\[[^\]]*+\]|(?i:" + _STATEMENT_LINE + rb")|" + _COMMON + rb"|'", re.DOTALL
    ),
    "standard": re.compile(
        rb"(?<![\w$])[eE]"
        + _QUOTED_STRING
        + rb"|'[^']*+'|\$(?:[A-Za-z_]\w*)?\$|"
        + _COMMON
        + rb"|'",
        re.DOTALL,
    ),
}
# SQLite's dumps may quote names with backticks, as MySQL's do, but a backslash escapes nothing.
_SQLITE = re.compile(rb"\s*PRAGMA\b")
# White space, comments, and commands to the client: `\restrict`, `\connect`.
_BLANKS_AND_COMMENTS = re.compile(
    rb"(?:\s|\xef\xbb\xbf|(?:--|#|\\[a-z])[^\n]*+(?:\n|\Z)|/\*.*?\*/)*+", re.DOTALL
)
_IDENT = rb'(?:[A-Za-z_\x80-\xff][\w$\x80-\xff]*|"(?:[^"]|"")+"|`(?:[^`]|``)+`|\[(?:[^\]]|\]\])+\])'
_QUALIFIED_NAME = _IDENT + rb"(?:\s*\.\s*" + _IDENT + rb"){0,2}"
_LIST = rb"\(\s*(" + _IDENT + rb"(?:\s*,\s*" + _IDENT + rb")*)\s*\)"
_COPY = re.compile(
    rb"COPY\s+(" + _QUALIFIED_NAME + rb")\s*(?:" + _LIST + rb")?\s*FROM\s+stdin\s*;", re.IGNORECASE
)
_ANY_COPY = re.compile(rb"COPY\b.*\bFROM\s+stdin\b", re.IGNORECASE | re.DOTALL)
_INSERT = re.compile(
    rb"(?:(?:INSERT(?:\s+IGNORE)?|REPLACE)\s+INTO|INSERT)\s+("
    + _QUALIFIED_NAME
    + rb")\s*(?:"
    + _LIST
    + rb")?"
    rb"\s*(?:OVERRIDING\s+(?:SYSTEM|USER)\s+VALUE\s+)?VALUES\s*(?=\()",
    re.IGNORECASE,
)
_CREATE = re.compile(
    rb"CREATE\s+(?:TEMPORARY\s+|UNLOGGED\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?("
    + _QUALIFIED_NAME
    + rb")\s*\(",
    re.IGNORECASE,
)
_ONE = re.compile(_IDENT)
_COLUMN_ITEM = re.compile(rb"\s*(" + _IDENT + rb")\s")
_NO_COLUMN = re.compile(
    rb"(?:PRIMARY|KEY|UNIQUE|CONSTRAINT|INDEX|FOREIGN|CHECK|FULLTEXT|SPATIAL|EXCLUDE|LIKE|PERIOD)\b",
    re.IGNORECASE,
)
_STATEMENT_WORDS = (
    "create alter drop set select comment grant update delete lock insert replace copy"
)


@dataclass(slots=True)
class Rows:
    """The rows of one table: its columns, and where its statements or blocks begin and end.

    `lost` counts the statements or blocks whose columns are not known.
    """

    columns: tuple[str, ...] = field(repr=False)
    copied: bool
    places: array[int] = field(default_factory=lambda: array("Q"), repr=False)
    lost: int = 0

    def spans(self) -> Iterator[tuple[int, int]]:
        """Start and end of each block of rows, in order."""
        yield from zip(self.places[::2], self.places[1::2], strict=True)


@dataclass(slots=True)
class Dump:
    """The content of a dump: its tables in order, and the counts of other statements by kind."""

    dialect: Dialect
    tables: dict[str, Rows] = field(default_factory=dict, repr=False)
    others: Counter[str] = field(default_factory=Counter)


def read_dump(data: Bytes) -> Dump:
    """The tables of a dump.

    Raises:
        DeidError: `broken-dump` if a string, a block or a statement does not end, or if rows of one
            table have different columns.
    """
    dump = Dump(_dialect(data))
    made: dict[str, tuple[str, ...]] = {}
    place = 0
    while (start := _statement_start(data, place)) < len(data):
        end = _statement_end(data, start, dump.dialect)
        place = end
        if dump.dialect == "sqlserver":
            if _BULK.match(data, start, end):
                raise dump_refusal(
                    "the dump reads rows from a file that is not among the inputs", "bulk-insert"
                )
            if _GO.fullmatch(data, start, end):
                continue
        if copied := _COPY.match(data, start, end):
            place, rows = _block(data, end)
            _note_rows(dump, copied, made, rows, copied_rows=True)
        elif inserted := _INSERT.match(data, start, end):
            _note_rows(dump, inserted, made, _inserted_span(data, inserted, end), copied_rows=False)
        else:
            if created := _CREATE.match(data, start, end):
                made[_name_text(created[1])] = _created(data, created.end(), end, dump.dialect)
            if _ANY_COPY.match(data, start, end):
                place, _ = _block(data, end)
            if end - start > 1:
                dump.others[_statement_kind(data[start : start + 12])] += 1
    return dump


def _dialect(data: Bytes) -> Dialect:
    head = min(_DUMP_HEAD_BYTES, len(data))
    if _SQLITE.match(data):
        return "standard"
    if _MYSQL.search(data, 0, head):
        return "mysql"
    return "sqlserver" if _SQLSERVER.search(data, 0, head) else "standard"


def _inserted_span(data: Bytes, inserted: re.Match[bytes], end: int) -> tuple[int, int]:
    """Start and end of the rows of an `INSERT`, without its semicolon."""
    return inserted.end(), end - (data[end - 1 : end] == b";")


def _statement_start(data: Bytes, place: int) -> int:
    blank = _BLANKS_AND_COMMENTS.match(data, place)
    return place if blank is None else blank.end()


def _statement_end(data: Bytes, start: int, dialect: Dialect) -> int:
    """The position after the semicolon that ends the statement."""
    place = start
    while (mark := _TOKENS[dialect].search(data, place)) is not None:
        token, place = mark[0], mark.end()
        if token == b";":
            return place
        if token[:1] == b"\n":
            return mark.start()
        if token == b"'":
            raise dump_refusal("a string of the dump does not end")
        if token[:1] == b"$":
            place = data.find(token, place)
            if place < 0:
                raise dump_refusal("a quotation of the dump does not end")
            place += len(token)
    if dialect == "sqlserver":
        return len(data)
    raise dump_refusal("the last statement of the dump does not end")


def _block(data: Bytes, end: int) -> tuple[int, tuple[int, int]]:
    """The position after the `\\.` that ends the rows, and the start and end of the rows."""
    begin = data.find(b"\n", end) + 1
    if begin == 0:
        raise dump_refusal("rows of the dump do not end")
    stop = begin
    while data[stop : stop + 2] != b"\\." or data[stop + 2 : stop + 3] not in (b"\n", b"\r", b""):
        stop = data.find(b"\n", stop) + 1
        if stop == 0:
            raise dump_refusal("rows of the dump do not end")
    return stop + 2, (begin, stop)


def _note_rows(
    dump: Dump,
    found: re.Match[bytes],
    made: dict[str, tuple[str, ...]],
    rows: tuple[int, int],
    *,
    copied_rows: bool,
) -> None:
    name = _name_text(found[1])
    listed = found[2]
    columns = tuple(map(_ident, _ONE.findall(listed))) if listed else _columns_of(name, made)
    table = dump.tables.setdefault(name, Rows(columns, copied_rows))
    if not columns:
        table.lost += 1
        return
    if not table.columns:
        table.columns, table.copied = columns, copied_rows
    if table.columns != columns or table.copied != copied_rows:
        raise dump_refusal("rows of one table have different columns, or mix COPY and INSERT")
    table.places.extend(rows)


def _columns_of(name: str, made: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The columns of the table, even if its definition differs in case or names a schema."""
    if name not in made:
        own = name.rpartition(".")[2].casefold()
        like = {made[n] for n in made if n.rpartition(".")[2].casefold() == own} - {()}
        made[name] = like.pop() if len(like) == 1 else ()
    return made[name]


def _name_text(raw: bytes) -> str:
    return ".".join(map(_ident, _ONE.findall(raw)))


def _ident(raw: bytes) -> str:
    text = raw.decode("utf-8", "replace")
    quote = "]" if text[0] == "[" else text[0]
    return text[1:-1].replace(quote * 2, quote) if quote in '"`]' else text


def _created(data: Bytes, start: int, end: int, dialect: Dialect) -> tuple[str, ...]:
    """The column names in the definition of a table."""
    names, depth, begun = [], 1, start
    marks = re.compile(_TOKENS[dialect].pattern + rb"|[(),]", re.DOTALL)
    for mark in marks.finditer(data, start, end):
        token = mark[0]
        depth += (token == b"(") - (token == b")")
        if (token == b"," and depth == 1) or depth == 0:
            item = _COLUMN_ITEM.match(data, _statement_start(data, begun), mark.end())
            if item is not None and not _NO_COLUMN.match(item[1]):
                names.append(_ident(item[1]))
            begun = mark.end()
        if depth == 0:
            break
    return tuple(names)


def _statement_kind(head: bytes) -> str:
    word = re.match(rb"[A-Za-z]*", head)
    kind = "" if word is None else word[0].decode("ascii").casefold()
    return f"{kind}-statements" if kind in _STATEMENT_WORDS.split() else "statements"


def dump_refusal(message: str, code: str = "broken-dump") -> DeidError:
    """The error for a dump that cannot be read at all."""
    hint = "pg_dump's plain format, a script of SQL Server with its data, "
    hint += "or INSERT statements that each end in a semicolon"
    return unreadable(code, message, hint=hint)
