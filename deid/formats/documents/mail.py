"""The messages of an e-mail file, written to a new file from their headers and texts.

A message is a record, whose columns are the headers in `loci.csv` and the text of the message.
`mail_files` reads the attachments.
"""

from __future__ import annotations

import json
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
from deid.formats.documents.whole_text import refuse_document
from deid.formats.text.encoding import decoded_as_told
from deid.vocabularies.locus import Locus, LocusTable

MAIL_HEADERS = ("From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Date", "Subject")
MOST_PARTS, MOST_PART_DEPTH = 1000, 30
_MESSAGE_START = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From [^\r\n]*\r?\n")
_MAIL_HEADER = re.compile(rb"\s*[A-Za-z][A-Za-z0-9-]{0,60}:")
MBOX_LINE = b"From MAILER-DAEMON Thu Jan  1 00:00:00 1970\n"
_ATTACHED_COUNTS = {
    "image": "pictures",
    "audio": "media",
    "video": "media",
    "application/pgp-signature": "signatures",
    "application/pkcs7-signature": "signatures",
    "application/x-pkcs7-signature": "signatures",
}
_SEALED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")
_MAIL_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")


@dataclass(frozen=True, slots=True)
class ReadMessage:
    """The cells of one message, and counts of what was left out of it."""

    cells: tuple[str | None, ...] = field(repr=False)
    dropped: Mapping[str, int]


def read_message(data: bytes) -> ReadMessage:
    """The headers and the text of one message.

    Raises:
        DeidError: `broken-mail`, `mail-limits`, `encrypted-mail`, `undecodable-bytes`,
            `encoding-unknown`, or a code of the HTML reader for its text.
    """
    message = parse_mail(data)
    try:
        headers = tuple(_header_text(message, name) for name in MAIL_HEADERS)
    except (MessageError, HeaderParseError, ValueError, IndexError):
        raise refuse_document("broken-mail") from None
    dropped: Counter[str] = Counter()
    dropped["headers"] = sum(name.title() not in MAIL_HEADERS for name in message)
    texts = [_shown_text(part, dropped) for part, shown in mail_parts(message, dropped) if shown]
    text = "\n\n".join(texts).replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
    if _MAIL_CONTROLS.search(text) or any(_MAIL_CONTROLS.search(cell or "") for cell in headers):
        raise refuse_document("control-characters")
    return ReadMessage((*headers, text), +dropped)


def parse_mail(data: bytes) -> Message:
    """Parse one message with its parts.

    Raises:
        DeidError: `broken-mail`.
    """
    if not _MAIL_HEADER.match(data):
        raise refuse_document("broken-mail")
    try:
        return message_from_bytes(data, policy=policy.compat32)
    except (MessageError, HeaderParseError, ValueError, RecursionError, IndexError):
        raise refuse_document("broken-mail") from None


def _header_text(message: Message, name: str) -> str | None:
    found = message.get_all(name)
    if not found:
        return None
    try:
        shown = [_decoded_header(str(value)) for value in found]
    except (LookupError, UnicodeError):
        raise refuse_document("encoding-unknown") from None
    return " ".join(", ".join(shown).split()) or None


def _decoded_header(value: str) -> str:
    runs = decode_header(value)
    for data, charset in runs:
        if isinstance(data, bytes) and charset:
            decoded_as_told(data, charset)
    return str(make_header(runs))


def mail_parts(message: Message, dropped: Counter[str]) -> Iterator[tuple[Message, bool]]:
    """The texts that a mail program shows (True) and the attachments (False), in order.

    Raises:
        DeidError: `broken-mail`, `mail-limits`, `encrypted-mail`.
    """
    # A text part that is one of several alternative forms may have a file name, too.
    stack, parts = [(message, 0, False)], 0
    while stack:
        part, depth, is_form = stack.pop()
        parts += 1
        if parts > MOST_PARTS or depth > MOST_PART_DEPTH:
            raise refuse_document("mail-limits")
        kind = part.get_content_type()
        if kind in _SEALED:
            raise refuse_document("encrypted-mail")
        inside = part.get_payload() if part.is_multipart() else None
        counted = _ATTACHED_COUNTS.get(kind) or _ATTACHED_COUNTS.get(part.get_content_maintype())
        if counted is not None:
            dropped[counted] += 1
        elif (_is_attached(part) and not is_form) or kind == "message/rfc822":
            yield part, False
        elif isinstance(inside, list):
            forms = kind == "multipart/alternative"
            chosen = _shown_alternatives(inside, dropped) if forms else inside
            below = [(one, depth + 1, forms) for one in chosen if isinstance(one, Message)]
            stack += reversed(below)
        elif kind.startswith("multipart/"):
            raise refuse_document("broken-mail")
        else:
            yield part, kind in ("text/plain", "text/html")


def _is_attached(part: Message) -> bool:
    return bool(part.get_filename()) or part.get_content_disposition() == "attachment"


def _shown_text(part: Message, dropped: Counter[str]) -> str:
    text = _part_text(part)
    if part.get_content_type() != "text/html":
        return text
    page = read_html_text(text)
    dropped.update(page.dropped)
    return page.text


