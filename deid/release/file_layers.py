"""Open a file layer by layer. A layer without a text cannot be searched.

Compressed data and archives are unpacked, and text is decoded. Anything else (pictures, encrypted
data, compression that the standard library cannot undo) has no text and is not searched.
"""

from __future__ import annotations

import bz2
import io
import lzma
import re
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from deid.errors import DeidError
from deid.formats.text.encoding import detect_encoding

MAX_LAYER_DEPTH = 6
LARGEST_LAYER = 1 << 28
"""The most bytes of one layer; a larger layer is not searched."""
MAX_CONTROL_SHARE = 0.01
"""The share of control characters above which data is not text."""
MAX_NON_ASCII_SHARE = 0.3
"""The share of non-ASCII characters above which single-byte data is not text (EBCDIC, say)."""

_MARKED_CODECS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
# Codec, bytes per character, and which of these bytes is not zero in Latin text.
_WIDE_CODECS = (
    ("utf-32-le", 4, 0), ("utf-32-be", 4, 3), ("utf-16-le", 2, 0), ("utf-16-be", 2, 1),
)  # fmt: skip
_UNTEXTUAL = re.compile("[\x00-\x08\x0e-\x1a\x7f]")
# The first bytes of formats that hide their text, at the start of a file or of a line.
_OPAQUE_MAGIC = re.compile(rb"%PDF-|%!PS|Salted__|age-encryption\.org")
_ENCRYPTED_TEXT = re.compile(
    r"^[ \t]*-----BEGIN (?:PGP MESSAGE|PKCS7|CMS|ENCRYPTED|AGE ENCRYPTED)|"
    r"^begin(?:-base64)? [0-7]{3} |^=ybegin |^U2FsdGVkX1",
    re.MULTILINE,
)


