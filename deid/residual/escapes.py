"""Undo the escapes of HTML, URLs, mail, JSON and RTF, and misread encodings."""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
from collections.abc import Callable
from functools import lru_cache

_PRINTABLE, _SOFT_END = re.compile(r"(?:=[0-9A-Fa-f]{2})+"), re.compile(r"=[ \t]*(?:\r\n|\n|\r)")
_PERCENT, _PERCENT_WIDE = re.compile(r"(?:%[0-9A-Fa-f]{2})+"), re.compile(r"%u([0-9A-Fa-f]{4})")
_JSON = re.compile(r"(?:\\u[0-9a-fA-F]{4}(?!\?))+|\\U[0-9a-fA-F]{8}|\\u\{[0-9a-fA-F]{1,6}\}")
_RTF = re.compile(r"\\u(-?\d{2,5}) ?(?:\?|\\'3f)|\\'([0-9a-fA-F]{2})")
_SLASHED = re.compile(r"(?:\\x[0-9a-fA-F]{2})+|(?:\\[0-3][0-7]{2})+")
_SHIFTED = re.compile(r"\+([A-Za-z0-9/]{2,})-?")
_HEX_DIGITS_RUN = re.compile(r"[0-9a-fA-F]+")
_NON_ASCII_RUN = re.compile(r"[^\x00-\x7f]{2,}")
LONGEST_HELD = 32
# The encodings that programs often use by mistake to read UTF-8.
_MISREAD_CODECS = ("cp1252", "mac_roman", "cp437", "cp850")
_MULTIBYTE_SEQUENCE = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)


def _undo_percent(text: str) -> str:
    text = _PERCENT_WIDE.sub(lambda m: chr(int(m[1], 16)), text)
    return _PERCENT.sub(lambda m: decode_utf8_or_latin1(bytes.fromhex(m[0].replace("%", ""))), text)


def _undo_quoted_printable(text: str) -> str:
    """Undo quoted-printable. The bytes are read as UTF-8, invalid ones as Latin-1."""
    folded = _SOFT_END.sub("", text)
    return _PRINTABLE.sub(
        lambda m: decode_utf8_or_latin1(bytes.fromhex(m[0].replace("=", ""))), folded
    )


def decode_utf8_or_latin1(data: bytes) -> str:
    """Decode UTF-8; invalid bytes are read as Latin-1."""
    return data.decode("utf-8", _AS_LATIN)


def _as_latin(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


_AS_LATIN = "residual-latin-1"
codecs.register_error(_AS_LATIN, _as_latin)


def _undo_backslashes(text: str) -> str:
    """Undo backslash escapes of JSON, RTF and programming languages."""
    text = _JSON.sub(lambda m: _unicode_escapes(m[0]), text)
    text = _SLASHED.sub(lambda m: decode_utf8_or_latin1(_escaped_bytes(m[0])), text)
    return _RTF.sub(
        lambda m: chr(int(m[1]) % 0x10000) if m[1] else bytes.fromhex(m[2]).decode("latin-1"), text
    )


def _unicode_escapes(escapes: str) -> str:
    """Decode `\\u00e9`, surrogate pairs, `\\U0001f600` and `\\u{e9}`."""
    codes = [int(code, 16) for code in _HEX_DIGITS_RUN.findall(escapes.replace("\\", " ").lower())]
    if any(code > 0x10FFFF for code in codes):
        return escapes
    return "".join(map(chr, codes)).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _escaped_bytes(escapes: str) -> bytes:
    octal = "x" not in escapes
    return bytes(int(code.lstrip("x"), 8 if octal else 16) for code in escapes.split("\\")[1:])


def _undo_utf7(text: str) -> str:
    """Undo UTF-7: `Andr+AOk-`."""

    def read(match: re.Match[str]) -> str:
        run = match[1]
        try:
            data = base64.b64decode(run + "=" * (-len(run) % 4), validate=True)
            return data[: len(data) // 2 * 2].decode("utf-16-be") or match[0]
        except (binascii.Error, ValueError):
            return match[0]

    return _SHIFTED.sub(read, text)


def _undo_misreading(text: str) -> str:
    """Undo UTF-8 that was read as Windows-1252, Mac Roman or a DOS encoding."""
    if text.isascii():
        return text
    return _NON_ASCII_RUN.sub(lambda m: _reread_run(m[0]), text)


def _reread_run(run: str) -> str:
    """Undo the misreading of one run. Short runs are cached, because few of them differ."""
    return _reread_short(run) if len(run) <= LONGEST_HELD else _reread_whole(run)


def _reread_whole(run: str) -> str:
    for codec in _MISREAD_CODECS:
        try:
            data = run.encode(codec, _AS_LATIN_BYTES if codec == "cp1252" else "strict")
        except UnicodeEncodeError:
            continue
        parts, place = [], 0
        for match in _MULTIBYTE_SEQUENCE.finditer(data):
            parts += [run[place : match.start()], match[0].decode("utf-8", "replace")]
            place = match.end()
        if place:
            return "".join([*parts, run[place:]])
    return run


_reread_short = lru_cache(maxsize=1 << 12)(_reread_whole)


def _as_latin_bytes(error: UnicodeError) -> tuple[bytes, int]:
    """Encode characters that Windows-1252 lacks as Latin-1."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return error.object[error.start : error.end].encode("latin-1"), error.end


_AS_LATIN_BYTES = "residual-latin-1-bytes"
codecs.register_error(_AS_LATIN_BYTES, _as_latin_bytes)


# Functions that undo escapes, by a character that every text with such an escape contains.
UNDO: dict[str, Callable[[str], str]] = {
    "&": html.unescape,
    "%": _undo_percent,
    "=": _undo_quoted_printable,
    "\\": _undo_backslashes,
    "+": _undo_utf7,
    "\0": lambda text: text.replace("\0", ""),
    "": _undo_misreading,
}
