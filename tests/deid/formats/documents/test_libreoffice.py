# ruff: noqa: E501
"""LibreOffice writes documents that the engine reads, and reads documents that the engine writes."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from document_canaries import address, canaries_in, canaries_of, canary, scrub_folder

from corpora.documents import RENDERED, SUMMARIES
from deid.formats import ReadOptions
from deid.formats.documents.docx import read_docx, write_docx
from deid.formats.documents.html_page import read_html, write_html
from deid.formats.documents.rtf import read_rtf, write_rtf
from deid.formats.documents.whole_text import ReadText

pytestmark = pytest.mark.skipif(
    shutil.which("soffice") is None, reason="LibreOffice is not installed"
)


def convert(folder: Path, name: str, kind: str) -> Path:
    """LibreOffice's conversion of a file to the given kind."""
    command = ["soffice", "--headless", f"-env:UserInstallation=file://{folder}/profile"]
    command += ["--convert-to", kind, "--outdir", str(folder / "made"), name]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=240)
    return (folder / "made" / name).with_suffix("." + kind.partition(":")[0])


TEXT = "txt:Text (encoded):UTF8"
WRITTEN: dict[str, tuple[Callable[[bytes], ReadText], Callable[[ReadText, str], bytes]]] = {
    ".docx": (read_docx, write_docx),
    ".rtf": (read_rtf, write_rtf),
    ".html": (read_html, write_html),
}


@pytest.mark.parametrize("suffix", WRITTEN)
def test_libreoffice_reads_the_text_of_every_output_format(suffix: str, tmp_path: Path) -> None:
    reads, writes = WRITTEN[suffix]
    text = SUMMARIES.joinpath("summary-04.txt").read_text("utf-8")
    read = reads(RENDERED[suffix](text))
    (tmp_path / f"a{suffix}").write_bytes(writes(read, read.text))
    shown = convert(tmp_path, f"a{suffix}", TEXT).read_text("utf-8-sig")
    assert shown.split() == text.split()


SPACES = {
    "office": "office", "text": "text", "table": "table", "draw": "drawing", "style": "style",
    "meta": "meta", "fo": "xsl-fo-compatible", "svg": "svg-compatible",
}  # fmt: skip
ELSEWHERE = "xmlns:dc='http://purl.org/dc/elements/1.1/' xmlns:xlink='http://www.w3.org/1999/xlink'"
INFO = "<office:change-info><dc:creator>%</dc:creator><dc:date>2023-01-01T00:00:00</dc:date></office:change-info>"
# `%` stands for a canary that no page shows, `@` for an address that is shown.
META = "<dc:title>%</dc:title><dc:creator>%</dc:creator><meta:initial-creator>%</meta:initial-creator><dc:subject>%</dc:subject><meta:keyword>%</meta:keyword><dc:description>%</dc:description><meta:user-defined meta:name='%'>%</meta:user-defined>"
BODY = f"""
<text:tracked-changes><text:changed-region text:id="c1"><text:deletion>{INFO}<text:p>gone %</text:p></text:deletion></text:changed-region><text:changed-region text:id="c2"><text:insertion>{INFO}</text:insertion></text:changed-region></text:tracked-changes>
<text:h text:outline-level="1">Discharge summary</text:h><text:p>The patient was well on lisinopril.</text:p>
<text:p>Mail <text:span text:style-name="B">@</text:span> today.</text:p>
<text:p>Kept<text:change text:change-id="c1"/> and <text:change-start text:change-id="c2"/>inserted @<text:change-end text:change-id="c2"/> words.</text:p>
<text:p>Hidden <text:span text:style-name="H">%</text:span>text.</text:p>
<text:p>Note<text:note text:id="f1" text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>Footnote @</text:p></text:note-body></text:note> and<text:note text:id="f2" text:note-class="endnote"><text:note-citation>i</text:note-citation><text:note-body><text:p>Endnote @</text:p></text:note-body></text:note>.</text:p>
<text:p>Comment<office:annotation office:name="x1"><dc:creator>%</dc:creator><text:p>seen %</text:p></office:annotation> here. <text:bookmark text:name="%"/>Link <text:a xlink:type="simple" xlink:href="http://portal.example/%" office:title="%">shown @</text:a>.</text:p>
<text:p>Frame <draw:frame draw:name="%" text:anchor-type="paragraph" svg:width="8cm" svg:height="2cm"><draw:text-box><text:p>Box @</text:p></draw:text-box><svg:title>%</svg:title><svg:desc>%</svg:desc></draw:frame>after.</text:p>
<text:list><text:list-item><text:p>Item @</text:p></text:list-item></text:list>
<table:table table:name="%"><table:table-column table:number-columns-repeated="2"/><table:table-row><table:table-cell><text:p>Mail</text:p></table:table-cell><table:table-cell><text:p>@</text:p></table:table-cell></table:table-row></table:table>
<text:p>Field <text:placeholder text:placeholder-type="text" text:description="%">fill in</text:placeholder> <text:text-input text:description="%">typed @</text:text-input></text:p>
<text:section text:name="%"><text:p>Section @</text:p></text:section><text:p>The last line is well.</text:p>
"""


def flat_document() -> str:
    """A flat OpenDocument text with canaries in every place where an office suite hides or shows
    text.
    """
    names = " ".join(
        f'xmlns:{k}="urn:oasis:names:tc:opendocument:xmlns:{v}:1.0"' for k, v in SPACES.items()
    )
    styles = "<style:style style:name='H' style:family='text'><style:text-properties text:display='none'/></style:style><style:style style:name='B' style:family='text'><style:text-properties fo:font-weight='bold'/></style:style>"
    page = "<style:page-layout style:name='p'><style:page-layout-properties fo:page-width='21cm' fo:page-height='29.7cm' fo:margin='2cm'/><style:header-style/><style:footer-style/></style:page-layout>"
    master = "<style:master-page style:name='Standard' style:page-layout-name='p'><style:header><text:p>Header @</text:p></style:header><style:footer><text:p>Footer @</text:p></style:footer></style:master-page>"
    whole = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<office:document {names} {ELSEWHERE} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text">'
        f"<office:meta>{META}</office:meta><office:automatic-styles>{styles}{page}</office:automatic-styles>"
        f"<office:master-styles>{master}</office:master-styles><office:body><office:text>{BODY}</office:text></office:body></office:document>"
    )
    numbers = count()
    made = (
        canary(next(numbers)) if c == "%" else address(next(numbers)) if c == "@" else c
        for c in whole
    )
    return "".join(made)


@pytest.mark.parametrize("suffix", [".docx", ".odt", ".rtf", ".html", ".pdf"])
def test_documents_written_by_libreoffice_are_read_and_released(
    suffix: str, tmp_path: Path
) -> None:
    text = flat_document()
    (tmp_path / "letter.fodt").write_text(text)
    made = convert(tmp_path, "letter.fodt", suffix[1:])
    assert len(canaries_of(text.encode())) >= 30
    assert len(canaries_of(made.read_bytes())) >= (7 if suffix == ".pdf" else 28)
    (tmp_path / "in").mkdir()
    made.rename(tmp_path / "in" / made.name)
    outputs = ("text", "redacted") if suffix == ".pdf" else ("text",)
    for output in outputs:
        out = tmp_path / f"out-{output}"
        release = scrub_folder(tmp_path / "in", out, read=ReadOptions(pdf=output))
        assert release.exit_code == 0
        # A browser shows text that styles hide, and a printed page shows tracked deletions.
        shown = {".html": 2, ".pdf": 1}.get(suffix, 0)
        assert len(canaries_in(out) - {"zyxandro"}) <= shown
