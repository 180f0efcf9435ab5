"""Reads the pages of a PDF through PDFium: the visible text, and counts of what is left out.

Annotations and form fields are first drawn into the page, as a viewer shows them. All content that
is not text of a page (pictures, attachments, properties, scripts) is counted.
"""

from __future__ import annotations

import ctypes
import math
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from deid.formats.documents.whole_text import refuse_document
from deid.formats.pdf.words import UNREADABLE_GLYPH, Glyph

MOST_PAGES, MOST_PAGE_CHARACTERS, MOST_CHARACTERS = 5_000, 200_000, 20_000_000
MOST_OBJECTS, DEEPEST_FORMS = 200_000, 12
# The longest side that the standard allows: 200 inches of 72 points.
LONGEST_SIDE = 14_400.0
_LINE_END_HYPHEN, _SOFT_HYPHEN = 0x02, 0xAD
_SHOWN_IN_THE_PAGE = 0
_DYNAMIC_FORM = 2
_NOTES = frozenset(
    (pdfium_c.FPDF_ANNOT_TEXT, pdfium_c.FPDF_ANNOT_POPUP, pdfium_c.FPDF_ANNOT_FILEATTACHMENT)
)
_HIDDEN_FLAGS = pdfium_c.FPDF_ANNOT_FLAG_HIDDEN | pdfium_c.FPDF_ANNOT_FLAG_NOVIEW


@dataclass(frozen=True, slots=True)
class PageFrame:
    """The visible part of a page in page coordinates, and its rotation in quarter turns."""

    left: float
    bottom: float
    right: float
    top: float
    turns: int

    @property
    def width(self) -> float:
        """The width as shown, in points."""
        return self.right - self.left if self.turns % 2 == 0 else self.top - self.bottom

    @property
    def height(self) -> float:
        """The height as shown, in points."""
        return self.top - self.bottom if self.turns % 2 == 0 else self.right - self.left

    def shown(self, x: float, y: float) -> tuple[float, float]:
        """Return a point of the page in points from the top left corner of the page as shown."""
        if self.turns == 0:
            return x - self.left, self.top - y
        if self.turns == 1:
            return y - self.bottom, x - self.left
        if self.turns == 2:
            return self.right - x, y - self.bottom
        return self.top - y, self.right - x

    def shown_box(
        self, left: float, bottom: float, right: float, top: float
    ) -> tuple[float, float, float, float]:
        """Return a box (left, top, right, bottom) in points from that same corner."""
        (a, b), (c, d) = self.shown(left, bottom), self.shown(right, top)
        return min(a, c), min(b, d), max(a, c), max(b, d)


@dataclass(frozen=True, slots=True)
class PageGlyphs:
    """What was read from a page. `drawn` says that the page shows something besides text."""

    frame: PageFrame
    glyphs: tuple[Glyph, ...] = field(repr=False)
    drawn: bool
    dropped: Counter[str]


@contextmanager
def opened_pdf(data: bytes) -> Iterator[pdfium.PdfDocument]:
    """Open a PDF.

    Raises:
        DeidError: `broken-pdf`, `encrypted-pdf`, `pdf-limits`, `dynamic-form`.
    """
    try:
        document = pdfium.PdfDocument(data)
        pages = len(document)
    except pdfium.PdfiumError as error:
        sealed = getattr(error, "err_code", None) in (
            pdfium_c.FPDF_ERR_PASSWORD, pdfium_c.FPDF_ERR_SECURITY
        )  # fmt: skip
        raise refuse_document("encrypted-pdf" if sealed else "broken-pdf") from None
    try:
        if not pages:
            raise refuse_document("broken-pdf")
        if pages > MOST_PAGES:
            raise refuse_document("pdf-limits")
        if pdfium_c.FPDF_GetFormType(document) == _DYNAMIC_FORM:
            raise refuse_document("dynamic-form")
        yield document
    finally:
        document.close()


@contextmanager
def opened_page(document: pdfium.PdfDocument, number: int) -> Iterator[pdfium.PdfPage]:
    """Open a page with its annotations and form fields drawn into it.

    Raises:
        DeidError: `broken-pdf`.
    """
    try:
        page = document[number]
        if pdfium_c.FPDFPage_GetAnnotCount(page):
            pdfium_c.FPDFPage_Flatten(page, _SHOWN_IN_THE_PAGE)
            page.close()
            page = document[number]
    except pdfium.PdfiumError:
        raise refuse_document("broken-pdf") from None
    try:
        yield page
    finally:
        page.close()


