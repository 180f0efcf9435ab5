"""RTF written as plain text on request: in files, cells, messages, resources and mail."""

from __future__ import annotations

import base64
import csv
import io
import json
from email import message_from_bytes
from email.message import EmailMessage, Message
from pathlib import Path

import pytest
from document_canaries import canaries_in, released, scrub_folder
from lxml import etree
from test_attached import NOTE, cda, fields_of, media, message, section, sent
from test_rtf import SHOWN, with_canaries

from corpora.documents import as_rtf
from deid.errors import DeidError
from deid.formats import ReadOptions

RTF = as_rtf(NOTE)
CODED = base64.b64encode(RTF).decode()
WRITTEN = "Seen by Dr. [NAME].\n\nThe patient is well."
ATTACHED = {"contentType": "application/rtf", "data": CODED}
RESOURCE = {
    "resourceType": "DocumentReference",
    "status": "current",
    "content": [{"attachment": ATTACHED}],
}


def table(*cells: str) -> bytes:
    file = io.StringIO()
    csv.writer(file).writerows([("sex", "note_text"), *(("F", cell) for cell in cells)])
    return file.getvalue().encode()


def mail() -> bytes:
    made = EmailMessage()
    made["Subject"] = "A letter"
    made.set_content("See the letter.")
    made.add_attachment(RTF, maintype="application", subtype="rtf", filename="a.rtf")
    return made.as_bytes()


def cells_of(data: bytes) -> list[str]:
    return [row[-1] for row in csv.reader(io.StringIO(data.decode()))][1:]


def attached_to(data: bytes) -> bytes:
    *_, last = (part for part in message_from_bytes(data).walk() if isinstance(part, Message))
    found = last.get_payload(decode=True)
    assert isinstance(found, bytes)
    return found


def of_resource(text: str) -> tuple[str, str]:
    found = json.loads(text)["content"][0]["attachment"]
    return found["contentType"], base64.b64decode(found["data"]).decode()


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rtf")
    inputs = {
        "note.rtf": RTF,
        "summary.rtf": with_canaries(),
        "notes.csv": table(RTF.decode().rstrip("\0"), "Well."),
        "documents.csv": table(json.dumps(RESOURCE)),
        "labs.hl7": message(sent("TEXT^RTF", RTF)),
        "report.json": json.dumps(RESOURCE).encode(),
        "visit.xml": cda(section(media("text/rtf", RTF))),
        "letter.eml": mail(),
    }
    (folder / "in").mkdir()
    for name, data in inputs.items():
        (folder / "in" / name).write_bytes(data)
    release = scrub_folder(folder / "in", folder / "out", read=ReadOptions(rtf="text"))
    assert release.exit_code == 0
    return folder / "out"


def test_an_rtf_file_is_released_as_text(out: Path) -> None:
    assert (out / "note.rtf.txt").read_text("utf-8") == WRITTEN + "\n"
    summary = (out / "summary.rtf.txt").read_text("utf-8")
    assert summary.endswith("The patient is well on lisinopril.\n")
    assert summary.count("[EMAIL]") == len(SHOWN) and canaries_in(out) == set()


def test_rtf_in_cells_messages_resources_and_mail_is_released_as_the_same_text(out: Path) -> None:
    assert cells_of((out / "notes.csv").read_bytes()) == [WRITTEN, "Well."]
    (cell,) = cells_of((out / "documents.csv").read_bytes())
    assert of_resource(cell) == ("text/plain", WRITTEN)
    assert of_resource((out / "report.json").read_text("utf-8")) == ("text/plain", WRITTEN)
    (field,) = (f for f in fields_of(out) if len(f) > 4)
    assert field[1:3] == ["TEXT", "plain"] and base64.b64decode(field[4]).decode() == WRITTEN
    root = etree.parse(str(released(out, ".xml"))).getroot()
    (node,) = root.xpath("//*[@representation='B64']")
    assert node.get("mediaType") == "text/plain"
    assert base64.b64decode(node.text).decode() == WRITTEN
    assert attached_to((out / "letter.eml").read_bytes()).decode() == WRITTEN + "\n"
    assert not [p for p in out.rglob("*") if p.is_file() and b"{\\rtf" in p.read_bytes()]


def test_the_manifest_lists_what_was_written_as_text(out: Path) -> None:
    manifest = json.loads((out / "_release" / "manifest.json").read_text())
    told = [line["file"] for line in manifest["left_behind"] if line["what"] == "written-as-text"]
    # C-CDA counts none of its changes, and cells are listed under their column.
    assert len(told) == 5


@pytest.mark.parametrize("option", ["pdf", "rtf"])
def test_another_output_is_refused(option: str) -> None:
    with pytest.raises(DeidError) as caught:
        ReadOptions(**{option: "docx"})  # type: ignore[arg-type]
    assert caught.value.code == f"{option}-option-invalid"
