"""Plain text: each file is one document. The job lists the files of a folder."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deid.errors import DeidError
from deid.formats.contract import (
    ReadOptions,
    Record,
    RecordFault,
    RecordSource,
    Sink,
    first_bytes,
)
from deid.formats.delimited.separators import is_delimited_text
from deid.formats.text.encoding import Encoding, detect_encoding

_TEXT_SUFFIXES = (".txt", ".text", ".note", ".md", ".log")
_SNIFFED_BYTES = 4096
# Bytes of one document: larger than any note, small enough to hold several copies in memory.
LARGEST_TEXT_FILE = 1 << 27
_CONTROL_BYTE = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


@dataclass(frozen=True, slots=True)
class TextSource:
    """One text file: one record with one column, `text`, that holds every character."""

    path: Path
    columns: tuple[str, ...] = ("text",)

    def __repr__(self) -> str:
        return "TextSource(1 document)"

    def records(self) -> Iterator[Record | RecordFault]:
        """The document, or a fault if it cannot be decoded or is too long to be searched."""
        if self.path.stat().st_size > LARGEST_TEXT_FILE:
            yield RecordFault(1, "text-too-long")
            return
        try:
            encoding = detect_encoding(self.path)
        except DeidError:
            yield RecordFault(1, "undecodable-bytes")
            return
        if encoding.damaged:
            yield RecordFault(1, "undecodable-bytes")
            return
        data = self.path.read_bytes()[len(encoding.bom) :]
        text = data.decode(encoding.codec)
        yield RecordFault(1, "control-characters") if "\0" in text else Record(1, (text,))


class TextSink:
    """Writes the document in its source's encoding, with its line ends."""

    def __init__(self, path: Path, source: TextSource) -> None:
        self._path = path
        self._encoding: Encoding | None = None
        with contextlib.suppress(DeidError):
            self._encoding = detect_encoding(source.path)
        path.write_bytes(b"")

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None:
        """Write the one document."""
        codec = "utf-8" if self._encoding is None else self._encoding.codec
        bom = b"" if self._encoding is None else self._encoding.bom
        self._path.write_bytes(bom + (cells[0] or "").encode(codec))

    def close(self) -> None:
        """Do nothing; no file is open."""


def _reads_as_text(path: Path) -> bool:
    head = first_bytes(path, _SNIFFED_BYTES)
    return bool(head) and not _CONTROL_BYTE.search(head)


class TextFile:
    """A `.txt` or `.log` file."""

    name = "text"

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether the suffix (or, without one, the content) is text, but not a delimited table."""
        named = suffix in _TEXT_SUFFIXES if suffix else _reads_as_text(path)
        return named and not is_delimited_text(path)

    def open(self, path: Path, options: ReadOptions) -> RecordSource:
        """Return the source; the file is not read yet."""
        return TextSource(path)

    def create(self, path: Path, source: TextSource, columns: Mapping[int, str]) -> Sink:
        """Open the output for the one document."""
        return TextSink(path, source)


FORMAT = TextFile()
