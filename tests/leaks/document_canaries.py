"""Canaries in documents: words that occur nowhere else, and a search of every byte for them."""

from __future__ import annotations

import base64
import binascii
import contextlib
import gzip
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pyarrow.parquet as pq

from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from deid.release.releasing import Release
from recognizers import Finder

DAY = date(2026, 11, 21)
# The minimum number of places in which each format hides canaries.
LEAST_HIDDEN = 30
_LETTERS = "bcdfghjklmnprstvwz"
_STEM = "zyxandro"


def canary(number: int) -> str:
    """A unique word for each number."""
    return _STEM + _LETTERS[number // 18] + "o" + _LETTERS[number % 18]


def address(number: int) -> str:
    """An e-mail address that contains the canary: every recognizer finds it where it is shown."""
    return f"{canary(number)}@canary.example"


def scrub_folder(folder: Path, out: Path, **options: object) -> Release:
    """Scrub with the rules alone, which is fast."""
    finder = Finder.load(model=False, reference_date=DAY)
    job = Job((folder,), out, read_policy("safe_harbor"), DAY, **options)  # type: ignore[arg-type]
    return run_job(job, finder)


def scrub_document(tmp_path: Path, name: str, data: bytes) -> Path:
    """Scrub one document; returns the folder of its release."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / name).write_bytes(data)
    release = scrub_folder(tmp_path / "in", tmp_path / "out")
    assert release.exit_code == 0, release.exit_code
    return tmp_path / "out"


def canaries_in(out: Path) -> set[str]:
    """The canaries in the names of the files, in their bytes, and in everything that can be
    decompressed.
    """
    found: set[str] = set()
    for path in out.rglob("*"):
        found |= set(_seen(path.name.encode()))
        if path.is_file():
            found |= set(canaries_of(path.read_bytes()))
    return found


def canaries_left(out: Path) -> set[str]:
    """The canaries in a release. Its input, the folder `in` beside it, must hide at least 30 of
    them.
    """
    hidden = canaries_in(out.parent / "in")
    assert len(hidden) >= LEAST_HIDDEN, len(hidden)
    return canaries_in(out)


def canaries_of(data: bytes) -> set[str]:
    """The canaries in some bytes, in any layer."""
    return {word for layer in _layers(data) for word in _seen(layer)}


def _seen(data: bytes) -> Iterator[str]:
    for wide in (data, data.replace(b"\0", b""), _without_tags(data)):
        yield from (m.decode() for m in re.findall(rb"zyxandro[a-z]o[a-z]", wide.lower()))
    if b"zyxandro" in bytes.fromhex("".join(re.findall("[0-9a-f]{2}", data.hex()))).lower():
        yield _STEM


def _without_tags(data: bytes) -> bytes:
    bare = re.sub(rb"<[^>]*>|\\[a-z]+-?\d* ?|[{}\r\n]|=\r?\n", b"", data)
    return re.sub(rb"\\'([0-9a-fA-F]{2})", lambda m: bytes.fromhex(m[1].decode()), bare)


def _layers(data: bytes, depth: int = 0) -> Iterator[bytes]:
    yield data
    if depth > 3:
        return
    if data[:4] == b"PK\x03\x04":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for entry in archive.infolist():
                yield entry.filename.encode() + b"\n" + entry.comment + b"\n" + entry.extra
                yield from _layers(archive.read(entry), depth + 1)
    if data[:4] == b"PAR1":
        yield repr(pq.read_table(io.BytesIO(data)).to_pylist()).encode()
    if data[:2] == b"\x1f\x8b":
        yield from _layers(gzip.decompress(data), depth + 1)
    for match in re.finditer(rb"stream\r?\n", data):
        try:
            yield from _layers(zlib.decompressobj().decompress(data[match.end() :]), depth + 1)
        except zlib.error:
            continue
    for match in re.finditer(rb"[A-Za-z0-9+/]{16,}(?:\r?\n[A-Za-z0-9+/]{16,})*={0,2}", data):
        coded = b"".join(match[0].split())
        for shift in range(4):
            part = coded[shift:].rstrip(b"=")
            part += b"=" * (-len(part) % 4) if len(part) % 4 != 1 else b"==="
            with contextlib.suppress(binascii.Error, zipfile.BadZipFile, OSError, EOFError):
                yield from _layers(base64.b64decode(part), depth + 3)
    for match in re.finditer(rb"(?:[0-9A-Fa-f]{2}){8,}", data):
        yield bytes.fromhex(match[0].decode())


def released(out: Path, suffix: str) -> Path:
    """The only released file with that suffix."""
    (path,) = (p for p in out.rglob(f"*{suffix}") if "_release" not in p.parts)
    return path
