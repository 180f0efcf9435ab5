"""Documents embedded in FHIR resources, HL7 v2 messages and C-CDA, each read by its own format.

Attachments of e-mail are separate files, which `mail_files` reads.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from deid.errors import DeidError
from deid.formats.documents.docx import read_docx, write_docx
from deid.formats.documents.mail import mail_parts, parse_mail
from deid.formats.documents.odt import read_odt
from deid.formats.documents.rtf import read_rtf, write_rtf
from deid.formats.documents.whole_text import ReadDocument, ReadText, WriteDocument
from deid.formats.fhir.narrative import Markup, read_narrative, write_narrative
from deid.formats.signatures import sniff
from deid.formats.text.encoding import decoded_as_told

PLAIN_TEXT, HTML, MIME = "text", "html", "mime"
LARGEST_ATTACHED = 1 << 26
_DOCX_MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def _read_attached_pdf(data: bytes) -> ReadText:
    # Imported with the first PDF, because most messages hold none.
    from deid.formats.pdf.document import read_pdf

    return read_pdf(data)


# The readers of documents, by the signature of their content.
_DOCUMENT_READERS: dict[str, ReadDocument] = {
    "rtf-document": read_rtf,
    "word-document": read_docx,
    "pdf-document": _read_attached_pdf,
    "opendocument-text": read_odt,
}
# Documents of other kinds are written as plain text.
_DOCUMENT_WRITERS: dict[str, WriteDocument] = {
    "rtf-document": write_rtf,
    "word-document": write_docx,
}
_KINDS_OF_TYPES = {
    **dict.fromkeys(("text/rtf", "application/rtf", "text/richtext"), "rtf-document"),
    _DOCX_MEDIA_TYPE: "word-document",
    "application/pdf": "pdf-document",
    "application/vnd.oasis.opendocument.text": "opendocument-text",
    **dict.fromkeys(("text/html", "application/xhtml+xml"), HTML),
}
_ATTACHED_HELD = 8
_LOOKED_AT = 1 << 16
_ATTACHED_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
_ATTACHED_CHARSETS = re.compile(
    r"utf-?8|utf-?16|us-ascii|iso-8859-\d{1,2}|windows-125\d", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class AttachedDocument:
    """What was read from an attached document, and how to write the document again.

    `kind` is `text`, `html`, `mime` or the signature of a document. `layout` is what its writer
    needs besides the text. `unread` counts the parts of a mail that were left out. `becomes_text`
    says that a document of another kind is written as plain text.
    """

    text: str = field(repr=False)
    kind: str
    encoding: str = "utf-8"
    layout: Any = field(default=None, repr=False)
    unread: int = 0
    becomes_text: bool = False

    def written(self, text: str) -> bytes:
        """Return the bytes of the document with a new text."""
        if self.kind in _DOCUMENT_WRITERS and not self.becomes_text:
            return _DOCUMENT_WRITERS[self.kind](self.layout, text)
        if isinstance(self.layout, Markup):
            text = f"<html><body>{write_narrative(self.layout, text)}</body></html>"
        try:
            return text.encode(self.encoding)
        except UnicodeEncodeError:
            return text.encode("ascii", "xmlcharrefreplace")


def base64_bytes(text: str) -> bytes | None:
    """The bytes of a text in Base64, with any line breaks; None if the text is not Base64."""
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return None


def kind_of_type(media_type: str) -> str:
    """The kind of document that a media type names; "" for text and all other types."""
    return _KINDS_OF_TYPES.get(media_type.casefold(), "")


def is_document_kind(kind: str) -> bool:
    """Whether documents of this kind can be read and are neither text nor HTML."""
    return kind in _DOCUMENT_READERS


@lru_cache(maxsize=_ATTACHED_HELD)
def open_attached(
    raw: bytes, kind: str = "", charset: str = "", rtf: str = "document"
) -> AttachedDocument | None:
    """The document in these bytes; None if it cannot be read completely or holds non-text content.

    `kind` is the declared kind; "" means text, or the kind that the content shows. `rtf` is the
    kind of output for RTF, as in `ReadOptions`.
    """
    if len(raw) > LARGEST_ATTACHED:
        return None
    if kind == MIME:
        return _open_parts(raw)
    if kind in ("", PLAIN_TEXT):
        shown = sniff(raw[:_LOOKED_AT])
        kind = shown.format if shown is not None and shown.format in _DOCUMENT_READERS else kind
    if kind in _DOCUMENT_READERS:
        return _open_document(raw, kind, rtf)
    encoding, text = _decoded_text(raw, charset)
    if text is None or _ATTACHED_CONTROLS.search(text) or sniff(text) is not None:
        return None
    if kind == HTML:
        markup, text = read_narrative(text)
        return AttachedDocument(text, HTML, encoding, markup)
    return AttachedDocument(text, PLAIN_TEXT, encoding)


def _open_document(raw: bytes, kind: str, rtf: str) -> AttachedDocument | None:
    try:
        read = _DOCUMENT_READERS[kind](raw)
    except DeidError:
        return None
    if sniff(read.text) is not None:
        return None
    as_text = kind not in _DOCUMENT_WRITERS or (kind == "rtf-document" and rtf == "text")
    layout = ReadText("") if as_text else replace(read, text="")
    return AttachedDocument(read.text, kind, "utf-8", layout, becomes_text=as_text)


def _decoded_text(raw: bytes, charset: str) -> tuple[str, str | None]:
    named = charset if charset and _ATTACHED_CHARSETS.fullmatch(charset) else "utf-8"
    for name in (named, "utf-8", "cp1252"):
        try:
            return name, decoded_as_told(raw, name)
        except (LookupError, UnicodeError):
            continue
    return "utf-8", None


def _open_parts(raw: bytes) -> AttachedDocument | None:
    """The texts of a MIME package (RFC 2045). Each part is read by its own kind."""
    dropped: Counter[str] = Counter()
    texts: list[str] = []
    unread = 0
    try:
        for part, _ in mail_parts(parse_mail(raw), dropped):
            opened = _open_part(part)
            if opened is None:
                unread += 1
            else:
                texts.append(opened.text)
    except DeidError:
        return None
    if not texts:
        return None
    left_out = unread + dropped.total()
    return AttachedDocument("\n\n".join(texts), MIME, unread=left_out, becomes_text=True)


def _open_part(part: Any) -> AttachedDocument | None:
    data = None if part.is_multipart() else part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return None
    kind = kind_of_type(part.get_content_type())
    return open_attached(data, kind, part.get_content_charset() or "")
