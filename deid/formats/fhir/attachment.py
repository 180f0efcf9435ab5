"""Opens attachments: searchable text, or content that is not released."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, field, replace
from functools import lru_cache

from deid.errors import DeidError
from deid.formats.documents.docx import read_docx, write_docx
from deid.formats.documents.odt import read_odt
from deid.formats.documents.rtf import read_rtf, write_rtf
from deid.formats.documents.whole_text import ReadDocument, ReadText, WriteDocument
from deid.formats.fhir.narrative import Markup, read_narrative, write_narrative
from deid.formats.pdf.document import read_pdf
from deid.formats.signatures import sniff

_MEDIA_TYPE = re.compile(
    r"\s*([\w.+-]+/[\w.+-]+)\s*(?:;.*?charset\s*=\s*\"?([\w.:-]+))?", re.IGNORECASE
)
_HTML_MEDIA_TYPES = ("text/html", "application/xhtml+xml")
_RTF_MEDIA_TYPES = ("text/rtf", "application/rtf", "text/richtext")
_WORD_MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
# Documents are read by these; those without a writer become plain text.
_DOCUMENT_READERS: dict[str, ReadDocument] = {
    **dict.fromkeys(_RTF_MEDIA_TYPES, read_rtf),
    _WORD_MEDIA_TYPE: read_docx,
    "application/pdf": read_pdf,
    "application/vnd.oasis.opendocument.text": read_odt,
}
_DOCUMENT_WRITERS: dict[str, WriteDocument] = {
    **dict.fromkeys(_RTF_MEDIA_TYPES, write_rtf),
    _WORD_MEDIA_TYPE: write_docx,
}
_DOCUMENTS_HELD = 8
_SEARCHED = ("text/plain", "text/markdown", "text/csv", "text/tab-separated-values", "text/x-note")
_BINARY_CHARACTER = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
_ATTACHMENT_CHARSETS = re.compile(
    r"utf-?8|utf-?16|us-ascii|iso-8859-\d{1,2}|windows-125\d", re.IGNORECASE
)
_WHITESPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class AttachedText:
    """A text that was base64: its encoding, the markup of an HTML page, or the type of the document
    that it was and how that was laid out."""

    encoding: str
    markup: Markup | None = field(default=None, repr=False)
    kind: str = ""
    layout: ReadText = field(default=ReadText(""), repr=False)

    def encode(self, text: str) -> str:
        """The text in base64 again."""
        if self.kind in _DOCUMENT_WRITERS:
            return base64.b64encode(_DOCUMENT_WRITERS[self.kind](self.layout, text)).decode("ascii")
        if self.markup is not None:
            text = f"<html><body>{write_narrative(self.markup, text)}</body></html>"
        try:
            raw = text.encode(self.encoding)
        except UnicodeEncodeError:
            raw = text.encode("ascii", "xmlcharrefreplace")
        return base64.b64encode(raw).decode("ascii")


def open_attachment(content_type: object, data: object) -> tuple[AttachedText, str] | None:
    """The text of an attachment and how to write it again, if it is text, HTML or a document."""
    if not isinstance(content_type, str) or not isinstance(data, str):
        return None
    found = _MEDIA_TYPE.match(content_type)
    kind = found[1].casefold() if found else ""
    if found is None or kind not in (*_SEARCHED, *_HTML_MEDIA_TYPES, *_DOCUMENT_READERS):
        return None
    try:
        raw = base64.b64decode(_WHITESPACE.sub("", data), validate=True)
    except (binascii.Error, ValueError):
        return None
    if kind in _DOCUMENT_READERS:
        return _open_document(kind, raw)
    encoding, text = _decode_attachment(raw, found[2])
    if text is None or _BINARY_CHARACTER.search(text) or sniff(text) is not None:
        return None
    if kind in _HTML_MEDIA_TYPES:
        markup, text = read_narrative(text)
        return AttachedText(encoding, markup), text
    return AttachedText(encoding), text


def is_document_type(content_type: str) -> bool:
    """Whether it is the type of a document that is read."""
    return content_type.casefold() in _DOCUMENT_READERS


def written_type(content_type: str, data: object) -> str:
    """The media type of an attachment as it is written: text, where its document is not."""
    kind = content_type.casefold()
    opened = (
        kind in _DOCUMENT_READERS and kind not in _DOCUMENT_WRITERS and open_attachment(kind, data)
    )
    return "text/plain" if opened else content_type


@lru_cache(maxsize=_DOCUMENTS_HELD)
def _open_document(kind: str, raw: bytes) -> tuple[AttachedText, str] | None:
    try:
        read = _DOCUMENT_READERS[kind](raw)
    except DeidError:
        return None
    layout = replace(read, text="") if kind in _DOCUMENT_WRITERS else ReadText("")
    return (
        None
        if sniff(read.text) is not None
        else (AttachedText("utf-8", None, kind, layout), read.text)
    )


def _decode_attachment(raw: bytes, charset: str | None) -> tuple[str, str | None]:
    named = charset if charset and _ATTACHMENT_CHARSETS.fullmatch(charset) else "utf-8"
    for name in (named, "utf-8", "cp1252"):
        try:
            return name, raw.decode(name)
        except (LookupError, UnicodeError):
            continue
    return "utf-8", None


def is_image(content_type: object) -> bool:
    """Whether its type is an image."""
    return isinstance(content_type, str) and content_type.casefold().startswith("image/")
