# ruff: noqa: E501
"""PDF: the text in reading order, and new pages that contain nothing of the old pages."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import time
import zlib
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
import pytest
from document_canaries import address, canaries_left, canaries_of, canary, released, scrub_folder
from pypdf import PdfReader, PdfWriter
from pypdf.annotations import FreeText, Text
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject, TextStringObject
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from corpora.documents import SUMMARIES, as_pdf
from deid.errors import DeidError
from deid.formats import ReadOptions
from deid.formats.pdf import guarded
from deid.formats.pdf.document import WITHHELD_PAGE, read_pdf, write_redacted
from deid.release.release_check import check_release
from deid.residual.markup import pdf_text
from deid.residual.search import search_texts
from recognizers import KnownValues

PROSE = "The patient was seen for a cough that began in winter and went away by itself. "


def drawn(*draw, **options: object) -> bytes:
    """A PDF with one page for each function; each function draws on a canvas."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(612, 792), **options)  # type: ignore[arg-type]
    for one in draw:
        one(canvas)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def prose_at(canvas: Canvas, x: float, y: float, mark: str, lines: int = 12) -> None:
    words = (PROSE * 8).split()
    for n in range(lines):
        canvas.drawString(x, y - 12 * n, " ".join([mark, *words[7 * n : 7 * n + 7]]))


def two_columns(canvas: Canvas) -> None:
    canvas.drawString(40, 760, "A title over both columns of the page")
    prose_at(canvas, 40, 730, "L")
    prose_at(canvas, 320, 727, "R")
    for n, row in enumerate(
        (
            ("Drug", "Dose", "When"),
            ("aspirin", "81 mg", "daily"),
            ("lisinopril", "10 mg", "twice daily"),
        )
    ):
        for x, cell in zip((40, 200, 400), row, strict=True):
            canvas.drawString(x, 300 - 12 * n, cell)


def test_columns_are_read_one_after_the_other_and_tables_by_row() -> None:
    lines = [line for line in read_pdf(drawn(two_columns)).text.split("\n") if line]
    assert lines[0] == "A title over both columns of the page"
    assert [line[0] for line in lines[1:25]] == ["L"] * 12 + ["R"] * 12
    assert lines[25:] == [
        "Drug   Dose   When",
        "aspirin   81 mg   daily",
        "lisinopril   10 mg   twice daily",
    ]


def labels(canvas: Canvas) -> None:
    rows = (
        ("Patient:", "John Q Roe was here"),
        ("MRN:", "12 34"),
        ("Seen by:", "Dr. Jane P Doe"),
        ("Unit:", "4 West"),
    )
    for n, (label, value) in enumerate(rows):
        canvas.drawString(40, 700 - 14 * n, label)
        canvas.drawString(200, 700 - 14 * n, value)


def skewed(canvas: Canvas) -> None:
    text = canvas.beginText()
    for shape in ((1, 0, 0.3, 1, 40, 700), (0.6, 0, 0.2, 1, 40, 680), (1, 0, -0.4, 1, 40, 660)):
        text.setTextTransform(*shape)
        text.textOut("Made italic.")
    canvas.drawText(text)


def scattered(canvas: Canvas) -> None:
    for n in (3, 0, 2, 1):
        canvas.drawString(40 + 6.7 * n, 700, "John"[n])


def letter_spaced(canvas: Canvas) -> None:
    text = canvas.beginText(40, 700)
    text.setCharSpace(4)
    text.textOut("Mr. Thaddeus Roe")
    canvas.drawText(text)
    for n, char in enumerate("PATIENT"):  # the file contains no space character
        canvas.drawString(40 + 14 * n, 680, char)


def at_a_pitch(canvas: Canvas) -> None:
    for n, char in enumerate("Philippa is ill 0 1 2"):
        canvas.drawString(40 + 8 * n, 700, char)
    for n, char in enumerate("0123"):
        canvas.drawString(40 + 14 * n, 680, char)


