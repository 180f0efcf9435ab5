"""No 32 consecutive bytes of an original PDF are in its redacted file, in any layer of the two
files.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import matplotlib
import numpy as np
import pikepdf
import pytest
from document_canaries import released, scrub_folder
from PIL import Image
from pypdf import PdfReader, PdfWriter
from pypdf.annotations import FreeText, Text
from pypdf.generic import DecodedStreamObject, NameObject
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from corpora.documents import SUMMARIES
from deid.formats import ReadOptions

# The number of consecutive bytes that count as copied from the original, and of those that any
# redacted file may contain.
RUN, FRAME = 32, 28
FONTS = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
DOTS = np.random.default_rng(7).integers(0, 256, (90, 120, 3), dtype=np.uint8)
XMP = (
    '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">'
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description '
    'rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator><rdf:Seq><rdf:li>'
    "Hubert Olejniczak of Willow Bend</rdf:li></rdf:Seq></dc:creator></rdf:Description></rdf:RDF>"
    '</x:xmpmeta><?xpacket end="w"?>'
)


def printed_letter() -> bytes:
    """Two subset fonts, two pictures, a form, links, notes, properties and XMP."""
    for name in ("DejaVuSans", "DejaVuSerif-Bold"):
        pdfmetrics.registerFont(TTFont(name, FONTS / f"{name}.ttf"))
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(612, 792), invariant=True)
    lines = SUMMARIES.joinpath("summary-01.txt").read_text("utf-8").split("\n")
    for number, line in enumerate(lines[:40]):
        canvas.setFont(("DejaVuSans", "DejaVuSerif-Bold")[number % 4 == 0], 7)
        canvas.drawString(40, 760 - 11 * number, line[:120])
    photo = io.BytesIO()
    Image.fromarray(DOTS).save(photo, "JPEG", quality=90)
    canvas.drawImage(ImageReader(photo), 40, 200, 120, 90)
    canvas.drawImage(ImageReader(Image.fromarray(DOTS[::-1])), 200, 200, 120, 90)
    canvas.acroForm.textfield(
        name="ward", value="Willow Bend 4 West", x=40, y=150, width=300, height=20
    )
    canvas.linkURL("https://portal.example/patients/00441672", (40, 100, 90, 120))
    canvas.addOutlineEntry("Hubert Olejniczak", "start")
    canvas.bookmarkPage("start")
    canvas.save()
    writer = PdfWriter(clone_from=PdfReader(file))
    writer.add_metadata({"/Title": "Letter about Hubert Olejniczak", "/Author": "M. Adeyemi, MD"})
    writer.add_annotation(0, Text(text="Call the daughter of Hubert", rect=(300, 300, 320, 320)))
    writer.add_annotation(0, FreeText(text="Seen and signed by M. A.", rect=(300, 90, 400, 110)))
    told = DecodedStreamObject()
    told.set_data(XMP.encode())
    told.update({NameObject("/Type"): NameObject("/Metadata")})
    writer.root_object[NameObject("/Metadata")] = writer._add_object(told)
    whole = io.BytesIO()
    writer.write(whole)
    return whole.getvalue()


def packed_letter() -> bytes:
    """The same letter with its objects in compressed streams, as newer programs save it."""
    file = io.BytesIO()
    with pikepdf.open(io.BytesIO(printed_letter())) as document:
        document.save(file, object_stream_mode=pikepdf.ObjectStreamMode.generate, linearize=True)
    return file.getvalue()


def plotted_chart(font_type: int) -> bytes:
    """A chart with a picture, made by matplotlib. Its glyphs are programs (font type 3) or outlines
    (42).
    """
    from matplotlib.figure import Figure

    file = io.BytesIO()
    with matplotlib.rc_context({"pdf.fonttype": font_type}):
        figure = Figure(figsize=(8.5, 11))
        axes = figure.add_subplot()
        axes.imshow(DOTS)
        axes.set_title("Hubert Olejniczak, MRN 00441672, Willow Bend")
        axes.set_xlabel("The patient was seen for a cough that went away by itself.")
        figure.savefig(file, format="pdf", metadata={"Title": "Hubert Olejniczak 00441672"})
    return file.getvalue()


ORIGINALS: dict[str, Callable[[], bytes]] = {
    "printed": printed_letter,
    "packed": packed_letter,
    "glyph programs": lambda: plotted_chart(3),
    "outlines": lambda: plotted_chart(42),
}


def layers_of(data: bytes) -> Iterator[bytes]:
    """The file; its streams, both stored and decompressed, even if no object refers to them; and
    the pixels of its pictures.
    """
    yield data
    at = data.find(b"stream")
    while at >= 0:
        body = data[at + 6 :].lstrip(b"\r\n")
        for window in (15, -15):
            try:
                yield zlib.decompressobj(window).decompress(body)
            except zlib.error:
                continue
        at = data.find(b"stream", at + 6)
    with pikepdf.open(io.BytesIO(data)) as document:
        for one in document.objects:
            if isinstance(one, pikepdf.Stream):
                yield one.read_raw_bytes()
                if one.get("/Subtype") == "/Image":
                    yield pikepdf.PdfImage(one).as_pil_image().tobytes()
                else:
                    yield one.read_bytes()


def runs_of(data: bytes, length: int = RUN) -> set[bytes]:
    return {
        layer[n : n + length] for layer in layers_of(data) for n in range(len(layer) - length + 1)
    }


def shared_runs(old: set[bytes], new: bytes) -> set[bytes]:
    return {
        layer[n : n + RUN]
        for layer in layers_of(new)
        for n in range(len(layer) - RUN + 1)
        if layer[n : n + RUN] in old
    }


def redacted(folder: Path, data: bytes) -> bytes:
    (folder / "in").mkdir(parents=True)
    (folder / "in" / "letter.pdf").write_bytes(data)
    release = scrub_folder(folder / "in", folder / "out", read=ReadOptions(pdf="redacted"))
    assert release.exit_code == 0
    return released(folder / "out", ".pdf").read_bytes()


@pytest.fixture(scope="module")
def of_every_file(tmp_path_factory: pytest.TempPathFactory) -> set[bytes]:
    """The bytes that the writer puts into every file. A redacted document with other words, drawn
    by another program in another font, contains them too: white paper, the names of PDF's own keys,
    and the frame of the character map.
    """
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(612, 792), initialFontName="Times-Roman")
    for n, word in enumerate(["bicycle", "quartz", "jumping", "vexed", "foghorn", "zebra"]):
        canvas.drawString(90, 600 - 40 * n, word)
    canvas.save()
    return runs_of(redacted(tmp_path_factory.mktemp("other"), file.getvalue()), FRAME)


def is_frame(run: bytes, of_every_file: set[bytes]) -> bool:
    """Is the run made of such bytes, apart from at most four bytes of a number or of the start of a
    stream?
    """
    return any(run[n : n + FRAME] in of_every_file for n in range(RUN - FRAME + 1))


@pytest.mark.parametrize("name", ORIGINALS)
def test_no_run_of_the_original_is_left(
    name: str, tmp_path: Path, of_every_file: set[bytes]
) -> None:
    data = ORIGINALS[name]()
    original = runs_of(data)
    assert len(original) > 50_000
    shared = shared_runs(original, redacted(tmp_path, data))
    assert {run for run in shared if not is_frame(run, of_every_file)} == set()
    # Only the frame of a PDF file is exempt, and it is small.
    assert len(shared) < 300


def test_a_pdf_that_is_copied_instead_of_redrawn_is_detected(
    of_every_file: set[bytes],
) -> None:
    data = printed_letter()
    writer = PdfWriter()
    writer.append(PdfReader(io.BytesIO(data)))
    file = io.BytesIO()
    writer.write(file)
    shared = shared_runs(runs_of(data), file.getvalue())
    assert sum(not is_frame(run, of_every_file) for run in shared) > 50_000
