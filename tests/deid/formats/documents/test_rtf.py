"""RTF: what is read, what is dropped, and that a rewritten document has the same text."""

# ruff: noqa: E501
from __future__ import annotations

import json
import shutil
import subprocess
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
from hypothesis import given
from hypothesis import strategies as st

from corpora.documents import SUMMARIES, as_rtf
from deid.formats import open_source
from deid.formats.documents.rtf import read_rtf, write_rtf
from deid.formats.documents.whole_text import ReadText

HEAD = rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}{\f1\fcharset128 M;}{\f2\fcharset2 S;}}\f0 "


def test_tracked_changes_in_rtf_are_resolved_and_counted() -> None:
    read = read_rtf(HEAD + rb"a{\revised b}{\deleted c}\revised d\revised0 e}")
    assert (read.text, read.dropped["insertion-marks"]) == ("abde", 2)
    assert read.dropped["tracked-deletions"] == 1


def text_of(body: bytes) -> str:
    return read_rtf(HEAD + body + b"}").text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (rb"Jo{\b hn} {\i Smi}th", "John Smith"),
        (rb"N\'e9e \u8217\'92s \u-10179?\u-8704?", "Née ’s 😀"),
        (rb"\uc2\u233 xyz {\uc0\u233 x}", "éz éx"),
        (rb"{\f1 \'82\'a0}\'e9", "あé"),
        (rb"{\f2 \'b7} Item", "• Item"),
        (rb"a\tab b\line c\par\pard d\page e", "a\tb\nc\nd\ne"),
        (rb"\trowd\intbl MRN\cell 12\cell\row x\par", "MRN | 12\nx"),
        (rb"{\header Page\par}Body\par{\footnote Note}more", "Page\nBody\nNote\nmore"),
        (rb"John {\footnote One{\header T}\par two} Roe\par x", "John  Roe\nOne\nT\ntwo\nx"),
        (
            rb"{\header A\par}{\footer B}John {\shp{\*\shpinst{\shptxt box}}}Roe",
            "A\nB\nJohn Roe\nbox",
        ),
        (rb"\trowd John {\footnote n} Roe\cell 12\cell\row x", "John  Roe | 12\nn\nx"),
        (rb"{\field{\*\fldinst HYPERLINK q}{\fldrslt link}}.", "link."),
        (rb"{\shp{\*\shpinst{\sp{\sn a}{\sv b}}{\shptxt box\par}}{\shprslt old}}x", "box\nx"),
        (rb"a{\v hidden}b{\deleted gone}c{\v off\v0 on}", "abcon"),
        (rb"a\bin3 }{}b\~c\_d\-e\{\}\\", "ab\u00a0c\u2011de{}\\"),
        (rb"{\*\htmltag64 <p>}x{\*\unknown y}z", "xz"),
        (rb"a {\*\bkmkstart b}c\*d", "a cd"),
    ],
)
def test_the_text_is_what_a_word_processor_shows(body: bytes, text: str) -> None:
    assert text_of(body) == text


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\t\n")))
def test_a_rewritten_rtf_document_reads_back(text: str) -> None:
    assert read_rtf(write_rtf(ReadText(""), text)).text == text.rstrip("\n").replace(" | \n", "\n")


def test_rtf_summaries_read_word_for_word() -> None:
    for path in SUMMARIES.glob("*.txt"):
        text = path.read_text("utf-8")
        assert read_rtf(as_rtf(text)).text == text.rstrip("\n")