def boxes(canvas: Canvas) -> None:
    canvas.setFont("Helvetica", 10)
    rows = (("Name", "HUBERT  ROE", 20), ("SSN", "219097431", 14), ("Pain", "012345", 20))
    rows += (("Born", "12/05/1951", 16), ("Name", "WILLIMAW", 24))
    for n, (label, value, wide) in enumerate(rows):
        canvas.drawString(40, 700 - 20 * n, label)
        for place, char in enumerate(value):
            canvas.rect(115 + wide * place, 697 - 20 * n, wide, 12)
            if char != " ":
                canvas.drawCentredString(115 + wide * (place + 0.5), 700 - 20 * n, char)
    text = canvas.beginText(40, 600)
    text.setCharSpace(12)
    text.textOut("QUILT")
    canvas.drawText(text)


def typewritten(canvas: Canvas) -> None:
    canvas.setFont("Courier", 10)
    for y, line in ((700, "the cat sat and ran"), (680, "seen for a bad cough")):
        place = 0
        for word in line.split():  # the file contains no space character
            canvas.drawString(40 + 6 * place, y, word)
            place += len(word) + 1


def twice(canvas: Canvas) -> None:
    for shift in (0, 0.3):
        canvas.drawString(40 + shift, 700, "will call")


def sideways(canvas: Canvas) -> None:
    canvas.drawString(40, 700, "upright")
    canvas.rotate(90)
    canvas.drawString(100, -500, "up the side")


@pytest.mark.parametrize(
    ("draw", "text"),
    [
        (labels, "Patient:   John Q Roe was here\nMRN:   12 34\nSeen by:   Dr. Jane P Doe\nUnit:   4 West"),
        (skewed, "Made italic.\nMade italic.\nMade italic."),
        (letter_spaced, "Mr. Thaddeus Roe\nPATIENT"), (at_a_pitch, "Philippa is ill   0 1 2\n0 1 2 3"),
        (boxes, "Name   HUBERT   ROE\nSSN   219097431\nPain   0   1   2   3   4   5\nBorn   12/05/1951\nName   WILLIMAW\nQUILT"), (typewritten, "the cat sat and ran\nseen for a bad cough"), (scattered, "John"), (twice, "will call"), (sideways, "upright\n\nup the side"),
        (lambda c: (c.setPageRotation(90), c.drawString(40, 400, "turned page")), "turned page"),
        (lambda c: (c.setFont("Helvetica", 10), c.drawString(40, 700, "2 x 10"), c.setFont("Helvetica", 6), c.drawString(69, 704, "9")), "2 x 109"),
    ],
)  # fmt: skip
def test_the_text_is_what_the_page_shows(draw: object, text: str) -> None:
    assert read_pdf(drawn(draw)).text == text


@pytest.mark.parametrize("font", ["Helvetica", "Times-Roman", "Courier"])
@pytest.mark.parametrize("angle", [1, 2, 5, 30, 45, 88, 135, 200, 315, 359])
def test_slanted_text_is_read_by_its_own_lines(font: str, angle: int) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont(font, 10)
        canvas.drawString(40, 750, "Upright line.")
        canvas.translate(306, 396)
        canvas.rotate(angle)
        canvas.drawString(-100, 14, "Seen by Hubert J. Olejniczak-Will,")
        canvas.drawString(-100, 0, "MRN 00441672 and well.")

    data = drawn(draw)
    read = read_pdf(data)
    lines = ["Upright line.", "Seen by Hubert J. Olejniczak-Will,", "MRN 00441672 and well."]
    assert [line for line in read.text.split("\n") if line] == lines
    new = write_redacted(data, read, read.text.replace("Hubert", "[NAME]"))
    back = read_pdf(new).text
    assert "Hubert" not in back
    assert set(back.split()) == set(read.text.replace("Hubert", "[NAME]").split())


def test_pdf_summaries_read_word_for_word() -> None:
    for path in SUMMARIES.glob("*.txt"):
        text = path.read_text("utf-8")
        assert read_pdf(as_pdf(text)).text.split() == text.split()


