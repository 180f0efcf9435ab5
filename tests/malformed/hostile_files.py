"""Files that attack their reader: bombs, loops, huge pictures, encryption and programs."""

from __future__ import annotations

import gzip
import io
import struct
import tarfile
import zipfile
import zlib

from broken_files import CANARY, C
from document_files import WORD
from pdf_files import CATALOG, FONT, LETTER, PICTURE, TEXT, objects, page, stream

from corpora.documents import odt_content, odt_package, word_package

PAGES = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
MAIL = b"From: a@b.example\nMIME-Version: 1.0\n"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)


def leaf(entries: bytes) -> bytes:
    return b"<< /Type /Page /Parent 2 0 R /MediaBox " + LETTER + entries + b" >>"


def zipped(files: dict[str, bytes], packed: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", packed) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return file.getvalue()


def locked(data: bytes) -> bytes:
    """The archive with its entries marked as encrypted."""
    found = bytearray(data)
    for sign, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = found.find(sign)
        while at >= 0:
            found[at + place] |= 1
            at = found.find(sign, at + 4)
    return bytes(found)


def lying(data: bytes, size: int) -> bytes:
    """The archive with a false unpacked size in its directory."""
    at = data.find(b"PK\x01\x02")
    return data[: at + 24] + struct.pack("<I", size) + data[at + 28 :]


def overlapping() -> bytes:
    """Two directory entries that point to the same bytes."""
    data = zipped({"a.txt": C * 9, "b.txt": C * 9}, zipfile.ZIP_STORED)
    at = data.find(b"PK\x01\x02", data.find(b"PK\x01\x02") + 4)
    return data[: at + 42] + struct.pack("<I", 0) + data[at + 46 :]


def nested(depth: int) -> bytes:
    data = zipped({"a.txt": C})
    for _ in range(depth):
        data = zipped({"inner.zip": data})
    return data


def tarred(size: int) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        info = tarfile.TarInfo("a.csv")
        info.size = size
        archive.addfile(info, io.BytesIO(bytes(size)))
    return file.getvalue()


def picture(entries: bytes) -> bytes:
    """A page that is a single picture."""
    head = b"/Type /XObject /Subtype /Image /ColorSpace /DeviceGray /BitsPerComponent 8 "
    return page(b"/I Do", b"", stream(C, head + entries), fonts=PICTURE)


def word(xml: str, **parts: bytes) -> bytes:
    return word_package({"word/document.xml": xml, **parts})


BOMBS: dict[str, tuple[bytes, str]] = {
    "b_text.zip": (zipped({"a.txt": C + bytes(60_000_000)}), "archive-too-large"),
    "b_table.zip": (zipped({"a.csv": C + b"a,b\n" * 9_000_000}), "archive-too-large"),
    "b_tar.tgz": (gzip.compress(tarred(60_000_000)), "archive-too-large"),
    "b_gzip.csv.gz": (gzip.compress(C + bytes(60_000_000)), "archive-too-large"),
    "b_styles.docx": (
        word(WORD, **{"word/styles.xml": b"<a/>" * 20_000_000}),
        "archive-too-large",
    ),
    "b_header.docx": (
        word(WORD, **{"word/header1.xml": b" " * 90_000_000}),
        "archive-too-large",
    ),
    "b_picture.odt": (
        odt_package({"content.xml": odt_content(CANARY), "Pictures/a.png": bytes(90_000_000)}),
        "archive-too-large",
    ),
    "b_lies.zip": (lying(zipped({"a.txt": C * 999}), 10), "broken-archive"),
    "b_overlap.zip": (overlapping(), "archive-too-large"),
    "b_nested.zip": (nested(5), "container-in-archive"),
    "b_climbs.zip": (zipped({"../../a.txt": C}), "unsafe-archive-path"),
    "b_absolute.zip": (zipped({"/etc/a.txt": C}), "unsafe-archive-path"),
    "b_mail.eml": (
        MAIL + b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\n" * 3000 + C,
        "mail-limits",
    ),
    "b_deep.eml": (
        MAIL
        + b"".join(
            b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(60)
        )
        + b"\n"
        + C,
        "mail-limits",
    ),
    "b_groups.rtf": (b"{\\rtf1 " + b"{\\b" * 5000 + C + b"}" * 5001, "rtf-limits"),
    "b_lists.html": (b"<html>" + b"<ul><li>" * 60_000 + C, "html-limits"),
    "b_laughs.xml": (
        b"<!DOCTYPE a [<!ENTITY b '" + C + b"'>]><Patient xmlns='http://hl7.org/fhir'>&b;</Patient>",
        "xml-dtd",
    ),
    "b_deep.xml": (
        b"<Patient xmlns='http://hl7.org/fhir'>" + b"<contact>" * 5000 + C,
        "xml-limits",
    ),
    "b_deep.json": (b'{"a":' * 100_000 + b'"' + C + b'"', "broken-json"),
    "b_laughs.yaml": (b"a: &a [" + C + b"]\nb: &b [*a, *a]\n", "broken-yaml"),
}  # fmt: skip
LOOPS: dict[str, tuple[bytes, str]] = {
    "l_pages.pdf": (
        objects(
            CATALOG,
            b"<< /Type /Pages /Kids [3 0 R] /Count 2 >>",
            b"<< /Type /Pages /Kids [2 0 R] /Count 2 /Parent 2 0 R >>",
            TEXT,
        ),
        "broken-pdf",
    ),
    "l_catalog.pdf": (objects(b"1 0 R", TEXT), "broken-pdf"),
    "l_parent.pdf": (
        objects(
            CATALOG, b"<< /Type /Pages /Kids [2 0 R 2 0 R 2 0 R] /Count 9 /Parent 2 0 R >>", TEXT
        ),
        "broken-pdf",
    ),
    "l_contents.pdf": (
        objects(CATALOG, PAGES, leaf(b"/Contents 4 0 R"), b"[4 0 R 4 0 R]", FONT, C),
        "no-text-layer",
    ),
    "l_length.pdf": (
        objects(
            CATALOG, PAGES, leaf(b"/Contents 4 0 R"),
            b"<< /Length 4 0 R >>\nstream\n%" + C + b"\nendstream",
        ),
        "no-text-layer",
    ),
    "l_form.pdf": (
        page(
            b"/I Do",
            b"",
            stream(b"/I Do " * 50, b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] " + PICTURE),
            fonts=PICTURE,
        ),
        "pdf-limits",
    ),
    "l_mask.pdf": (picture(b"/Width 3 /Height 3 /SMask 6 0 R "), "no-text-layer"),
    "l_filter.pdf": (
        page(zlib.compress(C), b"/Filter [" + b"/FlateDecode " * 400 + b"] "),
        "no-text-layer",
    ),
    "l_objects.pdf": (
        b"%PDF-1.7\n1 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Extends 1 0 R /Length 3 >>\nstream\n"
        + C
        + b"\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n",
        "broken-pdf",
    ),
    "l_xref.pdf": (
        page(b"%" + C).replace(b"trailer\n<<", b"trailer\n<< /Prev 9", 1),
        "no-text-layer",
    ),
}  # fmt: skip
PICTURES: dict[str, tuple[bytes, str]] = {
    "p_wide.pdf": (picture(b"/Width 2000000000 /Height 2000000000 "), "no-text-layer"),
    "p_fax.pdf": (
        picture(b"/Width 200000 /Height 200000 /Filter /CCITTFaxDecode "),
        "no-text-layer",
    ),
    "p_jpx.pdf": (picture(b"/Width 60000 /Height 60000 /Filter /JPXDecode "), "no-text-layer"),
    "p_jbig.pdf": (picture(b"/Width 60000 /Height 60000 /Filter /JBIG2Decode "), "no-text-layer"),
    "p_negative.pdf": (picture(b"/Width -5 /Height -5 "), "no-text-layer"),
    "p_inline.pdf": (
        page(b"BI /W 99999 /H 99999 /CS /G /BPC 8 ID " + C + b" EI"),
        "no-text-layer",
    ),
    "p_huge.png": (
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 1 << 30, 1 << 30) + C,
        "image-file",
    ),
    "p_huge.tif": (b"II*\0\x08\0\0\0" + C, "image-file"),
    "p_huge.bmp": (b"BM" + struct.pack("<I", 1 << 31) + bytes(8) + C, "image-file"),
    "p_scan.dcm": (bytes(128) + b"DICM" + C, "dicom-file"),
    "p_film.mp4": (b"\0\0\0\x18ftypmp42" + C, "media-file"),
}
LOCKS: dict[str, tuple[bytes, str]] = {
    "k_member.zip": (locked(zipped({"a.txt": C})), "encrypted-archive"),
    "k_member.docx": (locked(word(WORD)), "encrypted-archive"),
    "k_member.odt": (
        locked(odt_package({"content.xml": odt_content(CANARY)})),
        "encrypted-archive",
    ),
    "k_office.docx": (
        OLE + "EncryptedPackage".encode("utf-16-le") + C,
        "compound-document",
    ),
    "k_office.xlsx": (
        OLE + "EncryptedPackage".encode("utf-16-le") + C,
        "encrypted-workbook",
    ),
    "k_keys.odt": (
        odt_package(
            {
                "content.xml": CANARY,
                "META-INF/manifest.xml": "<manifest:encrypted-key/><m:encryption-data/>",
            }
        ),
        "encrypted-odt",
    ),
    "k_smime.eml": (
        MAIL + b"Content-Type: application/x-pkcs7-mime; smime-type=enveloped-data\n\n" + C,
        "encrypted-mail",
    ),
    "k_aes.pdf": (
        page(TEXT).replace(
            b"/Root 1 0 R",
            b"/Root 1 0 R /Encrypt << /Filter /Standard /V 5 /R 6 /Length 256 /P -4 /O <"
            + b"41" * 48 + b"> /U <" + b"42" * 48 + b"> /OE <" + b"43" * 32 + b"> /UE <"
            + b"44" * 32 + b"> /Perms <" + b"45" * 16 + b"> >> /ID [<00><00>]",
        ),
        "encrypted-pdf",
    ),
    "k_public.pdf": (
        page(TEXT).replace(
            b"/Root 1 0 R",
            b"/Root 1 0 R /Encrypt << /Filter /Adobe.PubSec /V 4 >> /ID [<00><00>]",
        ),
        "encrypted-pdf",
    ),
    "k_packed.txt": (b"7z\xbc\xaf\x27\x1c" + C, "packed-archive"),
    "k_rar.docx": (b"Rar!\x1a\x07\x01\0" + C, "packed-archive"),
}  # fmt: skip
PROGRAMS: dict[str, tuple[bytes, str]] = {
    "m_macros.doc": (OLE + b"_VBA_PROJECT" + C, "compound-document"),
    "m_message.msg": (OLE + "__substg1.0_0037001F".encode("utf-16-le") + C, "compound-document"),
    "m_slides.pptm": (
        zipped({"ppt/vbaProject.bin": C, "[Content_Types].xml": b""}),
        "office-document",
    ),
    "m_windows.docx": (b"MZ\x90\0\x03\0\0\0" + C, "program-file"),
    "m_linux.pdf": (b"\x7fELF\x02\x01\x01" + C, "program-file"),
    "m_java.html": (b"\xca\xfe\xba\xbe\0\0\0\x34" + C, "program-file"),
    "m_pickle.txt": (b"\x80\x04\x95\x10\0\0\0\0\0\0\0\x8c" + C, "pickled-object"),
    "m_post.pdf": (b"%!PS-Adobe-3.0\n(" + C + b") show", "postscript-document"),
    "m_form.pdf": (
        objects(
            b"<< /Type /Catalog /Pages 2 0 R /AcroForm << /XFA 6 0 R /Fields [] >> "
            b"/NeedsRendering true >>",
            PAGES, leaf(b"/Contents 4 0 R"), stream(TEXT), FONT, stream(b"<xdp>" + C + b"</xdp>"),
        ),
        "dynamic-form",
    ),
    "m_bad.docm": (word("<w:body>" + CANARY, **{"word/vbaProject.bin": C}), "broken-word"),
    "m_tnef.dat": (b"\x78\x9f\x3e\x22\x01\0" + C, "mail-store"),
}  # fmt: skip
HOSTILE_FILES = {**BOMBS, **LOOPS, **PICTURES, **LOCKS, **PROGRAMS}
