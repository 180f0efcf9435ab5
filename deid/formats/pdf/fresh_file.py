"""A new PDF: one picture per page, with the words as text on or behind it (ISO 32000-2).

The same pages give the same bytes: the file has no time, producer or identifier.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from deid.formats.pdf.words import length_along

# In units of the font size: the width of every letter of the font, and the distance from the
# middle of a line down to its baseline.
_LETTER_WIDTH, _MIDDLE_TO_BASE = 0.6, 0.28
_VISIBLE, _INVISIBLE = 0, 3
_CODE_MAP = (
    "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
    "/CMapName /F def\n/CMapType 2 def\n1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n"
    "{}\nendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
)
# A font without its own glyphs: readers get its text only through its character map.
_WIDE_FONT = (
    b"<< /Type /Font /Subtype /Type0 /BaseFont /Courier /Encoding /Identity-H /ToUnicode 4 0 R "
    b"/DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Courier /DW 600 "
    b"/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> "
    b"/FontDescriptor << /Type /FontDescriptor /FontName /Courier /Flags 5 /ItalicAngle 0 "
    b"/FontBBox [0 -250 600 750] /Ascent 750 /Descent -250 /CapHeight 600 /StemV 80 >> >>] >>"
)


@dataclass(frozen=True, slots=True)
class FreshText:
    """A word with its box in points from the top left corner; `over` says that it is on a cover."""

    text: str = field(repr=False)
    box: tuple[float, float, float, float]
    size: float
    angle: int
    visible: bool
    over: bool = False


@dataclass(frozen=True, slots=True)
class PageRule:
    """A straight line, given by the box that it fills."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class FreshPage:
    """A page: its size in points, a gray picture of it (rows of dots), its texts and its lines."""

    width: float
    height: float
    picture: Any = field(repr=False)
    texts: tuple[FreshText, ...] = field(repr=False)
    rules: tuple[PageRule, ...]


class _Letters:
    """Codes for letters: Windows-1252 codes in the visible font, new codes in the wide font."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.chars = ["\0", *sorted({" ", *"".join(texts)})]
        self._codes = {char: code for code, char in enumerate(self.chars)}

    def run(self, text: str, visible: bool) -> tuple[int, str]:
        """The number of a font that has all letters of the text, and their codes in hex."""
        if visible and all(map(_in_windows_1252, text)):
            return 0, text.encode("cp1252").hex()
        return 1, "".join(f"{self._codes[char]:04x}" for char in text)


def _in_windows_1252(char: str) -> bool:
    try:
        return char.isprintable() and bool(char.encode("cp1252"))
    except UnicodeEncodeError:
        return False


def write_pages(pages: Sequence[FreshPage]) -> bytes:
    """The bytes of the file. Without pages, it has one blank page."""
    pages = pages or [FreshPage(612, 792, None, (), ())]
    letters = _Letters([text.text for page in pages for text in page.texts])
    bodies: list[bytes] = [
        b"",
        b"",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>",
        _stream(b"", _code_map(letters.chars)),
        _WIDE_FONT,
    ]
    kids = []
    for page in pages:
        pictures = ""
        if page.picture is not None:
            bodies.append(_picture(page.picture))
            pictures = f"/XObject << /P {len(bodies)} 0 R >> "
        bodies.append(_stream(b"", _content(page, letters)))
        bodies.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {page.width:.2f} {page.height:.2f}] "
            f"/Resources << {pictures}/Font << /F0 3 0 R /F1 5 0 R >> >> "
            f"/Contents {len(bodies)} 0 R >>".encode()
        )
        kids.append(len(bodies))
    listed = " ".join(f"{number} 0 R" for number in kids)
    bodies[0] = b"<< /Type /Catalog /Pages 2 0 R >>"
    bodies[1] = f"<< /Type /Pages /Kids [{listed}] /Count {len(kids)} >>".encode()
    return _file(bodies)


def _file(bodies: Sequence[bytes]) -> bytes:
    """The bytes of a file with these objects, numbered from 1, and a table of their positions."""
    out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, body in enumerate(bodies, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start, count = len(out), len(bodies) + 1
    out += f"xref\n0 {count}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
    out += f"trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)


def _stream(told: bytes, data: bytes) -> bytes:
    packed = zlib.compress(data, 6)
    head = b"<< " + told + f"/Length {len(packed)} /Filter /FlateDecode >>".encode()
    return head + b"\nstream\n" + packed + b"\nendstream"


def _picture(rows: Any) -> bytes:
    height, width = rows.shape
    told = (
        f"/Type /XObject /Subtype /Image /Width {width} /Height {height} "
        "/ColorSpace /DeviceGray /BitsPerComponent 8 "
    )
    return _stream(told.encode(), rows.tobytes())


def _code_map(chars: Sequence[str]) -> bytes:
    """The map from codes of the wide font to characters."""
    lines = [
        f"<{code:04X}> <{char.encode('utf-16-be').hex().upper()}>"
        for code, char in enumerate(chars)
        if code
    ]
    blocks = [lines[n : n + 100] for n in range(0, len(lines), 100)]
    mapped = "\n".join(f"{len(b)} beginbfchar\n" + "\n".join(b) + "\nendbfchar" for b in blocks)
    return _CODE_MAP.format(mapped).encode()


def _content(page: FreshPage, letters: _Letters) -> bytes:
    """The instructions that draw the page."""
    out = []
    if page.picture is not None:
        out.append(f"q {page.width:.2f} 0 0 {page.height:.2f} 0 0 cm /P Do Q")
    for rule in page.rules:
        width, height = rule.right - rule.left, rule.bottom - rule.top
        out.append(
            f"{rule.left:.2f} {page.height - rule.bottom:.2f} "
            f"{max(width, 0.5):.2f} {max(height, 0.5):.2f} re f"
        )
    out += [_text_content(text, page.height, letters) for text in page.texts if text.text]
    return "\n".join(out).encode("ascii")


def _text_content(text: FreshText, page_height: float, letters: _Letters) -> str:
    left, top, right, bottom = text.box
    turn = math.radians(text.angle)
    cos, sin = math.cos(turn), math.sin(turn)
    length = length_along(right - left, bottom - top, text.size, text.angle)
    x = (left + right) / 2 - cos * length / 2 - sin * _MIDDLE_TO_BASE * text.size
    y = page_height - (top + bottom) / 2 + sin * length / 2 - cos * _MIDDLE_TO_BASE * text.size
    wide = 100 * max(length, 1.0) / (_LETTER_WIDTH * text.size * len(text.text))
    mode = _VISIBLE if text.visible else _INVISIBLE
    font, codes = letters.run(text.text + " ", text.visible)
    shown = f"/F{font} {text.size:.2f} Tf <{codes}> Tj"
    return (
        f"BT {mode} Tr {min(wide, 100 if text.visible else 1000):.2f} Tz "
        f"{cos:.4f} {-sin:.4f} {sin:.4f} {cos:.4f} {x:.2f} {y:.2f} Tm {shown} ET"
    )
