"""E-mail: `.eml` with one message and `.mbox` with many, written anew from headers and texts.

A message is a record whose columns are the headers of `loci.csv` and its text. Attachments are
withheld and counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.errors import HeaderParseError, MessageError
from email.header import Header, decode_header, make_header
from email.message import EmailMessage, Message
from pathlib import Path
from typing import Any

from deid.errors import DeidError
from deid.formats.contract import ReadOptions, Record, RecordFault, RecordSource, Sink
from deid.formats.documents.html_page import read_html_text
from deid.formats.documents.whole_text import LARGEST_DOCUMENT_FILE, refuse_document
from deid.vocabularies.locus import Locus, LocusTable

MAIL_HEADERS = ("From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Date", "Subject")
MOST_PARTS, MOST_PART_DEPTH = 1000, 30
_MESSAGE_START = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From [^\r\n]*\r?\n")
_MAIL_HEADER = re.compile(rb"\s*[A-Za-z][A-Za-z0-9-]{0,60}:")
_MBOX_LINE = b"From MAILER-DAEMON Thu Jan  1 00:00:00 1970\n"
_SEALED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")
_MAIL_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")


@dataclass(frozen=True, slots=True)
class ReadMessage:
    """The cells of one message, and what of it was left out."""

    cells: tuple[str | None, ...] = field(repr=False)
    dropped: Mapping[str, int]


def read_message(data: bytes) -> ReadMessage:
    """The headers and the text of one message.

    Raises:
        DeidError: `broken-mail`, `mail-limits`, `encrypted-mail`, `undecodable-bytes`,
            `encoding-unknown`, or a code of the HTML of its text.
    """
    if not _MAIL_HEADER.match(data):
        raise refuse_document("broken-mail")
    try:
        message = message_from_bytes(data, policy=policy.compat32)
        headers = tuple(_header_text(message, name) for name in MAIL_HEADERS)
    except (MessageError, HeaderParseError, ValueError, RecursionError, IndexError):
        raise refuse_document("broken-mail") from None
    dropped: Counter[str] = Counter()
    dropped["headers"] = sum(name.title() not in MAIL_HEADERS for name in message)
    texts = list(_texts_of(message, dropped))
    text = "\n\n".join(texts).replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
    if _MAIL_CONTROLS.search(text) or any(_MAIL_CONTROLS.search(cell or "") for cell in headers):
        raise refuse_document("control-characters")
    return ReadMessage((*headers, text), +dropped)


def _header_text(message: Message, name: str) -> str | None:
    found = message.get_all(name)
    if not found:
        return None
    try:
        shown = [str(make_header(decode_header(str(value)))) for value in found]
    except (LookupError, UnicodeError):
        raise refuse_document("encoding-unknown") from None
    return " ".join(", ".join(shown).split()) or None


def _texts_of(message: Message, dropped: Counter[str]) -> Iterator[str]:
    """The texts that a mail program shows in the message, in order."""
    stack, parts = [(message, 0)], 0
    while stack:
        part, depth = stack.pop()
        parts += 1
        if parts > MOST_PARTS or depth > MOST_PART_DEPTH:
            raise refuse_document("mail-limits")
        kind = part.get_content_type()
        if kind in _SEALED:
            raise refuse_document("encrypted-mail")
        inside = part.get_payload() if part.is_multipart() else None
        if part.get_filename() or part.get_content_disposition() == "attachment":
            dropped["attachments"] += 1
        elif kind == "message/rfc822":
            dropped["attached-messages"] += 1
        elif isinstance(inside, list):
            chosen = (
                _shown_alternatives(inside, dropped) if kind == "multipart/alternative" else inside
            )
            stack += [(one, depth + 1) for one in reversed(chosen) if isinstance(one, Message)]
        elif kind in ("text/plain", "text/html"):
            text = _part_text(part)
            page = read_html_text(text) if kind == "text/html" else None
            dropped.update(page.dropped if page else {})
            yield page.text if page else text
        elif kind.startswith("multipart/"):
            raise refuse_document("broken-mail")
        else:
            dropped["attachments"] += 1


def _shown_alternatives(parts: Sequence[Any], dropped: Counter[str]) -> list[Any]:
    """The plain text of several forms of one text, otherwise the last form."""
    plain = [part for part in parts if part.get_content_type() == "text/plain"]
    chosen = plain[:1] or list(parts[-1:])
    dropped["alternative-texts"] += len(parts) - len(chosen)
    return chosen


def _part_text(part: Message) -> str:
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        raise refuse_document("broken-mail")
    named = (part.get_content_charset() or "utf-8").lower()
    named = "utf-8" if named == "us-ascii" else named
    for codec in dict.fromkeys((named, "utf-8", *(["cp1252"] if named == "utf-8" else []))):
        try:
            return data.decode("cp1252" if codec == "iso-8859-1" else codec)
        except LookupError:
            raise refuse_document("encoding-unknown") from None
        except UnicodeDecodeError:
            continue
    raise refuse_document("undecodable-bytes")


def write_message(cells: Mapping[str, str | None]) -> bytes:
    """A new message of these headers and this text, in UTF-8."""
    lines = [
        f"{name}: {Header(value, None if value.isascii() else 'utf-8', 990).encode()}\n"
        for name in MAIL_HEADERS
        if (value := " ".join((cells.get(name) or "").split()))
    ]
    message = EmailMessage(policy=policy.default.clone(linesep="\n"))
    message.set_content(cells.get("text") or "", charset="utf-8", cte="quoted-printable")
    body = message.as_bytes()
    return "".join(lines).encode() + re.sub(rb"(?m)^From ", b"=46rom ", body)


@dataclass(frozen=True, slots=True)
class MailSource:
    """A file of messages. Each is a record."""

    path: Path
    loci: tuple[Locus | None, ...]
    columns: tuple[str, ...] = (*MAIL_HEADERS, "text")

    def __repr__(self) -> str:
        return "MailSource()"

    def messages(self) -> Iterator[bytes]:
        """The bytes of each message: one, unless the file begins as an mbox does."""
        data = self.path.read_bytes()
        if _MESSAGE_START.match(data) is None:
            yield data
            return
        starts = [match.span() for match in _MESSAGE_START.finditer(data)]
        ends = [start for start, _ in starts[1:]] + [len(data)]
        for (_, start), end in zip(starts, ends, strict=True):
            yield re.sub(rb"(?m)^>From ", b"From ", data[start:end])

    def records(self) -> Iterator[Record | RecordFault]:
        """The messages; one that cannot be read is a fault."""
        for ordinal, data in enumerate(self.messages(), 1):
            try:
                read = read_message(data)
            except DeidError as error:
                yield RecordFault(ordinal, error.code)
                continue
            yield Record(ordinal, read.cells)


class MailSink:
    """Writes new messages; an mbox has a line before each, without sender and time."""

    def __init__(self, path: Path, columns: Mapping[int, str]) -> None:
        self.path = path if path.suffix.casefold() in _SUFFIXES else path.with_suffix(".eml")
        self._names = [(*MAIL_HEADERS, "text")[index] for index in columns]
        self._many = self.path.suffix.casefold() == ".mbox"
        self.path.write_bytes(b"" if self._many else write_message({}))
        self._started = False

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None:
        """One message."""
        data = write_message(dict(zip(self._names, cells, strict=True)))
        with self.path.open("ab" if self._many or self._started else "wb") as file:
            file.write(
                (b"\n" if self._started else b"") + (_MBOX_LINE if self._many else b"") + data
            )
        self._started = True

    def close(self) -> None:
        """Do nothing; no file is open."""


_SUFFIXES = (".eml", ".mbox")


class Mail:
    """A stored e-mail, or many in one file."""

    name = "mail"

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether it is e-mail by suffix."""
        return suffix in _SUFFIXES

    def open(self, path: Path, options: ReadOptions) -> RecordSource:
        """Check the size and the beginning; a single message is read once.

        Raises:
            DeidError: `too-large`, or what `read_message` says of a single message.
        """
        if path.stat().st_size > LARGEST_DOCUMENT_FILE:
            raise refuse_document("too-large")
        table = LocusTable.read("deid.formats.documents")
        source = MailSource(path, tuple(table.find(name) for name in (*MAIL_HEADERS, "text")))
        messages = list(source.messages())
        if len(messages) == 1:
            read_message(messages[0])
        return source

    def create(self, path: Path, source: RecordSource, columns: Mapping[int, str]) -> Sink:
        """Open the output for the messages."""
        if not isinstance(source, MailSource):
            raise TypeError("a mail sink needs a mail source")
        many = next(_MESSAGE_START.finditer(source.path.read_bytes()), None) is not None
        return MailSink(path.with_suffix(".mbox") if many else path, columns)

    def left_behind(self, path: Path, member: str = "") -> Mapping[str, int]:
        """Attachments, alternative forms, and headers that `loci.csv` does not name."""
        found: Counter[str] = Counter()
        for data in MailSource(path, ()).messages():
            try:
                found.update(read_message(data).dropped)
            except DeidError:
                continue
        return found


FORMAT = Mail()