# The surroundings of a canary; `%` stands for the canary. Where a reader sees it, it is an e-mail
# address.
DROPPED = [
    rb"{\info{\author %}}", rb"{\info{\title %}}", rb"{\info{\*\company %}}", rb"{\info{\doccomm %}}",
    rb"{\*\userprops{\propname a}\proptype30{\staticval %}}", rb"{\*\docvar{a}{%}}",
    rb"{\*\template C:\\%.dot}", rb"{\stylesheet{\s1 %;}}", rb"{\*\revtbl{%;}}",
    rb"{\*\atnid %}{\*\atnauthor %}{\*\annotation %}", rb"{\*\bkmkstart %}{\*\bkmkend %}",
    rb"{\field{\*\fldinst HYPERLINK http://x/%}{\fldrslt link}}", rb"{\v %}", rb"{\deleted %}",
    rb"{\pict\pngblip $}", rb"{\object\objemb{\*\objdata $}}", rb"{\*\objclass %}",
    rb"{\shp{\*\shpinst{\sp{\sn wzDescription}{\sv %}}}}", rb"{\*\generator %}", rb"{\xe %}",
    rb"{\*\themedata $}", rb"{\*\datastore $}", rb"{\*\xmlnstbl{\xmlns1 %;}}", rb"{\tc %}",
    rb"{\*\ffdeftext %}", rb"{\*\formfield{\*\ffname %}}", rb"{\*\mailmerge{\*\mmquery %}}",
    rb"{\*\passwordhash %}", rb"{\*\protusertbl{%}}", rb"{\fonttbl{\f9 %;}}", rb"{\filetbl{\file %}}",
]  # fmt: skip
SHOWN = [
    rb"%\par ", rb"{\header %\par}", rb"{\footer %\par}", rb"{\footnote %}",
    rb"\trowd\cell %\cell\row ", rb"{\shp{\*\shpinst{\shptxt %\par}}}", rb"{\headerf %\par}",
    rb"{\b %}", rb"{\field{\*\fldinst X}{\fldrslt %}}", rb"{\pntext %}", rb"{\cf1 %}",
]  # fmt: skip


def with_canaries() -> bytes:
    parts = [HEAD]
    for number, place in enumerate([*DROPPED, *SHOWN]):
        word = address(number) if place in SHOWN else canary(number)
        if place == rb"{\b %}":
            word = "}{\\i ".join((word[:4], word[4:]))
        if place == rb"{\cf1 %}":
            word = "".join(f"\\'{ord(c):02x}" for c in word)
        coded = place.replace(b"%", word.encode()).replace(b"$", word.encode().hex().encode())
        parts.append(coded + b"\\par ")
    return b"".join([*parts, b"The patient is well on lisinopril.}", canary(99).encode()])


def test_no_canary_is_in_any_byte_of_a_released_rtf_document(tmp_path: Path) -> None:
    data = with_canaries()
    assert len(canaries_of(data)) >= 40
    out = scrub_document(tmp_path, "summary.rtf", data)
    assert canaries_left(out) == set()
    told = json.loads((out / "_release" / "manifest.json").read_text())["left_behind"]
    counts = {line["what"]: line["count"] for line in told}
    assert counts["pictures"] == 1 and counts["hidden-text"] == 1 and counts["field-codes"] == 2
    text = read_rtf(released(out, ".rtf").read_bytes()).text
    assert text.endswith("The patient is well on lisinopril.")
    assert text.count("[EMAIL]") == len(SHOWN)


def test_an_rtf_document_is_released_like_its_plain_text(tmp_path: Path) -> None:
    text = SUMMARIES.joinpath("summary-01.txt").read_text("utf-8").rstrip("\n")
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    plain = scrub_document(tmp_path / "a", "summary.txt", text.encode())
    out = scrub_document(tmp_path / "b", "summary.txt", as_rtf(text))
    expected = released(plain, ".txt").read_text("utf-8")
    assert read_rtf(released(out, ".rtf").read_bytes()).text == expected
    (record,) = open_source(released(out, ".rtf")).records()
    assert record.cells == (expected,)  # type: ignore[union-attr]


@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
def test_libreoffice_reads_a_released_rtf_document(tmp_path: Path) -> None:
    text = "Line one — é\nTab\there {x}\nMRN | 12"
    (tmp_path / "a.rtf").write_bytes(write_rtf(ReadText(""), text))
    command = ["soffice", "--headless", f"-env:UserInstallation=file://{tmp_path}/profile"]
    command += ["--convert-to", "txt:Text (encoded):UTF8", "a.rtf"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=120)
    assert (tmp_path / "a.txt").read_text("utf-8-sig").rstrip("\n") == text
