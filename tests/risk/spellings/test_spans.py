"""Spellings of numbers, ranges and open-ended groups, and words for unknown values."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from risk.spellings.spans import parse_age_span, parse_span
from risk.spellings.words import parse_race, races_of, says_nothing, spelling_variants

WHOLE = {
    "39": (39, 39),
    "39.0": (39, 39),
    " 39 ": (39, 39),
    "39 years": (39, 39),
    "39 y/o": (39, 39),
    "80-84": (80, 84),
    "80 to 84": (80, 84),
    "80–84 years": (80, 84),
    "[80,85)": (80, 84),
    "(80,85]": (81, 85),
    "90+": (90, None),
    "100 or older": (100, None),
    "90 and over": (90, None),
    "age 95+": (95, None),
    "85 years and over": (85, None),
    ">=90": (90, None),
    ">89": (90, None),
    "over 89": (90, None),
    "under 5": (None, 4),
    "<5": (None, 4),
    "<=4": (None, 4),
    "4 or younger": (None, 4),
    "1936 or earlier": (None, 1936),
    "1930-1935": (1930, 1935),
    "1930-35": (1930, 1935),
    "1990 or later": (1990, None),
    "80-<85": (80, 84),
    "18 - <65 years": (18, 64),
    "30s": (30, 39),
    "1950s": (1950, 1959),
    "90+yrs": (90, None),
    "90+ years": (90, None),
}


@pytest.mark.parametrize("text", WHOLE)
def test_numbers_ranges_and_open_groups_are_read(text: str) -> None:
    span = parse_span(text)
    assert span is not None and span.whole() == WHOLE[text]


@pytest.mark.parametrize(
    "text", ["", "nan", "inf", "-inf", "Unknown", "*", "9e999", "84-80", "A12", "1900s", "35s"]
)
def test_other_texts_are_not_numbers(text: str) -> None:
    assert parse_span(text) is None


@pytest.mark.parametrize(("text", "age"), [("18 months", 1), ("3 days", 0), ("11 mo", 0), ("5", 5)])
def test_infants_have_an_age_in_years(text: str, age: int) -> None:
    span = parse_age_span(text)
    assert span is not None and span.whole() == (age, age)


@given(st.integers(0, 120), st.integers(0, 30))
def test_a_range_and_its_half_open_spelling_are_the_same(low: int, width: int) -> None:
    closed = parse_span(f"{low}-{low + width}")
    half = parse_span(f"[{low},{low + width + 1})")
    assert closed is not None and half is not None and closed.whole() == half.whole()
    opened = parse_span(f"{low}+")
    assert opened is not None and (opened.low, opened.high) == (low, inf)


@pytest.mark.parametrize(
    "word", ["Unknown", "UNK", "Declined to answer", "ASKU", "U", "*", "?", "", None, "N/A", "nan"]
)
def test_words_for_unknown_are_recognized(word: str | None) -> None:
    assert says_nothing(word)


@pytest.mark.parametrize("word", ["F", "White", "0", "WA", "2106-3", "90+", "other"])
def test_informative_words_are_not_taken_for_unknown(word: str) -> None:
    assert not says_nothing(word)


OMB = {
    "2106-3": "white", "2054-5": "black", "1002-5": "aian", "2028-9": "asian", "2076-8": "nhpi",
    "2131-1": "other", "2135-2": "hispanic", "urn:oid:2.16.840.1.113883.6.238|2028-9": "asian",
    "White (2106-3)": "white",
}  # fmt: skip


@pytest.mark.parametrize("code", OMB)
def test_codes_of_the_omb_categories_are_read(code: str) -> None:
    assert parse_race(code) == OMB[code]


def test_not_hispanic_is_everyone_else() -> None:
    found = races_of("2186-5")
    assert found is not None and "hispanic" not in found and "white" in found


def test_values_that_differ_in_spelling_only_are_counted() -> None:
    assert spelling_variants(["F", "F ", "f", "M", None]) == 2
    assert spelling_variants(["39", "39.0", "40"]) == 1
    assert spelling_variants(["a  b", "a b", "ab"]) == 1
