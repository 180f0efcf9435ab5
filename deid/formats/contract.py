"""What a format is: a file read as records of cells, and written again in the same shape.

Every input is a table: a `.txt` is one record with the single column `text`, a line of JSONL a
record whose columns are its keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeGuard, runtime_checkable

import pyarrow as pa

from deid.errors import DeidError
from deid.vocabularies.locus import Locus


@dataclass(frozen=True, slots=True)
class NoteLine:
    """The note that a row is a line of: its key, and what stands between its lines."""

    key: str = field(repr=False)
    between: str = "\n"


@dataclass(frozen=True, slots=True)
class Record:
    """One record: its 1-based ordinal in the file and its cells, one a column; None is null.

    `patient` and `known` are what the record itself says of its person (JSONL documents).
    `skeleton` is whatever the sink of the same format needs to put the cells back in their place
    (the message, the resource, the element tree); nobody else looks at it. `note` is the
    note whose line the record is (`--group-by`).
    """

    ordinal: int
    cells: tuple[str | None, ...] = field(repr=False)
    patient: str | None = field(default=None, repr=False)
    known: Mapping[str, Sequence[str]] | None = field(default=None, repr=False)
    skeleton: Any = field(default=None, repr=False, compare=False)
    note: NoteLine | None = None


@dataclass(frozen=True, slots=True)
class RecordFault:
    """A record that could not be read whole: it is quarantined, never passed on."""

    ordinal: int
    code: str


class RecordSource(Protocol):
    """One input file, opened: its columns, and its records as often as they are asked for."""

    @property
    def columns(self) -> tuple[str, ...]: ...
    def records(self) -> Iterator[Record | RecordFault]: ...


@runtime_checkable
class ColumnSource(RecordSource, Protocol):
    """A source that may be had by column: then the cells, and their order, are those of `records`.

    `is_regular` says whether it can be: no record is a fault, no cell is anything but text or null.
    """

    def is_regular(self) -> bool: ...
    def batches(self) -> Iterator[pa.RecordBatch]: ...


class TreeSource(RecordSource, Protocol):
    """A source whose columns are paths of a published format, told by the format's locus table.

    `loci` goes by column; None is a path that the table does not name, so that it never leaves.
    The same path may head several columns: the first, second, ... value of a list.
    """

    @property
    def loci(self) -> tuple[Locus | None, ...]: ...


class Sink(Protocol):
    """One output file. `write` takes the cells of the columns that leave, in order, and the
    skeleton of the record they were read from."""

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None: ...
    def close(self) -> None: ...


_NAMES = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "caret": "^",
          "tilde": "~"}  # fmt: skip


def delimiter_named(named: str | None) -> str | None:
    """The delimiter that the command line names, by itself or in words.

    Raises:
        DeidError: `delimiter-invalid`.
    """
    if named is None:
        return None
    delimiter = _NAMES.get(named, named)
    if len(delimiter) != 1 or delimiter in '"\r\n':
        hint = f"one character, or {', '.join(_NAMES)}"
        raise DeidError("delimiter-invalid", "--delimiter is not one character", hint=hint)
    return delimiter


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What the command line says about reading.

    `keys` is set where a release is read again: how many keys the job numbered, so that the numbers
    which stand for them in columns of numbers are told as what they are, `[ID-17]`.
    """

    delimiter: str | None = None
    text_column: str | None = None
    id_column: str | None = None
    group_by: str | None = None
    order_by: str | None = None
    keys: int = 0

    def __post_init__(self) -> None:
        delimiter_named(self.delimiter)


class Format(Protocol):
    """A file format: `accepts` by name and first bytes, `open` to read, `create` to write.

    `suffix` is that of the name, in small letters, or the one that the content goes by.

    `create` gets the source, so that delimiter, quoting, encoding and line ends are kept, and the
    indexes of the columns that leave with the header each is to have.
    """

    @property
    def name(self) -> str: ...
    def accepts(self, path: Path, suffix: str) -> bool: ...
    def open(self, path: Path, options: ReadOptions) -> RecordSource: ...
    def create(self, path: Path, source: RecordSource, columns: Mapping[int, str]) -> Sink: ...


@dataclass(frozen=True, slots=True)
class ContainerPart:
    """One member of a container, scrubbed: the member it was, the name it is to have, its file."""

    member: str = field(repr=False)
    name: str = field(repr=False)
    path: Path = field(repr=False)


class Container(Format, Protocol):
    """A format whose files hold several tables: sheets, archived files, tables of a database.

    Each member is a source of its own. What `create` writes is a part, somewhere outside the
    release; `assemble` makes of all parts of one file the container at `target` (the original lies
    at `path`) and returns, in the order of `parts`, the member that each has become in it.
    """

    def members(self, path: Path, options: ReadOptions) -> tuple[str, ...]: ...
    def open(self, path: Path, options: ReadOptions, member: str = "") -> RecordSource: ...
    def assemble(
        self, target: Path, path: Path, parts: Sequence[ContainerPart]
    ) -> tuple[str, ...]: ...


def is_container(candidate: Format) -> TypeGuard[Container]:
    """Does the format read files of several tables?"""
    return hasattr(candidate, "members")


def sink_path(sink: Sink, asked: Path) -> Path:
    """Where a closed sink wrote: as asked, unless that format cannot be written."""
    path: Path = getattr(sink, "path", asked)
    return path
