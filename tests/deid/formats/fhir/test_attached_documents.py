# ruff: noqa: E501
"""Documents in FHIR attachments are read by their formats, and only their read text is released."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attached_canaries import ODT, SHOWN, WORD, Hiding
from document_canaries import canaries_left, canaries_of, released, scrub_document

from corpora.documents import (
    as_docx,
    as_html,
    as_odt,
    as_pdf,
    as_rtf,
    word_package,
)
from deid.formats import Record, open_source
from deid.formats.documents.docx import read_docx
from deid.formats.documents.rtf import read_rtf

Made = Callable[[str], bytes]
KINDS: dict[str, tuple[Made, str]] = {
    "application/rtf": (as_rtf, "application/rtf"),
    WORD: (as_docx, WORD),
    "application/pdf": (as_pdf, "text/plain"),
    ODT: (as_odt, "text/plain"),
    "text/html": (as_html, "text/html"),
}


def attachment(kind: str, data: bytes, **more: str) -> dict[str, Any]:
    return {"contentType": kind, "data": base64.b64encode(data).decode(), **more}


def reference(*attachments: dict[str, Any]) -> dict[str, Any]:
    content = [{"attachment": one} for one in attachments]
    return {"resourceType": "DocumentReference", "status": "current", "content": content}


def text_in(kind: str, coded: str) -> str:
    data = base64.b64decode(coded)
    read = {"application/rtf": read_rtf, WORD: read_docx}.get(kind)
    return data.decode() if read is None else read(data).text


@pytest.mark.parametrize("kind", KINDS)
def test_each_attached_document_is_searched_and_rewritten(tmp_path: Path, kind: str) -> None:
    made, written = KINDS[kind]
    note = reference(attachment(kind, made("Seen by Dr. Felix Trantow.\n\nThe patient is well.")))
    out = scrub_document(tmp_path, "a.json", json.dumps(note).encode())
    after = json.loads(released(out, ".json").read_text())["content"][0]["attachment"]
    assert after["contentType"] == written
    text = text_in(written, after["data"])
    assert "Trantow" not in text and "[NAME]" in text and "The patient is well." in text


def test_no_canary_is_in_any_byte_of_a_released_fhir_attachment(tmp_path: Path) -> None:
    hiding = Hiding()
    word = hiding.word
    attachments = [
        attachment(kind, data, title=f"{word()}.docx", url=f"https://{word()}.example/a")
        for kind, data in hiding.documents().items()
    ]
    attachments += [
        attachment(f"{kind}; name={word()}.pdf", data, language=word())
        for kind, data in hiding.broken()
    ]
    data = json.dumps(reference(*attachments)).encode()
    assert next(hiding.numbers) >= 36 and len(canaries_of(data)) >= 20
    out = scrub_document(tmp_path, "a.json", data)
    assert canaries_left(out) == set()
    after = json.loads(released(out, ".json").read_text())["content"]
    texts = [
        text_in(a["contentType"], a["data"]) for c in after if "data" in (a := c["attachment"])
    ]
    assert len(texts) == 5
    assert all(SHOWN in text for text in texts)


BROKEN = {
    "rtf": ("application/rtf", b"{\\rtf1 {"), "rtf escape": ("text/rtf", b"{\\rtf1 \\'zz}"), "rtf pages": ("text/rtf", b"{\\rtf1\\ansicpg99999 a}"),
    "rtf deep": ("text/rtf", b"{\\rtf1 " + b"{" * 600 + b"}" * 601), "rtf text": ("text/rtf", b"well"), "word": (WORD, b"PK\x03\x04"),
    "word cut": (WORD, as_docx("well")[:-40]), "word text": (WORD, b"well"), "word laughs": (WORD, word_package({"word/document.xml": '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'})),
    "word open": (WORD, word_package({"word/document.xml": "<w:document>"})), "pdf": ("application/pdf", b"%PDF-1.7\n"), "pdf cut": ("application/pdf", as_pdf("well")[:300]),
    "pdf text": ("application/pdf", b"well"), "odt": (ODT, b"PK\x03\x04"), "odt cut": (ODT, as_odt("well")[:-40]), "odt text": (ODT, b"well"), "empty": ("application/pdf", b""),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_unreadable_attachments_are_withheld(tmp_path: Path, name: str) -> None:
    kind, data = BROKEN[name]
    (tmp_path / "a.json").write_text(json.dumps(reference(attachment(kind, data))))
    (record,) = open_source(tmp_path / "a.json").records()
    assert isinstance(record, Record) and "bytes" in record.cells and kind in record.cells
