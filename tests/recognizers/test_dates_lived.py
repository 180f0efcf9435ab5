"""A year and an age told together are a year of birth, which may show an age over 89."""

from __future__ import annotations

import datetime

import pytest

from recognizers import Finder

FINDER = Finder.load(model=False, reference_date=datetime.date(2026, 11, 22))


@pytest.mark.parametrize(
    "text",
    [
        "Retired in 1984 at 65.",
        "Retired at 65 in 1984.",
        "Married in 1950, when she was 22.",
        "class of 1952",
    ],
)
def test_a_birth_of_more_than_89_years_ago_is_found(text: str) -> None:
    assert {"BIRTH_YEAR_OVER_89"} == {f.entity for f in FINDER.find(text)}


@pytest.mark.parametrize("text", ["Retired in 2010 at 65.", "Quit in 1990 at 40.", "class of 1956"])
def test_a_later_birth_stays(text: str) -> None:
    assert FINDER.find(text) == ()


def test_no_year_stays_of_a_class_that_left_school_so_long_ago() -> None:
    (found,) = FINDER.find("class of 1952")
    assert (found.start, found.end) == (0, 13)