def picture() -> ImageReader:
    from PIL import Image

    return ImageReader(Image.fromarray(np.arange(3000, dtype=np.uint8).reshape(50, 60)))


def test_a_page_without_text_is_withheld_and_named(tmp_path: Path) -> None:
    data = drawn(
        lambda c: c.drawString(40, 700, "The patient is well."),
        lambda c: c.drawImage(picture(), 0, 0, 612, 792),
        lambda c: None,
    )
    read = read_pdf(data)
    assert read.text == f"The patient is well.\n\f\n{WITHHELD_PAGE}\n\f\n"
    assert read.dropped["pages-without-text"] == 1 and read.dropped["pictures"] == 1
    assert read_pdf(write_redacted(data, read, read.text)).text == read.text


def shown_places(canvas: Canvas, first: int) -> int:
    """Draw addresses in different ways; returns the next free number."""

    def put(n: int, y: float) -> None:
        canvas.drawString(40, y, address(n))

    put(first, 700)
    canvas.setFillGray(1)
    put(first + 1, 680)
    canvas.setFillGray(0)
    text = canvas.beginText(40, 660)
    text.setTextRenderMode(3)
    text.textOut(address(first + 2))
    canvas.drawText(text)
    canvas.setFont("Courier", 10)
    for n, char in reversed(list(enumerate(address(first + 3)))):
        canvas.drawString(40 + 6 * n, 640, char)
    canvas.setFont("Helvetica", 12)
    canvas.beginForm("inner")
    put(first + 4, 620)
    canvas.endForm()
    canvas.doForm("inner")
    canvas.saveState()
    canvas.rotate(90)
    canvas.drawString(100, -560, address(first + 5))
    canvas.restoreState()
    canvas.drawImage(picture(), 40, 590, 200, 20)
    put(first + 6, 595)
    canvas.acroForm.textfield(
        name="shown", value=address(first + 7), x=40, y=540, width=300, height=20
    )
    return first + 8


def with_canaries() -> tuple[bytes, int]:
    """A PDF with canaries where nobody looks, and the number of addresses that it shows."""
    shown = []

    def page(canvas: Canvas) -> None:
        canvas.drawString(40, 740, "The patient is well on lisinopril.")
        shown.append(shown_places(canvas, 0))
        canvas.drawString(900, 700, canary(20))
        canvas.acroForm.textfield(
            name=canary(21), tooltip=canary(22), value="", x=40, y=500, width=90, height=20
        )
        canvas.acroForm.textfield(
            name="hidden",
            value=canary(23),
            x=40,
            y=470,
            width=90,
            height=20,
            annotationFlags="hidden",
        )
        canvas.linkURL(f"http://{canary(24)}.example", (40, 400, 90, 420))
        canvas.bookmarkPage(canary(25))
        canvas.addOutlineEntry(canary(26), canary(25))

    def second(canvas: Canvas) -> None:
        canvas.drawString(40, 740, "Second page of the letter.")

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(drawn(page, second))))
    keys = ("Title", "Author", "Subject", "Keywords", "Creator", "Producer", "Custom")
    writer.add_metadata({f"/{key}": canary(30 + n) for n, key in enumerate(keys)})
    writer.add_attachment(f"{canary(40)}.txt", canary(41).encode())
    script = {
        NameObject("/S"): NameObject("/JavaScript"),
        NameObject("/JS"): TextStringObject(f"app.alert('{canary(42)}')"),
    }
    writer.root_object[NameObject("/OpenAction")] = DictionaryObject(script)
    writer.add_annotation(0, Text(text=canary(43), rect=(300, 300, 320, 320), title_bar=canary(44)))
    writer.add_annotation(0, FreeText(text=canary(45), rect=(300, 200, 400, 220)))
    writer.add_uri(0, f"mailto:{canary(46)}", [1, 1, 9, 9])
    writer.add_named_destination(canary(47), 1)
    writer.set_page_label(0, 1, prefix=canary(48))
    for number, where in enumerate(
        (writer.root_object, writer.pages[0], writer.pages[1], writer.pages[0]["/Resources"]), 50
    ):
        where[NameObject(f"/{canary(number)}")] = TextStringObject(canary(number + 10))
    for number, key in enumerate(("/Metadata", "/PieceInfo", "/Thumb"), 70):
        stream = DecodedStreamObject()
        stream.set_data(canary(number).encode() * 20)
        target = writer.root_object if key == "/Metadata" else writer.pages[0]
        target[NameObject(key)] = writer._add_object(stream.flate_encode())
    loose = DecodedStreamObject()
    loose.set_data(f"/Span << /ActualText ({canary(73)}) /Alt ({canary(74)}) >> BDC EMC".encode())
    writer._add_object(loose)
    file = io.BytesIO()
    writer.write(file)
    tail = f"\n% {canary(75)}\n99 0 obj\n({canary(76)})\nendobj\n%%EOF\n{canary(77)}\n".encode()
    return file.getvalue() + tail, shown[0]


