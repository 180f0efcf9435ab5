"""Locates the parts of a JSON document in its bytes without parsing all of it.

Only brackets, strings and commas are recognized here. The parts between them are parsed one at a
time, and a part that is not valid JSON is a fault of its own.
"""

from __future__ import annotations

import json
import mmap
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from deid.formats.contract import RecordFault
from deid.formats.fhir.json_text import JsonError

LONGEST_DOCUMENT = 1 << 31
BOM = b"\xef\xbb\xbf"
Bytes = bytes | mmap.mmap
_JSON_MARKS = re.compile(rb'"(?:[^"\\]|\\.)*+"|[{}\[\],]', re.DOTALL)
STRING_OR_BRACKET = re.compile(rb'"(?:[^"\\]|\\.)*+"|[{}\[\]]', re.DOTALL)
_JSON_KEY = re.compile(rb'\s*("(?:[^"\\]|\\.)*+")\s*:\s*', re.DOTALL)
_JSON_SPACE = re.compile(rb"\s*")
_OPENS, _CLOSES, _COMMA = b"{[", b"}]", ord(",")


@dataclass(frozen=True, slots=True)
class Member:
    """One `"key": value` of an object: the key, and the start and end of the value."""

    key: str = field(repr=False)
    start: int
    end: int


def mapped_document(path: Path) -> AbstractContextManager[Bytes]:
    """The bytes of a document, memory-mapped.

    Raises:
        JsonError: `document-too-long`.
    """
    if path.stat().st_size > LONGEST_DOCUMENT:
        raise JsonError("document-too-long")
    return mapped(path)


@contextmanager
def mapped(path: Path) -> Iterator[Bytes]:
    """The bytes of a file, memory-mapped."""
    if path.stat().st_size == 0:
        yield b""
        return
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as found:
        yield found


def numbered_lines(path: Path, longest: int) -> Iterator[tuple[int, bytes] | RecordFault]:
    """The nonblank lines of a file, each with its ordinal, without a byte order mark; a fault for a
    line of more than `longest` bytes."""
    ordinal = 0
    with path.open("rb") as file:
        if file.read(3) != BOM:
            file.seek(0)
        while raw := file.readline(longest + 1):
            if not raw.strip():
                continue
            ordinal += 1
            if len(raw) > longest:
                _skip_line(file, raw)
                yield RecordFault(ordinal, "line-too-long")
            else:
                yield ordinal, raw


def _skip_line(file: IO[bytes], raw: bytes) -> None:
    while raw and not raw.endswith(b"\n"):
        raw = file.readline(1 << 20)


def top(data: Bytes) -> tuple[int, int]:
    """The start and end of the document's one value, an array or an object.

    Raises:
        JsonError: `broken-json`.
    """
    start = skip(data, len(BOM) if data[:3] == BOM else 0)
    if start == len(data) or data[start] not in _OPENS:
        raise JsonError("broken-json")
    depth = 0
    for mark in STRING_OR_BRACKET.finditer(data, start):
        first = data[mark.start()]
        depth += (first in _OPENS) - (first in _CLOSES)
        if depth == 0:
            if skip(data, mark.end()) != len(data):
                break
            return start, mark.end()
    raise JsonError("broken-json")


def skip(data: Bytes, place: int) -> int:
    """The first position at or after `place` that is not white space."""
    gap = _JSON_SPACE.match(data, place)
    return place if gap is None else gap.end()


def items(data: Bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The start and end of each item between the top-level commas from `start` to `end`."""
    if skip(data, start) >= end:
        return
    depth, begun = 0, start
    for mark in _JSON_MARKS.finditer(data, start, end):
        first = data[mark.start()]
        if first == _COMMA and depth == 0:
            yield begun, mark.start()
            begun = mark.end()
        else:
            depth += (first in _OPENS) - (first in _CLOSES)
    yield begun, end


def member(data: Bytes, start: int, end: int) -> Member:
    """Split one item of an object into key and value.

    Raises:
        JsonError: `broken-json`.
    """
    found = _JSON_KEY.match(data, start, end)
    if found is None or found.end() >= end:
        raise JsonError("broken-json")
    try:
        key = json.loads(found[1].decode("utf-8"))
    except ValueError:
        raise JsonError("broken-json") from None
    return Member(key, found.end(), end)


def members(data: Bytes, start: int, end: int) -> Iterator[Member]:
    """The members of the object from `start` to `end`, which include its brackets."""
    stop = data.rfind(b"}", start, end)
    for first, last in items(data, start + 1, stop):
        yield member(data, first, last)


def inner(data: Bytes, start: int, end: int) -> tuple[int, int]:
    """The start and end of the text within the brackets of an array or object."""
    return start + 1, max(data.rfind(b"]", start, end), data.rfind(b"}", start, end))
