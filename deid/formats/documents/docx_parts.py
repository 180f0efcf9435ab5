"""Reads the parts of a Word package that have text, without entities. Other parts are counted."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from deid.errors import DeidError
from deid.formats.containers.zip_safety import opened_zip
from deid.formats.documents.whole_text import refuse_document
from deid.formats.guarded_xml import parse_xml

_USUAL_MAIN_PART, _PACKAGE_LINKS = "word/document.xml", "_rels/.rels"
_STORIES = {"header": "header", "footnotes": "body", "endnotes": "body", "footer": "footer"}
# Parts that are never read, by the beginnings of their names.
_PARTS_LEFT_OUT = (
    ("docProps/thumbnail", "thumbnails"),
    ("docProps/", "properties"),
    ("customXml/", "custom-xml"),
    ("word/comments", "comments"),
    ("word/people", "comment-authors"),
    ("word/media/", "pictures"),
    ("word/embeddings/", "embedded-objects"),
    ("word/activeX/", "embedded-objects"),
    ("word/vba", "macros"),
    ("word/glossary/", "glossaries"),
    ("word/charts/", "charts"),
    ("word/diagrams/", "diagrams"),
)
LARGEST_WORD_PART = 1 << 26
HIDING = ("vanish", "webHidden", "specVanish")
OFF = frozenset(("0", "false", "off", "none"))


@dataclass(frozen=True, slots=True)
class WordParts:
    """The parts with text as (story, root element), in the order headers, body, notes, footers.

    `hidden` holds the styles whose text is not shown; `dropped` counts the other parts.
    """

    stories: tuple[tuple[str, Any], ...] = field(repr=False)
    hidden: frozenset[str] = field(repr=False)
    dropped: Counter[str]


def read_parts(data: bytes) -> WordParts:
    """Read the parts of a package.

    Raises:
        DeidError: `broken-word`, `xml-dtd`, `too-large`, and the errors of `opened_zip`.
    """
    dropped: Counter[str] = Counter()
    found: dict[str, list[tuple[str, Any]]] = {kind: [] for kind in ("body", *_STORIES)}
    with opened_zip(io.BytesIO(data)) as archive:
        names = archive.namelist()
        main = _main_part(archive, names)
        if main not in names:
            raise refuse_document("broken-word")
        folder = main.rpartition("/")[0]
        dropped["archive-comments"] = int(bool(archive.comment))
        for name in names:
            kind = "body" if name == main else _story_of(name, folder)
            if kind:
                story = "body" if kind == "body" else _STORIES[kind]
                found[kind].append((story, _parsed(archive, name)))
            else:
                dropped[_left_out(name)] += 1
        styles = f"{folder}/styles.xml"
        hidden = _hidden_styles(_parsed(archive, styles)) if styles in names else frozenset()
    dropped.pop("", None)
    order = ("header", "body", "footnotes", "endnotes", "footer")
    return WordParts(tuple(part for kind in order for part in found[kind]), hidden, dropped)


def _main_part(archive: Any, names: Sequence[str]) -> str:
    """The main part that the package names: `word/document2.xml` in files of Word for the web."""
    if _PACKAGE_LINKS in names:
        for link in _parsed(archive, _PACKAGE_LINKS):
            if str(link.get("Type", "")).endswith("/officeDocument"):
                return str(link.get("Target", "")).lstrip("/")
    return _USUAL_MAIN_PART


def _parsed(archive: Any, name: str) -> Any:
    if archive.getinfo(name).file_size > LARGEST_WORD_PART:
        raise refuse_document("too-large")
    try:
        content = archive.read(name)
    except Exception:  # zlib, bz2 and lzma each raise their own error type
        raise refuse_document("broken-word") from None
    return parse_part(content)


def _hidden_styles(styles: Any) -> frozenset[str]:
    """The ids of the styles that hide their text, directly or through the styles they build on."""
    hidden: set[str] = set()
    based = {}
    for style in styles.iterfind("{*}style"):
        own = word_value(style, "styleId")
        based[own] = next((word_value(n, "val") for n in style.iterfind("{*}basedOn")), "")
        marks = [n for mark in HIDING for n in style.iterfind(f"{{*}}rPr/{{*}}{mark}")]
        if any(word_value(mark, "val") not in OFF for mark in marks):
            hidden.add(own)
    for style in based:
        above, seen = style, {style}
        while (above := based.get(above, "")) and above not in seen:
            seen.add(above)
            if above in hidden:
                hidden.add(style)
    return frozenset(hidden)


def word_value(node: Any, name: str) -> str:
    """An attribute of WordprocessingML in any namespace; "" if there is none."""
    ending = f"}}{name}"
    return next((str(v) for key, v in node.attrib.items() if key.endswith(ending)), "")


def _story_of(name: str, within: str) -> str:
    folder, _, file = name.rpartition("/")
    stem = file.removesuffix(".xml").rstrip("0123456789")
    return stem if folder == within and file.endswith(".xml") and stem in _STORIES else ""


def _left_out(name: str) -> str:
    return next((what for start, what in _PARTS_LEFT_OUT if name.startswith(start)), "")


def parse_part(content: bytes) -> Any:
    """The root element of a part, parsed without entities.

    Raises:
        DeidError: `broken-word`, `xml-dtd`.
    """
    try:
        return parse_xml(content)
    except DeidError as error:
        raise refuse_document("xml-dtd" if error.code == "xml-dtd" else "broken-word") from None
