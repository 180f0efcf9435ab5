"""ZIP archives of tables: every file is a member; the output is a ZIP of the same structure."""

from __future__ import annotations

import io
import tempfile
import zipfile
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

# Archives within archives are opened this many times, and up to this size.
DEEPEST_ARCHIVE, LARGEST_INNER_ARCHIVE = 3, 1 << 28


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
        """The files in archive order, also of archives within it (`inner.zip/a.csv`).

        What file managers add is left out. An archive nested more deeply than three times, too
        large, or broken is named itself, and refused when it is opened.

        Raises:
            DeidError: what `packed.opened_zip` says.
        """
        with opened_zip(path) as archive:
            return tuple(_files_within(archive, 0))

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
            _unpack_within(archive, member, target)
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


def _files_within(archive: zipfile.ZipFile, depth: int) -> Iterator[str]:
    for name in archive.namelist():
        if is_hidden(name):
            continue
        try:
            inside = _inner_archive(archive, name) if depth < DEEPEST_ARCHIVE else None
            if inside is None:
                yield name
                continue
            with opened_zip(inside) as inner:
                found = list(_files_within(inner, depth + 1))
        except DeidError:
            found = []
        yield from (f"{name}/{one}" for one in found) if found else (name,)


def _inner_archive(archive: zipfile.ZipFile, name: str) -> io.BytesIO | None:
    """An archive within another; None for any other file, and for one that is too large.

    Raises:
        DeidError: `broken-archive`.
    """
    named = PurePosixPath(name).suffix.casefold() == ".zip"
    if not named or archive.getinfo(name).file_size > LARGEST_INNER_ARCHIVE:
        return None
    with tempfile.TemporaryDirectory(prefix="deid-") as folder:
        target = Path(folder) / "inner.zip"
        unpack_entry(archive, name, target)
        return io.BytesIO(target.read_bytes())


def _unpack_within(archive: zipfile.ZipFile, member: str, target: Path, depth: int = 0) -> None:
    """Unpack a file of the archive, or of an archive within it.

    Raises:
        DeidError: `table-missing`, and what `opened_zip` and `unpack_entry` say.
    """
    names = archive.namelist()
    if member in names:
        unpack_entry(archive, member, target)
        return
    outer = next((name for name in names if member.startswith(f"{name}/")), None)
    inside = _inner_archive(archive, outer) if outer and depth < DEEPEST_ARCHIVE else None
    if outer is None or inside is None:
        raise archive_refusal(
            "table-missing", "the archive has no such file", "give the name of a file in it"
        )
    with opened_zip(inside) as inner:
        _unpack_within(inner, member.removeprefix(f"{outer}/"), target, depth + 1)


def _member_name(part: ContainerPart) -> str:
    suffix = part.path.suffix
    same = PurePosixPath(part.name).suffix.casefold() == suffix.casefold()
    return part.name if same or not suffix else part.name + suffix


FORMAT = Archive()
