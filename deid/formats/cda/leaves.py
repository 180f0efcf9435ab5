"""The leaves of a C-CDA document: the place of each value and how to write it back."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field
from typing import Any, Protocol

from deid.formats.documents.attached import AttachedDocument

MASKED = "MSK"
_CDA_PLACEHOLDER = re.compile(r"\[([A-Z][A-Z0-9-]*)\]")
_HL7_TIMESTAMP = re.compile(r"\d{4,14}(?:\.\d{1,4})?(?:[+-]\d{2,4})?")
_LEAF_FORMS = {
    "uid": re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*)"),
    "time": _HL7_TIMESTAMP,
    "number": re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"),
    "word": re.compile(r"\S+"),
    "link": re.compile(r"[^\s\[\]]+"),
    "string": re.compile(r".*", re.DOTALL),
}
_TIMESTAMP_MARKS = re.compile(r"[-:T ]")
_NUMBERED_PLACEHOLDER = re.compile(r"\[([A-Z]+-\d+)\]")


class DocumentLeaf(Protocol):
    """A value, its path in the locus table ("" if unlisted) and its place in the document."""

    @property
    def path(self) -> str: ...
    @property
    def value(self) -> str: ...
    def put(self, cell: str | None) -> None: ...


@dataclass(frozen=True, slots=True)
class Stray:
    """Content that the tables do not list; it is left out and counted."""

    path: str = ""
    value: str = ""

    def put(self, cell: str | None) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute value; if an `essential` value is left out, its element is marked as masked."""

    path: str
    value: str = field(repr=False)
    node: Any = field(repr=False)
    name: str
    form: str
    essential: bool = False
    before: str = ""

    def put(self, cell: str | None) -> None:
        """Write a valid value for the attribute, or leave it out."""
        text = spelled_attribute(cell or "", self.form)
        if text:
            self.node.set(self.name, self.before + text)
            return
        self.node.attrib.pop(self.name, None)
        if self.essential:
            mark_masked(self.node)


@dataclass(frozen=True, slots=True)
class TextNode:
    """The text or tail of an element, without the surrounding white space."""

    path: str
    value: str = field(repr=False)
    node: Any = field(repr=False)
    place: str = "text"
    before: str = ""
    after: str = ""

    def put(self, cell: str | None) -> None:
        """Write the text; an element without text is marked as masked."""
        setattr(self.node, self.place, (self.before + (cell or "") + self.after) or None)
        if not cell and self.place == "text" and not len(self.node):
            mark_masked(self.node)


@dataclass(frozen=True, slots=True)
class Body:
    """A text or document, usually encoded in Base64."""

    path: str
    value: str = field(repr=False)
    node: Any = field(repr=False)
    document: AttachedDocument | None = field(default=None, repr=False)
    encoded: bool = True

    def put(self, cell: str | None) -> None:
        """Write the released text, in Base64 if it was encoded, or mark the element as masked."""
        if cell:
            data = cell.encode() if self.document is None else self.document.written(cell)
            self.node.text = base64.b64encode(data).decode() if self.encoded else data.decode()
        else:
            mark_masked(self.node)


def mark_masked(node: Any) -> None:
    """Mark a value as masked, unless the element already has a null flavor."""
    if "nullFlavor" not in node.attrib:
        node.set("nullFlavor", MASKED)


def spelled_attribute(cell: str, form: str) -> str:
    """The cell as an attribute value of that form, or "" if it is not valid."""
    text = cell.strip()
    if form == "uid":
        text = _NUMBERED_PLACEHOLDER.sub(r"\1", text)
    if form == "link":
        text = "".join(text.split())
    if form == "time" and not _HL7_TIMESTAMP.fullmatch(text):
        text = _TIMESTAMP_MARKS.sub("", text)
    if form not in ("string", "uid") and _CDA_PLACEHOLDER.search(text):
        return ""
    return text if _LEAF_FORMS[form].fullmatch(text) else ""
