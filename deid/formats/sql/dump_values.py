"""Parses the rows of a dump into values, and writes values as rows of a dump."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from deid.formats.json.spans import Bytes
from deid.formats.sql.statements import Dialect

LONGEST_ROW = 1 << 26
DumpRow = tuple[Any, ...] | str
"""Typed values, or the code for the reason why the row cannot be read."""
_CAST = rb"(?:::\s*[A-Za-z_][\w ]*(?:\(\d+(?:,\d+)?\))?(?:\[\])?)?"
_STRINGS = {
    "mysql": rb"(?:_binary\s*|[eEnN])?'(?:[^'\\]|''|\\.)*+'",
    "standard": rb"[eEnN]?'(?:[^'\\]|''|\\.)*+'",
    "sqlserver": rb"[nN]?'(?:[^']|'')*+'",
}
_HEX_BYTES = rb"|0x(?:[0-9A-F]{2})*+"
_BIT_LITERAL = rb"b'[01]'|x'0[01]'|0x0[01]|"
_LITERAL = rb"NULL|TRUE|FALSE|[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"


def _value_pattern(string: bytes, literal: bytes = _LITERAL) -> re.Pattern[bytes]:
    """The pattern of a value and of the text that follows it.

    The characters that servers write around a string are not part of the value.
    """
    named = rb"TO_(?:DATE|TIMESTAMP(?:_TZ|_LTZ)?|N?CLOB|NUMBER|N?CHAR|BINARY_DOUBLE)"
    called = rb"(?:" + named + rb"|STR_TO_DATE|DATE|DATETIME|TIMESTAMP)\s*\(\s*(?P<called>"
    called += string + rb"|" + literal + rb")(?:\s*,\s*'[^']*'){0,3}\s*\)"
    typed = rb"(?:DATE|TIME|TIMESTAMP)\s*(?P<typed>" + string + rb")"
    converted = rb"CAST\s*\(\s*(?P<converted>" + string + rb"|" + literal + rb")\s+AS\s+\w[\w ]*"
    converted += rb"(?:\(\s*(?:\d+|MAX)(?:\s*,\s*\d+)?\s*\))?\s*\)"
    plain = rb"(?P<plain>" + string + rb"|" + literal + rb")"
    forms = plain + rb"|" + called + rb"|" + typed + rb"|" + converted
    whole = rb"\s*(?:" + forms + rb")" + _CAST + rb"\s*(?P<after>[,)])"
    return re.compile(whole, re.IGNORECASE | re.DOTALL)


_VALUES: dict[Dialect, re.Pattern[bytes]] = {
    "mysql": _value_pattern(_STRINGS["mysql"], _BIT_LITERAL + _LITERAL),
    "standard": _value_pattern(_STRINGS["standard"], _BIT_LITERAL + _LITERAL),
    "sqlserver": _value_pattern(_STRINGS["sqlserver"], _LITERAL + _HEX_BYTES),
}
_FORMS = ("plain", "called", "typed", "converted")
_BIT = re.compile(r"(?:b'|x'0|0x0)([01])'?", re.IGNORECASE)
# The bits 0 and 1 as MySQL and PostgreSQL (`bytea`) dump them, when no other value is in the cell.
_BIT_CHARACTERS = {"\0": 0, "\x01": 1, "\\x00": 0, "\\x01": 1}
_ROW_START = re.compile(rb"\s*,?\s*\(")
_STATEMENT_END = re.compile(rb"\s*(?:ON\s+CONFLICT\s+DO\s+NOTHING\s*)?;?\s*", re.IGNORECASE)
_BACKSLASH_ESCAPE = re.compile(
    r"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL
)
_MYSQL_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_MYSQL_LETTERS = {"0": "\0", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a"}
_ESCAPE_LETTERS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def copied_rows(data: Bytes, start: int, end: int) -> Iterator[DumpRow]:
    """The rows of a `COPY` block: one per line, cells separated by tabs."""
    while start < end:
        stop = data.find(b"\n", start, end)
        stop = end if stop < 0 else stop
        raw = bytes(data[start : min(stop, start + LONGEST_ROW + 1)]).removesuffix(b"\r")
        start = stop + 1
        if len(raw) > LONGEST_ROW:
            yield "line-too-long"
            continue
        try:
            cells = raw.decode("utf-8").split("\t")
            row = tuple(None if cell == "\\N" else _bit_or_text(_unescaped(cell)) for cell in cells)
        except UnicodeDecodeError:
            yield "undecodable-bytes"
            continue
        yield "control-characters" if _holds_nul(row) else row


def inserted_rows(data: Bytes, start: int, end: int, dialect: Dialect) -> Iterator[DumpRow]:
    """The rows of an `INSERT`. A row that cannot be parsed and all rows after it are one fault."""
    place, pattern = start, _VALUES[dialect]
    while (opened := _ROW_START.match(data, place, end)) is not None:
        row: list[Any] = []
        place = opened.end()
        while (value := pattern.match(data, place, end)) is not None:
            row.append(next(found for found in value.group(*_FORMS) if found is not None))
            place = value.end()
            if value["after"] == b")":
                break
        else:
            yield "statement-not-understood"
            return
        yield _typed(row, dialect)
    if not _STATEMENT_END.fullmatch(data, place, end):
        yield "statement-not-understood"


def _typed(raw: Sequence[bytes], dialect: Dialect) -> DumpRow:
    try:
        row = tuple(_dump_value(one.decode("utf-8"), dialect) for one in raw)
    except UnicodeDecodeError:
        return "undecodable-bytes"
    except ValueError:
        return "statement-not-understood"
    return "control-characters" if _holds_nul(row) else row


def _holds_nul(row: Sequence[Any]) -> bool:
    return any(isinstance(cell, str) and "\0" in cell for cell in row)


def _bit_or_text(text: str) -> int | str:
    """The bit 0 or 1 if it is the whole value, else the text."""
    return _BIT_CHARACTERS.get(text, text)


def _dump_value(text: str, dialect: Dialect) -> Any:
    upper = text.upper()
    if upper in ("NULL", "TRUE", "FALSE"):
        return {"NULL": None, "TRUE": True, "FALSE": False}[upper]
    if bit := _BIT.fullmatch(text):
        return int(bit[1])
    if upper.startswith("0X"):
        return bytes.fromhex(text[2:])
    if not text.endswith("'"):
        return _exact_number(text)
    return _bit_or_text(_string_value(text, dialect))


def _string_value(text: str, dialect: Dialect) -> str:
    """The text in quotes without its escapes, as the server reads it."""
    inner = text[text.index("'") + 1 : -1]
    if dialect == "sqlserver":
        return inner.replace("''", "'")
    if dialect == "mysql":
        return _MYSQL_ESCAPE.sub(_mysql_letter, inner.replace("''", "'"))
    if text[0] in "eE":
        return _unescaped(inner.replace("''", "'"), points=True)
    if "\\'" in inner:  # some servers end the string here, others do not
        raise ValueError("a quote behind a backslash")
    return inner.replace("''", "'")


def _mysql_letter(match: re.Match[str]) -> str:
    return _MYSQL_LETTERS.get(match[1], match[1])


def _exact_number(text: str) -> Any:
    """Return the number that the text spells if it would be written the same, else the text."""
    for kind in (int, float):
        try:
            if str(kind(text)) == text:
                return kind(text)
        except ValueError:
            continue
    return text


def _unescaped(text: str, *, points: bool = False) -> str:
    """The text without PostgreSQL's escapes.

    Escapes give bytes of UTF-8. With `points`, as in `E''`, they may also give characters.

    Raises:
        ValueError: the escapes are not valid UTF-8, or not characters.
    """
    if "\\" not in text:
        return text

    def one(match: re.Match[str]) -> str:
        found = match[1]
        if found[0] in "uU":
            return _point(int(found[1:], 16)) if points and len(found) > 1 else found
        if found[0] in "01234567":
            return _byte(int(found, 8) & 0xFF)
        if found[0] == "x" and len(found) > 1:
            return _byte(int(found[1:], 16))
        return _ESCAPE_LETTERS.get(found, found)

    return _BACKSLASH_ESCAPE.sub(one, text).encode("utf-8", "surrogateescape").decode("utf-8")


def _point(number: int) -> str:
    if 0xD800 <= number < 0xE000:
        raise ValueError("half a character")
    return chr(number)


def _byte(number: int) -> str:
    return bytes((number,)).decode("utf-8", "surrogateescape")


def copied(row: Sequence[Any]) -> str:
    """A row as a line of a `COPY` block."""
    return (
        "\t".join("\\N" if cell is None else _escape_text(_cell_text(cell)) for cell in row) + "\n"
    )


def _escape_text(text: str) -> str:
    text = text.replace("\\", "\\\\").replace("\t", "\\t")
    return text.replace("\n", "\\n").replace("\r", "\\r")


def inserted(row: Sequence[Any], dialect: Dialect) -> str:
    """A row as it is written between parentheses in an `INSERT`."""
    return f"({', '.join(_literal(cell, dialect) for cell in row)})"


def _literal(cell: Any, dialect: Dialect) -> str:
    if cell is None:
        return "NULL"
    if isinstance(cell, bool):
        return str(int(cell)) if dialect == "sqlserver" else str(cell).upper()
    if isinstance(cell, int | float):
        return str(cell)
    text = _cell_text(cell).replace("'", "''")
    if dialect == "sqlserver":
        return f"N'{text}'"
    if dialect == "mysql":
        return f"'{text.replace(chr(92), chr(92) * 2)}'"
    if "\\'" in text or text.endswith("\\"):  # so that no reader takes it for an escaped quote
        return f"E'{text.replace(chr(92), chr(92) * 2)}'"
    return f"'{text}'"


def _cell_text(cell: Any) -> str:
    return cell if isinstance(cell, str) else str(cell)
