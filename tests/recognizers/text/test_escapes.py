"""Letters that an encoding spells out are read as the letters that they stand for."""

from __future__ import annotations

import html
from collections.abc import Callable
from datetime import date
from urllib.parse import quote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from recognizers.known.values import KnownValue, KnownValues
from recognizers.search import Finder
from recognizers.text.ascii_text import escaped, normalize
from safe_harbor import Identifier as I

PEOPLE = (
    ("Jos\u00e9", "Pe\u00f1a"),
    ("Nguy\u1ec7t", "Tr\u1ea7n"),
    ("Bj\u00f6rn", "S\u00f8rensen"),
    ("Zden\u011bk", "Dvo\u0159\u00e1k"),
    ("Fran\u00e7oise", "Lef\u00e8vre"),
    ("Zo\u00eb", "Andr\u00e9"),
)


def spelled(spell: Callable[[str], str]) -> Callable[[str], str]:
    return lambda text: "".join(c if c.isascii() else spell(c) for c in text)


def ansi(letter: str) -> str:
    """RTF writes the letters of Windows-1252 in one byte and all others by their number."""
    try:
        return f"\\'{letter.encode('cp1252').hex()}"
    except UnicodeEncodeError:
        return f"\\u{ord(letter)}?"


ENCODINGS: dict[str, Callable[[str], str]] = {
    "HTML": spelled(lambda c: f"&#{ord(c)};"),
    "HTML by hexadecimals": spelled(lambda c: f"&#x{ord(c):x};"),
    "HTML twice": spelled(lambda c: html.escape(f"&#{ord(c)};")),
    "quoted-printable": spelled(lambda c: "".join(f"={b:02X}" for b in c.encode())),
    "percent": spelled(quote),
    "percent twice": spelled(lambda c: quote(quote(c))),
    "JSON": spelled(lambda c: f"\\u{ord(c):04x}"),
    "JSON twice": spelled(lambda c: f"\\\\u{ord(c):04x}"),
    "RTF": spelled(ansi),
    "RTF by numbers": spelled(lambda c: f"\\u{ord(c)}?"),
    "misread UTF-8": spelled(lambda c: c.encode().decode("latin-1")),
    "Python": spelled(lambda c: "".join(f"\\x{b:02x}" for b in c.encode())),
}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("person", PEOPLE)
def test_a_known_name_is_found_whole_however_its_letters_are_spelled(
    person: tuple[str, str], encoding: str
) -> None:
    first, last = person
    known = KnownValues(
        (KnownValue(I.NAMES, first, part="first"), KnownValue(I.NAMES, last, part="last"))
    )
    for name in (f"{first} {last}", f"{last}, {first}", last):
        written = ENCODINGS[encoding](name)
        text = f"Spoke with {written} about the plan."
        left = text
        for finding in reversed(known.find(text)):
            left = left[: finding.start] + left[finding.end :]
        assert left.replace(" ,", "").split() == ["Spoke", "with", "about", "the", "plan."]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_rules_read_decoded_letters_and_return_original_offsets(encoding: str) -> None:
    name = "Lef\u00e8vr\u00e9"
    written = ENCODINGS[encoding](name)
    normal = normalize(f"Dr. {written}, MD")
    assert normal.text == "Dr. Lefevre, MD"
    assert normal.place(4, 11) == (4, 4 + len(written))


@pytest.mark.parametrize(
    "text",
    [
        "JOS\u00c9\u2019S",
        "SpO2=98 HR=88 EF=55",
        "A&O x3; D&C; R&D",
        "50%25",
        r"C:\users\x",
        "100% of 20%",
        "O\\'Dea",
    ],
)
def test_text_that_only_resembles_an_escape_is_unchanged(text: str) -> None:
    assert escaped(text) == []


def test_a_name_folded_by_quoted_printable_is_one_word() -> None:
    known = KnownValues((KnownValue(I.NAMES, "Wojciechowski", part="last"),))
    line = "The daughter came along, and the plan was told to both of them. "
    text = f"{line}Seen: Wojcie=\nchowski today"
    at = text.index("W")
    assert [(f.start, f.end) for f in known.find(text)] == [(at, at + 15)]


@pytest.mark.parametrize("text", ["Name=\nLee", "Lee=\nstable", "family=\nLee=\ngiven=\nMei"])
def test_a_field_before_an_equals_sign_is_not_part_of_the_name_below(text: str) -> None:
    known = KnownValues((KnownValue(I.NAMES, "Lee", part="last"),))
    assert [text[f.start : f.end] for f in known.find(text)] == ["Lee"]
    assert normalize(text).text == text


@pytest.mark.parametrize("field", ["MRN=E4-77120", "Acct=C4-2210-99", "Room=E2", "Bed=D4 "])
def test_a_value_after_an_equals_sign_is_not_taken_for_a_letter(field: str) -> None:
    assert escaped(field) == []


def test_a_marked_piece_of_a_name_does_not_hide_it() -> None:
    known = KnownValues((KnownValue(I.NAMES, "Vandermeer", part="last"),))
    text = 'Seen: Va<span class="hit">ndermeer</span> today'
    assert [(f.start, f.end) for f in known.find(text)] == [(6, 34)]


# Escapes, misread letters and punctuation, complete and cut off, and the text beside them.
PIECES = (
    *("\u00c3\u00a9", "\u00c3", "\u00e2\u20ac\u2122", "\u00e2\u20ac", "\u00ef\u00bb\u00bf"),
    *(
        "e\u0301",
        "\u0301",
        "&eacute;",
        "&eacute",
        "&#233;",
        "&amp;eacute;",
        "=C3=A9",
        "=C3",
        "=C3=",
    ),
    *("=\n", "%C3%A9", "%C3"),
    *("%25C3%25A9", "\\u00e9", "\\u00e", "\\'e9", "\\xc3\\xa9", "\\u233?"),
    *("\u200b", "\ufeff", "\u00ad", "\u2026", "\ufb01", "\u00df", "\u0130", "\U0001f600", "-\n"),
    *("|", "\t", "\n", " ", "O1l2", "Jose", "Dr. ", "Seen by ", "Patient: "),
    *("MRN 88213377", "03/14/2023"),
)
TEXTS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map("".join)


@given(TEXTS)
@example("Seen by Dr. Jos\u00c3\u00a9")
def test_escapes_lie_within_the_text(text: str) -> None:
    last = 0
    for start, end, char in escaped(text):
        assert last <= start < end <= len(text) and len(char) == 1
        last = end


@given(TEXTS)
@example("Seen by Dr. Jos\u00c3\u00a9")
def test_decoded_spans_lie_within_the_text(text: str) -> None:
    normal = normalize(text)
    for place in range(len(normal.text)):
        start, end = normal.place(place, place + 1)
        assert 0 <= start < end <= len(text)


@settings(deadline=None, max_examples=150)
@given(TEXTS)
@example("Seen by Dr. Jos\u00c3\u00a9")
def test_findings_lie_within_the_text(rules: Finder, text: str) -> None:
    last = 0
    for finding in rules.find_all([text])[0]:
        assert last <= finding.start < finding.end <= len(text)
        last = finding.end


@pytest.fixture(scope="module")
def rules() -> Finder:
    return Finder.load(model=False, reference_date=date(2026, 11, 23))
