"""Embedded data of HL7 v2 (type ED): text is decoded for the search; other data is not released."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, field

from deid.errors import DeidError
from deid.formats.documents.rtf import read_rtf, write_rtf
from deid.formats.documents.whole_text import ReadText
from deid.formats.signatures import sniff

_TEXT_SUBTYPES = frozenset(
    ["", "text", "tx", "ft", "ap", "application", "octet-stream", "x-hl7-text"]
)
_SUBTYPES = frozenset(["", "plain", "text", "txt", "ascii", "octet-stream", "x-hl7-text"])
_HTML_SUBTYPES = frozenset(["html", "htm", "text/html", "xhtml"])
_RTF_SUBTYPES = frozenset(["rtf", "text/rtf", "application/rtf", "richtext"])
_MARKUP = re.compile(r"\s*<[!?A-Za-z]")
_UNREADABLE_CHARACTERS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ufffd]")
MOST_DATA = 1 << 24


@dataclass(frozen=True, slots=True)
class Opened:
    """The text of an attachment, its coding (`base64`, `hex` or `a`) and its character set.

    The character set is `rtf` for the text of an RTF document.
    """

    text: str = field(repr=False)
    coding: str
    charset: str

    def closed(self, text: str) -> str:
        """Another text in the same coding."""
        rtf = self.charset == "rtf"
        data = write_rtf(ReadText(""), text) if rtf else text.encode(self.charset, "replace")
        if self.coding == "base64":
            return base64.b64encode(data).decode("ascii")
        return data.hex().upper() if self.coding == "hex" else text


def open_data(kind: str, subtype: str, coding: str, data: str) -> Opened | None:
    """The text in ED-5, by ED-2 to ED-4; None where it is not plainly text.

    What is marked up as XML or JSON is none: its names stand in no sentence. RTF is opened if its
    type says so.
    """
    kind, subtype, coding = (word.strip().casefold() for word in (kind, subtype, coding))
    named = kind.removeprefix("text/") if kind.startswith("text/") else kind
    if {named, subtype} & _RTF_SUBTYPES:
        return _opened_rtf(coding, data)
    if (
        named not in _TEXT_SUBTYPES | _SUBTYPES | _HTML_SUBTYPES
        or subtype not in _SUBTYPES | _HTML_SUBTYPES
    ):
        return None
    if len(data) > MOST_DATA:
        return None
    held = _decode_embedded(coding, data)
    if held is None:
        return None
    text, charset = held
    if _UNREADABLE_CHARACTERS.search(text) or sniff(text) is not None:
        return None
    if _MARKUP.match(text) and not ({named, subtype} & _HTML_SUBTYPES):
        return None
    return Opened(text, coding, charset)


def _opened_rtf(coding: str, data: str) -> Opened | None:
    raw = _embedded_bytes(coding, data) if len(data) <= MOST_DATA else None
    try:
        text = read_rtf(raw).text if raw else ""
    except DeidError:
        return None
    return Opened(text, coding, "rtf") if text and sniff(text) is None else None


def _embedded_bytes(coding: str, data: str) -> bytes | None:
    """The bytes in Base64 or hex; None for any other coding."""
    try:
        if coding == "base64":
            return base64.b64decode(re.sub(r"\s", "", data), validate=True)
        return bytes.fromhex(data) if coding == "hex" else None
    except (binascii.Error, ValueError):
        return None


def _decode_embedded(coding: str, data: str) -> tuple[str, str] | None:
    if coding in ("a", ""):
        return (data, "utf-8") if data else None
    raw = _embedded_bytes(coding, data)
    if raw is None:
        return None
    for charset in ("utf-8", "cp1252"):
        try:
            return raw.decode(charset), charset
        except UnicodeDecodeError:
            continue
    return None
