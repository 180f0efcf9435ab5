"""Opens attachments as searchable text; other attachments are not released."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field

from deid.formats.documents.attached import (
    AttachedDocument,
    base64_bytes,
    is_document_kind,
    kind_of_type,
    open_attached,
)

_MEDIA_TYPE = re.compile(
    r"\s*([\w.+-]+/[\w.+-]+)\s*(?:;.*?charset\s*=\s*\"?([\w.:-]+))?", re.IGNORECASE
)
_SEARCHED = ("text/plain", "text/markdown", "text/csv", "text/tab-separated-values", "text/x-note")


@dataclass(frozen=True, slots=True)
class AttachedText:
    """The document that an attachment held in Base64."""

    document: AttachedDocument = field(repr=False)

    def encode(self, text: str) -> str:
        """The document with the new text, encoded in Base64."""
        return base64.b64encode(self.document.written(text)).decode("ascii")


def open_attachment(
    content_type: object, data: object, rtf: str = "document"
) -> tuple[AttachedText, str] | None:
    """The text of an attachment and how to write it again, if it is text, HTML or a document."""
    if not isinstance(content_type, str) or not isinstance(data, str):
        return None
    found = _MEDIA_TYPE.match(content_type)
    kind = kind_of_type(found[1]) if found else ""
    if found is None or not (kind or found[1].casefold() in _SEARCHED):
        return None
    raw = base64_bytes(data)
    opened = None if raw is None else open_attached(raw, kind, found[2] or "", rtf)
    return None if opened is None else (AttachedText(opened), opened.text)


def is_document_type(content_type: str) -> bool:
    """Whether the media type is that of a document that can be read."""
    return is_document_kind(kind_of_type(content_type))


def written_type(content_type: str, data: object, rtf: str) -> str:
    """The media type of an attachment as written: plain text if its document becomes text."""
    opened = open_attachment(content_type, data, rtf) if is_document_type(content_type) else None
    return "text/plain" if opened and opened[0].document.becomes_text else content_type


def is_image(content_type: object) -> bool:
    """Whether the media type is an image."""
    return isinstance(content_type, str) and content_type.casefold().startswith("image/")