@pytest.mark.parametrize("output", ["text", "markdown", "redacted"])
def test_no_canary_is_in_any_byte_of_a_released_pdf(output: str, tmp_path: Path) -> None:
    data, shown = with_canaries()
    assert len(canaries_of(data)) >= 30
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "letter.pdf").write_bytes(data)
    release = scrub_folder(tmp_path / "in", tmp_path / "out", read=ReadOptions(pdf=output))
    assert release.exit_code == 0
    assert canaries_left(tmp_path / "out") == set()
    suffix = {"text": ".pdf.txt", "markdown": ".pdf.md", "redacted": ".pdf"}[output]
    path = released(tmp_path / "out", suffix)
    text = read_pdf(path.read_bytes()).text if suffix == ".pdf" else path.read_text("utf-8")
    assert "The patient is well on lisinopril." in text and "Second page of the letter." in text
    assert text.count("[EMAIL]") == shown
    told = json.loads((tmp_path / "out" / "_release" / "manifest.json").read_text())["left_behind"]
    counts = {line["what"]: line["count"] for line in told}
    assert counts["attachments"] == 1 and counts["pictures"] == 1 and counts["links"] == 2
    assert counts.get(f"written-as-{output}") == (None if output == "redacted" else 1)
    assert counts["text-beside-the-page"] >= len(canary(0)) and counts["properties"] >= 6


def redacted_summary() -> tuple[bytes, bytes, str]:
    """The original, the redacted file, and the name that was removed."""
    data = as_pdf(SUMMARIES.joinpath("summary-01.txt").read_text("utf-8"))
    read = read_pdf(data)
    return (
        data,
        write_redacted(data, read, re.sub("(?i)olejniczak", "[NAME]", read.text)),
        "olejniczak",
    )


def streams(data: bytes) -> list[bytes]:
    found = []
    for match in re.finditer(rb"stream\r?\n(.*?)\r?\nendstream", data, re.DOTALL):
        found.append(match[1])
    return found


def test_no_stream_or_name_of_the_original_is_in_the_redacted_file() -> None:
    data, out, name = redacted_summary()
    assert name in read_pdf(data).text.lower()
    assert name not in read_pdf(out).text.lower() and name not in pdf_text(out).lower()
    old = {stream for stream in streams(data) if len(stream) > 40}
    assert not old & set(streams(out)) and not any(stream in out for stream in old)
    for word in (b"FontFile", b"/Info", b"/ID", b"Prev", b"Annot", b"DejaVu"):
        assert word not in out
    inflated = [zlib.decompress(stream) for stream in streams(out)]
    coded = name.encode("utf-16-be").hex().encode()
    assert not any(
        name.encode() in stream.lower() or coded in stream.lower() for stream in inflated
    )


