"""ZIP archives of tables: every file is a member; the output is a ZIP of the same structure."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from deid.errors import DeidError
from deid.formats.containers.zip_safety import (
    archive_refusal,
    is_hidden,
    opened_zip,
    pack_zip,
    unpack_entry,
)
from deid.formats.contract import (
    ContainerPart,
    Format,
    ReadOptions,
    Record,
    RecordFault,
    RecordSource,
    Sink,
    is_container,
)
from deid.formats.register import format_of


@dataclass(frozen=True, slots=True)
class ArchivedSource:
    """A file of an archive, unpacked during the lifetime of this object for its owner only."""

    source: RecordSource
    format: Format
    folder: tempfile.TemporaryDirectory[str] = field(repr=False)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the file."""
        return self.source.columns

    def records(self) -> Iterator[Record | RecordFault]:
        """The records of the file; it stays unpacked while they are read."""
        yield from self.source.records()

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("an unpacked file cannot be pickled")

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "source"), name)


class Archive:
    """A ZIP of files, each in a format of its own."""

    name = "zip"

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether it is a ZIP archive by suffix."""
        return suffix == ".zip"

    def members(self, path: Path, options: ReadOptions) -> tuple[str, ...]:
        """The files in archive order, without what file managers add.

        Raises:
            DeidError: what `packed.opened_zip` says.
        """
        with opened_zip(path) as archive:
            return tuple(name for name in archive.namelist() if not is_hidden(name))

    def open(self, path: Path, options: ReadOptions, member: str = "") -> RecordSource:
        """One file.

        Raises:
            DeidError: `unknown-format`, `container-in-archive`, `broken-archive`, and what the
                format of the file says.
        """
        # Closing the source removes the unpacked content.
        folder = tempfile.TemporaryDirectory(prefix="deid-")
        target = Path(folder.name) / f"member{PurePosixPath(member).suffix}"
        with opened_zip(path) as archive:
            if member not in archive.namelist():
                raise archive_refusal(
                    "table-missing", "the archive has no such file", "give the name of a file in it"
                )
            unpack_entry(archive, member, target)
        found = format_of(target)
        if found is None:
            raise archive_refusal(
                "unknown-format", "this file of the archive is in no supported format"
            )
        if is_container(found):
            hint = "unpack it first"
            raise archive_refusal(
                "container-in-archive", "the archive contains another container", hint
            )
        return ArchivedSource(found.open(target, options), found, folder)

    def create(self, path: Path, source: RecordSource, columns: Mapping[int, str]) -> Sink:
        """One file as a part, in its own format."""
        if not isinstance(source, ArchivedSource):
            raise TypeError("an archive's sink needs an archived source")
        return source.format.create(path, source.source, columns)

    def assemble(self, target: Path, path: Path, parts: Sequence[ContainerPart]) -> tuple[str, ...]:
        """Write the parts to a new archive; a part in another format gets its suffix."""
        names = [_member_name(part) for part in parts]
        pack_zip(target, [(name, part.path) for name, part in zip(names, parts, strict=True)])
        return tuple(names)

    def left_behind(self, path: Path, member: str = "") -> Mapping[str, int]:
        """Hidden entries and the archive's comment."""
        if member:
            try:
                source = self.open(path, ReadOptions(), member)
            except DeidError:
                return {}
            tell = getattr(source.format, "left_behind", None)  # type: ignore[attr-defined]
            inner = Path(source.folder.name)  # type: ignore[attr-defined]
            return {} if tell is None else tell(next(inner.iterdir()))
        with opened_zip(path) as archive:
            hidden = sum(is_hidden(n) and not n.endswith("/") for n in archive.namelist())
            found = {"hidden-entries": hidden, "archive-comments": int(bool(archive.comment))}
        return {what: count for what, count in found.items() if count}


def _member_name(part: ContainerPart) -> str:
    suffix = part.path.suffix
    same = PurePosixPath(part.name).suffix.casefold() == suffix.casefold()
    return part.name if same or not suffix else part.name + suffix


FORMAT = Archive()