def left_out_of(document: pdfium.PdfDocument) -> Counter[str]:
    """Counts of attachments, bookmarks, properties, scripts and signatures of the document."""
    found: Counter[str] = Counter()
    found["attachments"] = max(0, pdfium_c.FPDFDoc_GetAttachmentCount(document))
    found["scripts"] = max(0, pdfium_c.FPDFDoc_GetJavaScriptActionCount(document))
    found["signatures"] = max(0, pdfium_c.FPDF_GetSignatureCount(document))
    found["named-destinations"] = int(pdfium_c.FPDF_CountNamedDests(document))
    found["properties"] = sum(bool(value) for value in document.get_metadata_dict().values())
    found["bookmarks"] = int(bool(pdfium_c.FPDFBookmark_GetFirstChild(document, None)))
    return found


def read_page(document: pdfium.PdfDocument, number: int) -> PageGlyphs:
    """The glyphs of a page.

    Raises:
        DeidError: `broken-pdf`, `pdf-limits`.
    """
    dropped = _dropped_annotations(document, number)
    with opened_page(document, number) as page:
        frame = frame_of(page)
        drawn = _count_objects(page, dropped)
        glyphs = tuple(_glyphs(page, frame, dropped))
    return PageGlyphs(frame, glyphs, drawn, dropped)


