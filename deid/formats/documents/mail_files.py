"""E-mail as a container: its messages and their attachments, each read by its own format.

Pictures, sound and signatures are counted and left out. An attachment in no known format is
withheld, and the rest of the mail is released. An attached message is an e-mail file itself.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from email.errors import MessageError
from email.message import Message
from functools import cache, lru_cache
from pathlib import Path, PurePosixPath

from deid.errors import DeidError
from deid.formats.containers.pack import PackedEntry, PackedFiles
from deid.formats.contract import Format
from deid.formats.documents.mail import (
    Enclosure,
    Messages,
    holds_many,
    join_messages,
    mail_parts,
    parse_mail,
    split_messages,
    write_message,
    written_messages,
)
from deid.formats.documents.whole_text import LARGEST_DOCUMENT_FILE, refuse_document
from deid.formats.signatures.table import read_signatures

MESSAGES_ENTRY = "messages.eml"
_OOXML_TYPE = "application/vnd.openxmlformats-officedocument"
# The suffix for an attachment without a name, and the media type for the output.
_MEDIA_TYPES = {
    ".txt": "text/plain",
    ".md": "text/markdown",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".html": "text/html",
    ".rtf": "application/rtf",
    ".pdf": "application/pdf",
    ".docx": f"{_OOXML_TYPE}.wordprocessingml.document",
    ".xlsx": f"{_OOXML_TYPE}.spreadsheetml.sheet",
    ".odt": "application/vnd.oasis.opendocument.text",
    ".json": "application/json",
    ".xml": "application/xml",
    ".x12": "application/edi-x12",
    ".hl7": "application/hl7-v2",
    ".zip": "application/zip",
    ".gz": "application/gzip",
    ".tar": "application/x-tar",
    ".eml": "message/rfc822",
}
_SUFFIXES_OF_TYPES = {kind: suffix for suffix, kind in _MEDIA_TYPES.items()} | {
    "application/fhir+json": ".json",
    "application/fhir+xml": ".xml",
    "text/xml": ".xml",
    "text/rtf": ".rtf",
}


@dataclass(frozen=True, slots=True)
class _Attached:
    """A file attached to the message with this ordinal."""

    name: str
    ordinal: int
    content: bytes = field(repr=False)


class MailPack:
    """The messages of a file as one entry, and each attachment as another entry."""

    name = "mail"
    suffixes = (".eml", ".mbox")

    def entries(self, path: Path) -> Sequence[str]:
        """The entries. Raises DeidError: `too-large`, or as `mail_parts` for a single message."""
        return [MESSAGES_ENTRY, *(one.name for one in _attached_files(path))]

    def unpack(self, path: Path, name: str, target: Path, most: int) -> None:
        """Unpack one entry. Raises the same errors as `entries`."""
        if name == MESSAGES_ENTRY:
            shutil.copyfile(path, target)
            return
        target.write_bytes(next(one for one in _attached_files(path) if one.name == name).content)

    def pack(self, target: Path, path: Path, entries: Sequence[PackedEntry]) -> tuple[str, ...]:
        """Write new messages with their released attachments.

        A message whose text was withheld has no attachments.
        """
        ordinals = {one.name: one.ordinal for one in _attached_files(path)}
        own = [entry.path for entry in entries if entry.original == MESSAGES_ENTRY]
        cells = written_messages(own[0]) if own else {}
        enclosed: dict[int, list[Enclosure]] = {}
        for entry in entries:
            if entry.original != MESSAGES_ENTRY:
                enclosed.setdefault(ordinals[entry.original], []).append(_enclosure(entry))
        messages = [
            write_message(cells.get(ordinal, {}), enclosed.get(ordinal, ()))
            for ordinal in sorted(cells.keys() | enclosed.keys())
        ]
        many = holds_many(path.read_bytes())
        target.write_bytes(join_messages(messages, many=many))
        read_again = iter(self.entries(target)[1:])
        return tuple(
            MESSAGES_ENTRY if entry.original == MESSAGES_ENTRY else next(read_again)
            for entry in entries
        )

    def dropped(self, path: Path) -> Mapping[str, int]:
        """Return no counts: what is left out is counted with the messages."""
        return {}

    def own_format(self, name: str) -> Format | None:
        """The message format for the entry of the messages; None for attachments."""
        return _MESSAGES if name == MESSAGES_ENTRY else None


_MESSAGES = Messages()


def _enclosure(entry: PackedEntry) -> Enclosure:
    name = PurePosixPath(entry.name).name
    kind = _MEDIA_TYPES.get(PurePosixPath(name).suffix.casefold(), "application/octet-stream")
    # A message/rfc822 part must not be in base64, so another type is written.
    kind = "application/octet-stream" if kind == "message/rfc822" else kind
    return Enclosure(name, kind, entry.path.read_bytes())


def _attached_files(path: Path) -> tuple[_Attached, ...]:
    state = path.stat()
    if state.st_size > LARGEST_DOCUMENT_FILE:
        raise refuse_document("too-large")
    return _remembered_files(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=1)
def _remembered_files(path: Path, changed: int, size: int) -> tuple[_Attached, ...]:
    messages = split_messages(path.read_bytes())
    found: list[_Attached] = []
    for ordinal, data in enumerate(messages, 1):
        try:
            parts = [p for p, shown in mail_parts(parse_mail(data), Counter()) if not shown]
        except DeidError:
            if len(messages) == 1:
                raise
            continue  # the message with all its attachments is withheld
        folder = f"message-{ordinal}/" if len(messages) > 1 else ""
        for number, part in enumerate(parts, 1):
            name = f"{folder}attachment-{number}{_attached_suffix(part)}"
            found += (_Attached(name, ordinal, content) for content in _attached_bytes(part))
    return tuple(found)


def _attached_bytes(part: Message) -> Iterator[bytes]:
    """Yield the bytes of an attachment; nothing if the attachment cannot be decoded."""
    inside = part.get_payload()
    try:
        if isinstance(inside, list):
            inner = inside[0]
            yield inner.as_bytes() if isinstance(inner, Message) else b""
            return
        data = part.get_payload(decode=True)
        yield data if isinstance(data, bytes) else b""
    except (MessageError, LookupError, ValueError, TypeError, AttributeError):
        yield b""


def _attached_suffix(part: Message) -> str:
    """Return the suffix of the name if a format reads it, else the suffix for the media type."""
    named = PurePosixPath(part.get_filename() or "")
    ends = "".join(named.suffixes[-2:]).casefold() if named.suffix.casefold() == ".gz" else ""
    for suffix in (ends, named.suffix.casefold()):
        if suffix and all(f".{one}" in _known_suffixes() for one in suffix[1:].split(".")):
            return suffix
    return _SUFFIXES_OF_TYPES.get(part.get_content_type(), "")


@cache
def _known_suffixes() -> frozenset[str]:
    told = (suffix for signature in read_signatures() for suffix in signature.suffixes)
    return frozenset([*told, *_MEDIA_TYPES, ".log", ".text", ".mbox"])


FORMAT = PackedFiles(MailPack())
