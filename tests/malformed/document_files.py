"""Broken and hostile documents of word processors, browsers and mail programs."""

from __future__ import annotations

from collections.abc import Mapping

from broken_files import CANARY, C

from corpora.documents import odt_package, word_package

RTF = b"{\\rtf1\\ansi "
RTF_FILES: dict[str, tuple[bytes, str]] = {
    "cut.rtf": (RTF + C, "broken-rtf"),
    "open_groups.rtf": (RTF + b"{\\b " + C + b"}", "broken-rtf"),
    "escape.rtf": (RTF + C + b"\\'zz}", "broken-rtf"),
    "half_escape.rtf": (RTF + C + b"\\'4", "broken-rtf"),
    "backslash.rtf": (RTF + C + b"\\", "broken-rtf"),
    "long_word.rtf": (RTF + b"\\" + b"a" * 400 + b" " + C + b"}", "broken-rtf"),
    "binary_beyond.rtf": (RTF + C + b"\\bin4000000000 x}", "broken-rtf"),
    "deep.rtf": (RTF + b"{" * 100_000 + C + b"}" * 100_001, "rtf-limits"),
    "codepage.rtf": (RTF + b"\\ansicpg99999 " + C + b"}", "encoding-unknown"),
    "bytes.rtf": (RTF + b"\\ansicpg949 " + C + b"\\'ff\\'ff}", "undecodable-bytes"),
    "half_pair.rtf": (RTF + C + b"\\u-10179?}", "lone-surrogate"),
    "text.rtf": (C + b" was seen.", "broken-rtf"),
    "empty.rtf": (b"", "broken-rtf"),
    "wide.rtf": (RTF.decode().encode("utf-16") + C, "broken-rtf"),
}
PAGE = b"<html><body>" + C
HTML_FILES: dict[str, tuple[bytes, str]] = {
    "deep.html": (b"<html>" + b"<div>" * 100_000 + C, "html-limits"),
    "charset.html": (b"<html><meta charset=klingon>" + C, "encoding-unknown"),
    "bytes.html": (b"<html><meta charset=utf-8><p>\xff\xfe" + C + b"\x81", "undecodable-bytes"),
    "undefined.html": (PAGE + b"\x81\x8d", "undecodable-bytes"),
    "odd.html": ("\ufeff<html>".encode("utf-16-le") + C, "undecodable-bytes"),
    "pdf.html": (b"%PDF-1.7\n" + C, "broken-pdf"),
    "png.htm": (b"\x89PNG\r\n" + C, "image-file"),
    "zip.html": (b"7z\xbc\xaf\x27\x1c" + C, "packed-archive"),
    "json.html.bz": (b"BZh91AY&SY" + C, "compressed-file"),
    "old.html": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + C, "compound-document"),
}
MAIL_FILES: dict[str, tuple[bytes, str]] = {
    "no_headers.eml": (C + b" was seen", "broken-mail"),
    "empty.eml": (b"", "broken-mail"),
    "no_parts.eml": (b"Subject: x\nContent-Type: multipart/mixed\n\n" + C, "broken-mail"),
    "sealed.eml": (b"A: b\nContent-Type: application/pkcs7-mime\n\n" + C, "encrypted-mail"),
    "pgp.eml": (
        b"A: b\nContent-Type: multipart/encrypted; boundary=b\n\n--b\n\n" + C + b"\n--b--",
        "encrypted-mail",
    ),
    "charset.eml": (b"A: b\nContent-Type: text/plain; charset=klingon\n\n" + C, "encoding-unknown"),
    "subject.eml": (b"Subject: =?klingon?q?" + C + b"?=\n\nx", "encoding-unknown"),
    "bytes.eml": (
        b"A: b\nContent-Type: text/plain; charset=shift_jis\n\n" + C + b"\xff\xff",
        "undecodable-bytes",
    ),
    "controls.eml": (b"Subject: x\n\n" + C + b"\x01\x00", "control-characters"),
    "many.eml": (
        b"A: b\nContent-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 2000 + C,
        "mail-limits",
    ),
    "html.eml": (b"A: b\nContent-Type: text/html\n\n" + b"<div>" * 100_000 + C, "html-limits"),
}
WORD = "<w:body><w:p><w:r><w:t>" + CANARY + "</w:t></w:r></w:p></w:body>"
WHOLE = word_package({"word/document.xml": WORD})


def part(xml: str) -> bytes:
    return word_package({"word/document.xml": xml.encode()})


def deflated_bomb() -> bytes:
    return word_package({"word/document.xml": WORD, "word/x.bin": bytes(200_000_000)})


WORD_FILES: dict[str, tuple[bytes, str]] = {
    "cut.docx": (WHOLE[:-40], "broken-archive"),
    "no_main.docx": (
        word_package({"word/_rels/document.xml.rels": "", "word/styles.xml": WORD}),
        "broken-word",
    ),
    "open_tag.docx": (part("<w:document>" + CANARY), "broken-word"),
    "laughs.docx": (part('<!DOCTYPE x [<!ENTITY a "b">]><x>&a;' + CANARY + "</x>"), "xml-dtd"),
    "outside.docx": (part('<!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>' + CANARY), "xml-dtd"),
    "deep.docx": (part("<a>" * 3000 + CANARY + "</a>" * 3000), "broken-word"),
    "bomb.docx": (deflated_bomb(), "archive-too-large"),
    "twice.docx": (
        word_package({"word/document.xml": WORD, "word/Document.xml": WORD}),
        "double-member",
    ),
    "climbs.docx": (
        word_package({"word/document.xml": WORD, "../word/x.xml": WORD}),
        "unsafe-archive-path",
    ),
    "ole.docx": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + C, "compound-document"),
    "text.docx": (C + b" was seen", "broken-archive"),
    "bytes.docx": (part("<a>" + CANARY).replace(b"PK\x05\x06", b"PK\x05\x07"), "broken-archive"),
    "pages.docx": (
        b"PK\x03\x04" + b"\0" * 26 + b"mimetypeapplication/vnd.oasis.opendocument.presentation" + C,
        "office-document",
    ),
}
ODT_FILES: dict[str, tuple[bytes, str]] = {
    "no_content.odt": (odt_package({"styles.xml": CANARY}), "broken-odt"),
    "open_tag.odt": (odt_package({"content.xml": "<a>" + CANARY}), "broken-odt"),
    "deep.odt": (odt_package({"content.xml": "<a>" * 3000 + CANARY + "</a>" * 3000}), "broken-odt"),
    "laughs.odt": (
        odt_package({"content.xml": '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;' + CANARY + "</x>"}),
        "xml-dtd",
    ),
    "cut.odt": (odt_package({"content.xml": "<x>" + CANARY + "</x>"})[:-30], "broken-archive"),
    "bomb.odt": (odt_package({"content.xml": CANARY + "x" * 200_000_000}), "archive-too-large"),
    "locked.odt": (
        odt_package(
            {"content.xml": CANARY, "META-INF/manifest.xml": "<manifest:encryption-data/>"}
        ),
        "encrypted-odt",
    ),
}
DOCUMENT_FILES: Mapping[str, tuple[bytes, str]] = {
    **RTF_FILES,
    **HTML_FILES,
    **MAIL_FILES,
    **WORD_FILES,
    **ODT_FILES,
}
GOOD = RTF + b"The patient is well.}"
