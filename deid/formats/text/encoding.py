"""Which characters the bytes of a text file are, decided on every byte before one is passed on."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from pathlib import Path

from deid.errors import DeidError, unreadable

_ENCODING_BLOCK = 1 << 20
# Windows-1252 text hardly ever holds a UTF-8 sequence by chance.
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
# Two bytes of ASCII read as one character of UTF-16; those that look like Kana left out.
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
    """A codec, its byte order mark (empty where there is none), and whether some bytes do not fit.

    In a damaged file those bytes read as lone surrogates, so that the record which holds one can
    be told and withheld.
    """

    codec: str
    bom: bytes = b""
    damaged: bool = False

    @property
    def errors(self) -> str:
        """The error handler to open the file with."""
        return "surrogateescape" if self.damaged else "strict"


def detect_encoding(path: Path) -> Encoding:
    """The encoding of a file: by byte order mark, else UTF-8, else UTF-16 or Windows-1252.

    A file that has UTF-8 sequences beside bytes that are none is damaged UTF-8, not Windows-1252:
    read as the latter, its names would no longer match.

    Raises:
        DeidError: `unreadable-encoding`, when the bytes are no text in any of them.
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
    """The text in the codec that a document names for itself.

    A wrong name can make letters of the plainest text look like others, and a reader who knows
    the name reads them again.

    Raises:
        LookupError: there is no such codec.
        UnicodeError: the bytes are not in it, or are ASCII that it does not read as such.
    """
    text = data.decode(codec)
    if _is_garbled(text, data, codec):
        raise UnicodeError
    return text


def _is_garbled(text: str, data: bytes, codec: str) -> bool:
    """Is it ASCII, or has it a line of it, read as UTF-16 or as EBCDIC?"""
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
    """UTF-16 without a mark: in Latin text every other byte is zero."""
    even, odd = head[0::2], head[1::2]
    if len(head) < 8 or not head.count(0):
        return ""
    if odd.count(0) > 0.4 * len(odd) and even.count(0) < 0.1 * len(even):
        return "utf-16-le"
    if even.count(0) > 0.4 * len(even) and odd.count(0) < 0.1 * len(odd):
        return "utf-16-be"
    return ""


def _byte_census(path: Path) -> tuple[int, int, int]:
    """UTF-8 sequences, high bytes outside them, and bytes Windows-1252 has no character for."""
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
        hint="write it again as UTF-8",
    )
