"""Characters written as escapes: HTML, quoted-printable, percent, JSON, RTF, misread UTF-8.

A note that came through an interface may hold `Pe=C3=B1a`, `Pe\\'f1a` or `Pe&amp;#241;a`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from html import unescape

Escape = tuple[int, int, str]
"""Start and end of an escape, and the one character that the escape represents."""

_ENTITY = r"&(?:amp;)?(?:[A-Za-z]{2,8}|#\d{1,6}|#[xX][0-9A-Fa-f]{1,5});"
_ESCAPE = re.compile(
    rf"(?P<html>{_ENTITY})"
    r"|\\{1,2}u(?P<json>[0-9a-fA-F]{4})(?!\?)"
    r"|\\u(?P<rtf>-?\d{2,5}) ?(?:\?|\\'3[fF])"
    r"|(?P<ansi>\\'[89a-f][0-9a-f])"
    r"|(?P<python>(?:\\x[89a-fA-F][0-9a-fA-F]){1,24})"
    r"|(?P<twice>(?:%25[89A-Fa-f][0-9A-Fa-f]){2,24})"
    r"|(?P<percent>(?:%[89A-Fa-f][0-9A-Fa-f]){2,24})"
    r"|(?P<printable>(?:=[89A-F][0-9A-F]){2,24}|=[C-F][0-9A-F](?<=[A-Za-z]...)(?=[a-z])|=E9(?<=[a-z]...)(?![\w/.-]))"
)
# The first character of a letter of two or three UTF-8 bytes that was read as Windows-1252.
_GARBLED = re.compile(
    "[\u00c2\u00c3\u00c4\u00c5\u00c6\u00c8\u00c9\u00ca\u00cb\u00ce\u00cf\u00d0\u00d1\u00e1\u00e2\u00ef]"
)
# A capital and the mark after it: `JOS\u00c9\u2019S`.
_QUOTED = re.compile("[\u00c6-\u00d1][\u2013\u2014\u2018-\u201d\u2022\u2026]")
_SIGN = re.compile(r"[&\\%=]")
_FOLD = re.compile(r"(?<=\w)=\r?\n(?=\w)")
_FOLDED_AT = 60


def escaped(text: str) -> list[Escape]:
    """The escapes of a text, in order and disjoint."""
    found = list(_spelled(text))
    return found if text.isascii() else sorted([*found, *_garbled(text)])


def folds(text: str) -> Iterator[tuple[int, int]]:
    """Yield where quoted-printable breaks a long line, but not where `Name=` is a field
    of a form.
    """
    for match in _FOLD.finditer(text):
        start, end = match.span()
        if start >= _FOLDED_AT and text.rfind("\n", start - _FOLDED_AT, start) < 0:
            yield start, end


def _spelled(text: str) -> Iterator[Escape]:
    place = 0
    for sign in _SIGN.finditer(text):
        if sign.start() >= place and (match := _ESCAPE.match(text, sign.start())):
            place = match.end()
            yield from _read(match)


def _garbled(text: str) -> Iterator[Escape]:
    """Characters whose UTF-8 bytes were read as Windows-1252."""
    for match in _GARBLED.finditer(text):
        letter, length = _ungarbled(text, match.start())
        if length:
            yield match.start(), match.start() + length, letter


def _read(match: re.Match[str]) -> Iterator[Escape]:
    start, end = match.span()
    kind, written = match.lastgroup, match.group()
    if kind == "html":
        yield from _one(start, end, unescape(written.replace("&amp;", "&", len(written) > 5)))
    elif kind == "json":
        yield from _one(start, end, chr(int(match["json"], 16)))
    elif kind == "rtf":
        yield from _one(start, end, chr(int(match["rtf"]) % 0x10000))
    elif kind == "ansi":
        yield from _one(start, end, _ansi(bytes.fromhex(written[2:])))
    else:
        yield from _bytes(start, written)


def _one(start: int, end: int, meant: str) -> Iterator[Escape]:
    if len(meant) == 1 and (meant.isprintable() or meant.isspace()):
        yield start, end, meant


def _bytes(start: int, written: str) -> Iterator[Escape]:
    """The letters of escaped bytes: UTF-8, or Windows-1252 for a single byte."""
    data = bytes.fromhex(re.sub(r"%25|[%=]|\\x", "", written))
    width = len(written) // len(data)
    try:
        letters = data.decode("utf-8")
    except UnicodeDecodeError:
        letters = _ansi(data) if len(data) == 1 else ""
    for letter in letters:
        size = width * (len(letter.encode("utf-8")) if len(data) > 1 else 1)
        yield from _one(start, start + size, letter)
        start += size


def _ansi(data: bytes) -> str:
    return data.decode("cp1252", "ignore")


def _ungarbled(text: str, place: int) -> tuple[str, int]:
    """The character that two or three misread characters stand for, and their number; 0 if none."""
    for length in (3, 2):
        piece = text[place : place + length]
        if len(piece) < length:
            continue
        try:
            new = b"".join(map(_old_byte, piece)).decode("utf-8")
        except UnicodeError:
            continue
        if len(new) == 1 and not _QUOTED.fullmatch(piece):
            return new, length
    return "", 0


@lru_cache(maxsize=1 << 12)
def _old_byte(char: str) -> bytes:
    """The Windows-1252 byte of a character; its five unassigned bytes are those of Latin-1."""
    try:
        return char.encode("cp1252")
    except UnicodeEncodeError:
        return char.encode("latin-1")
