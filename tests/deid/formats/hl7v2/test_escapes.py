"""Escape sequences: escaped text reads back, and unchanged text keeps its bytes."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from deid.formats.hl7v2.escapes import (
    BREAK,
    Delimiters,
    escape,
    plain_of,
    rewrite,
    tokens,
    unescape,
)

SIGNS = Delimiters()
LETTERS = st.text(st.sampled_from("ab é1|^~&\\.[]-"), max_size=30)
RAWS = st.lists(
    st.sampled_from(["Lowe", " ", "ä", "\\F\\", "\\T\\", "\\.br\\", "\\H\\", "^", "~", "&", "1."]),
    max_size=30,
).map("".join)


@given(LETTERS)
def test_a_text_reads_back_from_its_escapes(text: str) -> None:
    raw = escape(text, SIGNS)
    assert not set("|^~&") & set(raw)
    assert unescape(raw, SIGNS) == text


@given(RAWS)
@example(" \\H\\  ")
def test_an_unchanged_text_keeps_its_escapes(raw: str) -> None:
    before = list(tokens(raw, SIGNS, running=True))
    assert rewrite(before, plain_of(before), SIGNS) == [raw]


@given(RAWS, RAWS, st.integers(0, 40), st.integers(0, 12))
def test_a_changed_text_reads_back_with_its_change(a: str, b: str, at: int, length: int) -> None:
    before = [*tokens(a, SIGNS, running=True), BREAK, *tokens(b, SIGNS, running=True)]
    old = plain_of(before)
    new = old[:at] + "[NAME]" + old[at + length :]
    written = rewrite(before, new, SIGNS)
    assert len(written) == 2
    read = "\n".join(plain_of(tokens(raw, SIGNS, running=True)) for raw in written)
    # Delimiters and line breaks are never removed, so they remain even where a change covered them.
    assert _letters(read) == _letters(new)
    for sign in "^~":
        assert "".join(written).count(sign) == (a + b).count(sign)


def _letters(text: str) -> str:
    return "".join(letter for letter in text if letter not in " \n&")


def test_a_text_in_hexadecimal_is_read() -> None:
    assert unescape("\\X4C6F7765\\ \\XE4\\ \\X0D0A\\", SIGNS) == "Lowe ä \n"


def test_a_long_text_is_rewritten_line_by_line() -> None:
    raw = "\\.br\\".join(f"line {n} of a report by Lowe \\T\\ Co" for n in range(4000))
    before = list(tokens(raw, SIGNS, running=True))
    (written,) = rewrite(before, plain_of(before).replace("Lowe", "[NAME]"), SIGNS)
    assert written == raw.replace("Lowe", "[NAME]")
