"""Files compressed with gzip, as in bulk exports: `patients.csv.gz`, `extract.tar.gz`.

The name and time in the gzip header are not passed on.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from deid.formats.containers.pack import PackedEntry, PackedFiles
from deid.formats.containers.zip_safety import (
    LARGEST_RATIO,
    LARGEST_TOTAL,
    RATIO_COUNTS_FROM,
    archive_refusal,
)
from deid.formats.contract import Format

_GZIP_BLOCK = 1 << 20


class GzipPack:
    """A gzip file, which holds one file."""

    name = "gzip"
    suffixes = (".gz", ".tgz")

    def entries(self, path: Path) -> Sequence[str]:
        """The file name without `.gz`."""
        return [_inside_name(path)]

    def unpack(self, path: Path, name: str, target: Path, most: int) -> None:
        """Unpack the file. Raises DeidError: `broken-archive`, `archive-too-large`."""
        packed, unfolded = path.stat().st_size, 0
        try:
            with gzip.open(path) as source, target.open("wb") as file:
                while block := source.read(_GZIP_BLOCK):
                    unfolded += len(block)
                    large = unfolded >= RATIO_COUNTS_FROM and unfolded > LARGEST_RATIO * packed
                    if large or unfolded > min(most, LARGEST_TOTAL):
                        raise archive_refusal(
                            "archive-too-large",
                            "the file expands beyond the limit",
                            "unpack it yourself and give the result",
                        )
                    file.write(block)
        except (gzip.BadGzipFile, EOFError, zlib.error):
            raise archive_refusal(
                "broken-archive", "the file cannot be unpacked completely", "pack it again"
            ) from None

    def pack(self, target: Path, path: Path, entries: Sequence[PackedEntry]) -> tuple[str, ...]:
        """Pack the file without name and time, so the bytes are reproducible."""
        (entry,) = entries
        with (
            target.open("wb") as raw,
            gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed,
            entry.path.open("rb") as source,
        ):
            while block := source.read(_GZIP_BLOCK):
                packed.write(block)
        return (_inside_name(target),)

    def dropped(self, path: Path) -> Mapping[str, int]:
        """Return no counts: a gzip file holds nothing besides its file."""
        return {}

    def own_format(self, name: str) -> Format | None:
        """Return None: the format of the file is detected."""
        return None


def _inside_name(path: Path) -> str:
    return f"{path.stem}.tar" if path.suffix.casefold() == ".tgz" else path.stem


FORMAT = PackedFiles(GzipPack())
