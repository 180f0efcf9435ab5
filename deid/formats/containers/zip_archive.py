"""ZIP archives: every file is an entry; the output is a ZIP of the same structure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from deid.formats.containers.pack import PackedEntry, PackedFiles
from deid.formats.containers.zip_safety import is_hidden, opened_zip, pack_zip, unpack_entry
from deid.formats.contract import Format


class ZipPack:
    """The files of a ZIP archive. Files that file managers add are left out."""

    name = "zip"
    suffixes = (".zip",)

    def entries(self, path: Path) -> Sequence[str]:
        """The names of the files. Raises DeidError as `opened_zip` does."""
        with opened_zip(path) as archive:
            return [name for name in archive.namelist() if not is_hidden(name)]

    def unpack(self, path: Path, name: str, target: Path, most: int) -> None:
        """Unpack one file. Raises DeidError as `opened_zip` and `unpack_entry` do."""
        with opened_zip(path) as archive:
            unpack_entry(archive, name, target, most)

    def pack(self, target: Path, path: Path, entries: Sequence[PackedEntry]) -> tuple[str, ...]:
        """Pack the files with reproducible bytes."""
        pack_zip(target, [(entry.name, entry.path) for entry in entries])
        return tuple(entry.name for entry in entries)

    def dropped(self, path: Path) -> Mapping[str, int]:
        """The numbers of hidden entries and archive comments."""
        with opened_zip(path) as archive:
            hidden = sum(is_hidden(n) and not n.endswith("/") for n in archive.namelist())
            return {"hidden-entries": hidden, "archive-comments": int(bool(archive.comment))}

    def own_format(self, name: str) -> Format | None:
        """Return None: the format of each file is detected."""
        return None


FORMAT = PackedFiles(ZipPack())
