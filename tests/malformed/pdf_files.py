"""Broken and hostile PDFs."""

from __future__ import annotations

import zlib

from broken_files import C

CATALOG = b"<< /Type /Catalog /Pages 2 0 R >>"
FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
FONTS = b"/Resources << /Font << /F 5 0 R >> >>"
TEXT = b"BT /F 12 Tf 72 700 Td (" + C + b" was seen) Tj ET"
PICTURE = b"/Resources << /Font << /F 5 0 R >> /XObject << /I 6 0 R >> >>"
LETTER = b"[0 0 612 792]"


def objects(*bodies: bytes, more: bytes = b"") -> bytes:
    """A PDF file of these objects, with its cross-reference table."""
    out = bytearray(b"%PDF-1.7\n")
    places = []
    for number, body in enumerate(bodies, 1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    start, count = len(out), len(bodies) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % count
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    told = b"trailer\n<< /Size %d /Root 1 0 R %s>>\nstartxref\n%d\n%%%%EOF\n"
    return bytes(out) + told % (count, more, start)


def stream(data: bytes, told: bytes = b"") -> bytes:
    return b"<< /Length %d %s>>\nstream\n" % (len(data), told) + data + b"\nendstream"


def page(
    content: bytes, told: bytes = b"", *more: bytes, box: bytes = LETTER, fonts: bytes = FONTS
) -> bytes:
    """A PDF file with one page."""
    leaf = b"<< /Type /Page /Parent 2 0 R /MediaBox " + box + fonts + b" /Contents 4 0 R >>"
    pages = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
    return objects(CATALOG, pages, leaf, stream(content, told), FONT, *more)


def sealed(told: bytes) -> bytes:
    encrypted = b"/Root 1 0 R /Encrypt << " + told + b" >> /ID [<00><00>]"
    return page(TEXT).replace(b"/Root 1 0 R", encrypted)


IMAGE = b"/Type /XObject /Subtype /Image /ColorSpace /DeviceRGB /BitsPerComponent 8 "
LOOP = b"/Type /XObject /Subtype /Form /BBox [0 0 612 792] " + PICTURE
DEEP = [b"<< /Type /Pages /Kids [%d 0 R] /Count 1 >>" % (n + 1) for n in range(2, 3000)]
STANDARD = b"/Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <%s> /U <%s>" % (
    b"41" * 32,
    b"42" * 32,
)
PDF_FILES: dict[str, tuple[bytes, str]] = {
    "empty.pdf": (b"", "broken-pdf"),
    "text.pdf": (C + b" was seen", "broken-pdf"),
    "head.pdf": (b"%PDF-1.7\n" + C, "broken-pdf"),
    "cut.pdf": (page(TEXT)[:300], "broken-pdf"),
    "own_parent.pdf": (
        objects(CATALOG, b"<< /Type /Pages /Kids [2 0 R] /Count 5 >>", TEXT),
        "broken-pdf",
    ),
    "deep_tree.pdf": (objects(CATALOG, *DEEP, TEXT), "broken-pdf"),
    "form_loop.pdf": (
        page(b"/I Do " + TEXT, b"", stream(b"/I Do " + TEXT, LOOP), fonts=PICTURE),
        "pdf-limits",
    ),
    "paths.pdf": (page(TEXT + b" 0 0 m 1 1 l S" * 300_000), "pdf-limits"),
    "letters.pdf": (
        page(b"BT /F 1 Tf " + b"(abcdefghij) Tj " * 30_000 + b"ET " + TEXT),
        "pdf-limits",
    ),
    "wide.pdf": (page(TEXT, box=b"[0 0 9999999 9999999]"), "pdf-limits"),
    "no_size.pdf": (page(TEXT, box=b"[0 0 0 0]"), "pdf-limits"),
    "no_number.pdf": (page(TEXT, box=b"[nan 0 inf 1e999]"), "pdf-limits"),
    "password.pdf": (sealed(STANDARD), "encrypted-pdf"),
    "other_lock.pdf": (sealed(b"/Filter /Acme /V 9"), "encrypted-pdf"),
    "bomb.pdf": (
        page(
            zlib.compress(zlib.compress(b" " * 50_000_000)), b"/Filter [/FlateDecode /FlateDecode] "
        ),
        "no-text-layer",
    ),
    "scan.pdf": (
        page(
            b"q 612 0 0 792 0 0 cm /I Do Q",
            b"",
            stream(C * 3, IMAGE + b"/Width 3 /Height 3 "),
            fonts=PICTURE,
        ),
        "no-text-layer",
    ),
    "huge_picture.pdf": (
        page(
            b"/I Do",
            b"",
            stream(
                zlib.compress(bytes(9_000_000)),
                IMAGE + b"/Width 90000 /Height 90000 /Filter /FlateDecode ",
            ),
            fonts=PICTURE,
        ),
        "no-text-layer",
    ),
    "blank.pdf": (page(b"%" + C), "no-text-layer"),
    "arrays.pdf": (page(b"[" * 1_000_000 + TEXT), "no-text-layer"),
    "program.pdf": (b"MZ\x90\x00\x03\x00" + C, "program-file"),
    "old.pdf": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + C, "compound-document"),
}
GOOD = page(TEXT.replace(C, b"The patient"))
