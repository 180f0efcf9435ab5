# ruff: noqa: E501
"""OpenDocument texts: the text that a reader sees, released as plain text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from document_canaries import address, canaries_left, canaries_of, canary, released, scrub_document

from corpora.documents import SUMMARIES, as_odt, odt_content, odt_package
from deid.formats.documents.odt import read_odt


def text_of(body: str) -> str:
    return read_odt(odt_package({"content.xml": odt_content(body)})).text


def paragraph(inside: str) -> str:
    return f"<text:p>{inside}</text:p>"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (paragraph("Jo<text:span>hn</text:span> Roe"), "John Roe"),
        (paragraph("a<text:s text:c='3'/>b<text:tab/>c<text:line-break/>d"), "a   b\tc\nd"),
        ("<text:h>Head</text:h>" + paragraph("") + paragraph("x"), "Head\n\nx"),
        (paragraph("<text:a>link</text:a>"), "link"),
        ("<table:table><table:table-row><table:table-cell>" + paragraph("a") + "</table:table-cell><table:table-cell>" + paragraph("b") + "</table:table-cell></table:table-row></table:table>", "a | b"),
        ("<text:list><text:list-item>" + paragraph("item") + "</text:list-item></text:list>", "item"),
        (paragraph("n<text:note><text:note-citation>1</text:note-citation><text:note-body>" + paragraph("foot") + "</text:note-body></text:note>"), "n1\nfoot"),
        (paragraph("p<draw:frame><draw:text-box>" + paragraph("box") + "</draw:text-box></draw:frame>"), "p\nbox"),
        ("<text:tracked-changes>" + paragraph("gone") + "</text:tracked-changes>" + paragraph("x"), "x"),
    ],
)  # fmt: skip
def test_the_text_is_what_the_program_shows(body: str, text: str) -> None:
    assert text_of(body) == text


def test_opendocument_summaries_read_word_for_word() -> None:
    for path in SUMMARIES.glob("*.txt"):
        text = path.read_text("utf-8")
        assert read_odt(as_odt(text)).text == text.rstrip("\n")


DROPPED = [
    "<text:span text:style-name='%'/>", "<text:a href='%' office:name='%'>a</text:a>", "<office:annotation><text:p>%</text:p></office:annotation>",
    "<draw:frame draw:name='%'><draw:image href='%'/></draw:frame>", "<draw:frame><svg:title>%</svg:title></draw:frame>", "<draw:frame><svg:desc>%</svg:desc></draw:frame>",
    "<text:bookmark text:name='%'/>", "<text:bookmark-start text:name='%'/>", "<!-- % -->", "<?x % ?>", "<text:s text:c='%'/>",
    "<text:hidden-text text:condition='%'>%</text:hidden-text>", "<draw:object>%</draw:object>", "<text:script>%</text:script>",
    "<text:change text:change-id='%'/>", "<text:reference-mark text:name='%'/>", "<text:meta xml:id='%'/>",
]  # fmt: skip
BLOCKS = [
    "<text:tracked-changes><text:p>%</text:p></text:tracked-changes>", "<text:variable-decls>%</text:variable-decls>", "<office:forms>%</office:forms>",
    "<text:section text:name='%'/>", "<table:table table:name='%'/>", "<text:p text:style-name='%'/>", "<text:sequence-decls>%</text:sequence-decls>",
]  # fmt: skip
PARTS = [
    "meta.xml", "settings.xml", "Thumbnails/thumbnail.png", "Pictures/a.png", "Object 1/content.xml", "Basic/Standard/m.xml", "Scripts/x.py",
    "Configurations2/a", "META-INF/documentsignatures.xml", "layout-cache", "manifest.rdf",
]  # fmt: skip
SHOWN = [
    "%",
    "<text:span>%</text:span>",
    "<text:a>%</text:a>",
    "<draw:frame><draw:text-box><text:p>%</text:p></draw:text-box></draw:frame>",
]
SPACES = "xmlns:svg='urn:svg'"


def test_no_canary_is_in_any_byte_of_a_released_opendocument_text(tmp_path: Path) -> None:
    body = "".join(paragraph(place.replace("%", canary(n))) for n, place in enumerate(DROPPED))
    body += "".join(place.replace("%", canary(n)) for n, place in enumerate(BLOCKS, 30))
    body += "".join(paragraph(place.replace("%", address(n))) for n, place in enumerate(SHOWN, 50))
    body += paragraph("The patient is well on lisinopril.")
    styles = "<office:master-styles><style:master-page style:name='%'><style:header><text:p>@</text:p></style:header></style:master-page></office:master-styles>"
    head = odt_content("").partition("><")[0] + f" {SPACES}>"
    parts: dict[str, str | bytes] = {
        "content.xml": odt_content(body).replace(
            "<office:document-content ", f"<office:document-content {SPACES} "
        ),
        "styles.xml": head
        + styles.replace("%", canary(60)).replace("@", address(61))
        + "</office:document-content>",
    }
    parts |= {name: canary(n).encode() for n, name in enumerate(PARTS, 70)}
    data = odt_package(parts)
    assert len(canaries_of(data)) >= 40
    out = scrub_document(tmp_path, "letter.odt", data)
    assert canaries_left(out) == set()
    text = released(out, ".txt").read_text("utf-8")
    assert "The patient is well on lisinopril." in text and text.count("[EMAIL]") == len(SHOWN) + 1
    told = json.loads((out / "_release" / "manifest.json").read_text())["left_behind"]
    counts = {line["what"]: line["count"] for line in told}
    assert counts["comments"] == 1 and counts["properties"] == 1 and counts["macros"] == 2


def test_opendocument_texts_under_other_names_are_recognized_by_content(tmp_path: Path) -> None:
    out = scrub_document(tmp_path, "letter.bin", as_odt("The patient is well."))
    assert released(out, ".txt").read_text("utf-8") == "The patient is well.\n"


STYLES = (
    "<style:style style:name='H' style:family='text'><style:text-properties text:display='none'/>"
    "</style:style><style:style style:name='S'><style:text-properties/></style:style>"
)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<text:p>a<text:span text:style-name='H'>b</text:span>c</text:p>", "ac"),
        ("<text:p>a<text:span text:style-name='S'>b</text:span>c</text:p>", "abc"),
        ("<text:p text:style-name='H'>a</text:p><text:p>b</text:p>", "b"),
        ("<text:section text:display='none'><text:p>a</text:p></text:section>", ""),
    ],
)
@pytest.mark.parametrize("part", ["content.xml", "styles.xml"])
def test_opendocument_styles_hide_text(part: str, body: str, text: str) -> None:
    parts = {"content.xml": odt_content(body), "styles.xml": odt_content("")}
    parts[part] = parts[part].replace(
        "<office:body>", f"<office:styles>{STYLES}</office:styles><office:body>"
    )
    read = read_odt(odt_package(parts))
    assert read.text == text and read.dropped.get("hidden-text", 0) == (text != "abc")


def test_tracked_changes_in_opendocument_are_resolved_and_counted() -> None:
    region = "<text:changed-region><text:{}/></text:changed-region>"
    changes = region.format("insertion") + 2 * region.format("deletion")
    body = (
        f"<text:tracked-changes>{changes}</text:tracked-changes>"
        "<text:p>a<text:change-start/>b<text:change-end/></text:p>"
    )
    read = read_odt(odt_package({"content.xml": odt_content(body)}))
    assert read.text == "ab" and read.dropped == {"insertion-marks": 1, "tracked-deletions": 2}
