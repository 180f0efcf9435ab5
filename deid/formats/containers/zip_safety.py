"""Checks ZIP files from untrusted sources before anything is unpacked."""

from __future__ import annotations

import io
import re
import stat
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from deid.errors import DeidError, unreadable

# Deflate compresses at most 1032:1, which ZIP bombs approach. Hospital tables reach 5:1 to 60:1.
LARGEST_RATIO, RATIO_COUNTS_FROM = 400, 1 << 22
LARGEST_TOTAL = 1 << 37
MOST_ENTRIES = 100_000
_ZIP_BLOCK = 1 << 20
_CLIMBS = re.compile(r"^[/\\]|^[A-Za-z]:|\\|(?:^|/)\.\.(?:/|$)|[\x00-\x1f]")
# A fixed time, so that the same content gives the same bytes.
FIXED_TIMESTAMP = (1980, 1, 1, 0, 0, 0)


@contextmanager
def opened_zip(path: Path | io.BytesIO) -> Iterator[zipfile.ZipFile]:
    """Open the archive if its directory is valid.

    Raises:
        DeidError: `broken-archive`, `encrypted-archive`, `archive-too-large`,
            `unsafe-archive-path`, `double-member`.
    """
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, UnicodeDecodeError):
        raise archive_refusal("broken-archive", "the archive cannot be read") from None
    with archive:
        size = path.stat().st_size if isinstance(path, Path) else path.getbuffer().nbytes
        _judge(archive.infolist(), size)
        yield archive


def _judge(entries: Sequence[zipfile.ZipInfo], size: int) -> None:
    if len(entries) > MOST_ENTRIES or sum(e.file_size for e in entries) > LARGEST_TOTAL:
        raise _bomb()
    end = 0
    for entry in sorted(entries, key=lambda e: e.header_offset):
        if entry.header_offset < end:  # entries that overlap
            raise _bomb()
        end = entry.header_offset + entry.compress_size
        ratio = entry.file_size / max(1, entry.compress_size)
        if entry.file_size >= RATIO_COUNTS_FROM and ratio > LARGEST_RATIO:
            raise _bomb()
        if entry.flag_bits & 1:
            hint = "unpack it with its password first"
            raise archive_refusal("encrypted-archive", "the archive is encrypted", hint)
        if leads_outside(entry.orig_filename) or stat.S_ISLNK(entry.external_attr >> 16):
            hint = "pack it again with plain relative names"
            raise archive_refusal(
                "unsafe-archive-path", "a path in the archive leads outside the archive", hint
            )
    if end > size:
        raise archive_refusal("broken-archive", "the archive is cut off")
    names = [entry.filename.casefold() for entry in entries]
    if len(set(names)) != len(names):
        raise archive_refusal("double-member", "two entries of the archive have the same name")


def leads_outside(name: str) -> bool:
    """Whether a path in an archive is absolute, or has `..`, a backslash or a control character."""
    return _CLIMBS.search(name) is not None


def is_hidden(name: str) -> bool:
    """Whether an entry is a folder or a file manager's file: `__MACOSX`, `._x`, `.DS_Store`."""
    parts = PurePosixPath(name).parts
    return name.endswith("/") or any(p.startswith(".") or p == "__MACOSX" for p in parts)


def unpack_entry(archive: zipfile.ZipFile, name: str, target: Path, most: int) -> None:
    """Unpack one entry, up to its declared size, if that size is at most `most` bytes.

    Raises:
        DeidError: `broken-archive`, `archive-too-large`.
    """
    left = archive.getinfo(name).file_size
    if left > most:
        raise _bomb()
    try:
        with archive.open(name) as source, target.open("wb") as file:
            while block := source.read(_ZIP_BLOCK):
                left -= len(block)
                if left < 0:
                    raise _bomb()
                file.write(block)
    except (zipfile.BadZipFile, EOFError, ValueError, NotImplementedError, RuntimeError):
        left = 1
    except Exception as error:
        if isinstance(error, DeidError | OSError):
            raise
        left = 1  # zlib, bz2 and lzma each raise their own error type
    if left:
        raise archive_refusal(
            "broken-archive", "an entry of the archive cannot be unpacked completely"
        )


def pack_zip(target: Path | io.BytesIO, entries: Sequence[tuple[str, Path | bytes]]) -> None:
    """Write an archive of the named files or bytes, with reproducible bytes."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            info = zipfile.ZipInfo(name, FIXED_TIMESTAMP)
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
            if isinstance(content, bytes):
                archive.writestr(info, content)
                continue
            info.file_size = content.stat().st_size
            with content.open("rb") as source, archive.open(info, "w") as file:
                while block := source.read(_ZIP_BLOCK):
                    file.write(block)


def _bomb() -> DeidError:
    return archive_refusal(
        "archive-too-large",
        "the archive expands beyond the limit",
        "unpack it yourself and give the folder",
    )


def archive_refusal(code: str, message: str, hint: str = "pack it again") -> DeidError:
    """The error for an archive that is refused."""
    return unreadable(code, message, hint=hint)
