"""The parts of a Word package that are read, parsed without entities; the rest is counted."""

from __future__ import annotations

import io
from collections import Counter
from typing import Any

from deid.errors import DeidError
from deid.formats.containers.zip_safety import opened_zip
from deid.formats.documents.whole_text import refuse_document
from deid.formats.guarded_xml import parse_xml

_MAIN_PART = "word/document.xml"
_STORIES = {"header": "header", "footnotes": "body", "endnotes": "body", "footer": "footer"}
# Parts that are never read, by how their names begin.
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


def read_parts(data: bytes) -> tuple[list[tuple[str, Any]], Counter[str]]:
    """(story, root element) in reading order: headers, body, notes, footers; and counts.

    Raises:
        DeidError: `broken-word`, `xml-dtd`, `too-large`, and what `opened_zip` says.
    """
    dropped: Counter[str] = Counter()
    found: dict[str, list[tuple[str, Any]]] = {kind: [] for kind in ("body", *_STORIES)}
    with opened_zip(io.BytesIO(data)) as archive:
        names = archive.namelist()
        if _MAIN_PART not in names:
            raise refuse_document("broken-word")
        dropped["archive-comments"] = int(bool(archive.comment))
        for name in names:
            kind = _story_of(name)
            if not kind:
                dropped[_left_out(name)] += 1
                continue
            if archive.getinfo(name).file_size > LARGEST_WORD_PART:
                raise refuse_document("too-large")
            try:
                content = archive.read(name)
            except Exception:  # zlib, bz2 and lzma each have an error of their own
                raise refuse_document("broken-word") from None
            found[kind].append(("body" if kind == "body" else _STORIES[kind], parse_part(content)))
    dropped.pop("", None)
    order = ("header", "body", "footnotes", "endnotes", "footer")
    return [part for kind in order for part in found[kind]], dropped


def _story_of(name: str) -> str:
    if name == _MAIN_PART:
        return "body"
    folder, _, file = name.rpartition("/")
    stem = file.removesuffix(".xml").rstrip("0123456789")
    return stem if folder == "word" and file.endswith(".xml") and stem in _STORIES else ""


def _left_out(name: str) -> str:
    return next((what for start, what in _PARTS_LEFT_OUT if name.startswith(start)), "")


def parse_part(content: bytes) -> Any:
    """The root of a part, without entities.

    Raises:
        DeidError: `broken-word`, `xml-dtd`.
    """
    try:
        return parse_xml(content)
    except DeidError as error:
        raise refuse_document("xml-dtd" if error.code == "xml-dtd" else "broken-word") from None
