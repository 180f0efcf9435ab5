"""The leaves of a C-CDA document: where each value stands, and how one is put back validly."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, field
from typing import Any, Protocol

MASKED = "MSK"
_TAG = re.compile(r"\[([A-Z][A-Z0-9-]*)\]")
_TIME = re.compile(r"\d{4,14}(?:\.\d{1,4})?(?:[+-]\d{2,4})?")
_FORMS = {
    "uid": re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*)"),
    "time": _TIME,
    "number": re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"),
    "word": re.compile(r"\S+"),
    "link": re.compile(r"[^\s\[\]]+"),
    "string": re.compile(r".*", re.DOTALL),
}
_JOINED = re.compile(r"[-:T ]")
_NUMBERED = re.compile(r"\[([A-Z]+-\d+)\]")
_PLAIN = frozenset(("", "text/plain", "text/x-hl7-ft", "text/x-hl7-text+xml"))
_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
LEAST_LINE = 60
LARGEST_BODY = 1 << 24


class Leaf(Protocol):
    """A value of the document, its path in the locus table ("" for none), and its place."""

    @property
    def path(self) -> str: ...
    @property
    def value(self) -> str: ...
    def put(self, cell: str | None) -> None: ...


@dataclass(frozen=True, slots=True)
class Stray:
    """What the tables do not name: it was left out, and is counted."""

    path: str = ""
    value: str = ""

    def put(self, cell: str | None) -> None:
        """Nothing comes back."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """The value of an attribute. Without an `essential` one its element says that it is masked."""

    path: str
    value: str = field(repr=False)
    node: Any = field(repr=False)
    name: str
    form: str
    essential: bool = False
    before: str = ""

    def put(self, cell: str | None) -> None:
        """Write what is a valid value of the attribute; else leave it out."""
        text = spelled(cell or "", self.form)
        if text:
            self.node.set(self.name, self.before + text)
            return
        self.node.attrib.pop(self.name, None)
        if self.essential:
            mask(self.node)


@dataclass(frozen=True, slots=True)
class Text:
    """The text of an element, or what follows it (`tail`), in the white space around it."""

    path: str
    value: str = field(repr=False)
    node: Any = field(repr=False)
    place: str = "text"
    before: str = ""
    after: str = ""

    def put(self, cell: str | None) -> None:
        """Write the text; an element that has none left says that it is masked."""
        setattr(self.node, self.place, (self.before + (cell or "") + self.after) or None)
        if not cell and self.place == "text" and not len(self.node):
            mask(self.node)


@dataclass(frozen=True, slots=True)
class Body:
    """A text that stands in Base64."""

    path: str
    value: str = field(repr=False)
    node: Any = field(repr=False)

    def put(self, cell: str | None) -> None:
        """Encode it again."""
        if cell:
            self.node.text = base64.b64encode(cell.encode()).decode()
        else:
            mask(self.node)


def mask(node: Any) -> None:
    """Say that a value is there and not told, unless the element says why it has none."""
    if "nullFlavor" not in node.attrib:
        node.set("nullFlavor", MASKED)


def spelled(cell: str, form: str) -> str:
    """The cell as an attribute of that form may hold it; "" if it may not."""
    text = cell.strip()
    if form == "uid":
        text = _NUMBERED.sub(r"\1", text)
    if form == "link":
        text = "".join(text.split())
    if form == "time" and not _TIME.fullmatch(text):
        text = _JOINED.sub("", text)
    if form not in ("string", "uid") and _TAG.search(text):
        return ""
    return text if _FORMS[form].fullmatch(text) else ""


def is_encoded(node: Any) -> bool:
    """Does an element say, or look like, it holds Base64?"""
    lines = (node.text or "").split()
    long = bool(lines) and all(len(line) >= LEAST_LINE for line in lines[:-1] or lines)
    plain = long and _BASE64.fullmatch("".join(lines)) is not None
    return node.get("representation") == "B64" or plain


def is_file(node: Any) -> bool:
    """Does it hold a picture, a PDF or what else cannot be searched as text?"""
    kind = node.get("mediaType", "").partition(";")[0].strip().casefold()
    return kind not in _PLAIN or "compression" in node.attrib


def decoded(text: str, kind: str) -> str | None:
    """The plain text that stands in Base64; None for what is no text that can be searched."""
    if len(text) > LARGEST_BODY:
        return None
    try:
        data = base64.b64decode("".join(text.split()), validate=True)
        plain = data.decode("utf-8-sig")
    except (binascii.Error, ValueError):
        return None
    return None if _is_binary(plain) else plain


def _is_binary(text: str) -> bool:
    """Control characters, or the marks of RTF and PDF: no text as a reader sees it."""
    marked = text.lstrip()[:8].startswith(("{\\rtf", "%PDF", "<"))
    return marked or bool(re.search(r"[\x00-\x08\x0b\x0e-\x1f]", text))
