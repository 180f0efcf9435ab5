# ruff: noqa: E501
"""Word: the text that a reader sees, written into a package that contains nothing else."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from document_canaries import address, canaries_left, canaries_of, canary, released, scrub_document

from corpora.documents import SUMMARIES, as_docx, word_package
from deid.formats.documents.docx import read_docx, write_docx


def paragraph(inside: str) -> str:
    return f"<w:p>{inside}</w:p>"


def run(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


def text_of(body: str) -> str:
    return read_docx(word_package({"word/document.xml": f"<w:body>{body}</w:body>"})).text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (paragraph(run("Jo") + run("hn ") + "<w:r><w:rPr><w:b/></w:rPr><w:t>Roe</w:t></w:r>"), "John Roe"),
        (paragraph("<w:ins>" + run("new") + "</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>"), "new"),
        (paragraph("<w:hyperlink r:id='rId1'>" + run("link") + "</w:hyperlink>"), "link"),
        (paragraph("<w:sdt><w:sdtPr/><w:sdtContent>" + run("control") + "</w:sdtContent></w:sdt>"), "control"),
        ("<w:sdt><w:sdtContent>" + paragraph(run("block")) + "</w:sdtContent></w:sdt>", "block"),
        (paragraph("<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:noBreakHyphen/></w:r>"), "a\tb\n\u2011"),
        ("<w:tbl><w:tr><w:tc>" + paragraph(run("a")) + "</w:tc><w:tc>" + paragraph(run("b")) + "</w:tc></w:tr></w:tbl>", "a | b"),
        (paragraph("<w:r><w:rPr><w:vanish/></w:rPr><w:t>h</w:t></w:r>" + run("s")), "s"),
        (paragraph("<w:r><w:rPr><w:vanish w:val='0'/></w:rPr><w:t>h</w:t></w:r>"), "h"),
        (paragraph(run("a")) + paragraph("") + paragraph("") + paragraph(run("b")), "a\n\n\nb"),
        ("<w:tbl><w:tr><w:tc>" + paragraph(run("a")) + "</w:tc><w:tc>" + paragraph("") + "</w:tc><w:tc>" + paragraph("") + paragraph(run("c")) + "</w:tc></w:tr></w:tbl>", "a | c"),
        (paragraph("<w:r><w:pict><w:txbxContent>" + paragraph(run("box")) + "</w:txbxContent></w:pict></w:r>" + run("p")), "p\nbox"),
    ],
)  # fmt: skip
def test_the_text_is_what_word_shows(body: str, text: str) -> None:
    assert text_of(body) == text


def test_word_summaries_read_word_for_word_and_read_back() -> None:
    for path in SUMMARIES.glob("*.txt"):
        text = path.read_text("utf-8")
        read = read_docx(as_docx(text))
        assert read.text == text.strip("\n")
        assert read_docx(write_docx(read, read.text)).text == read.text


DROPPED = [
    "<w:del w:author='%'><w:r><w:delText>%</w:delText></w:r></w:del>", "<w:r><w:rPr><w:vanish/></w:rPr><w:t>%</w:t></w:r>",
    "<w:r><w:instrText>HYPERLINK %</w:instrText></w:r>", "<w:bookmarkStart w:name='%'/>", "<w:r w:rsidR='%'/>",
    "<w:hyperlink w:tooltip='%' w:anchor='%'><w:r><w:t>a</w:t></w:r></w:hyperlink>", "<w:pPr><w:pStyle w:val='%'/></w:pPr>",
    "<w:sdt><w:sdtPr><w:alias w:val='%'/><w:tag w:val='%'/></w:sdtPr><w:sdtContent/></w:sdt>", "<w:ins w:author='%'/>",
    "<w:r><w:drawing><wp:docPr descr='%' title='%' name='%'/></w:drawing></w:r>", "<w:r><w:object>%</w:object></w:r>",
    "<w:moveFrom><w:r><w:t>%</w:t></w:r></w:moveFrom>", "<w:fldSimple w:instr='%'/>", "<w:smartTag w:element='%'/>",
    "<w:commentRangeStart w:id='%'/>", "<w:r><w:rPr><w:rStyle w:val='%'/></w:rPr></w:r>", "<!-- % -->", "<?x % ?>",
    "<w:r><w:rPr><w:lang w:val='%'/></w:rPr></w:r>", "<w:customXml w:element='%'/>", "<w:unknown>%</w:unknown>",
    "<mc:AlternateContent><mc:Choice/><mc:Fallback><w:r><w:t>%</w:t></w:r></mc:Fallback></mc:AlternateContent>",
]  # fmt: skip
DROPPED_PARTS = [
    "docProps/core.xml", "docProps/app.xml", "docProps/custom.xml", "docProps/thumbnail.jpeg", "customXml/item1.xml",
    "word/comments.xml", "word/people.xml", "word/settings.xml", "word/media/image1.png", "word/embeddings/o.bin",
    "word/vbaProject.bin", "word/glossary/document.xml", "word/theme/theme1.xml", "word/fontTable.xml",
    "word/_rels/document.xml.rels", "word/_rels/settings.xml.rels", "word/webSettings.xml", "_rels/.rels", "word/numbering.xml",
]  # fmt: skip
SHOWN = [
    "<w:r><w:t>%</w:t></w:r>", "<w:r><w:rPr><w:b/></w:rPr><w:t>@</w:t></w:r>", "<w:ins><w:r><w:t>%</w:t></w:r></w:ins>",
    "<w:hyperlink><w:r><w:t>%</w:t></w:r></w:hyperlink>", "<w:sdt><w:sdtContent><w:r><w:t>%</w:t></w:r></w:sdtContent></w:sdt>",
    "<w:r><w:pict><w:txbxContent><w:p><w:r><w:t>%</w:t></w:r></w:p></w:txbxContent></w:pict></w:r>",
    "<w:fldSimple w:instr='x'><w:r><w:t>%</w:t></w:r></w:fldSimple>", "<w:moveTo><w:r><w:t>%</w:t></w:r></w:moveTo>",
]  # fmt: skip
STORIES = {
    "header1": "{}",
    "footer2": "{}",
    "footnotes": "<w:footnote>{}</w:footnote>",
    "endnotes": "<w:endnote>{}</w:endnote>",
}


def with_canaries() -> bytes:
    body = []
    for number, place in enumerate([*DROPPED, *SHOWN]):
        word = address(number) if place in SHOWN else canary(number)
        split = f"{word[:4]}</w:t></w:r><w:r w:rsidR='1'><w:t>{word[4:]}"
        body.append(paragraph(place.replace("%", word).replace("@", split)))
    table = f"<w:tbl><w:tr><w:tc>{paragraph(run(address(60)))}</w:tc></w:tr></w:tbl>"
    last = paragraph(run("The patient is well on lisinopril."))
    parts: dict[str, str | bytes] = {
        "word/document.xml": f"<w:body>{''.join(body)}{table}{last}</w:body>"
    }
    for number, (name, form) in enumerate(STORIES.items(), 70):
        parts[f"word/{name}.xml"] = form.format(paragraph(run(address(number))))
    for number, name in enumerate(DROPPED_PARTS, 80):
        parts[name] = f"<x>{canary(number)}</x>".encode()
    parts[f"word/media/{canary(120)}.png"] = b"x"
    return word_package(parts)


@pytest.mark.parametrize("name", ["letter.docx", "letter.docm", "letter.txt"])
def test_no_canary_is_in_any_byte_of_a_released_word_document(name: str, tmp_path: Path) -> None:
    data = with_canaries()
    assert len(canaries_of(data)) >= 50
    out = scrub_document(tmp_path, name, data)
    assert canaries_left(out) == set()
    path = released(out, ".docx")
    text = read_docx(path.read_bytes()).text
    assert "The patient is well on lisinopril." in text
    assert text.count("[EMAIL]") == len(SHOWN) + 1 + len(STORIES)
    with zipfile.ZipFile(path) as archive:
        assert {n for n in archive.namelist() if "header" not in n and "footer" not in n} == {
            *("[Content_Types].xml", "_rels/.rels", "word/document.xml"),
            *("word/_rels/document.xml.rels", "word/styles.xml"),
        }
        for part in archive.namelist():
            ElementTree.fromstring(archive.read(part))
    told = json.loads((out / "_release" / "manifest.json").read_text())["left_behind"]
    counts = {line["what"]: line["count"] for line in told}
    assert counts["macros"] == 1 and counts["comments"] == 1 and counts["hidden-text"] == 1


def test_a_word_document_is_released_like_its_plain_text(tmp_path: Path) -> None:
    text = SUMMARIES.joinpath("summary-03.txt").read_text("utf-8")
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    plain = scrub_document(tmp_path / "a", "note.txt", read_docx(as_docx(text)).text.encode())
    out = scrub_document(tmp_path / "b", "note.docx", as_docx(text))
    with zipfile.ZipFile(released(out, ".docx")) as archive:
        xml = archive.read("word/document.xml").decode()
    shown = re.sub("<[^>]*>", "", xml.replace("</w:p>", "\n").replace("<w:tab/>", "\t"))
    expected = released(plain, ".txt").read_text("utf-8")
    assert (
        shown.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").split()
        == expected.split()
    )


STYLES = (
    "<w:style w:styleId='Secret'><w:rPr><w:vanish/></w:rPr></w:style>"
    "<w:style w:styleId='Below'><w:basedOn w:val='Secret'/></w:style>"
    "<w:style w:styleId='Loop'><w:basedOn w:val='Loop'/></w:style>"
    "<w:style w:styleId='Off'><w:rPr><w:vanish w:val='0'/></w:rPr></w:style>"
)


@pytest.mark.parametrize(
    ("marks", "shown"),
    [
        ("<w:rPr><w:rStyle w:val='Secret'/></w:rPr>", False),
        ("<w:rPr><w:rStyle w:val='Below'/></w:rPr>", False),
        ("<w:rPr><w:rStyle w:val='Loop'/></w:rPr>", True),
        ("<w:rPr><w:rStyle w:val='Off'/></w:rPr>", True),
        ("<w:rPr><w:rStyle w:val='Secret'/><w:vanish w:val='0'/></w:rPr>", True),
        ("<w:rPr><w:webHidden/></w:rPr>", False),
    ],
)
def test_word_styles_hide_text(marks: str, shown: bool) -> None:
    body = f"<w:body><w:p><w:r>{marks}<w:t>text</w:t></w:r></w:p></w:body>"
    parts = {"word/document.xml": body, "word/styles.xml": STYLES}
    read = read_docx(word_package(parts))
    assert (read.text == "text", read.dropped.get("hidden-text", 0)) == (shown, not shown)
    below = body.replace(f"<w:r>{marks}", "<w:pPr><w:pStyle w:val='Below'/></w:pPr><w:r>")
    assert read_docx(word_package(parts | {"word/document.xml": below})).text == ""


@pytest.mark.parametrize("target", ["word/document2.xml", "/word/document2.xml", "word/other.xml"])
def test_the_package_determines_which_part_is_the_document(target: str) -> None:
    links = f"<x><y Type='http://a/officeDocument' Target='{target}'/></x>"
    body = f"<w:body>{paragraph(run('main'))}</w:body>"
    parts: dict[str, str | bytes] = {"_rels/.rels": links.encode(), target.lstrip("/"): body}
    parts["word/header1.xml"] = paragraph(run("top"))
    parts["word/document.xml"] = f"<w:body>{paragraph(run('old'))}</w:body>"
    assert read_docx(word_package(parts)).text == "top\nmain"


def test_tracked_changes_in_word_are_resolved_and_counted() -> None:
    body = paragraph(
        f"<w:ins>{run('new')}</w:ins><w:moveTo>{run(' moved')}</w:moveTo>"
        "<w:del><w:r><w:delText>old</w:delText></w:r></w:del>"
    )
    read = read_docx(word_package({"word/document.xml": f"<w:body>{body}</w:body>"}))
    assert read.text == "new moved"
    assert read.dropped == {"insertion-marks": 2, "tracked-deletions": 1}
