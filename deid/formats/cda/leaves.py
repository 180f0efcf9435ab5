"""The leaves of a C-CDA document: where each value stands, and how one is put back validly."""

from __future__ import annotations

import base64
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


class DocumentLeaf(Protocol):
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
        text = spelled_attribute(cell or "", self.form)
        if text:
            self.node.set(self.name, self.before + text)
            return
        self.node.attrib.pop(self.name, None)
        if self.essential:
            mark_masked(self.node)


@dataclass(frozen=True, slots=True)
class TextNode:
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
            mark_masked(self.node)


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
            mark_masked(self.node)


def mark_masked(node: Any) -> None:
    """Say that a value is there and not told, unless the element says why it has none."""
    if "nullFlavor" not in node.attrib:
        node.set("nullFlavor", MASKED)


def spelled_attribute(cell: str, form: str) -> str:
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
