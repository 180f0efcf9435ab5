"""Splits a file of HL7 v2 messages into messages without changing bytes."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from deid.formats.text.encoding import detect_encoding

_LONGEST_LINE_PIECE = 1 << 20
LONGEST_MESSAGE = 1 << 26
_END = re.compile(rb"\r\n|\r|\n")
# Blanks, byte order marks, and the bytes that frame messages in transmission (MLLP).
_BLANK_BYTES = b"\xef\xbb\xbf \t\r\n\x0b\x1c"
# The same frames in words, as interface engines display them.
_SPELLED_FRAME = re.compile(rb"(?:\[(?:SOM|EOM|SOB|EOB|SB|EB|VT|FS)\]|<(?:SOM|EOM|SB|EB|VT|FS)>)+")
_START = re.compile(rb"(?:MSH|FHS|BHS)[^A-Za-z0-9\s]|(?:BTS|FTS)(?:[^A-Za-z0-9]|$)")


@dataclass(frozen=True, slots=True)
class MessageBlock:
    """One message, batch header or batch trailer: its lines with line ends, or an error code."""

    lines: tuple[bytes, ...] = field(repr=False)
    code: str = ""


@dataclass(frozen=True, slots=True)
class Wide:
    """The codec and the byte order mark of a file in UTF-16 or UTF-32."""

    codec: str
    bom: bytes


def wide_encoding(path: Path) -> Wide | None:
    """The codec of a file in UTF-16 or UTF-32; None for any other file.

    Raises:
        DeidError: `unreadable-encoding`.
    """
    with path.open("rb") as file:
        head = file.read(4096)
    marked = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, b"\0\0\xfe\xff"))
    if not marked and head.count(0) < len(head) // 4:
        return None
    found = detect_encoding(path)
    wide = found.codec.startswith(("utf-16", "utf-32"))
    return Wide(found.codec, found.bom) if wide else None


def message_blocks(path: Path, wide: Wide | None) -> Iterator[MessageBlock]:
    """The blocks of a file in order; a UTF-16 or UTF-32 file is converted to UTF-8.

    Frames in words (`[SOM]`) are left out. Blank lines belong to the block before them. Lines
    before the first header or after a trailer are a block with the code `no-header`.
    """
    with path.open("rb") as file:
        gathered = _Gathered()
        for line, whole in _bounded_lines(file if wide is None else _narrowed(file, wide)):
            line = _SPELLED_FRAME.sub(b"", line, count=1) if line.startswith((b"[", b"<")) else line
            kind = _line_kind(line)
            if gathered.kind and (kind in "MB" or (kind == "S" and gathered.kind == "B")):
                yield gathered.block()
                gathered = _Gathered()
            gathered.add(line, whole, kind)
        if gathered.kind:
            yield gathered.block()


def _line_kind(line: bytes) -> str:
    """`M`: the start of a message; `B`: a batch segment; `S`: another segment; ` `: blank."""
    bare = line.lstrip(_BLANK_BYTES)
    if not bare.strip(_BLANK_BYTES):
        return " "
    if not _START.match(bare):
        return "S"
    return "M" if bare.startswith(b"MSH") else "B"


@dataclass(slots=True)
class _Gathered:
    """The lines of one block so far; `kind` is the kind of its first nonblank line."""

    lines: list[bytes] = field(default_factory=list, repr=False)
    kind: str = ""
    size: int = 0

    def add(self, line: bytes, whole: bool, kind: str) -> None:
        self.kind = self.kind or kind.strip()
        self.size += len(line) if whole else LONGEST_MESSAGE + 1
        if self.size <= LONGEST_MESSAGE:
            self.lines.append(line)

    def block(self) -> MessageBlock:
        if self.size > LONGEST_MESSAGE:
            return MessageBlock((), "message-too-long")
        return MessageBlock(tuple(self.lines), "no-header" if self.kind == "S" else "")


def _bounded_lines(file: BinaryIO) -> Iterator[tuple[bytes, bool]]:
    """Each line with its end, and whether it is complete: a line that is too long is cut."""
    rest, whole = b"", True
    while piece := file.read(_LONGEST_LINE_PIECE):
        data, place = rest + piece, 0
        for match in _END.finditer(data):
            if match.end() == len(data) and match[0] == b"\r":
                break  # a line feed may follow
            yield data[place : match.end()], whole
            place, whole = match.end(), True
        rest = data[place:]
        if len(rest) > LONGEST_MESSAGE:
            rest, whole = rest[:16] + rest[-1:], False
    if rest:
        yield rest, whole


class _Narrowed(io.RawIOBase):
    """A UTF-16 or UTF-32 file, read as UTF-8."""

    def __init__(self, file: BinaryIO, wide: Wide) -> None:
        self._file = file
        self._decoder = codecs.getincrementaldecoder(wide.codec)("strict")
        file.seek(len(wide.bom))

    def read(self, size: int = -1) -> bytes:
        while piece := self._file.read(size):
            if text := self._decoder.decode(piece):
                return text.encode("utf-8", "surrogatepass")
        return b""


def _narrowed(file: BinaryIO, wide: Wide) -> BinaryIO:
    return _Narrowed(file, wide)  # type: ignore[return-value]
