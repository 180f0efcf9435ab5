"""HTML: the visible text stays in its blocks; attributes, scripts and comments are dropped."""

# ruff: noqa: E501
from __future__ import annotations

from html.parser import HTMLParser
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

from corpora.documents import SUMMARIES, as_html
from deid.formats.documents.html_page import read_html, write_html


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>Jo<b>hn</b> <i>Smi</i>th</p>", "John Smith"),
        ("<table><tr><td>MRN</td><td>12</td></tr><tr><td>a</td></tr></table>", "MRN | 12\na"),
        (
            "<table><tr><td><p>MRN</p></td><td><p>12</p><p>b</p></td><td><p>c</p></td></tr></table>x",
            "MRN | 12\nb | c\nx",
        ),
        (
            "<table><tr><td></td><td><div><b>a</b></div></td></tr><tr><td><p>b</td></tr></table>",
            "a\nb",
        ),
        (
            "<table><tr><td>a</td><td><table><tr><td>b</td><td>c</td></tr></table></td><td>d</td></tr></table>",
            "a\nb | c\nd",
        ),
        ("<h1>Visit</h1>text<br>next", "Visit\ntext\nnext"),
        ("<pre>a\n  b</pre>", "a\nb"),
        ("a &amp; &eacute;&#x41;&nbsp;b", "a & éA\u00a0b"),
        ("<title>T</title><script>s</script><style>c</style><!-- x -->body", "body"),
        ("<ul><li>one<li>two</ul>", "one\ntwo"),
        ("<textarea>t</textarea><input value=v>x", "x"),
    ],
)
def test_the_text_is_what_a_browser_shows(page: str, text: str) -> None:
    assert read_html(page.encode()).text == text


def test_a_page_keeps_its_blocks_and_no_attribute() -> None:
    read = read_html(b'<p class=x>Seen by <b id=y>J</b>ohn</p><td colspan="2">12</td>')
    page = write_html(read, read.text.replace("John", "[NAME]")).decode()
    assert "<p>Seen by<b> [NAME]</b></p>" in page.replace("<b></b>[NAME]", "<b> [NAME]</b>")
    assert "class" not in page and "id=" not in page


def test_html_summaries_read_word_for_word() -> None:
    for path in SUMMARIES.glob("*.txt"):
        text = path.read_text("utf-8")
        read = read_html(as_html(text))
        assert read.text.split() == text.split()
        assert read_html(write_html(read, read.text)).text == read.text


@pytest.mark.parametrize("codec", ["utf-8", "utf-16", "cp1252"])
def test_the_encoding_of_a_page_is_detected(codec: str) -> None:
    declared = '<meta charset="windows-1252">' if codec == "cp1252" else ""
    assert read_html(f"<html>{declared}<p>é".encode(codec)).text == "é"


DROPPED = [
    "<!-- % -->", "<title>%</title>", "<script>var a='%'</script>", "<style>.%{}</style>",
    "<p class='%'>a</p>", "<p id=%>a</p>", "<p title='%'>a</p>", "<a href='http://x/%'>a</a>",
    "<img src='%.png'>", "<img alt='%'>", "<img src='data:image/png;base64,$'>", "<p data-x='%'>a</p>",
    "<p onclick=\"f('%')\">a</p>", "<p style='background:url(%)'>a</p>", "<meta name=author content='%'>",
    "<link href='%'>", "<input value='%'>", "<input placeholder=%>", "<textarea>%</textarea>",
    "<iframe src='%'>%</iframe>", "<object data='%'>%</object>", "<embed src=%>", "<svg><text>%</text></svg>",
    "<template>%</template>", "<noscript>%</noscript>", "<video src=%>%</video>", "<base href='http://%'>",
    "<form action='%'>a</form>", "<%>a</%>", "<? % ?>", "<!DOCTYPE %>", "<td headers='%'>a</td>",
    "<math><mtext>%</mtext></math>", "<a ping='%' aria-label='%'>a</a>", "<canvas>%</canvas>",
]  # fmt: skip
SHOWN = [
    "<p>%</p>", "<td>%</td>", "<li>%</li>", "<h2>%</h2>", "<pre>%</pre>", "<b>^</b>", "<span>%</span>",
    "<button>%</button>", "<option>%</option>", "<div hidden>%</div>", "&#122;@", "<del>%</del>",
]  # fmt: skip


def with_canaries() -> bytes:
    parts = ["<html><body>"]
    for number, place in enumerate([*DROPPED, *SHOWN]):
        word = address(number) if place in SHOWN else canary(number)
        coded = place.replace("%", word).replace("$", word.encode().hex())
        coded = coded.replace("^", f"{word[:4]}</b><i>{word[4:]}</i><b>").replace("@", word[1:])
        parts.append(f"<div>{coded}</div>")
    return "".join([*parts, "<p>The patient is well on lisinopril.</p>"]).encode()


def test_no_canary_is_in_any_byte_of_a_released_html_page(tmp_path: Path) -> None:
    assert len(canaries_of(with_canaries())) >= 40
    out = scrub_document(tmp_path, "page.html", with_canaries())
    assert canaries_left(out) == set()
    page = released(out, ".html").read_bytes()
    assert "The patient is well on lisinopril." in read_html(page).text
    assert page.count(b"[EMAIL]") == len(SHOWN)


class _Words(HTMLParser):
    """A second reader, independent of the format's own."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []

    def handle_data(self, data: str) -> None:
        self.words += data.split()


def test_a_page_is_released_like_its_plain_text(tmp_path: Path) -> None:
    text = SUMMARIES.joinpath("summary-02.txt").read_text("utf-8")
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    plain = scrub_document(tmp_path / "a", "note.txt", read_html(as_html(text)).text.encode())
    out = scrub_document(tmp_path / "b", "note.txt", as_html(text))
    reader = _Words()
    reader.feed(released(out, ".html").read_text("utf-8"))
    expected = released(plain, ".txt").read_text("utf-8").replace(" | ", " ").split()
    assert reader.words == expected
