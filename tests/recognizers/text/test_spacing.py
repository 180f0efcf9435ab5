"""A note whose blanks are all doubled is read with single ones; offsets are its own."""

from __future__ import annotations

import pytest

from recognizers.search import Finder
from recognizers.text.normalized_text import SingleSpaced

NOTE = "Seen by Dr. Okafor on 03/14/2023 at the ward.\nHer son Bo Her called from Toledo at noon."


def test_every_blank_doubled() -> None:
    spaced = SingleSpaced.of(NOTE.replace(" ", "  "))
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
def test_other_texts_stay(text: str) -> None:
    assert SingleSpaced.of(text) == SingleSpaced(text)


def test_blanks_that_do_not_break_are_plain() -> None:
    assert SingleSpaced.of(NOTE.replace(" ", "\u00a0")) == SingleSpaced(NOTE)
    assert SingleSpaced.of(NOTE.replace(" ", "\u00a0 ")).text == NOTE


def test_findings_stand_where_they_stood() -> None:
    doubled = NOTE.replace(" ", "  ")
    finder = Finder.load(model=False)
    single = [NOTE[f.start : f.end] for f in finder.find(NOTE)]
    assert single
    found = [doubled[f.start : f.end].replace("  ", " ") for f in finder.find(doubled)]
    assert found == single
