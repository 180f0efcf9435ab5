# ruff: noqa: E501
"""Attachments of e-mail are released by their own formats, next to the text of the mail."""

from __future__ import annotations

import gzip
import io
import json
import mailbox
import zipfile
from collections.abc import Callable
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

import pytest
from document_canaries import canaries_left, canaries_of, canary, scrub_folder

from corpora.documents import as_docx, as_html, as_odt, as_pdf, as_rtf
from deid.errors import DeidError
from deid.formats import Record, left_behind, members_of, open_source
from deid.formats.documents.docx import read_docx
from deid.formats.documents.html_page import read_html
from deid.formats.documents.rtf import read_rtf

X12 = (
    "ISA*00*          *00*          *ZZ*A              *ZZ*B              *230314*1253*^*00501*000000905*0*T*:~"
    "GS*HC*A*B*20230314*1253*1*X*005010X222A1~ST*837*0021~NTE*ADD*%~SE*3*0021~GE*1*1~IEA*1*000000905~"
)
HL7 = "MSH|^~\\&|A|B|C|D|20230314||ORU^R01|1|P|2.5\rPID|1||%||%^%\rOBX|1|TX|x||%@canary.example\r"


def message_with(files: dict[str, bytes], text: str = "Dear colleague") -> EmailMessage:
    message = EmailMessage(policy=default)
    message["From"], message["Subject"] = "Ward <ward@hospital.example>", "Discharge"
    message.set_content(text)
    for name, data in files.items():
        message.add_attachment(data, maintype="application", subtype="x", filename=name)
    return message


def attached(message: Any) -> dict[str, bytes]:
    return {p.get_filename(): p.get_payload(decode=True) for p in message.iter_attachments()}


def read_file(path: Path) -> Any:
    from email import message_from_bytes

    return message_from_bytes(path.read_bytes(), policy=default)


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def test_each_attachment_is_a_table_of_the_file(tmp_path: Path, through: Callable) -> None:
    inner = message_with({"b.csv": b"id,sex\n1,F\n"}, "inner")
    message = message_with({"a.txt": b"seen today", "b.zip": zipped({"c.txt": b"well"})})
    message.add_attachment(inner)
    path = tmp_path / "a.eml"
    path.write_bytes(message.as_bytes())
    wanted = (
        "messages.eml",
        "attachment-1.txt",
        "attachment-2.zip/c.txt",
        "attachment-3.eml/messages.eml",
        "attachment-3.eml/attachment-1.csv",
    )
    assert members_of(path) == wanted
    out, keys = through(path)
    assert keys == members_of(out) == wanted
    for member in wanted:
        first, second = (
            [r.cells for r in open_source(one, None, member).records() if isinstance(r, Record)]
            for one in (path, out)
        )
        assert first == second != []
    assert attached(read_file(out))["attachment-1.txt"] == b"seen today"