def test_covers_have_one_color_and_kept_words_look_the_same() -> None:
    data, out, name = redacted_summary()
    old, new = pdfium.PdfDocument(data), pdfium.PdfDocument(out)
    before = old[0].render(scale=2, grayscale=True).to_numpy().squeeze()
    picture = next(o for o in new[0].get_objects() if isinstance(o, pdfium.PdfImage)).get_bitmap()
    dots = picture.to_numpy().squeeze()
    scale = dots.shape[0] / 792
    page = old[0].get_textpage()
    search = page.search(name, match_case=False)
    seen = 0
    while found := search.get_next():
        for n in range(found[0], found[0] + found[1]):
            left, bottom, right, top = page.get_charbox(n)
            rows = slice(int((792 - top) * scale), int((792 - bottom) * scale) + 1)
            box = dots[rows, int(left * scale) : int(right * scale) + 1]
            assert len(np.unique(box)) == 1
            seen += 1
    assert seen >= 3 * len(name)
    after = new[0].render(scale=2, grayscale=True).to_numpy().squeeze()
    kept = (slice(2 * (792 - 760), 2 * (792 - 745)), slice(80, 600))
    assert before[kept].min() < 100 and np.abs(before[kept].astype(int) - after[kept]).mean() < 12


def test_a_hanging_or_crashing_reader_withholds_only_its_document(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def hang() -> None:
        end = time.process_time() + 60
        while time.process_time() < end:
            pass

    monkeypatch.setattr(guarded, "MOST_SECONDS", 1)
    for task in (hang, lambda: bytes(8 << 30), lambda: __import__("os")._exit(3)):
        with pytest.raises(DeidError) as caught:
            guarded.run_guarded(task, 0)
        assert caught.value.code == "pdf-limits"


@pytest.mark.skipif(
    shutil.which("pdftotext") is None or shutil.which("qpdf") is None,
    reason="poppler or qpdf is not installed",
)
def test_other_programs_read_the_new_file(tmp_path: Path) -> None:
    (tmp_path / "new.pdf").write_bytes(redacted_summary()[1])
    checked = subprocess.run(
        ["qpdf", "--check", tmp_path / "new.pdf"], capture_output=True, timeout=60
    )
    assert checked.returncode == 0
    shown = subprocess.run(
        ["pdftotext", "-layout", tmp_path / "new.pdf", "-"], capture_output=True, timeout=60
    )
    text = shown.stdout.decode()
    assert "[NAME]" in text and "lejniczak" not in text
    assert set(read_pdf(redacted_summary()[1]).text.split()) <= set(text.split())


def test_a_pdf_and_a_text_of_the_same_name_get_different_output_names(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "summary.txt").write_text("The patient is well.")
    (tmp_path / "in" / "summary.pdf").write_bytes(
        drawn(lambda c: c.drawString(40, 700, "Another page."))
    )
    assert scrub_folder(tmp_path / "in", tmp_path / "out").exit_code == 0
    assert {p.name for p in (tmp_path / "out").iterdir()} == {
        "_release",
        "summary.txt",
        "summary.pdf.txt",
    }


def test_another_library_searches_the_pdf() -> None:
    known = [("p1", KnownValues.of({"names": ["Hubert Olejniczak"]}))]
    blob = drawn(lambda c: c.drawString(40, 700, "Hubert Olejniczak"), pageCompression=1)
    assert b"Olejniczak" not in blob
    assert search_texts([], known, [("a.pdf", blob)]).hits


def test_check_searches_the_new_file_and_no_other_pdf(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "letter.pdf").write_bytes(
        drawn(lambda c: c.drawString(40, 700, "John Roe is well."))
    )
    (tmp_path / "known.csv").write_text("mrn,last_name\n1,Quillonby\n")
    scrub_folder(tmp_path / "in", tmp_path / "out", read=ReadOptions(pdf="redacted"))
    checked = check_release(tmp_path / "out", [tmp_path / "known.csv"], "mrn")
    assert checked.unsearched == () and checked.clean
    (tmp_path / "other.pdf").write_bytes((tmp_path / "in" / "letter.pdf").read_bytes())
    assert check_release(tmp_path / "other.pdf", [tmp_path / "known.csv"], "mrn").unsearched == (1,)
