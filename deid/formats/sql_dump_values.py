"""The rows of a dump as values, and values as rows of a dump."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from deid.formats.json_records_spans import Bytes
from deid.formats.sql_dump_statements import Dialect

LONGEST_ROW = 1 << 26
Row = tuple[Any, ...] | str
"""Typed values, or the code of why the row cannot be read."""
_CAST = rb"(?:::\s*[A-Za-z_][\w ]*(?:\(\d+(?:,\d+)?\))?(?:\[\])?)?"
_PLAIN = (
    rb"[eEnN]?'(?:[^'\\]|''|\\.)*+'|NULL|TRUE|FALSE|[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"
)
_VALUE = re.compile(rb"\s*(" + _PLAIN + rb")" + _CAST + rb"\s*([,)])", re.IGNORECASE | re.DOTALL)
_OPEN = re.compile(rb"\s*,?\s*\(")
_REST = re.compile(rb"\s*;?\s*")
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)", re.DOTALL)
_COPIED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_LETTERS = {"mysql": {**_COPIED, "0": "\0", "Z": "\x1a"}, "standard": _COPIED}


def copied_rows(data: Bytes, start: int, end: int) -> Iterator[Row]:
    """The rows of a `COPY` block: a line each, cells apart by tabs."""
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
        except UnicodeDecodeError:
            yield "undecodable-bytes"
            continue
        row = tuple(None if cell == "\\N" else _unescaped(cell, _COPIED) for cell in cells)
        yield "control-characters" if any(cell and "\0" in cell for cell in row) else row


def inserted_rows(data: Bytes, start: int, end: int, dialect: Dialect) -> Iterator[Row]:
    """The rows of an `INSERT`; from the first that is not understood on, all are one fault."""
    place = start
    while (opened := _OPEN.match(data, place, end)) is not None:
        row: list[Any] = []
        place = opened.end()
        while (value := _VALUE.match(data, place, end)) is not None:
            row.append(value[1])
            place = value.end()
            if value[2] == b")":
                break
        else:
            yield "statement-not-understood"
            return
        yield _typed(row, dialect)
    if not _REST.fullmatch(data, place, end):
        yield "statement-not-understood"


def _typed(raw: Sequence[bytes], dialect: Dialect) -> Row:
    try:
        row = tuple(_value(one.decode("utf-8"), dialect) for one in raw)
    except UnicodeDecodeError:
        return "undecodable-bytes"
    except ValueError:
        return "statement-not-understood"
    bad = any(isinstance(cell, str) and "\0" in cell for cell in row)
    return "control-characters" if bad else row


def _value(text: str, dialect: Dialect) -> Any:
    upper = text.upper()
    if upper in ("NULL", "TRUE", "FALSE"):
        return {"NULL": None, "TRUE": True, "FALSE": False}[upper]
    if not text.endswith("'"):
        return _number(text)
    escaped = dialect == "mysql" or text[0] in "eE"
    inner = text[text.index("'") + 1 : -1]
    if not escaped:
        if "\\'" in inner:  # the end of the string, or not: it depends on the server
            raise ValueError("a quote behind a backslash")
        return inner.replace("''", "'")
    return _unescaped(inner.replace("''", "'"), _LETTERS[dialect])


def _number(text: str) -> Any:
    """As a number if it is written again as it is."""
    for kind in (int, float):
        try:
            if str(kind(text)) == text:
                return kind(text)
        except ValueError:
            continue
    return text


def _unescaped(text: str, letters: dict[str, str]) -> str:
    if "\\" not in text:
        return text

    def one(match: re.Match[str]) -> str:
        found = match[1]
        if found[0] == "x" and len(found) > 1:
            return chr(int(found[1:], 16))
        if found in letters:
            return letters[found]
        return chr(int(found, 8) & 0xFF) if found[0] in "01234567" else found

    return _ESCAPE.sub(one, text)


def copied(row: Sequence[Any]) -> str:
    """A row as a line of a `COPY` block."""
    return "\t".join("\\N" if cell is None else _escaped(_text(cell)) for cell in row) + "\n"


def _escaped(text: str) -> str:
    text = text.replace("\\", "\\\\").replace("\t", "\\t")
    return text.replace("\n", "\\n").replace("\r", "\\r")


def inserted(row: Sequence[Any], dialect: Dialect) -> str:
    """A row as it stands between brackets in an `INSERT`."""
    return f"({', '.join(_literal(cell, dialect) for cell in row)})"


def _literal(cell: Any, dialect: Dialect) -> str:
    if cell is None:
        return "NULL"
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, int | float):
        return str(cell)
    text = _text(cell).replace("'", "''")
    if dialect == "mysql":
        return f"'{text.replace(chr(92), chr(92) * 2)}'"
    if "\\'" in text or text.endswith("\\"):  # not to be taken for an escaped quote
        return f"E'{text.replace(chr(92), chr(92) * 2)}'"
    return f"'{text}'"


def _text(cell: Any) -> str:
    return cell if isinstance(cell, str) else str(cell)