def test_no_canary_is_in_any_byte_of_a_released_mail_attachment(tmp_path: Path) -> None:
    number = iter(range(200))

    def word() -> str:
        return canary(next(number))

    def shown() -> str:
        return f"Seen {word()}@canary.example. The patient is well."

    def many(text: str) -> bytes:
        return "".join(word() if c == "%" else c for c in text).encode()

    nested = message_with({f"{word()}.txt": shown().encode()}, shown())
    nested["X-Mailer"] = word()
    files = {
        f"{word()}.docx": as_docx(shown()),
        f"{word()}.rtf": as_rtf(shown()).replace(
            b"\\deff0", b"{\\info{\\author " + word().encode() + b"}}"
        ),
        f"{word()}.html": as_html(shown()).replace(b"<body>", f"<body title={word()}>".encode()),
        f"{word()}.pdf": as_pdf(shown()),
        f"{word()}.odt": as_odt(shown()),
        f"{word()}.txt": shown().encode(),
        f"{word()}.csv": many("id,first_name,note\n1,%,%@canary.example is well\n"),
        f"{word()}.837": many(X12.replace("%", "%@canary.example")),
        f"{word()}.hl7": many(HL7),
        f"{word()}.zip": zipped({f"{word()}.txt": shown().encode(), ".DS_Store": word().encode()}),
        f"{word()}.txt.gz": gzip.compress(shown().encode()),
        f"{word()}.xml": many(
            '<Patient xmlns="http://hl7.org/fhir" a="%"><!-- % --><name><family value="%"/></name></Patient>'
        ),
        f"{word()}.json": many('{"resourceType":"Patient","name":[{"family":"%"}],"%":"%"}'),
        f"{word()}.exe": b"MZ\x90\x00\x03\x00" + word().encode(),
        f"{word()}.doc": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + word().encode(),
        f"{word()}.ics": many("BEGIN:VCALENDAR\nSUMMARY:%\nEND:VCALENDAR"),
        word(): b"\x01\x02" + word().encode(),
        "": word().encode(),
    }
    message = message_with(files, f"{shown()}\nOn lisinopril.")
    message.add_attachment(nested)
    message.add_attachment(word().encode(), maintype="image", subtype="png", cid=f"<{word()}>")
    data = message.as_bytes()
    assert len(canaries_of(data)) >= 40
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "letter.eml").write_bytes(data)
    release = scrub_folder(tmp_path / "in", tmp_path / "out")
    assert release.exit_code == 4 and release.manifest["residual"]["hits"] == 0
    assert canaries_left(tmp_path / "out") == set()
    told = [
        json.loads(line)
        for line in (tmp_path / "out" / "_release" / "quarantine.jsonl").read_text().splitlines()
    ]
    codes = ["compound-document", "program-file", "unknown-format", "vcard"]
    assert sorted(line["code"] for line in told) == codes
    counts = {line["what"]: line["count"] for line in release.manifest["left_behind"]}
    assert counts["pictures"] >= 1 and counts["hidden-entries"] == 1
    message = read_file(tmp_path / "out" / "letter.eml")
    assert "On lisinopril." in message.get_body().get_content()
    out = {
        Path(name).suffix + str(n): data for n, (name, data) in enumerate(attached(message).items())
    }
    assert len(out) == len(files) - len(codes) + 1
    seen = "Seen [EMAIL]. The patient is well."
    readers = {".docx0": read_docx, ".rtf1": read_rtf, ".html2": read_html}
    for suffix, read in readers.items():
        assert read(out[suffix]).text.split() == seen.split()
    texts = [data.decode() for name, data in out.items() if name.startswith(".txt")]
    assert sum(seen in text for text in texts) >= 3
    assert zipfile.ZipFile(
        io.BytesIO(next(d for n, d in out.items() if n.startswith(".zip")))
    ).namelist()


def test_an_mbox_keeps_attachments_with_their_messages(tmp_path: Path) -> None:
    """This holds also where a message between them is withheld."""
    box = mailbox.mbox(tmp_path / "b.mbox")
    for number in range(3):
        message = message_with({"a.txt": f"enclosed {number}".encode()}, f"text {number}")
        if number == 1:
            message.replace_header("Content-Type", "multipart/encrypted; boundary=x")
        box.add(message.as_bytes())
    box.add(b"Subject: none\n\nnothing enclosed\n")
    box.close()
    (tmp_path / "in").mkdir()
    (tmp_path / "b.mbox").rename(tmp_path / "in" / "b.mbox")
    assert members_of(tmp_path / "in" / "b.mbox") == (
        "messages.eml",
        "message-1/attachment-1.txt",
        "message-3/attachment-1.txt",
    )
    release = scrub_folder(tmp_path / "in", tmp_path / "out")
    assert release.exit_code == 4 and release.manifest["quarantined"] == 1
    out = [read_message_of(m) for m in mailbox.mbox(tmp_path / "out" / "b.mbox")]
    assert out == [("text 0", ["enclosed 0"]), ("text 2", ["enclosed 2"]), ("nothing enclosed", [])]


