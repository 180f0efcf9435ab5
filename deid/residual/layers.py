"""Find the texts that escapes, encodings and archives hide in a text or a file.

Texts are returned as (kind, text); the kind of plain text is "".
"""

from __future__ import annotations

import base64
import binascii
import gzip
import io
import re
import tarfile
import zipfile
import zlib
from collections.abc import Collection, Iterator
from string import ascii_letters, digits

from deid.residual.escapes import UNDO, decode_utf8_or_latin1
from deid.residual.markup import PDF_START, pdf_text, shown_text

MAX_NESTED_LAYERS = 3
LARGEST_MEMBER, LARGEST_INFLATED = 1 << 28, 1 << 24
# How often an escape may itself be escaped: `%25C3`, `&amp;eacute;`.
MAX_REPEATED_ESCAPES = 3
_PRINTABLE_BYTES = bytes(range(32, 127)) + b"\t\r\n"
# The shortest run that can encode a form: 5 characters take 7 in Base64, and 4 take 8 in hex.
SHORTEST = 7
_BASE64_RUN = re.compile(
    rf"[A-Za-z0-9+/]{{{SHORTEST},}}={{0,2}}|[A-Za-z0-9_-]{{{SHORTEST},}}={{0,2}}"
)
# Base64 for URLs has `-` and `_` within a run, where the pattern above may end. A run of hex digits
# with hyphens is a UUID.
_BASE64_OF_URLS = re.compile(
    rf"(?<![\w-])(?=[A-Za-z0-9-]*_|[A-Za-z0-9_]*-)(?![0-9A-Fa-f-]+(?![\w-]))[\w-]{{{SHORTEST},}}"
)
_BASE32_RUN = re.compile(r"(?<![A-Z2-7])[A-Z2-7]{8,}(?![A-Za-z0-9])")
_HEX_PAIRS = re.compile(r"(?<![0-9A-Za-z])(?:0x)?((?:[0-9a-fA-F]{2}){4,})(?![0-9A-Za-z])")
_HEX_APART = re.compile(
    r"(?<![0-9A-Za-z])(?:0x)?[0-9a-fA-F]{2}(?:[ :,;-]{1,2}(?:0x)?[0-9a-fA-F]{2}){3,}(?![0-9A-Za-z])"
)
_UU = re.compile(r"^begin [0-7]{3,4} [^\n]*\n((?:[ -`]{2,62}\r?\n)+)", re.MULTILINE)
_ASCII85_RUN = re.compile(r"<~[!-uz\s]{5,}~>")
_DECIMAL = re.compile(r"(?<![\d.])\d{2,3}(?:[ ,;]{1,2}\d{2,3}){4,}(?!\d|\.\d)")
_BINARY = re.compile(r"(?<!\d)[01]{8}(?: ?[01]{8}){3,}(?!\d)")
# E-mail folds Base64 at 64 or 76 characters.
LEAST_FOLDED = 60
_FOLDED = re.compile(r"(?<=[A-Za-z0-9+/]{60})\r?\n[ \t]?(?=[A-Za-z0-9+/=])")
# Attachments of e-mail: the text of a packed file appears only after the file is opened.
BASE64_PART = b"content-transfer-encoding: base64"
_FOLDED_BLOCK = re.compile(rb"(?:[A-Za-z0-9+/]{60,}\r?\n)*[A-Za-z0-9+/]{16,}={0,2}")
_PACKED_STARTS = (b"PK\x03\x04", b"\x1f\x8b", PDF_START)


