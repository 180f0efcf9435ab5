"""OpenDocument texts (ISO/IEC 26300): what a reader sees, written as plain text."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from deid.errors import DeidError
from deid.formats.containers.zip_safety import opened_zip
from deid.formats.documents.docx_parts import LARGEST_WORD_PART, parse_part
from deid.formats.documents.whole_text import DocumentFormat, ReadText, refuse_document

_ODT_PARTS = {"content.xml": "body", "styles.xml": "master-styles"}
_LEFT_OUT_PARTS = (
    ("meta.xml", "properties"), ("Thumbnails/", "thumbnails"), ("Pictures/", "pictures"),
    ("Object", "embedded-objects"), ("Basic/", "macros"), ("Scripts/", "macros"),
    ("Configurations", "settings"), ("settings.xml", "settings"),
)  # fmt: skip
_LEFT_OUT_TAGS = {
    "annotation": "comments", "annotation-end": "comments", "tracked-changes": "tracked-deletions",
    "image": "pictures", "object": "embedded-objects", "object-ole": "embedded-objects",
    "script": "scripts", "title": "picture-descriptions", "desc": "picture-descriptions",
    "bookmark": "bookmarks", "bookmark-start": "bookmarks", "hidden-text": "hidden-text",
    "hidden-paragraph": "hidden-text", "forms": "form-fields", "event-listeners": "scripts",
    "variable-decls": "field-codes", "user-field-decls": "field-codes",
    "sequence-decls": "field-codes", "dde-connection-decls": "links", "math": "formulas",
}  # fmt: skip
_MOST_SPACES = 200


@dataclass(slots=True)
class _OdtReader:
    """The lines of a document on the way."""

    dropped: Counter[str]
    lines: list[str] = field(default_factory=list, repr=False)
    later: list[Any] = field(default_factory=list, repr=False)

    def blocks(self, parent: Any) -> None:
        """Paragraphs, headings, tables and lists below an element, each on lines of its own."""
        for child in parent:
            name = _odt_name(child)
            if name in ("p", "h"):
                self.lines.append(self._text(child))
                pending, self.later = self.later, []
                for one in pending:
                    self.blocks(one)
            elif name == "table-row":
                self._row(child)
            elif name in _LEFT_OUT_TAGS:
                self.dropped[_LEFT_OUT_TAGS[name]] += 1
            elif name:
                self.blocks(child)

    def _row(self, row: Any) -> None:
        cells = []
        for cell in row:
            outer, self.lines = self.lines, []
            self.blocks(cell)
            inner, self.lines = self.lines, outer
            cells.append(" ".join(line for line in inner if line))
        self.lines.append(" | ".join(cells))

    def _text(self, node: Any) -> str:
        parts = [node.text or ""]
        for child in node:
            parts.append(self._inline(child))
            parts.append(child.tail or "")
        return "".join(parts)

    def _inline(self, node: Any) -> str:
        name = _odt_name(node)
        if name in _LEFT_OUT_TAGS:
            self.dropped[_LEFT_OUT_TAGS[name]] += 1
            return ""
        if name == "s":
            told = next((v for k, v in node.attrib.items() if k.endswith("}c")), "1")
            return " " * min(int(told) if told.isdigit() else 1, _MOST_SPACES)
        if name in ("tab", "line-break"):
            return "\t" if name == "tab" else "\n"
        if name in ("note-body", "text-box", "custom-shape"):
            self.later.append(node)
            return ""
        self.dropped["links"] += name == "a"
        return self._text(node) if name else ""


def _odt_name(node: Any) -> str:
    return etree.QName(node).localname if isinstance(node.tag, str) else ""


def read_odt(data: bytes) -> ReadText:
    """The text of a document: headers and footers behind the body, cells between bars.

    Raises:
        DeidError: `broken-odt`, `encrypted-odt`, `xml-dtd`, `too-large`, and what is told of an
            archive.
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
        for name, within in _ODT_PARTS.items():
            if name in names:
                if archive.getinfo(name).file_size > LARGEST_WORD_PART:
                    raise refuse_document("too-large")
                _read_odt_part(_part_bytes(archive, name), within, reader)
    reader.dropped.pop("", None)
    return ReadText("\n".join(reader.lines).rstrip("\n"), dropped=+reader.dropped)


def _part_bytes(archive: Any, name: str) -> bytes:
    try:
        content: bytes = archive.read(name)
    except Exception:  # zlib, bz2 and lzma each have an error of their own
        raise refuse_document("broken-odt") from None
    return content


def _refuse_encrypted(manifest: bytes) -> None:
    if b"encryption-data" in manifest:
        raise refuse_document("encrypted-odt")


def _read_odt_part(content: bytes, within: str, reader: _OdtReader) -> None:
    try:
        root = parse_part(content)
    except DeidError as error:
        raise refuse_document("broken-odt" if error.code == "broken-word" else error.code) from None
    for part in root.iterfind(f"{{*}}{within}"):
        try:
            reader.blocks(part)
        except RecursionError:
            raise refuse_document("broken-odt") from None


def write_lines(read: ReadText, text: str) -> bytes:
    """The text in UTF-8, which ends in a line end."""
    return (text + "\n" if text else "").encode("utf-8")


FORMAT = DocumentFormat("odt", (".odt", ".ott"), read_odt, write_lines, (".txt",))