class _Inflates(Protocol):
    """A decompressor of the standard library."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


_PACKED: tuple[tuple[re.Pattern[bytes], Callable[[], Any]], ...] = (
    (re.compile(rb"\x1f\x8b|\x78[\x01\x5e\x9c\xda]"), lambda: zlib.decompressobj(47)),
    (re.compile(rb"BZh[1-9]1AY&SY|BZh[1-9]\x17rE8P\x90"), bz2.BZ2Decompressor),
    (re.compile(rb"\xfd7zXZ\x00|\x5d\x00\x00.{2}", re.DOTALL), lzma.LZMADecompressor),
)


@dataclass(frozen=True, slots=True)
class Layer:
    """A file or a part of it, with its text; the text is None if there is none.

    `names` are the archive entries that lead to it. `plain` means that the bytes of the file itself
    are its UTF-8 text. `closed` means that the layer is encrypted or hides its text, so that
    reading the file's tables does not search the layer.
    """

    names: tuple[str, ...] = field(repr=False)
    text: str | None = field(repr=False)
    plain: bool = False
    closed: bool = False


def layers_of(data: bytes, names: tuple[str, ...] = (), depth: int = 0) -> Iterator[Layer]:
    """Yield the layers of these bytes, both readable and unreadable ones."""
    if depth > MAX_LAYER_DEPTH:
        yield Layer(names, None)
        return
    if _OPAQUE_MAGIC.match(data):
        yield Layer(names, None, closed=True)
        return
    for begins, factory in _PACKED:
        if begins.match(data) and (unfolded := _inflate_whole(factory(), data)) is not None:
            inside, rest = unfolded
            yield from layers_of(inside, names, depth + 1)
            if rest.strip(b"\0"):
                yield from layers_of(rest, names, depth + 1)
            return
    if zipfile.is_zipfile(io.BytesIO(data)) or data[:4] == b"PK\x03\x04":
        yield from _of_zip(data, names, depth)
    elif data[257:262] == b"ustar":
        yield from _of_tar(data, names, depth)
    else:
        text, plain = decoded(data)
        yield Layer(names, text, plain and depth == 0)
        if text and _ENCRYPTED_TEXT.search(text):
            yield Layer(names, None, closed=True)


def layers_of_file(path: Path) -> Iterator[Layer]:
    """The layers of a file. A file too large for memory is searched only if it is plain text."""
    if path.stat().st_size <= LARGEST_LAYER:
        yield from layers_of(path.read_bytes())
        return
    with path.open("rb") as file:
        head = file.read(1 << 16).rpartition(b" ")[0]
    try:
        found = detect_encoding(path)
        plain = found.codec == "utf-8" and not found.damaged
    except DeidError:
        plain = False
    plain = plain and all(layer.plain for layer in layers_of(head))
    yield Layer((), "" if plain else None, plain)


def decoded(data: bytes) -> tuple[str | None, bool]:
    """The bytes as text (None if they are not text), and whether they are UTF-8."""
    for mark, codec in _MARKED_CODECS:
        if data.startswith(mark):
            return _strict(data[len(mark) :], codec), codec == "utf-8"
    for codec, width, at in _WIDE_CODECS:
        if _is_wide(data[: 1 << 16], width, at):
            return _strict(data, codec), False
    try:
        return _readable_text(data.decode("utf-8")), True
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    high = sum(character > "\x7f" for character in text[: 1 << 16])
    return (
        None if high > MAX_NON_ASCII_SHARE * len(text[: 1 << 16]) else _readable_text(text)
    ), False


def _strict(data: bytes, codec: str) -> str | None:
    try:
        text = _readable_text(data.decode(codec))
    except UnicodeDecodeError:
        return None
    # Nearly any two bytes make a character; in much compressed data, some belong to no script.
    strange = sum(unicodedata.category(c) in ("Cn", "Co") for c in (text or "")[: 1 << 16])
    return None if strange > MAX_CONTROL_SHARE * len(text or "") else text


def _readable_text(text: str) -> str | None:
    """The text, unless it has too many control characters."""
    controls = len(_UNTEXTUAL.findall(text.rstrip("\x1a\0")))
    return None if controls > MAX_CONTROL_SHARE * len(text) else text


def _is_wide(head: bytes, width: int, at: int) -> bool:
    """Whether this is text of `width` bytes per character without a byte order mark."""
    if len(head) < 2 * width:
        return False
    zeros = [head[n::width].count(0) / (len(head) // width) for n in range(width)]
    return zeros[at] < 0.1 and all(zeros[n] > 0.6 for n in range(width) if n != at)


def _inflate_whole(stream: _Inflates, data: bytes) -> tuple[bytes, bytes] | None:
    """Return the unpacked data and the bytes after it; None if it does not unpack completely."""
    try:
        inside = stream.decompress(data, LARGEST_LAYER)
    except (zlib.error, OSError, EOFError, ValueError, lzma.LZMAError):
        return None
    return (inside, stream.unused_data) if stream.eof else None


def _of_zip(data: bytes, names: tuple[str, ...], depth: int) -> Iterator[Layer]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        yield Layer(names, None)
        return
    with archive:
        yield from _between(archive, data, names, depth)
        for entry in archive.infolist():
            inside = (*names, entry.filename)
            yield Layer(inside, f"{entry.filename}\n{entry.comment.decode('utf-8', 'replace')}")
            if entry.is_dir() and not entry.file_size:
                continue
            content = _entry(archive, entry)
            if content is None:
                yield Layer(inside, None)
            else:
                yield from layers_of(content, inside, depth + 1)


def _entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes | None:
    try:
        with archive.open(entry) as stream:
            content = stream.read(LARGEST_LAYER + 1)
    except Exception:  # zlib, bz2, lzma and encryption raise different errors
        return None
    return content if len(content) <= LARGEST_LAYER else None


def _between(
    archive: zipfile.ZipFile, data: bytes, names: tuple[str, ...], depth: int
) -> Iterator[Layer]:
    """Yield the layers of the data in an archive outside the entries that its directory lists."""
    end = 0
    starts = sorted((e.header_offset, e.compress_size) for e in archive.infolist())
    for start, size in (*starts, (archive.start_dir, 0)):
        gap = data[end:start]
        if len(gap) > 24 and gap.strip(b"\0"):  # a descriptor after an entry has at most 24 bytes
            yield from layers_of(gap, names, depth + 1)
        head = data[start : start + 30]
        extra = int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
        end = max(end, start + 30 + extra + size)
    if archive.comment:
        yield from layers_of(archive.comment, names, depth + 1)


def _of_tar(data: bytes, names: tuple[str, ...], depth: int) -> Iterator[Layer]:
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            for entry in archive:
                inside = (*names, entry.name)
                owner = f"{entry.uname}\n{entry.gname}\n{entry.linkname}"
                headers = "\n".join(map(str, entry.pax_headers.values()))
                yield Layer(inside, f"{entry.name}\n{owner}\n{headers}")
                if entry.isfile():
                    stream = archive.extractfile(entry)
                    content = b"" if stream is None else stream.read()
                    yield from layers_of(content, inside, depth + 1)
    except (tarfile.TarError, OSError, EOFError, ValueError):
        yield Layer(names, None)
