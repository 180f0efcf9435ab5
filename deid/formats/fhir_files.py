"""FHIR files as a row of JSON texts: lines of NDJSON, the entries of a Bundle, one resource.

A Bundle is cut into its entries without being parsed whole, so that one entry is in memory at a
time; its own elements without the entries are its first record.
"""

from __future__ import annotations

import gzip
import mmap
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Literal

from deid.errors import UNREADABLE, DeidError
from deid.formats.contract import Fault
from deid.formats.fhir_json import JsonError, Style, read_json, style_of

LONGEST_LINE = 1 << 26
LONGEST_DOCUMENT = 1 << 31
# How much a compressed file may grow: text packs less than this, bombs a thousandfold.
MOST_GROWTH = 400
Shape = Literal["lines", "bundle", "resource"]
Part = Literal["line", "shell", "entry"]

_BOM = b"\xef\xbb\xbf"
_MARKS = re.compile(rb'"(?:[^"\\]|\\.)*+"|[{}\[\]]', re.DOTALL)
_TYPE = re.compile(rb'(?<!\\)"resourceType"\s*:\s*"[A-Z][A-Za-z]{1,63}"')
_LOG = re.compile(rb'(?<!\\)"exportId"\s*:.{0,400}?(?<!\\)"eventId"\s*:', re.DOTALL)
_GAP = re.compile(rb"\s*,?\s*")


@dataclass(frozen=True, slots=True)
class Text:
    """One JSON text of a file; the `repr` shows no content."""

    ordinal: int
    part: Part
    raw: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Layout:
    """How a file is laid out: its shape, whether it is compressed, how it separates."""

    shape: Shape
    zipped: bool
    style: Style


def looks_like_fhir(path: Path) -> bool:
    """Does a JSON text begin with a resource, or the log of a bulk export?"""
    head = _head(path)
    return bool(_TYPE.search(head) or _LOG.search(head))


def read_layout(path: Path) -> Layout:
    """How the file is laid out.

    Raises:
        DeidError: `truncated-gzip`.
    """
    zipped = is_zipped(path)
    head = _head(path)
    if not head and zipped:
        raise refusal("truncated-gzip", "the compressed file ends too early")
    style = style_of(head[:4096].decode("utf-8", "replace"))
    if path.name.casefold().removesuffix(".gz").endswith(".json") and not _is_lines(head):
        return Layout(_shape(path, zipped), zipped, style)
    return Layout("lines", zipped, style)


def is_zipped(path: Path) -> bool:
    """Is it compressed by gzip?"""
    with path.open("rb") as file:
        return file.read(2) == b"\x1f\x8b"


def texts(path: Path, layout: Layout) -> Iterator[Text | Fault]:
    """Every JSON text of the file, in order."""
    if layout.shape == "lines":
        yield from _lines(path, layout.zipped)
        return
    with _whole(path, layout.zipped) as data:
        if layout.shape == "resource":
            yield Text(1, "line", bytes(data[_start(data) :]))
            return
        spans = _Spans(data)
        yield Text(1, "shell", spans.shell())
        for number, (start, end) in enumerate(spans.entries(), 2):
            if end - start > LONGEST_LINE:
                yield Fault(number, "entry-too-long")
            else:
                yield Text(number, "entry", bytes(data[start:end]))


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            if not is_zipped(path):
                return file.read(1 << 18)
            return gzip.GzipFile(fileobj=file).read(1 << 18)
    except (OSError, EOFError, zlib.error):
        return b""


def _is_lines(head: bytes) -> bool:
    """Is the first line a JSON object of its own, and not the last?"""
    first, _, rest = head.removeprefix(_BOM).lstrip().partition(b"\n")
    if not rest.strip():
        return False
    try:
        return isinstance(read_json(first), dict)
    except JsonError:
        return False


# -- lines -------------------------------------------------------------------------------------


def _lines(path: Path, zipped: bool) -> Iterator[Text | Fault]:
    ordinal, budget = 0, MOST_GROWTH * path.stat().st_size + LONGEST_LINE
    with path.open("rb") as plain:
        file: IO[bytes] = gzip.GzipFile(fileobj=plain) if zipped else plain  # type: ignore[assignment]
        first = True
        while True:
            try:
                raw, over = _line(file)
            except (OSError, EOFError, zlib.error):
                yield Fault(ordinal + 1, "truncated-gzip")
                return
            budget -= len(raw) + over
            if zipped and budget < 0:
                yield Fault(ordinal + 1, "expands-too-far")
                return
            if not raw:
                return
            raw = raw.removeprefix(_BOM) if first else raw
            first = False
            if not raw.strip():
                continue
            ordinal += 1
            yield Fault(ordinal, "line-too-long") if over else Text(ordinal, "line", raw)


