"""Dates without a year: the fast search for them finds the same as the full pattern."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from recognizers.evidence.yearless import NAMED_DAY, short_days
from recognizers.text.normalized_text import NormalizedText

PARTS = ["Mon", "sun", "Tues", "fri", "mons", "x", "_", "2", "24", "31st", " ", ", ", ".", " mg"]


@given(st.lists(st.sampled_from(PARTS)))
def test_the_fast_search_finds_the_dates_of_the_pattern(parts: list[str]) -> None:
    page = NormalizedText.of("".join(parts))
    spans = [match.span() for match in short_days(page)]
    assert spans == [match.span() for match in NAMED_DAY.finditer(page.text)]
