"""Files that hold files: archives, compressed files and e-mail, all read by the same guarded code.

A packed file may itself hold files or tables (an archive, a workbook, a message), to a limited
depth. The output is packed in the same structure.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Protocol

from deid.errors import DeidError
from deid.formats.containers.unpacked_folder import UnpackedFolder, unpacked_once
from deid.formats.containers.zip_safety import archive_refusal
from deid.formats.contract import (
    Container,
    ContainerPart,
    Format,
    ReadOptions,
    Record,
    RecordFault,
    RecordSource,
    Sink,
    is_container,
)
from deid.formats.register import format_of, is_named_container, left_behind
from deid.spool import process_folder

# The greatest depth to which packed files are opened, and the largest size of a packed file that
# itself holds files.
DEEPEST_PACK, LARGEST_INNER_PACK = 3, 1 << 30
_SUFFIX_OF_ENTRY = re.compile(r"(?:\.\w{1,10}(?=\.gz$))?\.\w{1,10}$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PackedEntry:
    """A file to be packed: its original name, its new name, and its path."""

    original: str = field(repr=False)
    name: str = field(repr=False)
    path: Path = field(repr=False)


class Pack(Protocol):
    """A kind of file that holds other files.

    `unpack` writes at most `most` bytes to a file readable only by its owner. `pack` returns the
    names of the entries in the packed file. `own_format` is the format of an entry whose format is
    not detected by name and content.
    """

    @property
    def name(self) -> str: ...
    @property
    def suffixes(self) -> tuple[str, ...]: ...
    def entries(self, path: Path) -> Sequence[str]: ...
    def unpack(self, path: Path, name: str, target: Path, most: int) -> None: ...
    def pack(self, target: Path, path: Path, entries: Sequence[PackedEntry]) -> tuple[str, ...]: ...
    def dropped(self, path: Path) -> Mapping[str, int]: ...
    def own_format(self, name: str) -> Format | None: ...


@dataclass(frozen=True, slots=True)
class ArchivedSource:
    """A packed file, unpacked for the lifetime of this object and readable only by its owner.

    `path` is the unpacked file, and `member` is the table in it.
    """

    source: RecordSource
    format: Format
    folder: UnpackedFolder = field(repr=False)
    path: Path = field(repr=False)
    member: str = field(repr=False)

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


@dataclass(frozen=True, slots=True)
class PackedFiles:
    """The format of a pack. Each file in it is read by its own format."""

    pack: Pack

    @property
    def name(self) -> str:
        """The name of the pack."""
        return self.pack.name

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether the suffix is one of the pack's."""
        return suffix in self.pack.suffixes

    def members(self, path: Path, options: ReadOptions) -> tuple[str, ...]:
        """The files in their order, including files within packed files (`inner.zip/a.csv`).

        A packed container that is nested too deeply, too large, or broken is listed by its own name
        and refused when it is opened.

        Raises:
            DeidError: the error of the pack if it cannot list the files.
        """
        return tuple(self.members_at(path, options, 0))

    def members_at(self, path: Path, options: ReadOptions, depth: int) -> Iterator[str]:
        """The members of a file that is nested `depth` levels deep."""
        for name in self.pack.entries(path):
            try:
                found = list(self._listed_in(path, name, options, depth))
            except DeidError:
                found = []
            yield from (f"{name}/{one}" for one in found) if found else (name,)

    def open(self, path: Path, options: ReadOptions, member: str = "") -> RecordSource:
        """Open one file, unpacked for the lifetime of the source.

        Raises:
            DeidError: `table-missing`, `unknown-format`, `container-in-archive`, and the errors of
                the pack and of the file's format.
        """
        entry, rest = self._divided(path, member)
        if rest:
            folder, target = self._shared(path, entry)
        else:
            folder = UnpackedFolder()
            target = self._unpacked(path, entry, folder.path)
        found = self.pack.own_format(entry) or format_of(target, options)
        if found is None:
            raise archive_refusal("unknown-format", "the packed file is in no supported format")
        if not is_container(found):
            return ArchivedSource(found.open(target, options), found, folder, target, "")
        if not rest:
            found.members(target, options)  # raises if the container is broken
            raise archive_refusal(
                "container-in-archive", "the archive contains another container", "unpack it first"
            )
        return ArchivedSource(found.open(target, options, rest), found, folder, target, rest)

    def create(self, path: Path, source: RecordSource, columns: Mapping[int, str]) -> Sink:
        """Open the sink for one file; the part is written in the format of that file."""
        if not isinstance(source, ArchivedSource):
            raise TypeError("a pack's sink needs an archived source")
        return source.format.create(path, source.source, columns)

    def assemble(self, target: Path, path: Path, parts: Sequence[ContainerPart]) -> tuple[str, ...]:
        """Pack the parts as in the original. A part in a new format gets that format's suffix."""
        groups: dict[str, list[tuple[str, ContainerPart]]] = {}
        for part in parts:
            entry, rest = self._divided(path, part.member)
            groups.setdefault(entry, []).append((rest, part))
        entries: list[PackedEntry] = []
        below: dict[str, list[str]] = {}
        with ExitStack() as stack:
            for entry, group in groups.items():
                name = _entry_name(entry, group, {one.name for one in entries})
                lies_at = group[0][1].path
                if group[0][0]:
                    folder = stack.enter_context(tempfile.TemporaryDirectory(dir=process_folder()))
                    lies_at, below[entry] = self._assembled(path, entry, group, Path(folder))
                entries.append(PackedEntry(entry, name, lies_at))
            names = dict(zip(groups, self.pack.pack(target, path, entries), strict=True))
        keys = {
            part.member: f"{names[entry]}/{below[entry][place]}" if rest else names[entry]
            for entry, group in groups.items()
            for place, (rest, part) in enumerate(group)
        }
        return tuple(keys[part.member] for part in parts)

    def left_behind(
        self, path: Path, member: str = "", options: ReadOptions | None = None
    ) -> Mapping[str, int]:
        """Return counts of what the pack drops; for a member, of what its format leaves out."""
        if not member:
            return {what: count for what, count in self.pack.dropped(path).items() if count}
        try:
            source = self.open(path, options or ReadOptions(), member)
        except DeidError:
            return {}
        if not isinstance(source, ArchivedSource):
            return {}
        tell = getattr(self.pack.own_format(self._divided(path, member)[0]), "left_behind", None)
        if tell is not None:
            told: Mapping[str, int] = tell(source.path, "", options)
            return told
        return left_behind(source.path, source.member, options)

    def _divided(self, path: Path, member: str) -> tuple[str, str]:
        """Return the entry that is or holds a member, and the name of the member within the entry.

        The member "" is the only entry.

        Raises:
            DeidError: `table-missing`.
        """
        names = self.pack.entries(path)
        if not member and len(names) == 1:
            return names[0], ""
        if member in names:
            return member, ""
        for name in names:
            if member.startswith(f"{name}/"):
                return name, member.removeprefix(f"{name}/")
        raise archive_refusal(
            "table-missing", "the archive has no such file", "give the name of a file in it"
        )

    def _unpacked(self, path: Path, entry: str, folder: Path, most: int = 1 << 62) -> Path:
        target = folder / f"member{_entry_suffix(entry)}"
        target.touch(mode=0o600)
        self.pack.unpack(path, entry, target, most)
        return target

    def _shared(self, path: Path, entry: str) -> tuple[UnpackedFolder, Path]:
        """Unpack an entry that holds files, once for all files that are read from it in a row.

        Raises:
            DeidError: the error of the pack if it cannot unpack the entry.
        """
        state = path.stat()
        key = (path, state.st_ino, state.st_mtime_ns, state.st_size, entry)

        def unpack(folder: Path) -> Path:
            return self._unpacked(path, entry, folder, LARGEST_INNER_PACK)

        return unpacked_once(key, unpack)

    def _listed_in(self, path: Path, name: str, options: ReadOptions, depth: int) -> Iterator[str]:
        """Yield the files or tables in an entry; none if the entry is not a container.

        Raises:
            DeidError: the error of the pack if it cannot unpack the entry, or of its format.
        """
        if (
            depth >= DEEPEST_PACK
            or not is_named_container(name)
            or self.pack.own_format(name) is not None
        ):
            return
        kept, target = self._shared(path, name)
        found = format_of(target)
        if found is not None and is_container(found):
            yield from _listed(found, target, options, depth + 1)
        del kept  # the unpacked entry must exist until here, whatever else is unpacked in between

    def _assembled(
        self, path: Path, entry: str, group: Sequence[tuple[str, ContainerPart]], folder: Path
    ) -> tuple[Path, list[str]]:
        """Assemble an entry that holds files. Returns its path and the names of its parts."""
        above = len(PurePosixPath(entry).parts)
        kept, original = self._shared(path, entry)
        found = format_of(original)
        if found is None or not is_container(found):
            raise archive_refusal("table-missing", "the archive changed while it was read")
        inner = [
            ContainerPart(rest, "/".join(PurePosixPath(part.name).parts[above:]), part.path)
            for rest, part in group
        ]
        target = folder / "out" / original.name
        target.parent.mkdir()
        names = list(found.assemble(target, original, inner))
        del kept  # the unpacked original must exist until here
        return target, names


def _listed(found: Container, path: Path, options: ReadOptions, depth: int) -> Iterator[str]:
    if isinstance(found, PackedFiles):
        return found.members_at(path, options, depth)
    return iter(found.members(path, options))


def _entry_suffix(entry: str) -> str:
    """Return the suffix that shows the format of a name: both suffixes of `a.csv.gz`."""
    found = _SUFFIX_OF_ENTRY.search(PurePosixPath(entry).name)
    return found[0] if found else ""


def _entry_name(entry: str, group: Sequence[tuple[str, ContainerPart]], taken: set[str]) -> str:
    """Return the new name of an entry, from its parts' names and with its new format's suffix."""
    rest, part = group[0]
    name = "/".join(PurePosixPath(part.name).parts[: len(PurePosixPath(entry).parts)])
    suffix = _entry_suffix(entry) if rest else part.path.suffix
    if not name.casefold().endswith(suffix.casefold()):
        name += suffix
    path, number = PurePosixPath(name), 2
    while name in taken:
        name = path.with_name(f"{path.stem}_{number}{path.suffix}").as_posix()
        number += 1
    return name
