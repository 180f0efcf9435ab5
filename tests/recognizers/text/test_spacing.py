"""A note with all blanks doubled is read as with single blanks; offsets refer to the original."""

from __future__ import annotations

import pytest

from recognizers.search import Finder
from recognizers.text.ascii_text import MovedText
from recognizers.text.normalized_text import single_spaced

NOTE = "Seen by Dr. Okafor on 03/14/2023 at the ward.\nHer son Bo Her called from Toledo at noon."


def test_a_note_with_doubled_blanks_is_read_with_single_ones() -> None:
    spaced = single_spaced(NOTE.replace(" ", "  "))
    assert spaced.text == NOTE
    start = NOTE.index("Okafor")
    at = NOTE.replace(" ", "  ").index("Okafor")
    assert spaced.place(start, start + 6) == (at, at + 6)


@pytest.mark.parametrize(
    "text",
    [
        NOTE,
        "Na  138  K  4.1",
        "NAME            DOSE    TIME\nmetoprolol 25 mg       1       0800\nMg 2  1  0900",
        NOTE.replace(". ", ".  ").replace("the ward", "the  ward"),
    ],
)
def test_other_texts_are_not_respaced(text: str) -> None:
    assert single_spaced(text) == MovedText(text)


def test_non_breaking_blanks_are_read_as_blanks() -> None:
    assert single_spaced(NOTE.replace(" ", "\u00a0")) == MovedText(NOTE)
    assert single_spaced(NOTE.replace(" ", "\u00a0 ")).text == NOTE


def test_findings_keep_their_original_offsets() -> None:
    doubled = NOTE.replace(" ", "  ")
    finder = Finder.load(model=False)
    single = [NOTE[f.start : f.end] for f in finder.find(NOTE)]
    assert single
    found = [doubled[f.start : f.end].replace("  ", " ") for f in finder.find(doubled)]
    assert found == single
