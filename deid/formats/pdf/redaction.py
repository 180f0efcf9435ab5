"""New pages from rendered pages: only the boxes of kept words are copied, the rest is white.

Pictures, drawings and shadings are removed from the page before it is rendered, so that a box
holds only letters. A gray box covers a replaced word, with the replacement typeset on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from deid.formats.pdf.fresh_file import FreshPage, FreshText, PageRule
from deid.formats.pdf.pages import PageFrame, opened_page
from deid.formats.pdf.words import UNREADABLE_GLYPH

_DOTS_PER_POINT = 150 / 72
_MOST_DOTS = 12_000_000
_COVER, _WHITE = 225, 255
# A box without a dot darker than this shows nothing.
_FAINTEST = 235
# Lines between parts of a form; the bars of bar codes are shorter.
_SHORTEST_RULE, _THICKEST_RULE = 144.0, 3.0
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class PlacedWord:
    """A word as it was read. `box` is empty for a note of the reader, which is not on the page."""

    joint: str
    text: str = field(repr=False)
    box: Box = (0.0, 0.0, 0.0, 0.0)
    size: float = 11.0
    angle: int = 0


def redacted_page(
    document: pdfium.PdfDocument,
    number: int,
    frame: PageFrame,
    words: Sequence[PlacedWord],
    texts: Sequence[str],
) -> FreshPage:
    """A newly drawn page. `texts` holds the new text of each word; "" for a removed word."""
    if not any(word.box[2] > word.box[0] for word in words):
        notes = [FreshText(t, (36.0, 36.0, 400.0, 50.0), 11.0, 0, True) for t in texts if t]
        return FreshPage(frame.width, frame.height, None, tuple(notes), ())
    with opened_page(document, number) as page:
        rules = tuple(_without_drawings(page, frame))
        scale = min(_DOTS_PER_POINT, (_MOST_DOTS / (frame.width * frame.height)) ** 0.5)
        drawn = page.render(
            scale=scale, grayscale=True, may_draw_forms=False, draw_annots=False
        ).to_numpy()
    drawn = np.asarray(drawn).reshape(drawn.shape[0], drawn.shape[1])
    sheet = np.full(drawn.shape, _WHITE, dtype=np.uint8)
    fresh: list[FreshText] = []
    covers: list[Box] = []
    for word, text in zip(words, texts, strict=True):
        if text == word.text and UNREADABLE_GLYPH not in text:
            place = _dots(word.box, scale, drawn.shape)
            sheet[place] = drawn[place]
            blank = bool(drawn[place].min(initial=_WHITE) > _FAINTEST)
            fresh.append(FreshText(text, word.box, word.size, word.angle, blank))
        else:
            _cover(word, text, covers, fresh)
    for box in covers:
        sheet[_dots(box, scale, drawn.shape, 1)] = _COVER
    return FreshPage(frame.width, frame.height, sheet, tuple(fresh), rules)


def _cover(word: PlacedWord, text: str, covers: list[Box], fresh: list[FreshText]) -> None:
    """Cover a word; the replacement of several words may use the space of all of them."""
    last = fresh[-1] if fresh else None
    box = word.box
    goes_on = last is not None and last.over and not text.strip() and _is_beside(last, word)
    if last is not None and goes_on:
        box = (last.box[0], min(last.box[1], box[1]), box[2], max(last.box[3], box[3]))
        fresh[-1] = FreshText(last.text, box, last.size, last.angle, True, True)
    elif text.strip():
        fresh.append(FreshText(text.strip(), box, word.size, word.angle, True, True))
    covers.append(box)


def _is_beside(last: FreshText, word: PlacedWord) -> bool:
    """Whether the word follows `last` on the same upright line."""
    middle = (word.box[1] + word.box[3]) / 2
    level = last.angle == word.angle == 0 and last.box[1] <= middle <= last.box[3]
    return level and 0 <= word.box[0] - last.box[2] + word.size <= 3 * word.size


def _dots(box: Box, scale: float, shape: Sequence[int], more: int = 0) -> tuple[slice, slice]:
    """Return the rows and columns of the picture that a box covers wholly or in part."""
    left, top, right, bottom = (edge * scale for edge in box)
    rows = slice(max(0, int(top) - more), min(shape[0], int(bottom) + 1 + more))
    return rows, slice(max(0, int(left) - more), min(shape[1], int(right) + 1 + more))


def _without_drawings(page: pdfium.PdfPage, frame: PageFrame) -> Iterator[PageRule]:
    """Remove everything but text from the page. Returns its long straight lines."""
    for index in reversed(range(pdfium_c.FPDFPage_CountObjects(page))):
        one = pdfium_c.FPDFPage_GetObject(page, index)
        kind = pdfium_c.FPDFPageObj_GetType(one)
        if kind == pdfium_c.FPDF_PAGEOBJ_TEXT:
            continue
        if kind == pdfium_c.FPDF_PAGEOBJ_FORM:
            _strip_form(one)
            continue
        rule = _rule_of(one, frame) if kind == pdfium_c.FPDF_PAGEOBJ_PATH else None
        if rule is not None:
            yield rule
        pdfium_c.FPDFPage_RemoveObject(page, one)
        pdfium_c.FPDFPageObj_Destroy(one)


def _strip_form(form: object) -> None:
    for index in reversed(range(pdfium_c.FPDFFormObj_CountObjects(form))):
        one = pdfium_c.FPDFFormObj_GetObject(form, index)
        kind = pdfium_c.FPDFPageObj_GetType(one)
        if kind == pdfium_c.FPDF_PAGEOBJ_FORM:
            _strip_form(one)
        elif kind != pdfium_c.FPDF_PAGEOBJ_TEXT:
            pdfium_c.FPDFFormObj_RemoveObject(form, one)
            pdfium_c.FPDFPageObj_Destroy(one)


def _rule_of(path: object, frame: PageFrame) -> PageRule | None:
    edges = [pdfium_c.c_float() for _ in range(4)]
    if not pdfium_c.FPDFPageObj_GetBounds(path, *edges):
        return None
    left, top, right, bottom = frame.shown_box(*(edge.value for edge in edges))
    long, thick = max(right - left, bottom - top), min(right - left, bottom - top)
    if long < _SHORTEST_RULE or thick > _THICKEST_RULE or not np.isfinite([long, thick]).all():
        return None
    return PageRule(left, top, right, bottom)
