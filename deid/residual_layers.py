"""What lies in a text or a file beneath its surface: escapes, encodings, archives.

Texts come out as (kind, text); the kind is empty for what stands there plainly.
"""

from __future__ import annotations

import base64
import binascii
import gzip
import html
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from urllib.parse import unquote

DEEPEST = 3
LARGEST_MEMBER = 1 << 28
# An escape may be escaped again: `%25C3`, `&amp;eacute;`.
MOST_TIMES = 3
_PRINTABLE = re.compile(r"(?:=[0-9A-F]{2})+(?=[=\w])")
_JSON = re.compile(r"\\u([0-9a-fA-F]{4})(?!\?)")
_RTF = re.compile(r"\\u(-?\d{2,5}) ?(?:\?|\\'3f)|\\'([0-9a-f]{2})")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{16,}={0,2}|[A-Za-z0-9_-]{16,}={0,2}")
_HEX = re.compile(r"(?<![0-9A-Za-z])(?:[0-9a-fA-F]{2}){8,}(?![0-9A-Za-z])")
# Base64 in mail is folded at 64 or 76 characters.
LEAST_FOLDED = 60
_FOLDED = re.compile(r"(?<=[A-Za-z0-9+/]{60})\r?\n[ \t]?(?=[A-Za-z0-9+/=])")


def layers(text: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    """The text as it stands, then what its escapes and encodings hide; (kind, text)."""
    yield ("" if depth == 0 else "encoded"), text
    for sign, undo in _UNDO.items():
        plain = text
        for _ in range(MOST_TIMES if sign in text else 0):
            before, plain = plain, undo(plain)
            if plain == before:
                break
            yield "escaped", plain
    if depth < DEEPEST:
        for hidden in _hidden(text):
            yield from (("encoded", inner) for _, inner in layers(hidden, depth + 1))


def _unquoted(text: str) -> str:
    return unquote(text, errors="replace")


def _unprinted(text: str) -> str:
    """Quoted-printable undone: of UTF-8, or where it is none, of Latin-1."""
    folded = text.replace("=\r\n", "").replace("=\n", "")
    return _PRINTABLE.sub(lambda m: _letters(bytes.fromhex(m[0].replace("=", ""))), folded)


def _letters(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _unslashed(text: str) -> str:
    """What JSON and RTF write behind a backslash."""
    text = _JSON.sub(lambda m: chr(int(m[1], 16)), text)
    return _RTF.sub(
        lambda m: chr(int(m[1]) % 0x10000) if m[1] else bytes.fromhex(m[2]).decode("latin-1"), text
    )


_UNDO = {"&": html.unescape, "%": _unquoted, "=": _unprinted, "\\": _unslashed}


def long_runs(text: str, least: int) -> list[str]:
    """The runs of at least so many characters between white space."""
    return [run for run in text.split() if len(run) >= least]


def _hidden(text: str) -> Iterator[str]:
    """What the long runs of a text hold when they are decoded; folded lines are joined first."""
    runs = long_runs(text, 16)
    if not runs:
        return
    if sum(len(run) >= LEAST_FOLDED for run in runs) > 1:
        runs += long_runs(_FOLDED.sub("", text), LEAST_FOLDED)
    text = "\n\n".join(runs)
    out = []
    for match in _HEX.finditer(text):
        out.append(_readable(bytes.fromhex(match.group())))
    for match in _BASE64.finditer(text):
        run = match.group().rstrip("=").replace("-", "+").replace("_", "/")
        for shift in range(4):
            part = run[shift:]
            part = part[: len(part) - (len(part) % 4 == 1)]
            try:
                data = base64.b64decode(part + "=" * (-len(part) % 4), validate=True)
            except (binascii.Error, ValueError):
                continue
            out.append(_readable(data))
    found = [text for text in out if text]
    if found:
        yield "\n\n".join(found)


def _readable(data: bytes) -> str:
    """Bytes as text where most of them are text; compressed members are opened."""
    if data[:2] == b"\x1f\x8b":
        return "\n\n".join(text for _, text in open_bytes(data))
    if data.count(0) * 3 > len(data):
        data = data.replace(b"\0", b"")
    text = data.decode("utf-8", "replace")
    good = sum(c.isalnum() or c in " .,@-/:+_()'\n" for c in text)
    return text if good * 10 >= len(text) * 8 and len(text) > 3 else ""


def open_bytes(data: bytes, depth: int = 0) -> Iterator[tuple[str, str]]:
    """The texts of a file: (kind, text); gzip and zip members opened, UTF-16 read as such."""
    if depth < DEEPEST and data[:2] == b"\x1f\x8b":
        for _, text in open_bytes(_gunzip(data), depth + 1):
            yield "compressed", text
        return
    if depth < DEEPEST and data[:4] == b"PK\x03\x04":
        yield from _unzip(data, depth)
        return
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        yield "UTF-16", data.decode("utf-16", "replace")
        return
    if b"\0" in data[:4096]:
        yield "UTF-16", data.replace(b"\0", b"").decode("utf-8", "replace")
        return
    yield "", data.decode("utf-8", "replace")


def _gunzip(data: bytes) -> bytes:
    try:
        with gzip.open(io.BytesIO(data)) as stream:
            return stream.read(LARGEST_MEMBER)
    except (OSError, EOFError, zlib.error):
        return b""


def _unzip(data: bytes, depth: int) -> Iterator[tuple[str, str]]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for member in archive.infolist():
                yield "file name", member.filename
                with archive.open(member) as stream:
                    for _, text in open_bytes(stream.read(LARGEST_MEMBER), depth + 1):
                        yield "compressed", text
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, zlib.error):
        return
