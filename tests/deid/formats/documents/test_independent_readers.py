"""Independent programs and libraries read the output: Word, RTF, mail and PDF."""

from __future__ import annotations

import io
import shutil
import subprocess
from collections.abc import Callable, Mapping
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import docx
import pikepdf
import pypdf
import pytest
from document_canaries import scrub_folder
from lxml import html
from striprtf.striprtf import rtf_to_text

from corpora.documents import render_summaries
from deid.formats import ReadOptions, Record, open_source


def word_text(data: bytes) -> str:
    """The text including headers and footers; a table cell by cell."""
    document = docx.Document(io.BytesIO(data))
    stories = [document.sections[0].header, document, document.sections[0].footer]
    return "\n".join(_block_text(story) for story in stories)


def _block_text(story: Any) -> str:
    return "\n".join(
        " | ".join(cell.text for row in block.rows for cell in row.cells)
        if hasattr(block, "rows")
        else block.text
        for block in story.iter_inner_content()
    )


def pdf_text(data: bytes) -> str:
    """The text that pypdf reads in strict mode; the library of qpdf must find no fault."""
    with pikepdf.open(io.BytesIO(data), suppress_warnings=False) as document:
        assert document.check_pdf_syntax() == []
    pages = pypdf.PdfReader(io.BytesIO(data), strict=True).pages
    return "\n".join(page.extract_text() for page in pages)


def page_text(data: bytes) -> str:
    body = html.document_fromstring(data).find("body")
    for block in body.iter("p", "br", "li", "tr", "div"):
        block.tail = "\n" + (block.tail or "")
    return str(body.text_content())


def mail_text(data: bytes) -> str:
    message: Any = message_from_bytes(data, policy=policy.default)
    assert not message.defects
    return str(message.get_body(("plain",)).get_content())


READERS: Mapping[str, Callable[[bytes], str]] = {
    ".docx": word_text,
    ".rtf": lambda data: str(rtf_to_text(data.decode("ascii"))),
    ".html": page_text,
    ".eml": mail_text,
    ".pdf": pdf_text,
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The ten summaries in these formats, and their release by the rules alone."""
    folder = tmp_path_factory.mktemp("summaries")
    (folder / "in").mkdir()
    for suffix in READERS:
        render_summaries(folder / "in", suffix)
    release = scrub_folder(folder / "in", folder / "out", read=ReadOptions(pdf="redacted"))
    assert release.exit_code == 0
    return folder / "in", folder / "out"


def own_text(path: Path) -> str:
    (record,) = (one for one in open_source(path).records() if isinstance(one, Record))
    return record.cells[-1] or ""


@pytest.mark.parametrize("suffix", READERS)
def test_another_library_reads_every_word(suffix: str, folders: tuple[Path, Path]) -> None:
    paths = sorted(folders[1].glob(f"*{suffix}"))
    assert len(paths) == 10
    for path in paths:
        words = READERS[suffix](path.read_bytes()).split()
        assert words == own_text(path).split()
        assert len(words) > 150 and sum("[" in word for word in words) > 5


@pytest.mark.skipif(shutil.which("qpdf") is None, reason="qpdf is not installed")
def test_qpdf_finds_no_fault(folders: tuple[Path, Path]) -> None:
    for path in folders[1].glob("*.pdf"):
        done = subprocess.run(["qpdf", "--check", path], capture_output=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="poppler is not installed")
def test_pdftotext_reads_every_word(folders: tuple[Path, Path]) -> None:
    for path in folders[1].glob("*.pdf"):
        done = subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, timeout=60)
        assert sorted(done.stdout.decode().split()) == sorted(own_text(path).split())
        assert done.stderr == b""


@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
@pytest.mark.parametrize("suffix", [".docx", ".rtf"])
def test_libreoffice_reads_every_word(
    suffix: str, folders: tuple[Path, Path], tmp_path: Path
) -> None:
    paths = sorted(folders[1].glob(f"*{suffix}"))
    command = ["soffice", "--headless", f"-env:UserInstallation=file://{tmp_path}/profile"]
    command += ["--convert-to", "txt:Text (encoded):UTF8", "--outdir", str(tmp_path)]
    subprocess.run([*command, *paths], check=True, capture_output=True, timeout=240)
    for path in paths:
        shown = (tmp_path / path.name).with_suffix(".txt").read_text("utf-8-sig")
        assert shown.split() == own_text(path).split()
