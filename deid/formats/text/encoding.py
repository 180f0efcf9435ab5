"""Detects the encoding of a text file; all bytes are checked before any text is passed on."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from deid.errors import DeidError, unreadable

_ENCODING_BLOCK = 1 << 20
# Windows-1252 text almost never contains a UTF-8 sequence by chance.
MOST_STRAY = 20
_CODEC_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_UTF8_SEQUENCE = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
_HIGH_BYTE = re.compile(rb"[\x80-\xff]")
# Two ASCII bytes misread as one UTF-16 character, except pairs that give Kana characters.
_ASCII_PAIRS = "".join(
    rf"{chr(high << 8 | 0x20)}-{chr(high << 8 | 0x7E)}{chr(high << 8 | 10)}{chr(high << 8 | 13)}"
    for high in (0x0A, 0x0D, *range(0x20, 0x30), *range(0x31, 0x7F))
)
_ASCII_PAIR = re.compile(f"[{_ASCII_PAIRS}]")
_PAIRS_OF_LATIN = re.compile(f"[{_ASCII_PAIRS}]{{8}}")
_PAIRS_OF_ALL = re.compile(f"[{_ASCII_PAIRS}]{{16}}")
_ASCII_PRINTED = bytes((9, 10, 13, *range(0x20, 0x7F)))
_MOSTLY_ASCII, _READ_ALIKE = 0.9, b"Az09 .,"
# Bytes that Windows-1252 leaves undefined.
_UNDEFINED = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")


@dataclass(frozen=True, slots=True)
class Encoding:
    """A codec, its byte order mark (may be empty), and whether some bytes are invalid in the codec.

    Invalid bytes of a damaged file are read as lone surrogates, so that the records that contain
    them can be recognized and withheld.
    """

    codec: str
    bom: bytes = b""
    damaged: bool = False

    @property
    def errors(self) -> str:
        """The error handler to open the file with."""
        return "surrogateescape" if self.damaged else "strict"

    def open(self, path: Path) -> IO[str]:
        """Open the file as text, after its byte order mark. Line ends are kept."""
        file = path.open(encoding=self.codec, errors=self.errors, newline="")
        if self.bom:
            file.read(1)
        return file


def detect_encoding(path: Path) -> Encoding:
    """The encoding of a file: by byte order mark, else UTF-8, else UTF-16 or Windows-1252.

    A file with UTF-8 sequences and a few other high bytes is damaged UTF-8, not Windows-1252: read
    as Windows-1252, its names would no longer match.

    Raises:
        DeidError: `unreadable-encoding` if the bytes are not valid text in any of these encodings.
    """
    with path.open("rb") as file:
        head = file.read(4096)
    for bom, codec in _CODEC_MARKS:
        if head.startswith(bom):
            return _checked_encoding(path, codec, bom)
    if wide := wide_codec(head):
        return _checked_encoding(path, wide, b"")
    if _decodes(path, "utf-8"):
        return Encoding("utf-8")
    sequences, stray, undefined = _byte_census(path)
    if sequences and stray <= MOST_STRAY * sequences:
        return Encoding("utf-8", damaged=True)
    if undefined or b"\0" in head:
        raise _undecodable_text()
    return Encoding("cp1252")


def _checked_encoding(path: Path, codec: str, bom: bytes) -> Encoding:
    if _decodes(path, codec):
        return Encoding(codec, bom)
    if codec == "utf-8":
        return Encoding(codec, bom, damaged=True)
    raise _undecodable_text()


def _decodes(path: Path, codec: str) -> bool:
    decoder = codecs.getincrementaldecoder(codec)("strict")
    try:
        with path.open("rb") as file:
            while block := file.read(_ENCODING_BLOCK):
                if _is_garbled(decoder.decode(block), block, codec):
                    return False
            decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def decoded_as_told(data: bytes, codec: str) -> str:
    """The text decoded in the codec that the document declares.

    A falsely declared codec could hide plain text from the search, and a reader could decode it
    again.

    Raises:
        LookupError: the codec does not exist.
        UnicodeError: the bytes are invalid in the codec, or are ASCII that it misreads.
    """
    text = data.decode(codec)
    if _is_garbled(text, data, codec):
        raise UnicodeError
    return text


def _is_garbled(text: str, data: bytes, codec: str) -> bool:
    """Whether the text is, or contains a line of, ASCII misread as UTF-16 or EBCDIC."""
    if _READ_ALIKE.decode(codec, "replace").encode("ascii", "replace") == _READ_ALIKE:
        return False
    if "16" not in codec:
        return len(data.translate(None, _ASCII_PRINTED)) < (1 - _MOSTLY_ASCII) * len(data)
    if len(_ASCII_PAIR.findall(text)) > _MOSTLY_ASCII * len(text):
        return True
    pairs = _PAIRS_OF_LATIN if _is_latin(text) else _PAIRS_OF_ALL
    return pairs.search(text) is not None


def _is_latin(text: str) -> bool:
    return 2 * sum(map(str.isascii, text)) > len(text)


def wide_codec(head: bytes) -> str:
    """Return the UTF-16 codec of bytes without a mark, else "".

    In Latin text, every other byte is 0.
    """
    even, odd = head[0::2], head[1::2]
    if len(head) < 8 or not head.count(0):
        return ""
    if odd.count(0) > 0.4 * len(odd) and even.count(0) < 0.1 * len(even):
        return "utf-16-le"
    if even.count(0) > 0.4 * len(even) and odd.count(0) < 0.1 * len(odd):
        return "utf-16-be"
    return ""


def _byte_census(path: Path) -> tuple[int, int, int]:
    """The counts of UTF-8 sequences, other high bytes, and bytes undefined in Windows-1252."""
    sequences = stray = undefined = 0
    with path.open("rb") as file:
        for line in file:
            sequences += len(_UTF8_SEQUENCE.findall(line))
            rest = _UTF8_SEQUENCE.sub(b"", line)
            stray += len(_HIGH_BYTE.findall(rest))
            undefined += len(_UNDEFINED.findall(rest))
    return sequences, stray, undefined


def _undecodable_text() -> DeidError:
    return unreadable(
        "unreadable-encoding",
        "the file is not text in UTF-8, UTF-16, UTF-32 or Windows-1252",
        hint="save the file as UTF-8",
    )
