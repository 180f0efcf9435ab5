"""FHIR files as a sequence of JSON texts: NDJSON lines, entries of a Bundle or list, one resource.

A Bundle is split into entries without parsing all of it, so that only one entry is in memory at a
time; the Bundle without its entries is the first record.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deid.errors import DeidError, unreadable
from deid.formats.contract import RecordFault
from deid.formats.fhir.json_text import JsonError, Style, read_json, style_of, write_json
from deid.formats.fhir.syntax import FhirLayout, FilePart, Shape
from deid.formats.json.spans import (
    BOM,
    LONGEST_DOCUMENT,
    STRING_OR_BRACKET,
    Bytes,
    mapped,
    numbered_lines,
)

LONGEST_RESOURCE_LINE = 1 << 26

_NDJSON_SUFFIXES = (".ndjson", ".jsonl", ".jsonlines")
_RESOURCE_TYPE = re.compile(rb'(?<!\\)"resourceType"\s*:\s*"[A-Z][A-Za-z]{1,63}"')
_LOG = re.compile(rb'(?<!\\)"exportId"\s*:.{0,400}?(?<!\\)"eventId"\s*:', re.DOTALL)
_COMMA_GAP = re.compile(rb"\s*,?\s*")


@dataclass(frozen=True, slots=True)
class FhirText:
    """One JSON text of a file; the `repr` shows no content."""

    ordinal: int
    part: FilePart
    raw: bytes = field(repr=False)

    def value(self) -> Any:
        """The parsed text. Raises the errors of `read_json`."""
        return read_json(self.raw)


@dataclass(frozen=True, slots=True)
class JsonSyntax:
    """JSON with one style of separators."""

    style: Style

    def parts(self, path: Path, shape: Shape) -> Iterator[FhirText | RecordFault]:
        """Every JSON text of the file, in order."""
        if shape == "lines":
            yield from _ndjson_texts(path)
            return
        with _mapped_bytes(path) as data:
            if shape == "resource":
                yield FhirText(1, "line", bytes(data[_after_mark(data) :]))
                return
            spans = _Spans(data)
            part: FilePart = "line" if spans.is_array else "entry"
            if not spans.is_array:
                yield FhirText(1, "shell", spans.shell())
            for number, (start, end) in enumerate(spans.entries(), 1 if spans.is_array else 2):
                if end - start > LONGEST_RESOURCE_LINE:
                    yield RecordFault(number, "entry-too-long")
                else:
                    yield FhirText(number, part, bytes(data[start:end]))

    def resource(self, value: dict[str, Any]) -> str:
        """The JSON text of a resource."""
        return write_json(value, self.style)

    def entry(self, value: dict[str, Any], *, first: bool) -> str:
        """The JSON text of an entry, after a comma unless it is the first."""
        indent = f"\n{self.style.indent * 2}" if self.style.indent else ""
        return f"{'' if first else ','}{indent}{write_json(value, self.style, 2)}"

    def bundle(self, shell: dict[str, Any]) -> tuple[str, str]:
        """The text of the Bundle before and after its entries; without entries, only "before"."""
        hole = "\ue000"
        text = write_json({**shell, "entry": [hole]} if "entry" in shell else shell, self.style)
        head, found, tail = text.partition(f'"{hole}"')
        return (head.rstrip(), tail) if found else (head, "")


def looks_like_fhir(path: Path) -> bool:
    """Whether a JSON text begins with a resource or the log of a bulk export."""
    head = _head_with_first_line(path)
    return bool(_RESOURCE_TYPE.search(head) or _LOG.search(head))


def read_fhir_layout(path: Path) -> FhirLayout:
    """Detect the layout of the file.

    Raises:
        DeidError: `broken-json`, `document-too-long`.
    """
    head = _head_with_first_line(path)
    style = style_of(head[:4096].decode("utf-8", "replace"))
    if path.suffix.casefold() in _NDJSON_SUFFIXES or _is_lines(head):
        return FhirLayout("lines", JsonSyntax(style))
    with _mapped_bytes(path) as data:
        spans = _Spans(data)
        shape: Shape = "bundle" if spans.kind == b"Bundle" else "resource"
        shape = "array" if spans.is_array else shape
        return FhirLayout(shape, JsonSyntax(style))


def _head_with_first_line(path: Path) -> bytes:
    """The beginning of a file with its whole first line; `resourceType` may follow a long note."""
    with path.open("rb") as file:
        head = file.read(1 << 18)
        return head if b"\n" in head else head + file.readline(LONGEST_RESOURCE_LINE)


def _is_lines(head: bytes) -> bool:
    """Whether the first line is a complete JSON object and not the last line."""
    first, _, rest = head.removeprefix(BOM).lstrip().partition(b"\n")
    if not rest.strip():
        return False
    try:
        return isinstance(read_json(first), dict)
    except JsonError:
        return False


# -- lines -------------------------------------------------------------------------------------


def _ndjson_texts(path: Path) -> Iterator[FhirText | RecordFault]:
    for line in numbered_lines(path, LONGEST_RESOURCE_LINE):
        yield line if isinstance(line, RecordFault) else FhirText(line[0], "line", line[1])


# -- documents ---------------------------------------------------------------------------------


def _mapped_bytes(path: Path) -> AbstractContextManager[Bytes]:
    """The bytes of a document, memory-mapped.

    Raises:
        DeidError: `document-too-long`.
    """
    if path.stat().st_size > LONGEST_DOCUMENT:
        raise fhir_refusal("document-too-long", "the JSON document is longer than 2 GiB")
    return mapped(path)


def _after_mark(data: Bytes) -> int:
    return len(BOM) if data[:3] == BOM else 0


class _Spans:
    """The positions of the entries of a Bundle in its bytes.

    Raises:
        DeidError: `broken-json` if the document is not one complete JSON object.
    """

    def __init__(self, data: Bytes) -> None:
        self._data = data
        self.kind = b""
        self.is_array = False
        self._list: tuple[int, int] | None = None
        self._read_top()

    def _read_top(self) -> None:
        depth, key, last = 0, b"", b""
        opened = ended = -1
        for mark in STRING_OR_BRACKET.finditer(self._data, _after_mark(self._data)):
            token = mark[0]
            if token in (b"{", b"["):
                depth += 1
                if depth == 1 and token == b"[":
                    self.is_array, opened = True, mark.end()
                elif depth == 2 and token == b"[" and last == b'"entry"' and self._list is None:
                    opened = mark.end()
                last = b""
            elif token in (b"}", b"]"):
                depth -= 1
                if depth == (0 if self.is_array else 1) and opened >= 0:
                    self._list, opened = (opened, mark.start()), -1
                if depth == 0:
                    ended = mark.end()
                    break
            elif depth == 1 and not self.is_array:
                key, last = last, token
                if key == b'"resourceType"' and not self.kind:
                    self.kind = token.strip(b'"')
        if ended < 0 or bytes(self._data[ended : ended + LONGEST_RESOURCE_LINE]).strip():
            raise fhir_refusal("broken-json", "the document is not one complete JSON object")

    def shell(self) -> bytes:
        """The document without its entries."""
        first, last = self._list or (len(self._data), len(self._data))
        if len(self._data) - (last - first) > LONGEST_RESOURCE_LINE:
            raise fhir_refusal("document-too-long", "the Bundle is too long apart from its entries")
        return bytes(self._data[_after_mark(self._data) : first]) + bytes(self._data[last:])

    def entries(self) -> Iterator[tuple[int, int]]:
        """The start and end of each entry, in order.

        Raises:
            DeidError: `broken-json` if the list holds anything but objects and commas.
        """
        if self._list is None:
            return
        place, last = self._list
        begun, depth = place, 0
        for mark in STRING_OR_BRACKET.finditer(self._data, place, last):
            token = mark[0]
            if token in (b"{", b"["):
                if depth == 0:
                    self._check_gap(place, mark.start())
                    begun = mark.start()
                depth += 1
            elif token in (b"}", b"]"):
                depth -= 1
                if depth == 0:
                    place = mark.end()
                    yield begun, place
            elif depth == 0:
                raise fhir_refusal("broken-json", "an entry of the Bundle is not an object")
        self._check_gap(place, last)

    def _check_gap(self, start: int, end: int) -> None:
        if not _COMMA_GAP.fullmatch(self._data, start, end):
            raise fhir_refusal("broken-json", "the Bundle has other content between its entries")


def fhir_refusal(code: str, message: str) -> DeidError:
    """The error for a file that cannot be read at all."""
    hint = "NDJSON: one resource per line; JSON: one resource or Bundle"
    return unreadable(code, message, hint=hint)
