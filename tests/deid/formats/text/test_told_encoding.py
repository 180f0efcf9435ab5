"""Texts with a wrongly declared encoding: ASCII read as UTF-16 or EBCDIC no longer looks like a
name.
"""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from deid.errors import DeidError
from deid.formats.documents.attached import open_attached
from deid.formats.documents.html_page import read_html
from deid.formats.documents.mail import read_message
from deid.formats.fhir.attachment import open_attachment
from deid.formats.text.encoding import decoded_as_told, detect_encoding

LETTER = "Quenby Harrowgate came on 3/4/2021, MRN 7304118, call 617-555-0142."
EVEN = (LETTER + " ").encode("ascii")[: len(LETTER) // 2 * 2]
WRONG = ["utf-16", "UTF-16LE", "utf-16-be", "cp037", "cp500", "cp1140", "cp273", "cp1026"]


@pytest.mark.parametrize("codec", WRONG)
@pytest.mark.parametrize("size", [2, 6, 14, 40, len(EVEN)])
def test_ascii_is_not_read_as_other_letters(codec: str, size: int) -> None:
    with pytest.raises(UnicodeError):
        decoded_as_told(EVEN[:size], codec)


@pytest.mark.parametrize("codec", ["utf-8", "cp1252", "utf-7", "shift_jis", "hz", "koi8-r"])
def test_codecs_that_read_ascii_as_ascii_are_used(codec: str) -> None:
    assert decoded_as_told(EVEN, codec) == EVEN.decode("ascii")


@pytest.mark.parametrize(
    "text",
    [
        LETTER,
        "Für Frau Núñez: 7,2 mmol/l",
        "患者は昨日から発熱と咳があり、血圧は安定していました。検査結果は正常です。",
        "ありがとうございますありがとうございます",
        "患者昨日开始发烧并咳嗽，血压稳定，检查结果正常。",
        "Пациент жалуется на боль",
        "",
    ],
)
@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be"])
def test_true_utf_16_is_read(text: str, codec: str) -> None:
    assert decoded_as_told(text.encode(codec), codec) == text


def test_true_ebcdic_is_read() -> None:
    assert decoded_as_told(LETTER.encode("cp037"), "cp037") == LETTER


@pytest.mark.parametrize("before", ["Puls 80, HbA1c 7,2 %.\r\n", "患者は安定していました。\r\n"])
@pytest.mark.parametrize("mark", ["utf-16-le", "utf-16-be"])
def test_ascii_after_utf_16_is_refused(tmp_path: Path, before: str, mark: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(("\ufeff" + before).encode(mark) + EVEN)
    with pytest.raises(DeidError) as raised:
        detect_encoding(path)
    assert raised.value.code == "unreadable-encoding"


@pytest.mark.parametrize("charset", ["utf-16", "utf-16le", "UTF-16BE"])
def test_an_attachment_with_a_wrong_charset_is_read_as_ascii(charset: str) -> None:
    data = base64.b64encode(EVEN).decode("ascii")
    opened = open_attachment(f"text/plain; charset={charset}", data)
    assert opened is not None and "Harrowgate" in opened[1]
    document = open_attached(EVEN, "", charset)
    assert document is not None and "Harrowgate" in document.text


@pytest.mark.parametrize("charset", WRONG)
def test_an_html_page_with_a_wrong_charset_is_read_as_ascii(charset: str) -> None:
    page = f'<html><head><meta charset="{charset}"></head><body>{LETTER}</body></html>'
    page += " " * (len(page) % 2)
    assert "Harrowgate" in read_html(page.encode("ascii")).text


@pytest.mark.parametrize("charset", WRONG)
def test_a_mail_with_a_wrong_charset_is_read_as_ascii(charset: str) -> None:
    head = f"Subject: K 4.2\nContent-Type: text/plain; charset={charset}\n"
    body = base64.encodebytes(EVEN).decode("ascii")
    mail = f"{head}Content-Transfer-Encoding: base64\n\n{body}"
    assert "Harrowgate" in (read_message(mail.encode("ascii")).cells[-1] or "")


@pytest.mark.parametrize("charset", WRONG)
def test_a_mail_header_with_a_wrong_charset_withholds_the_mail(charset: str) -> None:
    word = base64.b64encode(EVEN[:18]).decode("ascii")
    with pytest.raises(DeidError) as raised:
        read_message(f"Subject: =?{charset}?B?{word}?=\n\nK 4.2\n".encode("ascii"))
    assert raised.value.code == "encoding-unknown"


def test_a_short_ascii_name_after_utf_16_is_refused() -> None:
    with pytest.raises(UnicodeError):
        decoded_as_told("HbA1c 7,2 %; stable.\r\n".encode("utf-16") + EVEN[:18], "utf-16")
