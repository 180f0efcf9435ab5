"""Spellings of a day, a month, a quarter."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from risk.spellings.days import parse_birth, parse_day

FORMS = ("%Y-%m-%d", "%Y%m%d", "%Y/%m/%d", "%m/%d/%Y", "%m-%d-%Y", "%d-%b-%Y", "%d %B %Y",
         "%B %d, %Y", "%b. %d, %Y", "%Y-%m-%d 00:00:00", "%Y-%m-%dT10:30:00")  # fmt: skip


@given(st.integers(0, 60_000), st.sampled_from(FORMS))
def test_a_day_is_the_same_in_every_form(days: int, form: str) -> None:
    day = date(1880, 1, 1) + timedelta(days)
    assert parse_day(day.strftime(form)) == day
    assert parse_birth(day.strftime(form)) == (day.year, 365)


def test_a_date_with_the_day_first_is_read_only_in_that_order() -> None:
    assert parse_day("03.04.1959", "dmy") == date(1959, 4, 3)
    assert parse_day("23/04/1959") is None
    assert parse_birth("23/04/1959") == (1959, 365)


@pytest.mark.parametrize(
    ("text", "found"),
    [("1959-03", (1959, 12)), ("1959/03", (1959, 12)), ("Mar 1959", (1959, 12)),
     ("1959-03-00", (1959, 12)), ("1959-00-00", (1959, 1)), ("1959-Q1", (1959, 4)),
     ("Q4 1959", (1959, 4)), ("1959 Q2", (1959, 4))],
)  # fmt: skip
def test_a_part_of_a_year_is_read(text: str, found: tuple[int, int]) -> None:
    assert parse_birth(text) == found


@pytest.mark.parametrize(
    "text", ["", "1959", "41", "3/2/59", "1959-13-02", "1959-Q5", "February 30, 1959", "marigold",
             "1950-1959", "90+", "9999", "30-34"],
)  # fmt: skip
def test_other_texts_are_not_dates(text: str) -> None:
    assert parse_birth(text) is None
