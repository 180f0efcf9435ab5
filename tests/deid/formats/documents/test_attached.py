"""Documents in OBX-5 of HL7 v2 and in C-CDA: each is read by its own format; all others are
withheld.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest
from attached_canaries import ODT, SHOWN, WORD, Hiding
from document_canaries import canaries_left, canaries_of, released, scrub_document
from lxml import etree

from corpora.documents import SUMMARIES, as_docx, as_html, as_odt, as_pdf, as_rtf
from deid.formats.documents.docx import read_docx
from deid.formats.documents.rtf import read_rtf

Made = Callable[[str], bytes]
NOTE = "Seen by Dr. Felix Trantow.\n\nThe patient is well."
MSH = "MSH|^~\\&|APP|FAC|||202611210800||MDM^T02|M1|P|2.5.1"
V3 = "urn:hl7-org:v3"
# ED-2 and ED-3 as sent, the function that makes the document, and ED-2 and ED-3 in the output.
SENT: dict[str, tuple[str, Made, str]] = {
    "pdf": ("AP^PDF", as_pdf, "TEXT^plain"),
    "pdf by its type": ("application^pdf", as_pdf, "TEXT^plain"),
    "pdf by its content": ("AP^", as_pdf, "TEXT^plain"),
    "odt": (f"^{ODT}", as_odt, "TEXT^plain"),
    "word": (f"{WORD}^", as_docx, f"{WORD}^"),
    "word by its content": ("AP^octet-stream", as_docx, "AP^octet-stream"),
    "rtf": ("TEXT^RTF", as_rtf, "TEXT^RTF"),
    "html": ("TEXT^HTML", as_html, "TEXT^HTML"),
}


def text_of(data: bytes) -> str:
    if data.startswith(b"{\\rtf"):
        return read_rtf(data).text
    return read_docx(data).text if data.startswith(b"PK") else data.decode()


def message(*segments: str) -> bytes:
    return "".join(f"{segment}\r" for segment in (MSH, *segments)).encode()


def sent(types: str, data: bytes, coding: str = "Base64", number: int = 1) -> str:
    coded = base64.b64encode(data).decode() if coding == "Base64" else data.hex()
    return f"OBX|{number}|ED|{number}^Doc^L||LAB^{types}^{coding}^{coded}"


def fields_of(out: Path) -> list[list[str]]:
    """The components of OBX-5 in each segment."""
    lines = released(out, ".hl7").read_bytes().decode().split("\r")
    return [line.split("|")[5].split("^") for line in lines if line.startswith("OBX")]


@pytest.mark.parametrize("coding", ["Base64", "Hex"])
@pytest.mark.parametrize("what", SENT)
def test_a_document_in_a_message_is_released_in_its_format(
    what: str, coding: str, tmp_path: Path
) -> None:
    types, made, written = SENT[what]
    out = scrub_document(tmp_path, "m.hl7", message(sent(types, made(NOTE), coding)))
    ((_, kind, subtype, same, data),) = fields_of(out)
    assert f"{kind}^{subtype}" == written and same == coding
    text = text_of(base64.b64decode(data) if coding == "Base64" else bytes.fromhex(data))
    assert "Trantow" not in text and "[NAME]" in text and "The patient is well." in text


def test_a_package_of_parts_becomes_their_texts(tmp_path: Path) -> None:
    mail = EmailMessage()
    mail.set_content("Seen by Dr. Felix Trantow.")
    mail.add_attachment(as_pdf("The patient is well."), maintype="application", subtype="pdf")
    mail.add_attachment(b"\x89PNG Trantow", maintype="image", subtype="png")
    inner = EmailMessage()
    inner.set_content("Call Felix Trantow.")
    mail.add_attachment(inner)
    package = mail.as_bytes()
    out = scrub_document(tmp_path, "m.hl7", message(sent("multipart^x-hl7-cda", package)))
    ((_, kind, subtype, _, data),) = fields_of(out)
    text = base64.b64decode(data).decode()
    assert (kind, subtype) == ("TEXT", "plain") and "Trantow" not in text
    assert "[NAME]" in text and "The patient is well." in text
    told = json.loads((out / "_release" / "manifest.json").read_text())["left_behind"]
    counts = {line["what"]: line["count"] for line in told}
    assert counts == {"binary-attachments": 2, "written-as-text": 1}


def test_a_document_without_findings_is_also_rewritten(tmp_path: Path) -> None:
    rtf = b"{\\rtf1{\\info{\\author Felix Trantow}}The patient is well.}"
    out = scrub_document(tmp_path, "m.hl7", message(sent("TEXT^RTF", rtf)))
    data = base64.b64decode(fields_of(out)[0][4])
    assert b"Trantow" not in data and read_rtf(data).text == "The patient is well."


def test_no_canary_is_in_any_byte_of_a_released_message(tmp_path: Path) -> None:
    hiding = Hiding()
    whole = [sent(f"^{kind}", data) for kind, data in hiding.documents().items()]
    again = [
        sent(f"{kind}^", data, "Hex", number=n)
        for n, (kind, data) in enumerate(hiding.documents().items(), 9)
    ]
    broken = [
        sent(f"^{kind}", data, number=n) for n, (kind, data) in enumerate(hiding.broken(), 20)
    ]
    data = message(*whole, *again, *broken)
    assert next(hiding.numbers) >= 60 and len(canaries_of(data)) >= 35
    out = scrub_document(tmp_path, "m.hl7", data)
    assert canaries_left(out) == set()
    read = [field for field in fields_of(out) if field[4:] and field[4]]
    assert len(read) == 10
    for _, _, _, coding, coded in read:
        raw = base64.b64decode(coded) if coding == "Base64" else bytes.fromhex(coded)
        assert SHOWN in text_of(raw)
    told = json.loads((out / "_release" / "manifest.json").read_text())["left_behind"]
    counts = {line["what"]: line["count"] for line in told}
    assert counts == {"binary-attachments": len(broken), "written-as-text": 4}


def cda(inner: str) -> bytes:
    return (
        f'<ClinicalDocument xmlns="{V3}"><component>{inner}</component></ClinicalDocument>'.encode()
    )


def body(kind: str, data: bytes) -> str:
    coded = base64.b64encode(data).decode()
    return f'<nonXMLBody><text mediaType="{kind}" representation="B64">{coded}</text></nonXMLBody>'


def media(kind: str, data: bytes) -> str:
    coded = base64.b64encode(data).decode()
    value = f'<value mediaType="{kind}" representation="B64">{coded}</value>'
    return f"<entry><observationMedia>{value}</observationMedia></entry>"


def section(inner: str) -> str:
    return f"<structuredBody><component><section>{inner}</section></component></structuredBody>"


IN_CDA: dict[str, tuple[Made, str]] = {
    "application/rtf": (as_rtf, "application/rtf"),
    "text/rtf": (as_rtf, "text/rtf"),
    WORD: (as_docx, WORD),
    "application/pdf": (as_pdf, "text/plain"),
    ODT: (as_odt, "text/plain"),
}


def held_in(out: Path) -> list[tuple[str, str]]:
    """Media type and text of each element that contains Base64."""
    root = etree.parse(str(released(out, ".xml"))).getroot()
    nodes = root.xpath("//*[@representation='B64']")
    return [
        (node.get("mediaType", ""), text_of(base64.b64decode(node.text)))
        for node in nodes
        if node.text
    ]


@pytest.mark.parametrize("kind", IN_CDA)
def test_a_document_in_a_clinical_document_is_released_in_its_format(
    kind: str, tmp_path: Path
) -> None:
    made, written = IN_CDA[kind]
    for number, inner in enumerate((body(kind, made(NOTE)), section(media(kind, made(NOTE))))):
        (tmp_path / str(number)).mkdir()
        out = scrub_document(tmp_path / str(number), "a.xml", cda(inner))
        ((told, text),) = held_in(out)
        assert told == written and "Trantow" not in text
        assert "[NAME]" in text and "The patient is well." in text


def test_rtf_without_base64_is_read(tmp_path: Path) -> None:
    rtf = as_rtf(NOTE).decode().rstrip("\0")
    inner = f'<nonXMLBody><text mediaType="text/rtf">{rtf}</text></nonXMLBody>'
    root = etree.parse(str(released(scrub_document(tmp_path, "a.xml", cda(inner)), ".xml")))
    (text,) = root.xpath("//v:text/text()", namespaces={"v": V3})
    assert "[NAME]" in read_rtf(str(text).encode()).text


def test_no_canary_is_in_any_byte_of_a_released_clinical_document(tmp_path: Path) -> None:
    hiding = Hiding()
    documents = hiding.documents()
    del documents["text/html"]  # HTML is replaced by the text that it shows
    inner = "".join(media(kind, data) for kind, data in documents.items())
    inner += "".join(media(kind, data) for kind, data in hiding.broken())
    inner += "".join(
        f'<entry><act><text mediaType="{kind}" representation="B64">'
        f"{base64.b64encode(data).decode()}</text></act></entry>"
        for kind, data in hiding.broken()
    )
    data = cda(section(inner))
    assert next(hiding.numbers) >= 45 and len(canaries_of(data)) >= 30
    out = scrub_document(tmp_path, "a.xml", data)
    assert canaries_left(out) == set()
    assert [SHOWN in text for _, text in held_in(out)] == [True] * 4


@pytest.mark.parametrize("made", [as_rtf, as_docx, as_pdf, as_odt])
def test_a_summary_says_the_same_in_a_message_and_in_a_document(made: Made, tmp_path: Path) -> None:
    """The same words of a document are released from a message and from a clinical document."""
    note = (SUMMARIES / "summary-01.txt").read_text("utf-8")
    kind = {as_rtf: "application/rtf", as_docx: WORD, as_pdf: "application/pdf", as_odt: ODT}[made]
    texts = []
    for name, data in (
        ("m.hl7", message(sent(f"^{kind}", made(note)))),
        ("a.xml", cda(body(kind, made(note)))),
    ):
        (tmp_path / name).mkdir()
        out = scrub_document(tmp_path / name, name, data)
        if name == "m.hl7":
            texts.append(text_of(base64.b64decode(fields_of(out)[0][4])))
        else:
            texts.append(held_in(out)[0][1])
    assert texts[0].split() == texts[1].split() and len(texts[0].split()) > 300