def _line(file: IO[bytes]) -> tuple[bytes, int]:
    """The next line, and how many bytes more it has than a line may have."""
    raw = file.readline(LONGEST_LINE + 1)
    over = 0
    if len(raw) <= LONGEST_LINE:
        return raw, over
    more = raw
    while more and not more.endswith(b"\n"):
        more = file.readline(1 << 20)
        over += len(more)
        if over > MOST_GROWTH * LONGEST_LINE:
            break
    return raw[:64], over + len(raw)


# -- documents ---------------------------------------------------------------------------------


@contextmanager
def _whole(path: Path, zipped: bool) -> Iterator[bytes | mmap.mmap]:
    """The bytes of a document, mapped where they lie if they are not compressed.

    Raises:
        DeidError: `document-too-long`, `truncated-gzip`, `expands-too-far`.
    """
    size = path.stat().st_size
    if size > LONGEST_DOCUMENT:
        raise refusal("document-too-long", "the JSON document is longer than 2 GiB")
    with path.open("rb") as file:
        if zipped:
            yield _unzipped(file, MOST_GROWTH * size + (1 << 20))
        elif size == 0:
            yield b""
        else:
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
                yield mapped


def _unzipped(file: IO[bytes], most: int) -> bytes:
    try:
        data = gzip.GzipFile(fileobj=file).read(min(most, LONGEST_LINE * 16) + 1)
    except (OSError, EOFError, zlib.error):
        raise refusal("truncated-gzip", "the compressed file ends too early") from None
    if len(data) > min(most, LONGEST_LINE * 16):
        raise refusal("expands-too-far", "the compressed file grows too far")
    return data


def _shape(path: Path, zipped: bool) -> Shape:
    with _whole(path, zipped) as data:
        return "bundle" if _Spans(data).kind == b"Bundle" else "resource"


def _start(data: bytes | mmap.mmap) -> int:
    return len(_BOM) if data[:3] == _BOM else 0


class _Spans:
    """Where the entries of a Bundle lie in its bytes.

    Raises:
        DeidError: `broken-json`, when the document is no JSON object or ends too early.
    """

    def __init__(self, data: bytes | mmap.mmap) -> None:
        self._data = data
        self.kind = b""
        self._list: tuple[int, int] | None = None
        self._read_top()

    def _read_top(self) -> None:
        depth, key, last = 0, b"", b""
        opened = ended = -1
        for mark in _MARKS.finditer(self._data, _start(self._data)):
            token = mark[0]
            if token in (b"{", b"["):
                depth += 1
                if depth == 2 and token == b"[" and last == b'"entry"' and self._list is None:
                    opened = mark.end()
                last = b""
            elif token in (b"}", b"]"):
                depth -= 1
                if depth == 1 and opened >= 0:
                    self._list, opened = (opened, mark.start()), -1
                if depth == 0:
                    ended = mark.end()
                    break
            elif depth == 1:
                key, last = last, token
                if key == b'"resourceType"' and not self.kind:
                    self.kind = token.strip(b'"')
        if ended < 0 or bytes(self._data[ended : ended + LONGEST_LINE]).strip():
            raise refusal("broken-json", "the document is not one whole JSON object")

    def shell(self) -> bytes:
        """The document without its entries."""
        first, last = self._list or (len(self._data), len(self._data))
        if len(self._data) - (last - first) > LONGEST_LINE:
            raise refusal("document-too-long", "the Bundle is too long beside its entries")
        return bytes(self._data[_start(self._data) : first]) + bytes(self._data[last:])

    def entries(self) -> Iterator[tuple[int, int]]:
        """Start and end of each entry, in order.

        Raises:
            DeidError: `broken-json`, when anything but objects and commas stands between them.
        """
        if self._list is None:
            return
        place, last = self._list
        begun, depth = place, 0
        for mark in _MARKS.finditer(self._data, place, last):
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
                raise refusal("broken-json", "an entry of the Bundle is no object")
        self._check_gap(place, last)

    def _check_gap(self, start: int, end: int) -> None:
        if not _GAP.fullmatch(self._data, start, end):
            raise refusal("broken-json", "something but entries stands between the entries")


def refusal(code: str, message: str) -> DeidError:
    """The error of a file that cannot be read at all."""
    hint = "NDJSON: one resource a line; JSON: one resource or Bundle"
    return DeidError(code, message, hint=hint, exit_code=UNREADABLE)
