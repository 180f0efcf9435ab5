"""Tar archives: only plain files. Owners, times and all other header fields are left out."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from deid.formats.containers.pack import PackedEntry, PackedFiles
from deid.formats.containers.zip_safety import (
    LARGEST_TOTAL,
    MOST_ENTRIES,
    archive_refusal,
    is_hidden,
    leads_outside,
)
from deid.formats.contract import Format

_TAR_BLOCK = 1 << 20


class TarPack:
    """The files of a tar archive. Files that file managers add are left out."""

    name = "tar"
    suffixes = (".tar",)

    def entries(self, path: Path) -> Sequence[str]:
        """The names of the files. Raises DeidError as `_opened_tar` does."""
        with _opened_tar(path) as (_, files):
            return [name for name in files if not is_hidden(name)]

    def unpack(self, path: Path, name: str, target: Path, most: int) -> None:
        """Unpack one file. Raises DeidError as `_opened_tar` does."""
        with _opened_tar(path) as (archive, files), target.open("wb") as file:
            if files[name].size > most:
                raise _too_large()
            source = archive.extractfile(files[name])
            while source is not None and (block := source.read(_TAR_BLOCK)):
                file.write(block)

    def pack(self, target: Path, path: Path, entries: Sequence[PackedEntry]) -> tuple[str, ...]:
        """Pack the files with reproducible bytes: no owners and no times."""
        with tarfile.open(target, "w", format=tarfile.PAX_FORMAT) as archive:
            for entry in entries:
                header = tarfile.TarInfo(entry.name)
                header.size, header.mode = entry.path.stat().st_size, 0o600
                with entry.path.open("rb") as source:
                    archive.addfile(header, source)
        return tuple(entry.name for entry in entries)

    def dropped(self, path: Path) -> Mapping[str, int]:
        """The numbers of hidden entries and of comments in extended headers."""
        with _opened_tar(path) as (archive, files):
            told = sum("comment" in header.pax_headers for header in archive.getmembers())
            return {"hidden-entries": sum(map(is_hidden, files)), "archive-comments": told}

    def own_format(self, name: str) -> Format | None:
        """Return None: the format of each file is detected."""
        return None


@contextmanager
def _opened_tar(path: Path) -> Iterator[tuple[tarfile.TarFile, dict[str, tarfile.TarInfo]]]:
    """Open the archive and list its files by name, if it holds only files and folders.

    Raises:
        DeidError: `broken-archive`, `archive-too-large`, `unsafe-archive-path`, `double-member`.
    """
    try:
        with tarfile.open(path, "r:") as archive:
            yield archive, _plain_files(archive, path.stat().st_size)
    except (tarfile.TarError, EOFError, ValueError, OverflowError, UnicodeError, RecursionError):
        raise archive_refusal("broken-archive", "the archive cannot be read") from None


def _plain_files(archive: tarfile.TarFile, size: int) -> dict[str, tarfile.TarInfo]:
    files: dict[str, tarfile.TarInfo] = {}
    folded: set[str] = set()
    total = 0
    for number, header in enumerate(archive, 1):
        name = header.name.removeprefix("./")
        if header.isdir():
            continue
        if leads_outside(name) or not header.isfile() or header.issparse():
            raise archive_refusal(
                "unsafe-archive-path",
                "the archive holds a link, a device, or a path that leads outside the archive",
                "pack it again with plain files and relative names",
            )
        total += header.size
        if number > MOST_ENTRIES or total > LARGEST_TOTAL:
            raise _too_large()
        if header.offset_data + header.size > size:
            raise archive_refusal("broken-archive", "the archive is cut off")
        if name.casefold() in folded:
            raise archive_refusal("double-member", "two entries of the archive have the same name")
        folded.add(name.casefold())
        files[name] = header
    if not _ends_here(archive):
        raise archive_refusal("broken-archive", "the archive is cut off")
    return files


def _ends_here(archive: tarfile.TarFile) -> bool:
    """Whether zeros follow the last file. `tarfile` also stops at a header that it cannot read."""
    if archive.fileobj is None:
        return False
    archive.fileobj.seek(archive.offset)
    return archive.fileobj.read(tarfile.BLOCKSIZE) == bytes(tarfile.BLOCKSIZE)


def _too_large() -> Exception:
    hint = "unpack it yourself and give the folder"
    return archive_refusal("archive-too-large", "the archive expands beyond the limit", hint)


FORMAT = PackedFiles(TarPack())
