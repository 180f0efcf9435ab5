"""A document as one text: what its reader returns, and a new document written only from that."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from deid.errors import DeidError, unreadable
from deid.formats.contract import ReadOptions, Record, RecordFault, RecordSource, Sink
from deid.vocabularies.quarantine_codes import reason

LARGEST_DOCUMENT_FILE = 1 << 26
# A job opens, surveys, scrubs and accounts for its files one after the other. Documents that were
# read are cached up to this number of characters in total; the latest document is always cached.
_CHARACTERS_KEPT = 1_000_000


@dataclass(frozen=True, slots=True)
class ReadText:
    """What was read from a document.

    `layout` is what the writer of the same format needs besides the text; it holds no value.
    `dropped` counts what was left out, by value-free codes.
    """

    text: str = field(repr=False)
    layout: Any = field(default=None, repr=False)
    dropped: Mapping[str, int] = field(default_factory=dict)


ReadDocument = Callable[[bytes], ReadText]
"""Reads a document; raises DeidError with a code of `quarantine_codes.csv` if it cannot."""
WriteDocument = Callable[[ReadText, str], bytes]


@dataclass(frozen=True, slots=True)
class DocumentSource:
    """One document: one record with the single column `text`.

    `output` is the kind of output that the reading options name for its format.
    """

    path: Path
    read: ReadDocument
    output: str = ""
    columns: tuple[str, ...] = ("text",)

    def __repr__(self) -> str:
        return "DocumentSource(1 document)"

    def records(self) -> Iterator[Record | RecordFault]:
        """The document, or a fault if the file changed after it was opened."""
        try:
            found = read_once(self.path, self.read)
        except DeidError as error:
            yield RecordFault(1, error.code)
            return
        yield Record(1, (found.text,), skeleton=found)


class DocumentSink:
    """Writes the new document to `path`. `suffix` is added to its name."""

    def __init__(self, path: Path, suffix: str, write: WriteDocument) -> None:
        self.path = path.with_name(path.name + suffix)
        self._write = write
        self.path.write_bytes(write(ReadText(""), ""))

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None:
        """Write the document."""
        if not isinstance(skeleton, ReadText):
            raise TypeError("a document's sink needs what was read from the document")
        self.path.write_bytes(self._write(skeleton, cells[0] if cells and cells[0] else ""))

    def close(self) -> None:
        """Do nothing; no file is open."""


@dataclass(frozen=True, slots=True)
class DocumentFormat:
    """A document format: a reader from bytes, and a writer from what was read.

    `suffixes` are the suffixes that it reads. An output has the suffix of its input if that is one
    of `written`, otherwise the first of `written`. `others` has the suffix and the writer of each
    other kind of output that the reading options may name.
    """

    name: str
    suffixes: tuple[str, ...]
    read: ReadDocument
    write: WriteDocument
    written: tuple[str, ...]
    others: Mapping[str, tuple[str, WriteDocument]] = field(default_factory=dict)

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether the suffix is that of such a document."""
        return suffix in self.suffixes

    def open(self, path: Path, options: ReadOptions) -> RecordSource:
        """Read the document once.

        Raises:
            DeidError: the error of the reader if it cannot read the document.
        """
        read_once(path, self.read)
        return DocumentSource(path, self.read, options.output_of(self.name))

    def create(self, path: Path, source: RecordSource, columns: Mapping[int, str]) -> Sink:
        """Open the output for the document."""
        output = source.output if isinstance(source, DocumentSource) else ""
        if output in self.others:
            return DocumentSink(path, *self.others[output])
        same = path.suffix.casefold() in self.written
        return DocumentSink(path, "" if same else self.written[0], self.write)

    def left_behind(
        self, path: Path, member: str = "", options: ReadOptions | None = None
    ) -> Mapping[str, int]:
        """Counts of what was left out, and whether the output format differs from the input."""
        told = {code: n for code, n in read_once(path, self.read).dropped.items() if n}
        output = "" if options is None else options.output_of(self.name)
        suffix = self.others[output][0] if output in self.others else self.written[0]
        if suffix not in self.suffixes and not self.keeps_format(output):
            told["written-as-markdown" if suffix == ".md" else "written-as-text"] = 1
        return told

    def keeps_format(self, output: str) -> bool:
        """Whether this kind of output has the input's format, unlike the default output."""
        return False


def write_lines(read: ReadText, text: str) -> bytes:
    """The text in UTF-8, with a line end at its end."""
    return (text + "\n" if text else "").encode("utf-8")


def refuse_document(code: str) -> DeidError:
    """The error for a document that is withheld, worded as in `quarantine_codes.csv`."""
    told = reason(code)
    return unreadable(code, told.what, hint=told.way_out)


def read_once(path: Path, read: ReadDocument) -> ReadText:
    """Return the reader's result for a file; the latest results are cached.

    Raises:
        DeidError: `too-large`, or the error of the reader.
    """
    state = path.stat()
    if state.st_size > LARGEST_DOCUMENT_FILE:
        raise refuse_document("too-large")
    key = (path, state.st_mtime_ns, state.st_size, read)
    found = _KEPT_DOCUMENTS.find(key)
    if found is None:
        found = read(path.read_bytes())
        _KEPT_DOCUMENTS.keep(key, found)
    return found


class _KeptDocuments:
    """Cached documents; the one used last is at the end."""

    def __init__(self) -> None:
        self._found: OrderedDict[Hashable, ReadText] = OrderedDict()
        self._characters = 0
        self._lock = Lock()

    def find(self, key: Hashable) -> ReadText | None:
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
            return self._found.get(key)

    def keep(self, key: Hashable, document: ReadText) -> None:
        """Keep a document, and drop the least recently used ones."""
        with self._lock:
            if key not in self._found:
                self._characters += len(document.text)
            self._found[key] = document
            while self._characters > _CHARACTERS_KEPT and len(self._found) > 1:
                self._characters -= len(self._found.popitem(last=False)[1].text)


_KEPT_DOCUMENTS = _KeptDocuments()