def frame_of(page: pdfium.PdfPage) -> PageFrame:
    """The crop box of a page.

    Raises:
        DeidError: `pdf-limits` for a page without size or larger than 200 inches.
    """
    boxes = (page.get_cropbox(fallback_ok=True), page.get_mediabox(fallback_ok=True))
    (a, b, c, d), (e, f, g, h) = (
        (min(x, z), min(y, w), max(x, z), max(y, w)) for x, y, z, w in boxes
    )
    left, bottom, right, top = max(a, e), max(b, f), min(c, g), min(d, h)
    sides = (right - left, top - bottom)
    if not all(math.isfinite(side) and 1 <= side <= LONGEST_SIDE for side in sides):
        raise refuse_document("pdf-limits")
    return PageFrame(left, bottom, right, top, page.get_rotation() // 90 % 4)


def _dropped_annotations(document: pdfium.PdfDocument, number: int) -> Counter[str]:
    """Counts of comments, links, hidden annotations and fields without an appearance."""
    found: Counter[str] = Counter()
    try:
        page = document[number]
    except pdfium.PdfiumError:
        raise refuse_document("broken-pdf") from None
    for index in range(min(pdfium_c.FPDFPage_GetAnnotCount(page), MOST_OBJECTS)):
        note = pdfium_c.FPDFPage_GetAnnot(page, index)
        if not note:
            continue
        kind, hidden = pdfium_c.FPDFAnnot_GetSubtype(note), pdfium_c.FPDFAnnot_GetFlags(note)
        bare = not pdfium_c.FPDFAnnot_GetAP(
            note, pdfium_c.FPDF_ANNOT_APPEARANCEMODE_NORMAL, None, 0
        )
        if kind == pdfium_c.FPDF_ANNOT_LINK:
            found["links"] += 1
        elif kind in _NOTES:
            found["comments"] += 1
        elif hidden & _HIDDEN_FLAGS or bare:
            found["form-fields" if kind == pdfium_c.FPDF_ANNOT_WIDGET else "annotations"] += 1
        pdfium_c.FPDFPage_CloseAnnot(note)
    page.close()
    return found


def _count_objects(page: pdfium.PdfPage, dropped: Counter[str]) -> bool:
    """Count pictures and shadings. Returns whether the page shows anything besides text."""
    drawn = False
    for kind in object_kinds(page):
        if kind == pdfium_c.FPDF_PAGEOBJ_IMAGE:
            dropped["pictures"] += 1
        drawn = drawn or kind not in (pdfium_c.FPDF_PAGEOBJ_TEXT, pdfium_c.FPDF_PAGEOBJ_FORM)
    return drawn


def object_kinds(page: pdfium.PdfPage) -> Iterator[int]:
    """The kinds of all objects on a page, including the objects within forms.

    Raises:
        DeidError: `pdf-limits`.
    """
    stack = [(pdfium_c.FPDFPage_GetObject(page, n), 0) for n in range(_objects_on(page))]
    seen = 0
    while stack:
        one, depth = stack.pop()
        seen += 1
        if seen > MOST_OBJECTS or depth > DEEPEST_FORMS:
            raise refuse_document("pdf-limits")
        kind = pdfium_c.FPDFPageObj_GetType(one)
        yield kind
        if kind == pdfium_c.FPDF_PAGEOBJ_FORM:
            inside = range(min(pdfium_c.FPDFFormObj_CountObjects(one), MOST_OBJECTS))
            stack += [(pdfium_c.FPDFFormObj_GetObject(one, n), depth + 1) for n in inside]


def _objects_on(page: pdfium.PdfPage) -> int:
    count: int = pdfium_c.FPDFPage_CountObjects(page)
    if count > MOST_OBJECTS:
        raise refuse_document("pdf-limits")
    return max(0, count)


def _glyphs(page: pdfium.PdfPage, frame: PageFrame, dropped: Counter[str]) -> Iterator[Glyph]:
    text = pdfium_c.FPDFText_LoadPage(page)
    if not text:
        raise refuse_document("broken-pdf")
    try:
        count = pdfium_c.FPDFText_CountChars(text)
        if count > MOST_PAGE_CHARACTERS:
            raise refuse_document("pdf-limits")
        reader = _GlyphReader(text, frame, dropped)
        for index in range(max(0, count)):
            glyph = reader.glyph(index)
            if glyph is not None:
                yield glyph
    finally:
        pdfium_c.FPDFText_ClosePage(text)


class _GlyphReader:
    """Reads glyphs one after the other, with the same buffers."""

    def __init__(self, text: object, frame: PageFrame, dropped: Counter[str]) -> None:
        self._text, self._frame, self._dropped = text, frame, dropped
        self._box, self._matrix = pdfium_c.FS_RECTF(), pdfium_c.FS_MATRIX()
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self._half = 0

    def glyph(self, index: int) -> Glyph | None:
        """The glyph; None if PDFium generated it or it is outside the page."""
        code = pdfium_c.FPDFText_GetUnicode(self._text, index)
        if pdfium_c.FPDFText_IsGenerated(self._text, index) == 1 and code != _LINE_END_HYPHEN:
            return None
        char = self._character(code, index)
        if not char:
            return None
        if not pdfium_c.FPDFText_GetLooseCharBox(self._text, index, self._box):
            return None
        box = self._frame.shown_box(
            self._box.left, self._box.bottom, self._box.right, self._box.top
        )
        if char.isspace():
            return Glyph(" ", *box, 0, 0, 0, 0, True)
        pdfium_c.FPDFText_GetCharOrigin(self._text, index, self._x, self._y)
        base = self._frame.shown(self._x.value, self._y.value)
        numbers = (*box, *base)
        if not all(map(math.isfinite, numbers)):
            self._dropped["unreadable-characters"] += 1
            return None
        if not self._is_on_page(box):
            self._dropped["text-beside-the-page"] += 1
            return None
        angle, size = self._direction(index)
        if angle % 90 == 0:  # the box of a slanted glyph does not show the line height
            size = (box[3] - box[1] if angle % 180 == 0 else box[2] - box[0]) / 1.15
        return Glyph(char, *box, *base, max(1.0, min(size, LONGEST_SIDE)), angle)

    def _direction(self, index: int) -> tuple[int, float]:
        """The direction of the baseline, in whole degrees clockwise, and the font size.

        PDFium's own angle is the angle of the stems: 17 degrees for artificially slanted letters.
        """
        turned, size = 0.0, 1.0
        if pdfium_c.FPDFText_GetMatrix(self._text, index, self._matrix):
            turned = -math.degrees(math.atan2(self._matrix.b, self._matrix.a))
            size = pdfium_c.FPDFText_GetFontSize(self._text, index)
            size *= math.hypot(self._matrix.c, self._matrix.d)
        if not (math.isfinite(turned) and math.isfinite(size)):
            return 0, 1.0
        angle = round(turned + 90 * self._frame.turns) % 360
        return 0 if angle in (359, 1) else angle, float(size)

    def _is_on_page(self, box: tuple[float, float, float, float]) -> bool:
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        return 0 <= x <= self._frame.width and 0 <= y <= self._frame.height

    def _character(self, code: int, index: int) -> str:
        """The character of a code. The two halves of a surrogate pair are one character."""
        if code in (_LINE_END_HYPHEN, _SOFT_HYPHEN):
            return "-"
        if 0xD800 <= code < 0xDC00:
            self._half = code
            return ""
        if 0xDC00 <= code < 0xE000:
            high, self._half = self._half, 0
            return (
                chr(0x10000 + ((high - 0xD800) << 10) + code - 0xDC00) if high else UNREADABLE_GLYPH
            )
        if pdfium_c.FPDFText_HasUnicodeMapError(self._text, index) == 1 or not 0 < code < 0x110000:
            return UNREADABLE_GLYPH
        char = chr(code)
        private = 0xE000 <= code < 0xF900 or code in (0xFFFD, 0xFFFE, 0xFFFF)
        if private or not (char.isprintable() or char.isspace()):
            return UNREADABLE_GLYPH if private or ord(char) < 32 else ""
        return char
