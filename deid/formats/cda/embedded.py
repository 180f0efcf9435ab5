"""Opens content embedded in a C-CDA element: the text as displayed, or nothing."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any

from lxml import etree, html

from deid.formats.signatures import sniff

LARGEST_EMBEDDED = 1 << 24
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
    """Whether it holds an image, a PDF or other content that cannot be searched as text."""
    kind = node.get("mediaType", "").partition(";")[0].strip().casefold()
    return kind not in _TEXT_MEDIA_TYPES or "compression" in node.attrib


def is_encoded(node: Any) -> bool:
    """Whether the element declares or appears to hold Base64."""
    return node.get("representation") == "B64" or looks_encoded(node.text or "")


def looks_encoded(text: str) -> bool:
    """Whether a text is nothing but long lines of Base64."""
    lines = text.split()
    long = bool(lines) and all(len(line) >= LEAST_LINE for line in lines[:-1] or lines)
    return long and _BASE64_CONTENT.fullmatch("".join(lines)) is not None


def open_embedded(node: Any) -> str | None:
    """The text in an element, decoded from Base64 and HTML, or None if it cannot be searched."""
    text = node.text or ""
    if len(text) > LARGEST_EMBEDDED:
        return None
    plain = _decode_base64_text(text) if is_encoded(node) else text
    if plain is None or _EMBEDDED_CONTROLS.search(plain):
        return None
    if is_marked(plain):
        return unmarked(plain)
    return plain if sniff(plain) is None else None


def _decode_base64_text(text: str) -> str | None:
    try:
        return base64.b64decode("".join(text.split()), validate=True).decode("utf-8-sig")
    except (binascii.Error, ValueError):
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
