"""Opens attachments: searchable text, or content that is not released."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, field

from deid.errors import DeidError
from deid.formats.documents.rtf import read_rtf, write_rtf
from deid.formats.documents.whole_text import ReadText
from deid.formats.fhir.narrative import Markup, read_narrative, write_narrative
from deid.formats.signatures import sniff

_MEDIA_TYPE = re.compile(
    r"\s*([\w.+-]+/[\w.+-]+)\s*(?:;.*?charset\s*=\s*\"?([\w.:-]+))?", re.IGNORECASE
)
_HTML_MEDIA_TYPES = ("text/html", "application/xhtml+xml")
_RTF_MEDIA_TYPES = ("text/rtf", "application/rtf", "text/richtext")
_SEARCHED = ("text/plain", "text/markdown", "text/csv", "text/tab-separated-values", "text/x-note")
_BINARY_CHARACTER = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
_ATTACHMENT_CHARSETS = re.compile(
    r"utf-?8|utf-?16|us-ascii|iso-8859-\d{1,2}|windows-125\d", re.IGNORECASE
)
_WHITESPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class AttachedText:
    """A text that was base64: its encoding, the markup of an HTML page, or that it was RTF."""

    encoding: str
    markup: Markup | None = field(default=None, repr=False)
    rtf: bool = False

    def encode(self, text: str) -> str:
        """The text in base64 again."""
        if self.rtf:
            return base64.b64encode(write_rtf(ReadText(""), text)).decode("ascii")
        if self.markup is not None:
            text = f"<html><body>{write_narrative(self.markup, text)}</body></html>"
        try:
            raw = text.encode(self.encoding)
        except UnicodeEncodeError:
            raw = text.encode("ascii", "xmlcharrefreplace")
        return base64.b64encode(raw).decode("ascii")


def open_attachment(content_type: object, data: object) -> tuple[AttachedText, str] | None:
    """The text of an attachment and how to write it again, if it is text, HTML or RTF."""
    if not isinstance(content_type, str) or not isinstance(data, str):
        return None
    found = _MEDIA_TYPE.match(content_type)
    kind = found[1].casefold() if found else ""
    if found is None or kind not in (*_SEARCHED, *_HTML_MEDIA_TYPES, *_RTF_MEDIA_TYPES):
        return None
    try:
        raw = base64.b64decode(_WHITESPACE.sub("", data), validate=True)
    except (binascii.Error, ValueError):
        return None
    if kind in _RTF_MEDIA_TYPES:
        return _open_rtf(raw)
    encoding, text = _decode_attachment(raw, found[2])
    if text is None or _BINARY_CHARACTER.search(text) or sniff(text) is not None:
        return None
    if kind in _HTML_MEDIA_TYPES:
        markup, text = read_narrative(text)
        return AttachedText(encoding, markup), text
    return AttachedText(encoding), text


def _open_rtf(raw: bytes) -> tuple[AttachedText, str] | None:
    try:
        text = read_rtf(raw).text
    except DeidError:
        return None
    return None if sniff(text) is not None else (AttachedText("ascii", rtf=True), text)


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
