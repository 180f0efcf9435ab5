"""The ASCII form of a text equals the ASCII forms of its parts, wherever they are in it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from recognizers.text.ascii_text import normalize

# Misread letters and punctuation, what looks like their beginning, and ordinary letters.
WORDS = [
    "Jos\u00c3\u00a9",
    "\u00e2\u20ac\u2122s",
    "\u00c3",
    "\u00cenes",
    "Ren\u00e9",
    "Bell",
    "&amp;",
]


@given(st.lists(st.sampled_from(WORDS)))
def test_a_word_is_read_alike_at_any_place(words: list[str]) -> None:
    whole = normalize(" ".join(words))
    assert whole.text == " ".join(normalize(word).text for word in words)


def test_a_letter_of_two_misread_bytes_is_one_letter() -> None:
    normal = normalize("at 4: Jos\u00c3\u00a9 Bell")
    assert normal.text == "at 4: Jose Bell"
    assert normal.place(11, 15) == (12, 16)
