"""Finds the records of a JSON file.

They are lines, elements of an array, elements of arrays in an envelope, members of an object keyed
by values, or the whole document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from deid.formats.contract import RecordFault
from deid.formats.fhir.json_text import JsonError, Style, read_json, style_of
from deid.formats.json.json_lines import JSON_LINES_SUFFIXES
from deid.formats.json.keys import is_envelope_word, is_keyed, is_value
from deid.formats.json.spans import (
    Bytes,
    Member,
    inner,
    items,
    mapped_document,
    member,
    members,
    numbered_lines,
    skip,
    top,
)
from deid.formats.signatures import sniff_file

LONGEST_RECORD = 1 << 26
DEEPEST_ENVELOPE = 4
_LAYOUT_HEAD_BYTES = 1 << 18
_INDENTED = re.compile(r"\ufeff?\s*[\[{][ \t]*\r?\n([ \t]+)\S")
LayoutKind = Literal["lines", "array", "keyed", "envelope", "single"]


@dataclass(frozen=True, slots=True)
class Collection:
    """An array or object of records.

    It has the keys that lead to it, whether its own keys are values, and its start and end in the
    bytes.
    """

    path: tuple[str, ...] = field(repr=False)
    keyed: bool
    start: int
    end: int

    @property
    def prefix(self) -> str:
        """The beginning of the paths of its records."""
        return ".".join(self.path) + ("{}" if self.keyed else "[]") if self.path else ""


@dataclass(frozen=True, slots=True)
class JsonLayout:
    """The layout of a file. The first record of an envelope is the envelope without collections."""

    kind: LayoutKind
    style: Style
    collections: tuple[Collection, ...] = ()


@dataclass(frozen=True, slots=True)
class JsonText:
    """The JSON text of a record; `collection` is None for an envelope, line or single record."""

    ordinal: int
    raw: bytes = field(repr=False)
    collection: int | None = None
    key: str | None = field(default=None, repr=False)


def read_json_layout(path: Path) -> JsonLayout:
    """Detect the layout of the file.

    Raises:
        JsonError: `broken-json`, `document-too-long`.
    """
    with path.open("rb") as file:
        head = file.read(_LAYOUT_HEAD_BYTES).decode("utf-8", "replace")
    if is_lines(path):
        return JsonLayout("lines", style_of(head[:4096]))
    found = _INDENTED.match(head)
    style = Style(",", ": ", found[1]) if found else style_of(head.lstrip("\ufeff [\n")[:4096])
    with mapped_document(path) as data:
        start, end = top(data)
        if data[start] == ord("["):
            return JsonLayout("array", style, (Collection((), False, *inner(data, start, end)),))
        collections = _collections(data, start, end, ())
        if collections is None:
            return JsonLayout("single", style)
        kind: LayoutKind = "keyed" if collections[0].path == () else "envelope"
        return JsonLayout(kind, style, collections)


def is_lines(path: Path) -> bool:
    """Whether each line is a record, by the file's suffix or its first bytes."""
    if path.suffix.casefold() in JSON_LINES_SUFFIXES:
        return True
    seen = sniff_file(path, as_text=False)
    return seen is not None and seen.format == "json-lines"


def _collections(
    data: Bytes, start: int, end: int, path: tuple[str, ...]
) -> tuple[Collection, ...] | None:
    """The collections in an object; None if the object is a record itself."""
    if _is_keyed(data, start, end):
        return (Collection(path, True, *inner(data, start, end)),)
    found: list[Collection] = []
    for one in members(data, start, end):
        below = _of_member(data, one, path)
        if below is None:
            return None
        found += below
    return tuple(found) or None


def _of_member(data: Bytes, one: Member, path: tuple[str, ...]) -> tuple[Collection, ...] | None:
    """Return the collections in a member of an object; None if the object is no envelope."""
    first, named = data[one.start : one.start + 1], not is_value(one.key)
    if first == b"[":
        begin, end = inner(data, one.start, one.end)
        place = skip(data, begin)
        if place >= end:
            return ()
        if data[place] == ord("{") and named:
            return (Collection((*path, one.key), False, begin, end),)
    if is_envelope_word(one.key):
        return ()
    if first == b"{" and len(path) < DEEPEST_ENVELOPE and named:
        return _collections(data, one.start, one.end, (*path, one.key))
    return None


def _is_keyed(data: Bytes, start: int, end: int) -> bool:
    """Whether an object holds records keyed by values, by its first 200 members."""
    looked: dict[str, object] = {}
    for one in members(data, start, end):
        if data[one.start] not in b"{[":
            return False
        if len(looked) < 200:
            try:
                looked[one.key] = read_json(bytes(data[one.start : one.end]))
            except JsonError:
                looked[one.key] = {}
    return is_keyed(looked)


# -- texts -------------------------------------------------------------------------------------


def record_texts(path: Path, layout: JsonLayout) -> Iterator[JsonText | RecordFault]:
    """The text of every record, in order."""
    if layout.kind == "lines":
        yield from _json_line_texts(path)
        return
    with mapped_document(path) as data:
        start, end = top(data)
        if layout.kind == "single":
            yield _json_text(data, 1, start, end)
            return
        ordinal = 0
        if layout.kind == "envelope":
            ordinal = 1
            yield JsonText(1, _envelope(data, start, end, layout))
        for number, collection in enumerate(layout.collections):
            for span in items(data, collection.start, collection.end):
                ordinal += 1
                yield _item(data, ordinal, number, collection, span)


def _item(
    data: Bytes, ordinal: int, number: int, collection: Collection, span: tuple[int, int]
) -> JsonText | RecordFault:
    if not collection.keyed:
        return _json_text(data, ordinal, *span, number)
    try:
        one = member(data, *span)
    except JsonError as error:
        return RecordFault(ordinal, error.code)
    return _json_text(data, ordinal, one.start, one.end, number, one.key)


def _json_text(
    data: Bytes,
    ordinal: int,
    start: int,
    end: int,
    collection: int | None = None,
    key: str | None = None,
) -> JsonText | RecordFault:
    if end - start > LONGEST_RECORD:
        return RecordFault(ordinal, "record-too-long")
    return JsonText(ordinal, bytes(data[start:end]), collection, key)


def _envelope(data: Bytes, start: int, end: int, layout: JsonLayout) -> bytes:
    """The document without the records of its collections.

    Raises:
        JsonError: `document-too-long`.
    """
    pieces, place = [], start
    for collection in layout.collections:
        pieces.append(bytes(data[place : collection.start]))
        place = collection.end
    pieces.append(bytes(data[place:end]))
    if sum(map(len, pieces)) > LONGEST_RECORD:
        raise JsonError("document-too-long")
    return b"".join(pieces)


def _json_line_texts(path: Path) -> Iterator[JsonText | RecordFault]:
    for line in numbered_lines(path, LONGEST_RECORD):
        yield line if isinstance(line, RecordFault) else JsonText(*line)