def text_layers(text: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    """The text itself, then the texts that its escapes and encodings hide, as (kind, text)."""
    yield ("" if depth == 0 else "encoded"), text
    undone = _undone(text)
    yield from (("escaped", plain) for plain in undone)
    if depth < MAX_NESTED_LAYERS and len(text) >= SHORTEST:
        coded = _runs(text)
        more = _runs(undone[-1]) - coded if undone else ()
        for hidden in (*_hidden(text, coded), *(_hidden(undone[-1], more) if more else ())):
            yield from (("encoded", inner) for _, inner in text_layers(hidden, depth + 1))


def _undone(text: str) -> list[str]:
    """Return the text with each kind of escape undone, also repeatedly; last, with all undone."""
    steps = [(sign, undo) for sign, undo in UNDO.items() if sign in text]
    if text.isascii() and len(steps) < 2:  # only misread encodings are left, and ASCII has none
        return []
    found: dict[str, None] = {}
    for sign, undo in steps:
        plain = text
        for _ in range(MAX_REPEATED_ESCAPES):
            before, plain = plain, undo(plain) if sign in plain else plain
            if plain == before:
                break
            found[plain] = None
    whole = text
    for sign, undo in (*UNDO.items(), *UNDO.items()) if found else ():
        whole = undo(whole) if sign in whole else whole
    found.pop(text, None)
    if whole != text:
        found.pop(whole, None)
        found[whole] = None
    return list(found)


def long_runs(text: str, least: int) -> list[str]:
    """The runs between white space that have at least `least` characters."""
    return [run for run in text.split() if len(run) >= least]


def _runs(text: str) -> set[str]:
    """The runs that may be encoded; folded lines are joined first."""
    words = set(text.split())
    runs = {run for run in words if len(run) >= SHORTEST and _may_be_coded(run)}
    if sum(len(run) >= LEAST_FOLDED for run in runs) > 1:
        whole = _FOLDED.sub("", text).split() if _may_be_folded(text) else words
        runs.update(run for run in whole if len(run) >= LEAST_FOLDED)
    return runs


def _may_be_folded(text: str) -> bool:
    """Whether a line may end in encoded data that the next line continues."""
    kinds = text.encode("ascii", "replace").translate(_FOLD_KINDS, b"\r")
    return b"c" * LEAST_FOLDED + b"n" in kinds


def _hidden(text: str, runs: Collection[str]) -> Iterator[str]:
    """The decoded texts of these runs, and of other encodings in the text."""
    out: list[str] = []
    if runs:
        coded = set("\n\n".join(runs).encode("ascii", "replace").translate(_IF_CODED).split())
        joined = b"\n\n".join(sorted(run for run in coded if len(run) >= SHORTEST)).decode("ascii")
        out += [_readable(bytes.fromhex(run)) for run in dict.fromkeys(_HEX_PAIRS.findall(joined))]
        matches = (*_BASE64_RUN.finditer(joined), *_BASE64_OF_URLS.finditer(joined))
        for run in dict.fromkeys(match[0].rstrip("=") for match in matches):
            out += _of_base64(run)
        out += [_of_base32(run) for run in dict.fromkeys(_BASE32_RUN.findall(joined))]
    out += [_readable(data) for data in _apart(text)]
    if "begin " in text:
        out += [_of_uuencode(match[1]) for match in _UU.finditer(text)]
    if "<~" in text:
        out += [_of_ascii85(match[0]) for match in _ASCII85_RUN.finditer(text)]
    found = dict.fromkeys(text for text in out if text)
    if found:
        yield "\n\n".join(found)


def _apart(text: str) -> Iterator[bytes]:
    """Bytes that the text spells as separate numbers in hex, decimal or binary."""
    if " " not in text and ":" not in text and "-" not in text and "," not in text:
        return
    raw = text.encode("ascii", "replace")
    for pattern, code, base, may_show in _SPACED_BYTES:
        for match in pattern.finditer(text) if may_show(raw) else ():
            codes = [int(figure, base) for figure in code.findall(match[0])]
            yield bytes(one for one in codes if one < 256)


def _may_show_hex(raw: bytes) -> bool:
    """Whether the run may spell bytes in hex: four pairs, one or two separators between them."""
    kinds = raw.replace(b"0x", b"").translate(_HEX_KINDS).replace(b"ss", b"s")
    return b"hhshhshhshh" in kinds


def _may_show_decimal(raw: bytes) -> bool:
    """Whether the run may spell bytes in decimal: five numbers of two or three digits."""
    kinds = raw.translate(_DECIMAL_KINDS).replace(b"ss", b"s").replace(b"ddd", b"dd")
    return b"ddsddsddsddsdd" in kinds


def _may_show_binary(raw: bytes) -> bool:
    """Whether the run may spell bytes in binary: four groups of eight digits."""
    return b"b" * 32 in raw.translate(_BINARY_KINDS, b" ")


def _kinds(**characters: str) -> bytes:
    """Return a translation table from each character to the one-letter name of its kind.

    Each argument is the name of a kind and holds its characters. All other characters become `o`.
    """
    table = bytearray(b"o" * 256)
    for kind, some in characters.items():
        for character in some:
            table[ord(character)] = ord(kind)
    return bytes(table)


_HEX_KINDS = _kinds(h="0123456789abcdefABCDEF", s=" :,;-")
_DECIMAL_KINDS = _kinds(d="0123456789", s=" ,;")
_BINARY_KINDS = _kinds(b="01")
_FOLD_KINDS = _kinds(c=f"{ascii_letters}{digits}+/", n="\n")
# Keeps the characters of Base64, Base32 and hex. Each distinct run of them is decoded once.
_IF_CODED = bytes(
    code if chr(code) in f"{ascii_letters}{digits}+/_=-" else ord(" ") for code in range(256)
)
_SPACED_BYTES = (
    (_HEX_APART, re.compile(r"(?:0x)?([0-9a-fA-F]{2})"), 16, _may_show_hex),
    (_DECIMAL, re.compile(r"\d+"), 10, _may_show_decimal),
    (_BINARY, re.compile(r"[01]{8}"), 2, _may_show_binary),
)


def _may_be_coded(run: str) -> bool:
    """Whether a run may be encoded: not in lower case, capitalized or decimal, unless it is hex."""
    return (
        not (run.islower() or run.istitle() or run.isdecimal())
        or _HEX_PAIRS.search(run) is not None
    )


def _of_base64(run: str) -> Iterator[str]:
    """Decode a Base64 run and its pieces, at each of the four offsets where the code may begin."""
    pieces = {run, *(p for p in re.split("[-+/_]", run) if SHORTEST <= len(p) < LEAST_FOLDED)}
    for piece in sorted(pieces):
        plain = piece.replace("-", "+").replace("_", "/")
        for shift in range(4):
            part = plain[shift:]
            part = part[: len(part) - (len(part) % 4 == 1)]
            try:
                data = base64.b64decode(part + "=" * (-len(part) % 4), validate=True)
            except (binascii.Error, ValueError):
                continue
            yield _readable(data)


def _of_base32(run: str) -> str:
    run = run[: len(run) - (len(run) % 8 in (1, 3, 6))]
    try:
        return _readable(base64.b32decode(run + "=" * (-len(run) % 8)))
    except (binascii.Error, ValueError):
        return ""


def _of_uuencode(lines: str) -> str:
    try:
        return _readable(b"".join(map(binascii.a2b_uu, lines.encode("ascii").splitlines())))
    except binascii.Error:
        return ""


def _of_ascii85(run: str) -> str:
    try:
        return _readable(base64.a85decode(run, adobe=True))
    except ValueError:
        return ""


def _readable(data: bytes) -> str:
    """Decode bytes that are mostly text, or return ""; compressed data is opened first."""
    if data[:2] == b"\x1f\x8b":
        return "\n\n".join(text for _, text in open_bytes(data))
    if data[:1] == b"\x78" and len(data) > SHORTEST and int.from_bytes(data[:2]) % 31 == 0:
        data = _inflate_prefix(data)
    if not data.count(0) and len(data.translate(None, _PRINTABLE_BYTES)) * 2 > len(data):
        return ""
    text = _decode_searched(data)
    good = sum(c.isalnum() or c in " .,@-/:+_()'\n" for c in text)
    return text if good * 10 >= len(text) * 8 and len(text) > 3 else ""


def _inflate_prefix(data: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(data, LARGEST_INFLATED)
    except zlib.error:
        return data


def _decode_wide(data: bytes) -> str | None:
    """Decode UTF-16 or UTF-32; None if the data has too few zero bytes for either encoding."""
    for size, names in ((4, ("utf-32-le", "utf-32-be")), (2, ("utf-16-le", "utf-16-be"))):
        if data[:4096].count(0) * 10 >= len(data[:4096]) * (10 * (size - 1) // size - 1):
            return data[: len(data) // size * size].decode(names[data[:1] == b"\0"], "replace")
    return None


def _decode_searched(data: bytes) -> str:
    """Decode UTF-8; UTF-16 if about every other byte is zero, UTF-32 if three of four are."""
    if (wide := _decode_wide(data)) is not None:
        return wide
    few = len(data.translate(None, _PRINTABLE_BYTES)) * 4 <= len(data)
    return decode_utf8_or_latin1(data) if few else data.decode("utf-8", "replace")


def open_bytes(data: bytes, depth: int = 0) -> Iterator[tuple[str, str]]:
    """The texts of a file as (kind, text); gzip and zip members are opened, UTF-16 is decoded.

    After a text with markup, and after a PDF, comes the text that it shows, as kind "markup".
    """
    for kind, text in _open_layer(data, depth):
        yield kind, text
        if not kind.endswith("markup") and (shown := shown_text(text)):
            yield "markup", shown
    if data[:5] == PDF_START:
        yield "markup", pdf_text(data)


def _open_layer(data: bytes, depth: int) -> Iterator[tuple[str, str]]:
    if depth < MAX_NESTED_LAYERS and data[:2] == b"\x1f\x8b":
        for _, text in open_bytes(_gunzip(data), depth + 1):
            yield "compressed", text
        return
    if depth < MAX_NESTED_LAYERS and data[:4] == b"PK\x03\x04":
        yield from _unzip(data, depth)
        return
    if depth < MAX_NESTED_LAYERS and is_tar(data):
        yield from _untar(data, depth)
        return
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        yield "UTF-16", data.decode("utf-16", "replace")
        return
    if b"\0" in data[:4096]:
        yield "UTF-16", _decode_searched(data)
        if _decode_wide(data) is not None:  # it may be a database, whose first page has many zeros
            yield "", data.replace(b"\0", b"\n\n").decode("utf-8", "replace")
        return
    yield "", decode_utf8_or_latin1(data)
    if depth < MAX_NESTED_LAYERS and BASE64_PART in data.lower():
        for match in _FOLDED_BLOCK.finditer(data):
            coded = b"".join(match[0].split()).rstrip(b"=")
            if len(coded) % 4 == 1:
                continue
            inner = base64.b64decode(coded + b"=" * (-len(coded) % 4))
            if inner.startswith(_PACKED_STARTS) or is_tar(inner):
                for _, text in open_bytes(inner, depth + 1):
                    yield "encoded", text


def is_tar(data: bytes) -> bool:
    """Whether the bytes begin like a POSIX tar archive."""
    return data[257:262] == b"ustar"


def _untar(data: bytes, depth: int) -> Iterator[tuple[str, str]]:
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            for member in archive:
                told = [member.name, member.linkname, member.uname, member.gname]
                yield "file name", "\n".join([*told, *map(str, member.pax_headers.values())])
                stream = archive.extractfile(member) if member.isreg() else None
                if stream is not None:
                    for kind, text in open_bytes(stream.read(LARGEST_MEMBER), depth + 1):
                        yield "compressed markup" if kind == "markup" else "compressed", text
    except (tarfile.TarError, OSError, ValueError):
        return


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
                    for kind, text in open_bytes(stream.read(LARGEST_MEMBER), depth + 1):
                        yield "compressed markup" if kind == "markup" else "compressed", text
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, zlib.error):
        return
