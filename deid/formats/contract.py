"""The interface of a format: read a file as records of cells and write them in the same shape.

Every input is a table: a `.txt` file is one record with the single column `text`; a line of JSONL
is a record whose columns are its keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeGuard, runtime_checkable

import pyarrow as pa

from deid.errors import DeidError
from deid.formats.fixed_width.layout import Layout


@dataclass(frozen=True, slots=True)
class NoteLine:
    """The note to which a row belongs as a line: the note's key and line separator."""

    key: str = field(repr=False)
    between: str = "\n"


@dataclass(frozen=True, slots=True)
class Record:
    """One record: its 1-based ordinal in the file and its cells, one per column; None is null.

    `patient` and `known` are what the record itself states about its patient (JSONL documents).
    `skeleton` is what the sink of the same format needs to put the cells back (the message,
    resource or element tree). `note` is the note to which the record belongs as a line
    (`--group-by`).
    """

    ordinal: int
    cells: tuple[str | None, ...] = field(repr=False)
    patient: str | None = field(default=None, repr=False)
    known: Mapping[str, Sequence[str]] | None = field(default=None, repr=False)
    skeleton: Any = field(default=None, repr=False, compare=False)
    note: NoteLine | None = None


@dataclass(frozen=True, slots=True)
class RecordFault:
    """A record that could not be read completely. It is quarantined."""

    ordinal: int
    code: str


class RecordSource(Protocol):
    """An opened input file: its columns and its records, which can be read repeatedly."""

    @property
    def columns(self) -> tuple[str, ...]: ...
    def records(self) -> Iterator[Record | RecordFault]: ...


@runtime_checkable
class ColumnSource(RecordSource, Protocol):
    """A source that can be read by column, with the same cells in the same order as `records`.

    `is_regular` says whether that is possible: no faults, and every cell is text or null.
    """

    def is_regular(self) -> bool: ...
    def batches(self) -> Iterator[pa.RecordBatch]: ...


class Sink(Protocol):
    """One output file.

    `write` takes the cells of the released columns, in order, and the skeleton of the record from
    which they were read.
    """

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None: ...
    def close(self) -> None: ...


# The kinds of output for documents of a format, chosen by the option of that name. The first is
# the default.
DOCUMENT_OUTPUTS = {"pdf": ("text", "markdown", "redacted"), "rtf": ("document", "text")}
_DELIMITER_NAMES = {
    "tab": "\t",
    "\\t": "\t",
    "comma": ",",
    "semicolon": ";",
    "pipe": "|",
    "caret": "^",
    "tilde": "~",
}


def delimiter_named(named: str | None) -> str | None:
    """The delimiter character, from the character or word given on the command line.

    Raises:
        DeidError: `delimiter-invalid`.
    """
    if named is None:
        return None
    delimiter = _DELIMITER_NAMES.get(named, named)
    if len(delimiter) != 1 or delimiter in '"\r\n':
        hint = f"one character, or {', '.join(_DELIMITER_NAMES)}"
        raise DeidError("delimiter-invalid", "--delimiter must be one character", hint=hint)
    return delimiter


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """The reading options of the command line.

    `keys` is the number of keys that the job numbered. It is set when a release is read again, so
    that numbers that replaced keys in numeric columns are read as `[ID-17]`. `pdf` is the kind of
    output for a PDF: its `text`, its text as `markdown`, or new `redacted` pages. `rtf` is the
    kind of output for RTF, also in cells and messages: a new `document`, or its `text`.
    `layout` is the layout of fixed-width files.
    """

    delimiter: str | None = None
    text_column: str | None = None
    id_column: str | None = None
    group_by: str | None = None
    order_by: str | None = None
    keys: int = 0
    pdf: str = "text"
    layout: Layout | None = None
    rtf: str = "document"

    def __post_init__(self) -> None:
        delimiter_named(self.delimiter)
        for name, outputs in DOCUMENT_OUTPUTS.items():
            if self.output_of(name) not in outputs:
                hint = f"one of {', '.join(outputs)}"
                raise DeidError(
                    f"{name}-option-invalid", f"--{name} must name a kind of output", hint=hint
                )

    def output_of(self, name: str) -> str:
        """Return the kind of output for documents of the named format; "" if there is no choice."""
        return {"pdf": self.pdf, "rtf": self.rtf}.get(name, "")


class Format(Protocol):
    """A file format: `accepts` checks name and first bytes, `open` reads, `create` writes.

    `suffix` is the lower-case suffix of the name, or the suffix of the detected content.

    `create` takes a source that `open` of the same format returned, to keep its delimiter, quoting,
    encoding and line ends, and the headers of the released columns by column index.
    """

    @property
    def name(self) -> str: ...
    def accepts(self, path: Path, suffix: str) -> bool: ...
    def open(self, path: Path, options: ReadOptions) -> RecordSource: ...
    def create(self, path: Path, source: Any, columns: Mapping[int, str]) -> Sink: ...


@dataclass(frozen=True, slots=True)
class ContainerPart:
    """One scrubbed member of a container: the original member, its new name and its file."""

    member: str = field(repr=False)
    name: str = field(repr=False)
    path: Path = field(repr=False)


class Container(Format, Protocol):
    """A format whose files hold several tables: sheets, archived files, or database tables.

    Each member is a source. `create` writes a part outside the release. `assemble` builds the
    container at `target` from the parts of one file. The original of the file is at `path`. It
    returns the member names in the order of `parts`.
    """

    def members(self, path: Path, options: ReadOptions) -> tuple[str, ...]: ...
    def open(self, path: Path, options: ReadOptions, member: str = "") -> RecordSource: ...
    def assemble(
        self, target: Path, path: Path, parts: Sequence[ContainerPart]
    ) -> tuple[str, ...]: ...


def first_bytes(path: Path, size: int) -> bytes:
    """The first bytes of a file, at most `size`; none if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(size)
    except OSError:
        return b""


def is_container(candidate: Format) -> TypeGuard[Container]:
    """Whether the format reads files with several tables."""
    return hasattr(candidate, "members")


def is_tabular(candidate: Format) -> bool:
    """Whether the format's files are tables, as its own attribute `is_tabular` says."""
    return bool(getattr(candidate, "is_tabular", False))


def sink_path(sink: Sink, asked: Path) -> Path:
    """Return the path that a closed sink wrote: `asked`, or another if the format changed."""
    path: Path = getattr(sink, "path", asked)
    return path
