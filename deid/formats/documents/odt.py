"""OpenDocument texts (ISO/IEC 26300): the visible text, written as plain text."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from deid.errors import DeidError
from deid.formats.containers.zip_safety import opened_zip
from deid.formats.documents.boxed_cells import join_boxed_line
from deid.formats.documents.docx_parts import LARGEST_WORD_PART, parse_part
from deid.formats.documents.whole_text import (
    DocumentFormat,
    ReadText,
    refuse_document,
    write_lines,
)

_ODT_PARTS = {"content.xml": "body", "styles.xml": "master-styles"}
_LEFT_OUT_PARTS = (
    ("meta.xml", "properties"), ("Thumbnails/", "thumbnails"), ("Pictures/", "pictures"),
    ("Object", "embedded-objects"), ("Basic/", "macros"), ("Scripts/", "macros"),
    ("Configurations", "settings"), ("settings.xml", "settings"),
)  # fmt: skip
_LEFT_OUT_TAGS = {
    "annotation": "comments", "annotation-end": "comments",
    "image": "pictures", "object": "embedded-objects", "object-ole": "embedded-objects",
    "script": "scripts", "title": "picture-descriptions", "desc": "picture-descriptions",
    "bookmark": "bookmarks", "bookmark-start": "bookmarks", "hidden-text": "hidden-text",
    "hidden-paragraph": "hidden-text", "forms": "form-fields", "event-listeners": "scripts",
    "variable-decls": "field-codes", "user-field-decls": "field-codes",
    "sequence-decls": "field-codes", "dde-connection-decls": "links", "math": "formulas",
}  # fmt: skip
# Marks whose text is in other elements.
_ODT_MARKS = {"a": "links", "change-start": "insertion-marks"}
_MOST_SPACES = 200


@dataclass(slots=True)
class _OdtReader:
    """Collects the lines of a document."""

    dropped: Counter[str]
    hidden: set[str] = field(default_factory=set, repr=False)
    lines: list[str] = field(default_factory=list, repr=False)
    later: list[Any] = field(default_factory=list, repr=False)

    def blocks(self, parent: Any) -> None:
        """Read the paragraphs, headings, tables and lists in an element, each on separate lines."""
        for child in parent:
            name = _odt_name(child)
            if self._is_left_out(child, name):
                continue
            if name in ("p", "h"):
                self.lines.append(self._text(child))
                pending, self.later = self.later, []
                for one in pending:
                    self.blocks(one)
            elif name == "table-row":
                self._row(child)
            elif name:
                self.blocks(child)

    def _is_left_out(self, node: Any, name: str) -> bool:
        """Whether an element with all its descendants is left out. Such elements are counted."""
        what = _LEFT_OUT_TAGS.get(name, "")
        if _attribute(node, "style-name") in self.hidden or _attribute(node, "display") == "none":
            what = "hidden-text"
        if name == "tracked-changes":
            deletions = sum(1 for n in node.iter() if _odt_name(n) == "deletion")
            self.dropped["tracked-deletions"] += deletions
            return True
        self.dropped[what] += 1
        return bool(what)

    def _row(self, row: Any) -> None:
        cells = []
        for cell in row:
            outer, self.lines = self.lines, []
            self.blocks(cell)
            inner, self.lines = self.lines, outer
            cells.append(" ".join(line for line in inner if line))
        self.lines.append(join_boxed_line(" | ".join(cells)))

    def _text(self, node: Any) -> str:
        parts = [node.text or ""]
        for child in node:
            parts.append(self._inline(child))
            parts.append(child.tail or "")
        return "".join(parts)

    def _inline(self, node: Any) -> str:
        name = _odt_name(node)
        if self._is_left_out(node, name):
            return ""
        if name == "s":
            told = _attribute(node, "c") or "1"
            return " " * min(int(told) if told.isdigit() else 1, _MOST_SPACES)
        if name in ("tab", "line-break"):
            return "\t" if name == "tab" else "\n"
        if name in ("note-body", "text-box", "custom-shape"):
            self.later.append(node)
            return ""
        self.dropped[_ODT_MARKS.get(name, "")] += 1
        return self._text(node) if name else ""


def _odt_name(node: Any) -> str:
    return etree.QName(node).localname if isinstance(node.tag, str) else ""


def _attribute(node: Any, name: str) -> str:
    ending = f"}}{name}"
    return next((str(v) for key, v in node.attrib.items() if key.endswith(ending)), "")


def read_odt(data: bytes) -> ReadText:
    """The text of a document: headers and footers after the body, with bars between cells.

    Raises:
        DeidError: `broken-odt`, `encrypted-odt`, `xml-dtd`, `too-large`, and the errors of
            `opened_zip`.
    """
    reader = _OdtReader(Counter())
    with opened_zip(io.BytesIO(data)) as archive:
        names = archive.namelist()
        if "content.xml" not in names:
            raise refuse_document("broken-odt")
        if "META-INF/manifest.xml" in names:
            _refuse_encrypted(archive.read("META-INF/manifest.xml"))
        for name in names:
            what = next((w for start, w in _LEFT_OUT_PARTS if name.startswith(start)), "")
            reader.dropped[what] += not name.endswith("/")
        roots = {name: _odt_root(archive, name) for name in _ODT_PARTS if name in names}
    for root in roots.values():
        reader.hidden |= _hidden_odt_styles(root)
    for name, root in roots.items():
        _read_odt_part(root, _ODT_PARTS[name], reader)
    reader.dropped.pop("", None)
    return ReadText("\n".join(reader.lines).rstrip("\n"), dropped=+reader.dropped)


def _part_bytes(archive: Any, name: str) -> bytes:
    try:
        content: bytes = archive.read(name)
    except Exception:  # zlib, bz2 and lzma each raise their own error type
        raise refuse_document("broken-odt") from None
    return content


def _refuse_encrypted(manifest: bytes) -> None:
    if b"encryption-data" in manifest:
        raise refuse_document("encrypted-odt")


def _odt_root(archive: Any, name: str) -> Any:
    if archive.getinfo(name).file_size > LARGEST_WORD_PART:
        raise refuse_document("too-large")
    try:
        return parse_part(_part_bytes(archive, name))
    except DeidError as error:
        raise refuse_document("broken-odt" if error.code == "broken-word" else error.code) from None


def _hidden_odt_styles(root: Any) -> set[str]:
    """The names of the styles that do not show their text."""
    marks = root.iterfind(".//{*}style/{*}text-properties")
    return {
        _attribute(mark.getparent(), "name")
        for mark in marks
        if _attribute(mark, "display") == "none"
    }


def _read_odt_part(root: Any, within: str, reader: _OdtReader) -> None:
    for part in root.iterfind(f"{{*}}{within}"):
        try:
            reader.blocks(part)
        except RecursionError:
            raise refuse_document("broken-odt") from None


FORMAT = DocumentFormat("odt", (".odt", ".ott"), read_odt, write_lines, (".txt",))
