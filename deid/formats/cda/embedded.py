"""Open content embedded in a C-CDA element: return the text as displayed, or None."""

from __future__ import annotations

import re
from typing import Any

from lxml import etree, html

from deid.formats.documents.attached import (
    AttachedDocument,
    base64_bytes,
    is_document_kind,
    kind_of_type,
    open_attached,
)
from deid.formats.signatures import sniff

LARGEST_EMBEDDED = 1 << 26
LEAST_LINE = 60
_TEXT_MEDIA_TYPES = frozenset(
    ("", "text/plain", "text/x-hl7-ft", "text/x-hl7-text+xml", "text/html")
)
_BASE64_CONTENT = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_MARKUP_START = re.compile(r"\s*<(?:!doctype|!--|\?xml|[a-z][a-z0-9:]{0,20}[\s>/])", re.IGNORECASE)
_EMBEDDED_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0e-\x1f]")
_LINE_ELEMENTS = ("br", "p", "div", "tr", "li", "table", "pre", "h1", "h2", "h3", "h4", "h5", "h6")
_CELLS = ("td", "th")


def is_file(node: Any) -> bool:
    """Whether the element holds an image or other content that is neither text nor document."""
    if "compression" in node.attrib:
        return True
    return _media_type(node) not in _TEXT_MEDIA_TYPES and not names_document(node)


def names_document(node: Any) -> bool:
    """Whether the media type is that of a readable document: Word, RTF, PDF, OpenDocument."""
    return is_document_kind(kind_of_type(_media_type(node)))


def _media_type(node: Any) -> str:
    told: str = node.get("mediaType", "")
    return told.partition(";")[0].strip().casefold()


def open_document(node: Any, rtf: str) -> AttachedDocument | None:
    """The document in an element, in Base64 or as plain RTF; None for text and HTML.

    A document that cannot be read also gives None, but `names_document` is true for it.
    """
    text = node.text or ""
    raw = base64_bytes(text) if is_encoded(node) else text.encode("utf-8")
    if raw is None:
        return None
    kind = kind_of_type(_media_type(node)) if names_document(node) else ""
    opened = open_attached(raw, kind, rtf=rtf)
    return opened if opened is not None and is_document_kind(opened.kind) else None


def is_encoded(node: Any) -> bool:
    """Whether the element declares or appears to hold Base64."""
    return node.get("representation") == "B64" or looks_encoded(node.text or "")


def looks_encoded(text: str) -> bool:
    """Whether a text consists only of long lines of Base64."""
    lines = text.split()
    long = bool(lines) and all(len(line) >= LEAST_LINE for line in lines[:-1] or lines)
    return long and _BASE64_CONTENT.fullmatch("".join(lines)) is not None


def open_embedded(node: Any) -> str | None:
    """The text in an element, decoded from Base64 and HTML; None if it cannot be searched."""
    text = node.text or ""
    if len(text) > LARGEST_EMBEDDED or names_document(node):
        return None
    plain = _decode_base64_text(text) if is_encoded(node) else text
    if plain is None or _EMBEDDED_CONTROLS.search(plain):
        return None
    if is_marked(plain):
        return unmarked(plain)
    return plain if sniff(plain) is None else None


def _decode_base64_text(text: str) -> str | None:
    raw = base64_bytes(text)
    try:
        return None if raw is None else raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def is_marked(text: str) -> bool:
    """Whether a text begins like HTML or XML."""
    return _MARKUP_START.match(text) is not None


def unmarked(text: str) -> str | None:
    """The displayed text of HTML: lines and cells without scripts, comments and attributes."""
    parser = html.HTMLParser(no_network=True, remove_comments=True, remove_pis=True)
    try:
        root = html.document_fromstring(re.sub(r"<\?xml[^>]{0,200}>", "", text), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return None
    etree.strip_elements(root, "script", "style", with_tail=False)
    for node in root.iter(*_LINE_ELEMENTS, *_CELLS):
        node.tail = ("\n" if node.tag in _LINE_ELEMENTS else " | ") + (node.tail or "")
    return str(root.text_content()).strip()
