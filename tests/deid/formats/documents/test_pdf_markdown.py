"""PDF as Markdown: the words of the text in their order, with headings, tables and page marks."""

from __future__ import annotations

import re

import pytest
from reportlab.pdfgen.canvas import Canvas
from test_pdf import drawn, prose_at, two_columns

from corpora.documents import SUMMARIES, as_pdf
from deid.formats.pdf.document import read_pdf, write_as_markdown


def markdown(data: bytes, old: str = "", new: str = "") -> str:
    read = read_pdf(data)
    return write_as_markdown(read, read.text.replace(old, new) if old else read.text).decode()


def bare(text: str) -> list[str]:
    """The words without the marks of Markdown."""
    text = re.sub(r"<!-- page \d+ -->|^#+ |^\| ---.*\n", "", text, flags=re.MULTILINE)
    return re.sub(r"\\(?=[^A-Za-z0-9\s])", "", text).replace("|", " ").split()


def titled(canvas: Canvas) -> None:
    for size, y, text in ((20, 740, "Discharge summary"), (14, 700, "Course"), (14, 600, "Plan")):
        canvas.setFont("Helvetica", size)
        canvas.drawString(40, y, text)
    canvas.setFont("Helvetica", 10)
    prose_at(canvas, 40, 680, "a", 3)
    prose_at(canvas, 40, 580, "b", 3)


def test_columns_tables_and_pages_keep_their_order() -> None:
    text = markdown(drawn(two_columns, titled))
    assert text.index("A title over both") < text.index("L The") < text.index("R The")
    assert (
        "| Drug | Dose | When |\n| --- | --- | --- |\n"
        "| aspirin | 81 mg | daily |\n| lisinopril | 10 mg | twice daily |\n"
    ) in text
    first, second = text.split("<!-- page 2 -->")
    assert first.startswith("<!-- page 1 -->\n\n") and "Drug" in first
    assert re.findall("^#.*", second, re.MULTILINE) == [
        "# Discharge summary",
        "## Course",
        "## Plan",
    ]


def test_empty_and_multi_line_cells_stay_in_their_columns() -> None:
    rows = (
        (("Drug", 40), ("Dose", 200), ("Reason", 400)),
        (("aspirin", 40), ("81 mg", 200)),
        (("lisinopril", 40), ("10 mg", 200), ("high blood", 400)),
        (("pressure", 400),),
        (("insulin", 40), ("none", 400)),
    )

    def table(canvas: Canvas) -> None:
        for n, row in enumerate(rows):
            for text, x in row:
                canvas.drawString(x, 700 - 12 * n, text)

    assert markdown(drawn(table)).split("\n")[2:-1] == [
        "| Drug | Dose | Reason |",
        "| --- | --- | --- |",
        "| aspirin | 81 mg |  |",
        "| lisinopril | 10 mg | high blood |",
        "|  |  | pressure |",
        "| insulin |  | none |",
    ]


@pytest.mark.parametrize(
    ("shown", "written"),
    [
        ("# Dispo - home", "\\# Dispo - home"),
        ("> 5 cm * 2", "\\> 5 cm \\* 2"),
        ("a < 5 and <b> | c", "a < 5 and \\<b> \\| c"),
        ("snake_case _x_", "snake_case \\_x_"),
        ("2023. A year", "2023\\. A year"),
        ("1. First", "1. First"),
    ],
)
def test_markdown_characters_in_the_text_are_escaped(shown: str, written: str) -> None:
    data = drawn(lambda c: c.drawString(40, 700, shown))
    assert markdown(data) == f"<!-- page 1 -->\n\n{written}\n"


def test_replacements_are_at_the_places_of_the_replaced_words() -> None:
    data = drawn(two_columns)
    assert "aspirin" not in markdown(data, "aspirin", "[NAME]")
    assert "| [NAME] | 81 mg | daily |" in markdown(data, "aspirin", "[NAME]")
    # A replacement of two cells goes into the first one; all other cells stay in their columns.
    assert "| [X] |  | daily |" in markdown(data, "aspirin   81 mg", "[X]")


def test_summaries_keep_every_word_in_its_place() -> None:
    for path in SUMMARIES.glob("*.txt"):
        text = path.read_text("utf-8")
        assert bare(markdown(as_pdf(text))) == text.replace("|", " ").split()