def read_message_of(message: Any) -> tuple[str, list[str]]:
    from email import message_from_bytes

    parsed = message_from_bytes(message.as_bytes(), policy=default)
    body = parsed.get_body()
    return body.get_content().strip(), [p.get_content().strip() for p in parsed.iter_attachments()]


MALFORMED: dict[str, tuple[bytes, str, str]] = {
    "pdf": (b"%PDF-1.7\nx", "a.pdf", "broken-pdf"),
    "docx": (b"x", "a.docx", "broken-archive"),
    "rtf": (b"{\\rtf1 {", "a.rtf", "broken-rtf"),
    "html": (b"<html>" + b"<div>" * 100_000, "a.html", "html-limits"),
    "odt": (b"x", "a.odt", "broken-archive"),
    "x12": (b"ISA*x", "a.837", "broken-interchange"),
    "hl7": (b"x", "a.hl7", "no-message"),
    "xml": (b"<a>", "a.xml", "broken-xml"),
    "fhir": (b'<Patient xmlns="http://hl7.org/fhir">', "a.xml", "broken-xml"),
    "json": (b'{"resourceType":"Patient"', "a.json", "broken-json"),
    "zip": (b"PK\x03\x04x", "a.zip", "broken-archive"),
    "gzip": (b"\x1f\x8b\x08x", "a.txt.gz", "broken-archive"),
    "tar": (b"x", "a.tar", "broken-archive"),
    "parquet": (b"PAR1", "a.parquet", "broken-parquet"),
    "mail": (b"no header", "a.eml", "broken-mail"),
    "old": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a.doc", "compound-document"),
    "image": (b"\x89PNG\r\n", "a.bin", "image-file"),
}  # fmt: skip


@pytest.mark.parametrize("name", MALFORMED)
def test_an_unreadable_attachment_does_not_affect_the_others(tmp_path: Path, name: str) -> None:
    data, file, code = MALFORMED[name]
    path = tmp_path / "a.eml"
    path.write_bytes(message_with({file: data, "good.txt": b"well"}).as_bytes())
    first, broken, good = members_of(path)
    with pytest.raises(DeidError) as caught:
        open_source(path, None, broken)
    assert (caught.value.code, caught.value.__cause__) == (code, None)
    for member in (first, good):
        assert isinstance(next(open_source(path, None, member).records()), Record)


def test_mail_within_mail_is_read_to_a_maximum_depth(tmp_path: Path) -> None:
    message = message_with({}, "deepest")
    for _ in range(5):
        outer = message_with({}, "outer")
        outer.add_attachment(message)
        message = outer
    path = tmp_path / "a.eml"
    path.write_bytes(message.as_bytes())
    members = members_of(path)
    assert len(members) == 5 and members[-1] == "/".join(["attachment-1.eml"] * 4)
    with pytest.raises(DeidError) as caught:
        open_source(path, None, members[-1])
    assert caught.value.code == "container-in-archive"


def test_attached_pictures_are_counted(tmp_path: Path) -> None:
    message = message_with({})
    message.add_attachment(b"x", maintype="image", subtype="png", filename="a.png")
    (tmp_path / "a.eml").write_bytes(message.as_bytes())
    assert members_of(tmp_path / "a.eml") == ("messages.eml",)
    assert left_behind(tmp_path / "a.eml", "messages.eml")["pictures"] == 1


def test_a_named_alternative_of_the_text_is_read_as_the_text(
    tmp_path: Path, through: Callable
) -> None:
    message = message_with({"note.txt": b"Attached words."}, text="Plain words.")
    message.get_body().add_alternative("<p>Words of the page.</p>", subtype="html")
    named = message.get_body(("plain",))
    assert named is not None
    named.add_header("Content-Disposition", "inline", filename="body.txt")
    (tmp_path / "a.eml").write_bytes(message.as_bytes())
    source = open_source(tmp_path / "a.eml", member="messages.eml")
    (row,) = [one for one in source.records() if isinstance(one, Record)]
    assert "Plain words." in (row.cells[source.columns.index("text")] or "")
