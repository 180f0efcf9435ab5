"""Renders plain texts as RTF, HTML, e-mail, Word and PDF, for tests and benchmarks.

It shares no code with `deid/formats/documents`, which reads them: each document is written out by
hand, as the programs of hospitals write it.

    python -m corpora.documents FOLDER    writes the ten discharge summaries in every format
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from email.message import EmailMessage
from html import escape
from io import BytesIO
from pathlib import Path
from textwrap import wrap
from zipfile import ZIP_DEFLATED, ZipFile

SUMMARIES = Path(__file__).resolve().parent / "sample" / "discharge"


_WORD_SPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"'
)

_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
# What makes a package of one part a file that Word opens.
_WORD_FRAME: Mapping[str, str | bytes] = {
    "[Content_Types].xml": (
        f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{_WORD_TYPE}"/></Types>'
    ),
    "_rels/.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" '
        f'Type="{_OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>'
    ),
}


def as_rtf(text: str) -> bytes:
    """RTF as an EHR writes it: Windows-1252 escapes, a font table, each label in bold."""
    lines = []
    for line in text.split("\n"):
        label, colon, rest = line.partition(":")
        plain = "".join(map(_rtf_character, rest))
        marked = f"{{\\b {''.join(map(_rtf_character, label))}}}{colon}"
        lines.append((marked if colon else "".join(map(_rtf_character, line))) + plain)
    head = (
        r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\froman\fcharset0 Times New Roman;}}"
        r"{\*\generator Riched20 10.0.19041}\viewkind4\uc1\pard\f0\fs24 "
    )
    return (head + "\\par\r\n".join(lines) + "\\par\r\n}\r\n\0").encode("ascii")


def _rtf_character(char: str) -> str:
    if char in "\\{}":
        return "\\" + char
    if char == "\t":
        return "\\tab "
    if char.isascii():
        return char
    try:
        return f"\\'{char.encode('cp1252').hex()}"
    except UnicodeEncodeError:
        return f"\\u{ord(char)}?"


def as_html(text: str) -> bytes:
    """HTML as a portal writes it: a paragraph a line, labels in bold, and the spaces between
    columns kept as text, because a browser shows a run of spaces as one."""
    lines = []
    for number, line in enumerate(text.split("\n")):
        label, colon, rest = line.partition(":")
        shown = f"<b class='label'>{escape(label)}:</b>{escape(rest)}" if colon else escape(line)
        shown = shown.replace("  ", "&nbsp; ")
        lines.append(f'<p id="l{number}" style="margin:0">{shown}</p>' if line else "<br>")
    body = "\n".join(lines)
    return (
        f"<!DOCTYPE html><html><head><title>Visit</title></head><body>{body}</body></html>".encode()
    )


def as_eml(text: str) -> bytes:
    """A message as a portal sends it: plain text and HTML beside each other."""
    message = EmailMessage()
    message["From"] = "Ward Office <office@hospital.example>"
    message["To"] = "records@hospital.example"
    message["Subject"] = "Discharge summary"
    message.set_content(text, charset="utf-8", cte="base64")
    message.add_alternative(as_html(text).decode(), subtype="html")
    return message.as_bytes()


def as_docx(text: str) -> bytes:
    """A Word file as an EHR exports it: runs that part words, revision ids, properties."""
    body = []
    for line in text.split("\n"):
        cut = len(line) // 2
        runs = (line[:cut], line[cut:]) if line else ()
        shown = "".join(
            f'<w:r w:rsidR="00A{n}"><w:t xml:space="preserve">{escape(run)}</w:t></w:r>'
            for n, run in enumerate(runs)
        )
        body.append(f'<w:p w:rsidR="00C1">{shown}</w:p>')
    return word_package({**_WORD_FRAME, "word/document.xml": f"<w:body>{''.join(body)}</w:body>"})


def word_package(parts: Mapping[str, str | bytes]) -> bytes:
    """A package of these parts; XML of Word gets its root element."""
    roots = {"header": "hdr", "footer": "ftr", "document": "document"}
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, content in ({"[Content_Types].xml": "<Types/>"} | dict(parts)).items():
            stem = name.rpartition("/")[2].removesuffix(".xml").rstrip("0123456789")
            if isinstance(content, str) and name.startswith("word/"):
                tag = roots.get(stem, stem)
                content = f"<w:{tag} {_WORD_SPACES}>{content}</w:{tag}>"
            archive.writestr(name, content)
    return file.getvalue()


_ODF_SPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"'
    for name, space in {
        "office": "office", "text": "text", "table": "table", "draw": "drawing", "style": "style"
    }.items()
)  # fmt: skip


def as_odt(text: str) -> bytes:
    """An OpenDocument text as an office suite saves it: spans that part words, runs of spaces."""
    body = []
    for line in text.split("\n"):
        cut = len(line) // 2
        spans = "".join(
            f'<text:span text:style-name="T{n}">{_odf_spaces(part)}</text:span>'
            for n, part in enumerate((line[:cut], line[cut:]))
        )
        body.append(f'<text:p text:style-name="P1">{spans}</text:p>')
    return odt_package({"content.xml": odt_content("".join(body))})


def _odf_spaces(text: str) -> str:
    """Spaces beside spaces, and at the ends, as elements."""
    parts = escape(text).replace("\t", "<text:tab/>").split(" ")
    return "<text:s/>".join(parts)


def odt_content(body: str) -> str:
    """The XML of a body."""
    return (
        f"<office:document-content {_ODF_SPACES}><office:body><office:text>{body}"
        "</office:text></office:body></office:document-content>"
    )


def odt_package(parts: Mapping[str, str | bytes]) -> bytes:
    """A package of these parts, which says what it is first."""
    file = BytesIO()
    with ZipFile(file, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        for name, content in parts.items():
            archive.writestr(name, content, ZIP_DEFLATED)
    return file.getvalue()


def as_pdf(text: str) -> bytes:
    """A PDF as a print driver writes it: an embedded subset of a font, 60 lines a page."""
    import matplotlib
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.pdfgen.canvas import Canvas

    fonts = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    pdfmetrics.registerFont(TTFont("Print", fonts / "DejaVuSans.ttf"))
    file = BytesIO()
    canvas = Canvas(file, pagesize=(612, 792), invariant=True)
    for number, line in enumerate(_printed_lines(text)):
        if number and number % 60 == 0:
            canvas.showPage()
        canvas.setFont("Print", 8)
        canvas.drawString(40, 750 - 11.5 * (number % 60), line)
    canvas.save()
    return file.getvalue()


def _printed_lines(text: str) -> list[str]:
    """Lines cut between words where a page would end."""
    return [
        part
        for line in text.expandtabs(4).split("\n")
        for part in wrap(line, 110, drop_whitespace=False, break_on_hyphens=False) or [""]
    ]


RENDERED: dict[str, Callable[[str], bytes]] = {
    ".rtf": as_rtf,
    ".html": as_html,
    ".eml": as_eml,
    ".docx": as_docx,
    ".odt": as_odt,
    ".pdf": as_pdf,
}


def render_summaries(folder: Path, suffix: str) -> list[Path]:
    """The ten discharge summaries in the format of that suffix."""
    made = []
    for path in sorted(SUMMARIES.glob("*.txt")):
        target = folder / f"{path.stem}{suffix}"
        target.write_bytes(RENDERED[suffix](path.read_text("utf-8")))
        made.append(target)
    return made


if __name__ == "__main__":
    for ending in RENDERED:
        render_summaries(Path(sys.argv[1]), ending)
