"""HTML: the text that a browser shows, and a new page with the same blocks, tables and lists.

Attributes, comments, scripts, styles and all elements without text of their own are left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from lxml import etree
from lxml.html import HTMLParser, document_fromstring

from deid.errors import DeidError
from deid.formats.cda.narrative_text import CELL_BAR, unweave
from deid.formats.documents.boxed_cells import join_boxed_cells
from deid.formats.documents.whole_text import DocumentFormat, ReadText, refuse_document
from deid.formats.text.encoding import decoded_as_told, wide_codec

_PAGE_LINES = """
    address article aside blockquote body br caption center dd details div dl dt fieldset
    figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr legend li main nav ol optgroup
    option p pre section summary table tbody tfoot thead tr ul
"""
_LINE_TAGS = frozenset(_PAGE_LINES.split())
_CELL_TAGS = frozenset(("td", "th"))
_MARK_TAGS = frozenset(("b", "strong", "i", "em", "u", "s", "sub", "sup", "small", "code"))
_KEPT_TAGS = (_LINE_TAGS | _CELL_TAGS | _MARK_TAGS) - {
    "body",
    "form",
    "fieldset",
    "optgroup",
    "option",
}
_ALONE = frozenset(("br", "hr"))
_DROPPED_TAGS = {
    "script": "scripts", "style": "styles", "title": "titles", "meta": "meta-elements",
    "link": "links-to-files", "object": "embedded-objects", "embed": "embedded-objects",
    "iframe": "frames", "frame": "frames", "svg": "pictures", "canvas": "pictures",
    "math": "formulas", "img": "pictures", "video": "media", "audio": "media",
    "template": "templates", "noscript": "scripts", "input": "form-fields", "base": "meta-elements",
    "area": "links", "map": "links", "textarea": "form-fields", "datalist": "form-fields",
    "applet": "embedded-objects", "noframes": "frames",
}  # fmt: skip
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_CELL_SPANS = re.compile(r"[1-9]\d?")
_DECLARED_CHARSET = re.compile(
    rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([A-Za-z0-9._:-]{1,40})", re.I
)
_PAGE_START = re.compile(rb"\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--.{0,2000}?-->\s*)*"
                         rb"<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL)  # fmt: skip
MOST_HTML_ELEMENTS = 1_000_000
_PAGE = (
    '<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title></title></head>'
    "<body>\n{}\n</body></html>\n"
)


@dataclass(slots=True)
class _PageReader:
    """Collects the kept tags and the texts. A text has a joint: the separator before it."""

    tokens: list[str | None] = field(default_factory=list)
    texts: list[tuple[str, str]] = field(default_factory=list, repr=False)
    dropped: Counter[str] = field(default_factory=Counter)
    joint: str = ""
    row: int = 0

    def walk(self, node: Any, kept_blanks: bool) -> None:
        """Read an element with all its descendants, without recursion: pages have any depth."""
        stack: list[tuple[Any, Iterator[Any], str]] = []
        self._enter(node, stack)
        while stack:
            current, children, end = stack[-1]
            child = next(children, None)
            if child is not None:
                self._enter(child, stack)
                continue
            stack.pop()
            if end:
                self.tokens.append(end)
            self._part(current.tag)
            if stack:
                self._text(current.tail, _is_preformatted(stack))

    def _enter(self, node: Any, stack: list[tuple[Any, Iterator[Any], str]]) -> None:
        tag = node.tag if isinstance(node.tag, str) else ""
        if not tag or tag in _DROPPED_TAGS:
            self.dropped["comments" if not tag else _DROPPED_TAGS[tag]] += 1
            self._text(node.tail, _is_preformatted(stack))
            return
        self._count_attributes(node)
        self._part(tag)
        end = ""
        if tag in _KEPT_TAGS:
            self.tokens.append(f"<{tag}{_cell_spans(node, tag)}>")
            end = "" if tag in _ALONE else f"</{tag}>"
        stack.append((node, iter(node), end))
        self._text(node.text, _is_preformatted(stack))

    def _count_attributes(self, node: Any) -> None:
        for name in node.attrib:
            if name in ("href", "src", "action", "ping", "background"):
                self.dropped["links"] += 1
            elif name not in ("colspan", "rowspan"):
                self.dropped["attributes"] += 1

    def _part(self, tag: Any) -> None:
        """Set the joint of the next text: a line end for a row, block or break, a bar for a cell.

        A block at the beginning or end of a cell (`<td><p>`) does not change the bar.
        """
        if tag in ("table", "tr"):
            self.row, self.joint = len(self.texts), "\n"
        elif tag in _CELL_TAGS:
            self.joint = CELL_BAR if len(self.texts) > self.row else "\n"
        elif tag in _LINE_TAGS and self.joint != CELL_BAR:
            self.joint = "\n"

    def _text(self, text: str | None, kept_blanks: bool) -> None:
        for number, line in enumerate((text or "").split("\n") if kept_blanks else [text or ""]):
            if number:
                self.tokens.append("\n")
                self.joint = "\n"
            self._line(line if kept_blanks else _BLANKS.sub(" ", line))

    def _line(self, text: str) -> None:
        if not text.strip():
            if text and not self.joint:
                self.joint = " "
            return
        lead = text[:1].isspace() and not self.joint
        joint = self.joint or (" " if lead else "")
        self.texts.append((joint if self.texts else "", text.strip()))
        self.tokens += [" ", None] if joint == " " else [None]
        self.joint = " " if text[-1:].isspace() else ""


def _is_preformatted(stack: list[tuple[Any, Iterator[Any], str]]) -> bool:
    return any(node.tag == "pre" for node, _, _ in stack)


def _cell_spans(node: Any, tag: str) -> str:
    if tag not in _CELL_TAGS:
        return ""
    found = ((name, node.get(name, "")) for name in ("colspan", "rowspan"))
    return "".join(f' {name}="{n}"' for name, n in found if _CELL_SPANS.fullmatch(n))


@dataclass(frozen=True, slots=True)
class PageLayout:
    """The tags of a page, with None in the place of each text; and the texts with joints."""

    tokens: tuple[str | None, ...] = field(repr=False)
    texts: tuple[tuple[str, str], ...] = field(repr=False)


def read_html(data: bytes) -> ReadText:
    """The visible text of a page: blocks are lines, and bars separate cells.

    Raises:
        DeidError: `undecodable-bytes`, `encoding-unknown`, `broken-html`, `html-limits`.

    >>> read_html(b"<p>Jo<b>hn</b><script>x</script><table><td title=y>MRN<td>12").text
    'John\\nMRN | 12'
    """
    return read_html_text(_decoded_page(data))


def read_html_text(page: str) -> ReadText:
    """The visible text of a page that is already decoded."""
    body = re.sub(r"\A\s*<\?xml[^>]{0,200}>", "", page.replace("\0", ""))
    parser = HTMLParser(no_network=True, huge_tree=False, remove_blank_text=False)
    try:
        root = document_fromstring(body or "<html></html>", parser=parser, ensure_head_body=False)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError, AssertionError):
        raise refuse_document("broken-html") from None
    if any(error.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for error in parser.error_log):
        raise refuse_document("html-limits")
    if sum(1 for _ in root.iter()) > MOST_HTML_ELEMENTS:
        raise refuse_document("html-limits")
    reader = _PageReader()
    reader.walk(root, False)
    runs = join_boxed_cells(reader.texts)
    text = "".join(joint + run for joint, run in runs)
    return ReadText(text, PageLayout(tuple(reader.tokens), tuple(runs)), reader.dropped)


def _decoded_page(data: bytes) -> str:
    declared = _DECLARED_CHARSET.search(data[:4096])
    name = declared[1].decode("ascii") if declared else "utf-8"
    codecs: tuple[str, ...] = (name, "utf-8" if declared else "cp1252")
    if wide := "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else wide_codec(data[:4096]):
        codecs = (wide,)
    for codec in dict.fromkeys(codecs):
        try:
            latin = codec.lower() in ("iso-8859-1", "latin1")
            return decoded_as_told(data, "cp1252" if latin else codec)
        except LookupError:
            raise refuse_document("encoding-unknown") from None
        except UnicodeError:
            continue
    raise refuse_document("undecodable-bytes")


def write_html(read: ReadText, text: str) -> bytes:
    """A new page with this text in the same blocks."""
    return _PAGE.format(page_body(read, text)).encode("utf-8")


def page_body(read: ReadText, text: str) -> str:
    """The body of the new page."""
    layout = read.layout if isinstance(read.layout, PageLayout) else PageLayout((), ())
    if not layout.texts:
        return escape(text, quote=False)
    texts = iter(unweave(layout.texts, text))
    return "".join(
        escape(next(texts).strip(), quote=False) if token is None else token
        for token in layout.tokens
    )


class _HtmlFormat(DocumentFormat):
    """HTML, also in text files that begin as HTML pages do."""

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether the suffix is that of HTML, or a text file begins as HTML."""
        if suffix in self.suffixes:
            return True
        if suffix not in ("", ".txt", ".text"):
            return False
        try:
            with path.open("rb") as file:
                return _PAGE_START.match(file.read(8192)) is not None
        except (OSError, DeidError):
            return False


FORMAT = _HtmlFormat(
    "html", (".html", ".htm", ".xhtml"), read_html, write_html, (".html", ".htm", ".xhtml")
)
