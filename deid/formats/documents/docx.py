"""Word documents: body, tables, headers, footers and notes as a reader sees them, in a new file.

The original package is not cleaned. A new package is made of paragraphs, tables, heading levels
and bold, italic and underlined text. Tracked insertions become text; tracked deletions are left
out.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from html import escape

from deid.formats.cda.narrative_text import unweave
from deid.formats.containers.zip_safety import pack_zip
from deid.formats.documents.boxed_cells import join_boxed_cells
from deid.formats.documents.docx_parts import read_parts
from deid.formats.documents.docx_walk import DocxPieces
from deid.formats.documents.whole_text import DocumentFormat, ReadText

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_XML_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_BETWEEN_MARKS = re.compile(r"([\t\n])")


def read_docx(data: bytes) -> ReadText:
    """The text of a Word document: paragraphs are lines, and bars separate cells.

    Raises:
        DeidError: `broken-word`, `xml-dtd`, `too-large`, and the errors of `opened_zip`.
    """
    parts = read_parts(data)
    pieces = DocxPieces(parts.dropped, parts.hidden)
    for kind, root in parts.stories:
        pieces.story(kind, root)
    runs = join_boxed_cells(pieces.texts)
    text = "".join(joint + run for joint, run in runs)
    return ReadText(text, (tuple(pieces.tokens), tuple(runs)), +parts.dropped)


def write_docx(read: ReadText, text: str) -> bytes:
    """A new package with this text in the same paragraphs and tables."""
    tokens, runs = read.layout or ((), ())
    texts = iter(unweave(runs, text) if runs else [])
    stories: dict[str, list[str]] = {"header": [], "body": [], "footer": []}
    for story, token in tokens:
        stories[story].append(_run_content(next(texts)) if token is None else token)
    file = io.BytesIO()
    pack_zip(file, _package({name: "".join(found) for name, found in stories.items()}))
    return file.getvalue()


def _run_content(text: str) -> str:
    marks = {"\t": "<w:tab/>", "\n": "<w:br/>", "": ""}
    return "".join(
        marks.get(piece) or (piece and f'<w:t xml:space="preserve">{escape(piece, False)}</w:t>')
        for piece in _BETWEEN_MARKS.split(text)
    )


def _package(stories: dict[str, str]) -> Sequence[tuple[str, bytes]]:
    """The parts of the new package. None is copied from the original."""
    kinds = [kind for kind in ("header", "footer") if stories[kind]]
    references = "".join(
        f'<w:{kind}Reference w:type="default" r:id="rId{n}"/>' for n, kind in enumerate(kinds, 2)
    )
    spaces = f'xmlns:w="{_W}" xmlns:r="{_R}"'
    body = f"{stories['body'] or '<w:p/>'}<w:sectPr>{references}</w:sectPr>"
    links = [("styles", "styles.xml"), *((kind, f"{kind}1.xml") for kind in kinds)]
    parts = {
        "[Content_Types].xml": _content_types(kinds),
        "_rels/.rels": _relationships([("officeDocument", "word/document.xml")]),
        "word/document.xml": f"<w:document {spaces}><w:body>{body}</w:body></w:document>",
        "word/_rels/document.xml.rels": _relationships(links),
        "word/styles.xml": _styles(),
    }
    for kind, tag in (("header", "hdr"), ("footer", "ftr")):
        if kind in kinds:
            parts[f"word/{kind}1.xml"] = f"<w:{tag} {spaces}>{stories[kind]}</w:{tag}>"
    return [(name, (_XML_HEAD + xml).encode("utf-8")) for name, xml in parts.items()]


def _content_types(kinds: Sequence[str]) -> str:
    named = {"document": "document.main", "styles": "styles"} | {f"{k}1": k for k in kinds}
    overrides = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{_WORD_TYPE}.{kind}+xml"/>'
        for name, kind in named.items()
    )
    relations = "application/vnd.openxmlformats-package.relationships+xml"
    return (
        f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
        f'ContentType="{relations}"/><Default Extension="xml" ContentType="application/xml"/>'
        f"{overrides}</Types>"
    )


def _relationships(links: Sequence[tuple[str, str]]) -> str:
    found = "".join(
        f'<Relationship Id="rId{n}" Type="{_R}/{kind}" Target="{target}"/>'
        for n, (kind, target) in enumerate(links, 1)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{found}</Relationships>'


def _styles() -> str:
    headings = "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{n}"><w:name w:val="heading {n}"/>'
        f'<w:pPr><w:outlineLvl w:val="{n - 1}"/></w:pPr>'
        f'<w:rPr><w:b/><w:sz w:val="{max(22, 34 - 2 * n)}"/></w:rPr></w:style>'
        for n in range(1, 10)
    )
    title = '<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style>'
    return f'<w:styles xmlns:w="{_W}">{headings}{title}</w:styles>'


FORMAT = DocumentFormat(
    "word", (".docx", ".docm", ".dotx", ".dotm"), read_docx, write_docx, (".docx",)
)
