"""Walks WordprocessingML (ECMA-376 part 1, chapter 17) and collects the visible text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from deid.formats.cda.narrative_text import CELL_BAR
from deid.formats.documents.docx_parts import HIDING, OFF, word_value

_PASSED_NAMES = """
    ins moveTo hyperlink smartTag sdt sdtContent fldSimple customXml bdo dir ruby rubyBase body
    footnote endnote Choice
"""
_THROUGH = frozenset(_PASSED_NAMES.split())
_COUNTED_TAGS = {
    "del": "tracked-deletions", "moveFrom": "tracked-deletions", "delText": "tracked-deletions",
    "instrText": "field-codes", "delInstrText": "field-codes", "object": "embedded-objects",
    "altChunk": "embedded-objects", "bookmarkStart": "bookmarks", "commentReference": "comments",
    "oMath": "formulas", "oMathPara": "formulas", "subDoc": "embedded-objects",
}  # fmt: skip
_CHARACTERS = {
    "tab": "\t",
    "ptab": "\t",
    "br": "\n",
    "cr": "\n",
    "noBreakHyphen": "\u2011",
    "sym": "•",
}
_HEADING_STYLE = re.compile(r"Heading[1-9]|Title")
_RUN_MARKS = ("b", "i", "u")


def _local_name(node: Any) -> str:
    return str(node.tag).rpartition("}")[2] if isinstance(node.tag, str) else ""


@dataclass(slots=True)
class DocxPieces:
    """The markup of the new document and its texts, in order. In the markup, None marks a text."""

    dropped: Counter[str]
    hidden: frozenset[str] = frozenset()
    tokens: list[tuple[str, str | None]] = field(default_factory=list, repr=False)
    texts: list[tuple[str, str]] = field(default_factory=list, repr=False)
    _joint: str = ""
    _cells: int = 0
    _place: str = "body"
    _boxes: list[Any] = field(default_factory=list, repr=False)

    def story(self, name: str, root: Any) -> None:
        """Add one part: the body, a header, a footer, or notes."""
        self._place, self._joint = name, "\n"
        self._blocks(root)

    def _put(self, token: str) -> None:
        self.tokens.append((self._place, token))

    def _blocks(self, parent: Any) -> None:
        for child in parent:
            name = _local_name(child)
            if name == "p":
                self._paragraph(child)
            elif name == "tbl":
                self._table(child)
            elif name == "AlternateContent":
                self._blocks(child[:1])
            elif name in _THROUGH:
                self._blocks(child)
            elif name in _COUNTED_TAGS:
                self.dropped[_COUNTED_TAGS[name]] += 1

    def _table(self, table: Any) -> None:
        self._put("<w:tbl><w:tblPr/><w:tblGrid/>")
        for row in _those(table, "tr"):
            self._put("<w:tr>")
            self._joint = "\n"
            for number, cell in enumerate(_those(row, "tc")):
                if number:
                    self._joint = CELL_BAR
                self._put(f"<w:tc><w:tcPr>{_spans_of(cell)}</w:tcPr>")
                before = len(self.tokens)
                self._cells += 1
                self._blocks(cell)
                self._cells -= 1
                if len(self.tokens) == before or self.tokens[-1][1] == "</w:tbl>":
                    self._put("<w:p/>")
                self._put("</w:tc>")
            self._put("</w:tr>")
        self._put("</w:tbl>")
        self._joint = "\n"

    def _paragraph(self, paragraph: Any) -> None:
        styles = (word_value(n, "val") for n in paragraph.iterfind("{*}pPr/{*}pStyle"))
        style = next((s for s in styles if _HEADING_STYLE.fullmatch(s)), "")
        marked = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
        self._put(f"<w:p>{marked}")
        runs: list[tuple[str, str]] = []
        for marks, text in self._runs(paragraph, self._is_hidden(paragraph, "pPr", "pStyle")):
            if runs and runs[-1][0] == marks:
                runs[-1] = (marks, runs[-1][1] + text)
            else:
                runs.append((marks, text))
        for marks, text in runs:
            self._put(f"<w:r><w:rPr>{marks}</w:rPr>")
            self.texts.append((self._joint if self.texts else "", text))
            self.tokens.append((self._place, None))
            self._put("</w:r>")
            self._joint = ""
        self._put("</w:p>")
        if runs:
            self._joint = "\n"
        elif self._cells == 0:
            self._joint += "\n"
        boxes, self._boxes = self._boxes, []
        for box in boxes:
            self._blocks(box)

    def _is_hidden(self, node: Any, properties: str, style: str) -> bool:
        """Whether the style of a paragraph or run hides its text."""
        named = node.iterfind(f"{{*}}{properties}/{{*}}{style}")
        return any(word_value(n, "val") in self.hidden for n in named)

    def _runs(self, parent: Any, hidden: bool) -> Iterator[tuple[str, str]]:
        for child in parent:
            name = _local_name(child)
            self.dropped["links"] += name == "hyperlink"
            self.dropped["insertion-marks"] += name in ("ins", "moveTo")
            if name == "r":
                yield from self._run(child, hidden)
            elif name == "AlternateContent":
                yield from self._runs(child[:1], hidden)
            elif name in _THROUGH:
                yield from self._runs(child, hidden)
            elif name in _COUNTED_TAGS:
                self.dropped[_COUNTED_TAGS[name]] += 1

    def _run(self, run: Any, hidden: bool) -> Iterator[tuple[str, str]]:
        marked = {_local_name(n): word_value(n, "val") not in OFF for n in run.iterfind("{*}rPr/*")}
        hidden = marked.get(HIDING[0], hidden or self._is_hidden(run, "rPr", "rStyle"))
        if hidden or any(marked.get(name) for name in HIDING):
            self.dropped["hidden-text"] += 1
            return
        marks = "".join(
            '<w:u w:val="single"/>' if m == "u" else f"<w:{m}/>"
            for m in _RUN_MARKS
            if marked.get(m)
        )
        text = "".join(map(self._content, run))
        if text:
            yield marks, text

    def _content(self, node: Any) -> str:
        name = _local_name(node)
        if name == "t":
            return node.text or ""
        if name in _CHARACTERS:
            return _CHARACTERS[name]
        if name == "AlternateContent":
            return "".join(self._content(n) for choice in node[:1] for n in choice)
        if name in ("drawing", "pict"):
            boxes = [n for n in node.iter() if _local_name(n) == "txbxContent"]
            self._boxes += [
                b for b in boxes if not any(_is_within(b, o) for o in boxes if o is not b)
            ]
            self.dropped["pictures"] += not boxes
        elif name in _COUNTED_TAGS:
            self.dropped[_COUNTED_TAGS[name]] += 1
        return ""


def _is_within(node: Any, other: Any) -> bool:
    return any(above is other for above in node.iterancestors())


def _those(parent: Any, wanted: str) -> Iterator[Any]:
    """Yield the rows of a table or the cells of a row, also in controls and tracked changes."""
    for child in parent:
        name = _local_name(child)
        if name == wanted:
            yield child
        elif name in _THROUGH:
            yield from _those(child, wanted)


def _spans_of(cell: Any) -> str:
    found = ""
    for node in cell.iterfind("{*}tcPr/{*}gridSpan"):
        if re.fullmatch("[1-9][0-9]?", word_value(node, "val")):
            found += f'<w:gridSpan w:val="{word_value(node, "val")}"/>'
    for node in cell.iterfind("{*}tcPr/{*}vMerge"):
        found += (
            '<w:vMerge w:val="restart"/>' if word_value(node, "val") == "restart" else "<w:vMerge/>"
        )
    return found
