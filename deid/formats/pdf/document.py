"""PDF: the text of its pages in reading order, as text, Markdown or new pages with covered words.

`ReadOptions.pdf` selects the kind of output. Nothing of the file itself is passed on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deid.formats.cda.narrative_text import unweave
from deid.formats.contract import RecordSource, Sink
from deid.formats.documents.whole_text import (
    DocumentFormat,
    DocumentSource,
    ReadText,
    refuse_document,
    write_lines,
)
from deid.formats.pdf.fresh_file import FreshPage, write_pages
from deid.formats.pdf.guarded import run_guarded
from deid.formats.pdf.markdown import write_markdown
from deid.formats.pdf.pages import (
    MOST_CHARACTERS,
    PageFrame,
    PageGlyphs,
    left_out_of,
    opened_pdf,
    read_page,
)
from deid.formats.pdf.reading_order import read_in_order
from deid.formats.pdf.redaction import PlacedWord, redacted_page
from deid.formats.pdf.words import UNREADABLE_GLYPH, words_of

PAGE_BREAK = "\n\f\n"
WITHHELD_PAGE = "[page withheld: it has no text layer]"
# A page has no usable text layer if more than this share of its characters is unreadable.
_MOST_UNREADABLE = 0.25


@dataclass(frozen=True, slots=True)
class PdfPage:
    """A page as it was read: its frame, and its words with the separator before each word."""

    frame: PageFrame
    words: tuple[PlacedWord, ...] = field(repr=False)


def read_pdf(data: bytes) -> ReadText:
    """The text of all pages, read in a separate process.

    A form feed separates two pages, as in the output of `pdftotext`.

    Raises:
        DeidError: `broken-pdf`, `encrypted-pdf`, `pdf-limits`, `dynamic-form`, `no-text-layer`.
    """
    return run_guarded(lambda: _read_pages(data), len(data))


def _read_pages(data: bytes) -> ReadText:
    pages: list[PdfPage] = []
    texts: list[str] = []
    with opened_pdf(data) as document:
        dropped = left_out_of(document)
        for number in range(len(document)):
            found = read_page(document, number)
            dropped.update(found.dropped)
            pages.append(_laid_out(found, dropped))
            texts.append("".join(word.joint + word.text for word in pages[-1].words))
            if sum(map(len, texts)) > MOST_CHARACTERS:
                raise refuse_document("pdf-limits")
    if not any(text not in ("", WITHHELD_PAGE) for text in texts):
        raise refuse_document("no-text-layer")
    return ReadText(PAGE_BREAK.join(texts), tuple(pages), +dropped)


def _laid_out(page: PageGlyphs, dropped: Counter[str]) -> PdfPage:
    words = words_of(page.glyphs)
    characters = sum(len(word.text) for word in words)
    unreadable = sum(word.text.count(UNREADABLE_GLYPH) for word in words)
    dropped["unreadable-characters"] += unreadable
    if unreadable > _MOST_UNREADABLE * characters or (page.drawn and not words):
        dropped["pages-without-text"] += 1
        return PdfPage(page.frame, (PlacedWord("", WITHHELD_PAGE),))
    placed = (
        PlacedWord(joint, word.text, word.box, word.size, word.angle)
        for joint, word in read_in_order(words)
    )
    return PdfPage(page.frame, tuple(placed))


def write_as_markdown(read: ReadText, text: str) -> bytes:
    """The text as Markdown in UTF-8, with a mark at the beginning of each page."""
    left = [(page.words, parts) for page, parts in pages_with_parts(read, text)]
    return write_markdown(left).encode("utf-8")


def write_redacted(data: bytes, read: ReadText, text: str) -> bytes:
    """A new PDF: each page is drawn without its pictures and with its replaced words covered.

    Raises:
        DeidError: `pdf-limits`.
    """
    return run_guarded(lambda: _redacted_file(data, read, text), len(data))


def _redacted_file(data: bytes, read: ReadText, text: str) -> bytes:
    fresh: list[FreshPage] = []
    with opened_pdf(data) as document:
        for number, (page, texts) in enumerate(pages_with_parts(read, text)):
            fresh.append(redacted_page(document, number, page.frame, page.words, texts))
    return write_pages(fresh)


def pages_with_parts(read: ReadText, text: str) -> list[tuple[PdfPage, list[str]]]:
    """Every page with the new text of each of its words; "" for a removed word."""
    pages: Sequence[PdfPage] = read.layout or ()
    runs = [
        (PAGE_BREAK + word.joint if number and not place else word.joint, word.text)
        for number, page in enumerate(pages)
        for place, word in enumerate(page.words or (PlacedWord("", ""),))
    ]
    parts = iter(unweave(runs, text) if runs else [])
    return [(page, [next(parts) for _ in page.words or (None,)]) for page in pages]


class RedactedSink:
    """Writes the new PDF of one document. Its pages are drawn from the original file."""

    def __init__(self, path: Path, original: Path) -> None:
        named = path.suffix.casefold() == ".pdf"
        self.path = path if named else path.with_name(path.name + ".pdf")
        self._original = original
        self.path.write_bytes(write_pages([]))

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None:
        """Write the document."""
        if not isinstance(skeleton, ReadText):
            raise TypeError("a document's sink needs what was read from the document")
        text = cells[0] if cells and cells[0] else ""
        self.path.write_bytes(write_redacted(self._original.read_bytes(), skeleton, text))

    def close(self) -> None:
        """Do nothing; no file is open."""


class PdfFormat(DocumentFormat):
    """PDF. The output's suffix is added to the name, so `a.pdf` and `a.txt` never collide."""

    def keeps_format(self, output: str) -> bool:
        """Whether the output is a PDF: only redacted pages are."""
        return output == "redacted"

    def create(self, path: Path, source: RecordSource, columns: Mapping[int, str]) -> Sink:
        """Open the output for the document."""
        if isinstance(source, DocumentSource) and source.output == "redacted":
            return RedactedSink(path, source.path)
        return super().create(path, source, columns)


FORMAT = PdfFormat(
    "pdf", (".pdf",), read_pdf, write_lines, (".txt",), {"markdown": (".md", write_as_markdown)}
)
