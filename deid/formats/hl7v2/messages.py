"""HL7 v2 messages, versions 2.1 to 2.8: one or many per file, with or without batches and frames.

Each message, batch header and batch trailer is a record. Its values are cells at paths (`PID-5.1`,
`OBX-5[CWE].2`, `PID-3.1[SS]`); everything else is written again byte for byte. Values at unlisted
paths are emptied, but all segments and fields stay.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from deid.errors import DeidError, unreadable
from deid.formats.contract import ReadOptions, Record, RecordFault, RecordSource, Sink
from deid.formats.hl7v2.escapes import Delimiters
from deid.formats.hl7v2.message import parse_message
from deid.formats.hl7v2.message_split import MessageBlock, Wide, message_blocks, wide_encoding
from deid.formats.hl7v2.pieces import Message, Unreadable, released_pieces
from deid.formats.path_columns import PathColumns, count_paths
from deid.vocabularies.locus import Locus

_HL7_SUFFIXES = (".hl7", ".hl7v2", ".er7")
# MSH-18 (HL7 table 0211): the codec of messages that are not UTF-8.
_MSH18_CODECS = {f"8859/{part}": f"iso8859-{part}" for part in (*range(1, 10), 15)} | {
    "GB 18030-2000": "gb18030",
    "BIG-5": "big5",
    "KS X 1001": "euc_kr",
    "ISO IR87": "iso2022_jp",
    "ISO IR14": "shift_jis",
}
_SHORT_UTF8_SEQUENCE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}")


@dataclass(frozen=True, slots=True)
class MessageSkeleton:
    """A message as it was read, the column of each of its values, and its codec."""

    message: Message = field(repr=False)
    columns: tuple[int, ...]
    codec: str


@dataclass(frozen=True, slots=True)
class Hl7Source:
    """One file of messages; its columns are paths."""

    path: Path
    wide: Wide | None
    paths: PathColumns
    loci: tuple[Locus | None, ...]
    rtf: str

    def __repr__(self) -> str:
        return f"Hl7Source({len(self.columns)} columns)"

    @property
    def columns(self) -> tuple[str, ...]:
        """The paths of the values."""
        return self.paths.columns

    def records(self) -> Iterator[Record | RecordFault]:
        """One record per message or batch segment, in order."""
        for ordinal, message, codec in _messages(self.path, self.wide, self.rtf):
            if isinstance(message, str):
                yield RecordFault(ordinal, message)
            else:
                yield self._record(ordinal, message, codec)

    def _record(self, ordinal: int, message: Message, codec: str) -> Record:
        cells: list[str | None] = [None] * len(self.columns)
        leaves = ((value.place.path, value.text) for value in message.values)
        places = self.paths.place(leaves, cells)
        return Record(ordinal, tuple(cells), skeleton=MessageSkeleton(message, places, codec))


def _messages(path: Path, wide: Wide | None, rtf: str) -> Iterator[tuple[int, Message | str, str]]:
    """The ordinal of each block, its parsed message or an error code, and its codec."""
    ordinals = count(1)
    inherited = Delimiters()
    for block in message_blocks(path, wide):
        message, codec = _taken_apart(block, inherited, rtf)
        if isinstance(message, Message):
            inherited = message.delimiters
        yield next(ordinals), message, codec


def _taken_apart(block: MessageBlock, inherited: Delimiters, rtf: str) -> tuple[Message | str, str]:
    if block.code:
        return block.code, ""
    data = b"".join(block.lines)
    try:
        text, codec = _decode_message(data)
        if "\x0b" in text and "\x1c" not in text:
            return "truncated-frame", ""
        return parse_message(text, inherited, rtf), codec
    except Unreadable as error:
        return str(error), ""


def _decode_message(data: bytes) -> tuple[str, str]:
    """The text of a message and its codec: UTF-8, else the codec of MSH-18, else Windows-1252.

    Raises:
        Unreadable: `undecodable-bytes`.
    """
    try:
        text = data.decode("utf-8")
        declared = "" if text.isascii() and "\x1b" not in text else "utf-8"
        codec = declared or _declared_codec(data) or "utf-8"
        return (text, "utf-8") if codec == "utf-8" else (data.decode(codec), codec)
    except UnicodeDecodeError:
        pass
    codec = _declared_codec(data)
    if codec == "utf-8" or (not codec and _SHORT_UTF8_SEQUENCE.search(data)):
        raise Unreadable("undecodable-bytes")
    try:
        return data.decode(codec or "cp1252"), codec or "cp1252"
    except UnicodeDecodeError:
        raise Unreadable("undecodable-bytes") from None


def _declared_codec(data: bytes) -> str:
    """The codec that MSH-18 declares, or "" if it is missing or unknown."""
    head = re.split(rb"[\r\n]", data.lstrip(b"\xef\xbb\xbf \t\r\n\x0b"), maxsplit=1)[0]
    fields = head[4:].split(head[3:4]) if len(head) > 4 else []
    said = fields[16].decode("ascii", "replace").strip() if len(fields) > 16 else ""
    name = re.split(r"[~^]", said)[0].strip().upper()
    if "UTF-8" in name or "UTF8" in name:
        return "utf-8"
    return _MSH18_CODECS.get(name, "")


class Hl7Sink:
    """Writes messages with released values in place and all other values empty."""

    def __init__(self, path: Path, source: Hl7Source, columns: Mapping[int, str]) -> None:
        self._file = path.open("wb")
        self._wide = source.wide
        self._position = {column: place for place, column in enumerate(columns)}
        if self._wide is not None:
            self._file.write(self._wide.bom)

    def write(self, cells: Sequence[str | None], skeleton: object = None) -> None:
        """Write one message from the cells of the released columns, in order, and its skeleton."""
        if not isinstance(skeleton, MessageSkeleton):
            raise TypeError("a message needs the skeleton it was read with")
        message = skeleton.message
        pieces = list(message.pieces)
        for value, column in zip(message.values, skeleton.columns, strict=True):
            place = self._position.get(column)
            cell = None if place is None else cells[place]
            for piece, raw in zip(value.pieces, released_pieces(message, value, cell), strict=True):
                pieces[piece] = raw
        codec = skeleton.codec if self._wide is None else self._wide.codec
        self._file.write("".join(pieces).encode(codec, "replace"))

    def close(self) -> None:
        """Write what is buffered and close the file."""
        self._file.close()


class Hl7v2:
    """A file of HL7 v2 messages in vertical-bar encoding."""

    name = "hl7v2"

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether the suffix is one of HL7 v2."""
        return suffix in _HL7_SUFFIXES

    def open(self, path: Path, options: ReadOptions) -> RecordSource:
        """Collect the paths of all messages.

        Raises:
            DeidError: `unreadable-encoding`, or `no-message` if the file holds no message.
        """
        wide = wide_encoding(path)
        most: dict[str, int] = {}
        loci: dict[str, Locus | None] = {}
        found = False
        for _, message, _ in _messages(path, wide, options.rtf):
            found = found or message != "no-header"
            if isinstance(message, str):
                continue
            count_paths(most, (value.place.path for value in message.values))
            for value in message.values:
                loci.setdefault(value.place.path, value.place.locus)
        if not found and path.stat().st_size:
            raise _no_message_refusal()
        paths = PathColumns.of(most)
        return Hl7Source(
            path, wide, paths, tuple(loci[name] for name in paths.columns), options.rtf
        )

    def create(self, path: Path, source: RecordSource, columns: Mapping[int, str]) -> Sink:
        """Open the output, in the encoding of the input."""
        if not isinstance(source, Hl7Source):
            raise TypeError("an HL7 v2 sink needs an HL7 v2 source")
        return Hl7Sink(path, source, columns)

    def left_behind(
        self, path: Path, member: str = "", options: ReadOptions | None = None
    ) -> Mapping[str, int]:
        """The counts of unlisted values, unread attachments and documents written as text."""
        counted: Counter[str] = Counter()
        for _, message, _ in _messages(path, wide_encoding(path), (options or ReadOptions()).rtf):
            for value in () if isinstance(message, str) else message.values:
                if value.place.locus is None:
                    counted["unnamed-values"] += 1
                elif value.place.path.endswith("[binary]"):
                    counted["binary-attachments"] += 1
                elif value.atom.opened is not None:
                    counted["binary-attachments"] += value.atom.opened.document.unread
                    counted["written-as-text"] += value.atom.opened.document.becomes_text
        return dict(+counted)


def _no_message_refusal() -> DeidError:
    return unreadable(
        "no-message",
        "the file has no HL7 v2 message",
        hint="give messages that begin with an MSH segment",
    )


FORMAT = Hl7v2()
