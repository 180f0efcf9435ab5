"""Files compressed with gzip, as in bulk exports: `patients.csv.gz`, `Patient.ndjson.gz`.

The name and time in the gzip header are not passed on.
"""

from __future__ import annotations

import gzip
import tempfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from deid.formats.containers.zip_archive import ArchivedSource
from deid.formats.containers.zip_safety import (
    LARGEST_RATIO,
    LARGEST_TOTAL,
    RATIO_COUNTS_FROM,
    archive_refusal,
)
from deid.formats.contract import ContainerPart, ReadOptions, RecordSource, Sink, is_container
from deid.formats.register import format_of

_GZIP_BLOCK = 1 << 20


class Gzipped:
    """A gzip file with one file in it."""

    name = "gzip"

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether it is gzip, by suffix or first bytes."""
        return suffix == ".gz"

    def members(self, path: Path, options: ReadOptions) -> tuple[str, ...]:
        """The name without `.gz`."""
        return (path.stem,)

    def open(self, path: Path, options: ReadOptions, member: str = "") -> RecordSource:
        """Unpack the file for the lifetime of the source.

        Raises:
            DeidError: `broken-archive`, `archive-too-large`, `unknown-format`,
                `container-in-archive`, and what the format of the file says.
        """
        # Closing the source removes the unpacked content.
        folder = tempfile.TemporaryDirectory(prefix="deid-")
        target = Path(folder.name) / f"member{PurePosixPath(path.stem).suffix}"
        _unfold(path, target)
        found = format_of(target)
        if found is None:
            raise archive_refusal("unknown-format", "the packed file is in no supported format")
        if is_container(found):
            raise archive_refusal(
                "container-in-archive", "the archive contains another container", "unpack it"
            )
        return ArchivedSource(found.open(target, options), found, folder)

    def create(self, path: Path, source: RecordSource, columns: Mapping[int, str]) -> Sink:
        """The file as a part, in its own format."""
        if not isinstance(source, ArchivedSource):
            raise TypeError("a gzip sink needs an archived source")
        return source.format.create(path, source.source, columns)

    def assemble(self, target: Path, path: Path, parts: Sequence[ContainerPart]) -> tuple[str, ...]:
        """Pack the part without name and time, so the bytes are reproducible."""
        (part,) = parts
        with (
            target.open("wb") as raw,
            gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed,
            part.path.open("rb") as source,
        ):
            while block := source.read(_GZIP_BLOCK):
                packed.write(block)
        return (target.stem,)


def _unfold(path: Path, target: Path) -> None:
    target.touch(mode=0o600)
    packed, unfolded = path.stat().st_size, 0
    try:
        with gzip.open(path) as source, target.open("wb") as file:
            while block := source.read(_GZIP_BLOCK):
                unfolded += len(block)
                large = unfolded >= RATIO_COUNTS_FROM and unfolded > LARGEST_RATIO * packed
                if large or unfolded > LARGEST_TOTAL:
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


FORMAT = Gzipped()
