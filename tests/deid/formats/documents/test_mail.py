"""E-mail: headers by field and the shown text are released; everything else is dropped."""

# ruff: noqa: E501, ISC004, SIM905
from __future__ import annotations

import base64
import json
import mailbox
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from document_canaries import (
    address,
    canaries_left,
    canaries_of,
    canary,
    released,
    scrub_document,
)

from corpora.documents import SUMMARIES, as_eml
from deid.formats import Record, open_source
from deid.formats.documents.mail import MAIL_HEADERS, read_message, write_message


def text_of(body: bytes) -> str | None:
    return read_message(b"Subject: s\n" + body).cells[-1]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b"\nhello\r\nthere\n", "hello\nthere"),
        (b"Content-Transfer-Encoding: base64\n\naGVsbG8=\n", "hello"),
        (b"Content-Transfer-Encoding: quoted-printable\n\nh=C3=A9l=\nlo", "héllo"),
        (b"Content-Type: text/html\n\n<p>a<p>b", "a\nb"),
        (b"Content-Type: text/plain; charset=windows-1252\n\n\xe9", "é"),
        (
            b"Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/html\n\n"
            b"<p>x\n--b\nContent-Type: text/plain\n\nplain\n--b--\n",
            "plain",
        ),
        (
            b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\nContent-Type: image/png"
            b"\n\nx\n--b\n\ntwo\n--b--\n",
            "one\n\ntwo",
        ),
    ],
)
def test_the_text_is_what_a_mail_program_shows(body: bytes, text: str) -> None:
    assert text_of(body) == text


def test_a_new_message_reads_back() -> None:
    cells = (
        None,
        None,
        None,
        "[NAME]",
        None,
        None,
        "2023",
        "Café",
        "From me\n\n>a é\n" + "x " * 900,
    )
    data = write_message(dict(zip((*MAIL_HEADERS, "text"), cells, strict=True)))
    assert read_message(data).cells == cells
    assert not any(line.startswith(b"From ") for line in data.splitlines())


def test_mail_summaries_read_word_for_word() -> None:
    for path in SUMMARIES.glob("*.txt"):
        text = path.read_text("utf-8")
        assert read_message(as_eml(text)).cells[-1] == text.rstrip("\n")


DROPPED_HEADERS = (
    "Received X-Originating-IP Message-ID In-Reply-To References Return-Path Delivered-To X-Mailer "
    "DKIM-Signature Organization Thread-Topic List-Unsubscribe X-Priority Comments Keywords"
).split()
ADDRESSES = ("From", "Sender", "Reply-To", "To", "Cc", "Bcc")
DROPPED_PARTS = [
    "Content-Type: audio/wav; name=%.wav\n\n%",
    "Content-Type: application/pgp-signature\nContent-Disposition: attachment; filename=%.asc\n\n%",
    "Content-Type: image/png\nContent-ID: <%>\nContent-Transfer-Encoding: base64\n\n$",
    "Content-Type: message/rfc822; name=%\n\nSubject: %\nX-Mailer: %\n\n%",
    "Content-Type: text/csv; name=%.csv\n\nid,%\n1,%",
    "Content-Type: text/plain\nContent-Description: %\n\na",
    "Content-Type: text/plain; name=%\n\na",
    'Content-Type: text/plain\nContent-Location: %\nContent-Disposition: attachment; filename="%"\n\n%',
    "Content-Type: text/html\n\n<!-- % --><img src='http://t/%'>a",
    "Content-Type: multipart/alternative; boundary=c\n\n--c\n\na\n--c\nContent-Type: text/html\n\n%\n--c--",
]
SHOWN_PARTS = [
    "Content-Type: text/plain\n\n%",
    "Content-Type: text/html\n\n<p>%",
    "Content-Transfer-Encoding: base64\n\n$",
]


def with_canaries() -> bytes:
    headers = [f"{name}: {canary(n)}" for n, name in enumerate(DROPPED_HEADERS)]
    headers += [f"{name}: {canary(20 + n)} <{address(30 + n)}>" for n, name in enumerate(ADDRESSES)]
    parts = [f"Subject: Visit of {address(40)}", "Content-Type: multipart/mixed; boundary=b", ""]
    for number, part in enumerate([*DROPPED_PARTS, *SHOWN_PARTS], 50):
        word = address(number)
        coded = base64.b64encode(word.encode()).decode()
        parts += ["--b", part.replace("%", word).replace("$", coded)]
    body = "\n".join([*headers, *parts, "--b", "", "Well on lisinopril.", "--b--", canary(99), ""])
    return f"Date: Mon, 2 Jan 2023 10:00:00 +0000\n{body}".encode()


@pytest.mark.parametrize("name", ["letter.eml", "box.mbox", "letter.txt"])
def test_no_canary_is_in_any_byte_of_released_mail(name: str, tmp_path: Path) -> None:
    data = with_canaries()
    assert len(canaries_of(data)) >= 36
    start = f"From {address(98)} Mon Jan  2 10:00:00 2023\n".encode() if "mbox" in name else b""
    out = scrub_document(tmp_path, name, start + data)
    assert canaries_left(out) == set()
    path = released(out, Path(name).suffix)
    if "mbox" in name:
        (message,) = list(mailbox.mbox(path))
        message = message_from_bytes(message.as_bytes(), policy=policy.default)
    else:
        message = message_from_bytes(path.read_bytes(), policy=policy.default)
    shown = next(part for part in message.walk() if part.get_content_type() == "text/plain")
    assert "Well on lisinopril." in shown.get_content()
    assert shown.get_content().count("[EMAIL]") == len(SHOWN_PARTS)
    assert str(message["Date"]) == "2023"
    told = json.loads((out / "_release" / "manifest.json").read_text())["left_behind"]
    counts = {line["what"]: line["count"] for line in told}
    assert (counts["pictures"], counts["media"], counts["signatures"]) == (2, 1, 1)


def test_an_mbox_has_one_record_for_each_message(tmp_path: Path) -> None:
    start = b"From a@b Mon Jan  2 10:00:00 2023\n"
    (tmp_path / "b.mbox").write_bytes(
        start + b"Subject: one\n\n>From x\n\n" + start + b"Subject: two\n\ny\n"
    )
    records = [r for r in open_source(tmp_path / "b.mbox").records() if isinstance(r, Record)]
    assert [r.cells[-2:] for r in records] == [("one", "From x"), ("two", "y")]