def _shown_alternatives(parts: Sequence[Any], dropped: Counter[str]) -> list[Any]:
    """Return the plain text among alternative forms of one text; without it, the last form."""
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
            return decoded_as_told(data, "cp1252" if codec == "iso-8859-1" else codec)
        except LookupError:
            raise refuse_document("encoding-unknown") from None
        except UnicodeError:
            continue
    raise refuse_document("undecodable-bytes")


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A file to be attached: its name, media type and content."""

    name: str
    media_type: str
    content: bytes = field(repr=False)


def write_message(cells: Mapping[str, str | None], enclosed: Sequence[Enclosure] = ()) -> bytes:
    """A new message with these headers, this text in UTF-8, and these files."""
    lines = [
        f"{name}: {Header(value, None if value.isascii() else 'utf-8', 990).encode()}\n"
        for name in MAIL_HEADERS
        if (value := " ".join((cells.get(name) or "").split()))
    ]
    message = EmailMessage(policy=policy.default.clone(linesep="\n"))
    message.set_content(cells.get("text") or "", charset="utf-8", cte="quoted-printable")
    for one in enclosed:
        main, _, sub = one.media_type.partition("/")
        message.add_attachment(
            one.content, maintype=main, subtype=sub, filename=one.name, cte="base64"
        )
    if enclosed:  # no line of base64 or quoted-printable text can contain this boundary
        message.set_boundary("=_part_")
    body = message.as_bytes()
    return "".join(lines).encode() + re.sub(rb"(?m)^From ", b"=46rom ", body)


def split_messages(data: bytes) -> list[bytes]:
    """The bytes of each message: a single message, unless the data begins as an mbox."""
    if not holds_many(data):
        return [data]
    starts = [match.span() for match in _MESSAGE_START.finditer(data)]
    ends = [start for start, _ in starts[1:]] + [len(data)]
    return [
        re.sub(rb"(?m)^>From ", b"From ", data[start:end])
        for (_, start), end in zip(starts, ends, strict=True)
    ]


def holds_many(data: bytes) -> bool:
    """Whether a file begins as an mbox."""
    return _MESSAGE_START.match(data) is not None


def join_messages(messages: Sequence[bytes], *, many: bool) -> bytes:
    """The bytes of a file with these messages.

    An mbox has a line before each message, without sender and time.
    """
    return b"\n".join((MBOX_LINE if many else b"") + message for message in messages)


@dataclass(frozen=True, slots=True)
class MailSource:
    """A file of messages. Each message is a record."""

    path: Path
    loci: tuple[Locus | None, ...]
    columns: tuple[str, ...] = (*MAIL_HEADERS, "text")

    def __repr__(self) -> str:
        return "MailSource()"

    def records(self) -> Iterator[Record | RecordFault]:
        """The messages. A message that cannot be read becomes a fault."""
        for ordinal, data in enumerate(split_messages(self.path.read_bytes()), 1):
            try:
                read = read_message(data)
            except DeidError as error:
                yield RecordFault(ordinal, error.code)
                continue
            yield Record(ordinal, read.cells, skeleton=ordinal)


class MailSink:
    """Writes new messages as lines of JSON, each after the ordinal of its message."""

    def __init__(self, path: Path, columns: Mapping[int, str]) -> None:
        self._names = [(*MAIL_HEADERS, "text")[index] for index in columns]
        self._file = path.open("w", encoding="utf-8", newline="\n")

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None:
        """Write one message."""
        told = {name: cell for name, cell in zip(self._names, cells, strict=True) if cell}
        self._file.write(json.dumps([skeleton, told]) + "\n")

    def close(self) -> None:
        """Write what is buffered."""
        self._file.close()


def written_messages(path: Path) -> dict[int, dict[str, str]]:
    """The cells of the messages that a closed sink wrote, by message ordinal."""
    lines = path.read_text("utf-8").splitlines()
    return dict(map(json.loads, lines))


class Messages:
    """The messages of a file, without their attachments."""

    name = "messages"

    def accepts(self, path: Path, suffix: str) -> bool:
        """Accept no file: `mail_files` uses this format directly."""
        return False

    def open(self, path: Path, options: ReadOptions) -> RecordSource:
        """Open the messages. If there is only one, it is read at once.

        Raises:
            DeidError: the codes of `read_message` if the file is a single message.
        """
        table = LocusTable.read("deid.formats.documents")
        messages = split_messages(path.read_bytes())
        if len(messages) == 1:
            read_message(messages[0])
        return MailSource(path, tuple(table.find(name) for name in (*MAIL_HEADERS, "text")))

    def create(self, path: Path, source: MailSource, columns: Mapping[int, str]) -> Sink:
        """Open the sink for the messages."""
        return MailSink(path, columns)

    def left_behind(
        self, path: Path, member: str = "", options: ReadOptions | None = None
    ) -> Mapping[str, int]:
        """Counts of pictures, alternative forms, and headers that are not in `loci.csv`."""
        found: Counter[str] = Counter()
        for data in split_messages(path.read_bytes()):
            try:
                found.update(read_message(data).dropped)
            except DeidError:
                continue
        return found
