"""Embedded data of HL7 v2 (type ED): documents are opened; other data is not released."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field

from deid.formats.documents.attached import (
    HTML,
    MIME,
    AttachedDocument,
    base64_bytes,
    kind_of_type,
    open_attached,
)

_TEXT_SUBTYPES = frozenset(
    ["", "text", "tx", "ft", "ap", "application", "octet-stream", "x-hl7-text"]
)
_SUBTYPES = frozenset(["", "plain", "text", "txt", "ascii", "octet-stream", "x-hl7-text"])
# Words other than media types that senders write in ED-2 and ED-3.
_KINDS_OF_WORDS = {
    **dict.fromkeys(["html", "htm", "xhtml"], HTML),
    **dict.fromkeys(["rtf", "richtext"], kind_of_type("application/rtf")),
    "pdf": kind_of_type("application/pdf"),
    **dict.fromkeys(["docx", "word"], "word-document"),
    "odt": "opendocument-text",
    **dict.fromkeys(["multipart", "mime"], MIME),
}
_MARKUP = re.compile(r"\s*<[!?A-Za-z]")
MOST_DATA = 1 << 26


@dataclass(frozen=True, slots=True)
class Opened:
    """A document in ED-5, and its encoding (`base64`, `hex` or `a`)."""

    document: AttachedDocument = field(repr=False)
    coding: str

    @property
    def text(self) -> str:
        """The text of the document."""
        return self.document.text

    def closed(self, text: str) -> str:
        """Return the document with the new text, in its old encoding."""
        data = self.document.written(text)
        if self.coding == "base64":
            return base64.b64encode(data).decode("ascii")
        return data.hex().upper() if self.coding == "hex" else data.decode("utf-8", "replace")


def open_data(kind: str, subtype: str, coding: str, data: str, rtf: str) -> Opened | None:
    """Read the document in ED-5 as ED-2 to ED-4 describe it; None if it cannot be read.

    Text in XML or JSON is not opened: names in it have no sentence around them.
    """
    kind, subtype, coding = (word.strip().casefold() for word in (kind, subtype, coding))
    told = _kind_told(kind, subtype)
    if told is None or not data or len(data) > MOST_DATA:
        return None
    raw = _embedded_bytes(coding, data)
    opened = None if raw is None else open_attached(raw, told, rtf=rtf)
    if opened is None or (opened.kind == "text" and _MARKUP.match(opened.text)):
        return None
    return Opened(opened, coding)


def _kind_told(kind: str, subtype: str) -> str | None:
    """Return the kind of document by ED-2 and ED-3: "" for text or no name, None for others."""
    for word in (subtype, f"{kind}/{subtype}", kind):
        if found := _KINDS_OF_WORDS.get(word) or kind_of_type(word):
            return found
    named = kind.removeprefix("text/") if kind.startswith("text/") else kind
    return "" if named in _TEXT_SUBTYPES | _SUBTYPES and subtype in _SUBTYPES else None


def _embedded_bytes(coding: str, data: str) -> bytes | None:
    """The decoded bytes of Base64, hex or plain text; None for any other encoding."""
    if coding == "base64":
        return base64_bytes(data)
    if coding == "hex":
        try:
            return bytes.fromhex(data)
        except ValueError:
            return None
    return data.encode("utf-8", "replace") if coding in ("a", "") else None
