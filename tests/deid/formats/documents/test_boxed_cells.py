"""Forms with one table cell per letter: the name is read as a word, found and removed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from document_canaries import DAY, released

from corpora.documents import odt_content, odt_package, word_package
from deid.formats import Record, open_source
from deid.formats.documents.boxed_cells import join_boxed_cells, join_boxed_line
from deid.formats.documents.docx import read_docx
from deid.formats.documents.html_page import read_html
from deid.formats.documents.odt import read_odt
from deid.formats.documents.rtf import read_rtf
from deid.formats.documents.whole_text import ReadText
from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from recognizers import Finder

ROWS = (("Name", *"OLEJNICZAK"), ("SSN", *"219097431"), ("Power", *"5545"), ("Pain", *"0123456"))
LINES = ["Name | OLEJNICZAK", "SSN | 219097431", "Power | 5 | 5 | 4 | 5"]
LINES.append("Pain | " + " | ".join("0123456"))


def word_form() -> bytes:
    cells = [[f"<w:tc><w:p><w:r><w:t>{c}</w:t></w:r></w:p></w:tc>" for c in row] for row in ROWS]
    rows = "".join(f"<w:tr>{''.join(row)}</w:tr>" for row in cells)
    return word_package({"word/document.xml": f"<w:body><w:tbl>{rows}</w:tbl></w:body>"})


def page_form() -> bytes:
    rows = "".join(f"<tr>{''.join(f'<td>{c}</td>' for c in row)}</tr>" for row in ROWS)
    return f"<!DOCTYPE html><html><body><table>{rows}</table></body></html>".encode()


def rtf_form() -> bytes:
    cells = ["".join(c + "\\cell " for c in row) for row in ROWS]
    rows = "".join("\\trowd " + row + "\\row\n" for row in cells)
    return f"{{\\rtf1\\ansi {rows}}}".encode()


def odt_form() -> bytes:
    cells = [
        [f"<table:table-cell><text:p>{c}</text:p></table:table-cell>" for c in row] for row in ROWS
    ]
    rows = "".join(f"<table:table-row>{''.join(row)}</table:table-row>" for row in cells)
    return odt_package({"content.xml": odt_content(f"<table:table>{rows}</table:table>")})


FORMS: Mapping[str, tuple[Callable[[], bytes], Callable[[bytes], ReadText]]] = {
    ".docx": (word_form, read_docx),
    ".html": (page_form, read_html),
    ".rtf": (rtf_form, read_rtf),
    ".odt": (odt_form, read_odt),
}


@pytest.fixture(scope="module")
def finder() -> Finder:
    return Finder.load(fast=True, reference_date=DAY)


@pytest.mark.parametrize("suffix", FORMS)
def test_letters_in_boxes_are_joined_into_a_word_that_is_found(
    suffix: str, tmp_path: Path, finder: Finder
) -> None:
    made, read = FORMS[suffix]
    assert read(made()).text.split("\n") == LINES
    (tmp_path / f"form{suffix}").write_bytes(made())
    out = tmp_path / "out"
    job = Job((tmp_path / f"form{suffix}",), out, read_policy("safe_harbor"), DAY)
    assert run_job(job, finder).exit_code == 0
    path = released(out, ".txt" if suffix == ".odt" else suffix)
    (record,) = (r for r in open_source(path).records() if isinstance(r, Record))
    text = (record.cells[-1] or "").replace(" | ", "")
    assert "OLEJN" not in text and "2190" not in text and "[SSN]" in text
    assert "5545" in text and "0123456" in text


@pytest.mark.parametrize(
    ("line", "joined"),
    [
        ("a | J | O | H | N", "aJOHN"),
        ("Name | J | O | H | N | x y", "Name | JOHN | x y"),
        ("Y | N | Y", "Y | N | Y"),
        ("5 | 5 | 4 | 5 | 5", "5 | 5 | 4 | 5 | 5"),
        ("A | B | C | D", "A | B | C | D"),
        ("ab | cd | ef | gh", "ab | cd | ef | gh"),
    ],
)
def test_grades_and_scores_keep_their_bars(line: str, joined: str) -> None:
    runs = [(" | " if n else "", cell) for n, cell in enumerate(line.split(" | "))]
    assert "".join(joint + text for joint, text in join_boxed_cells(runs)) == joined
    assert join_boxed_line(line) == joined
