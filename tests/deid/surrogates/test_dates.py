from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deid.surrogates.dates import shift_text

REFERENCE = date(2026, 11, 21)
FORMS = [
    ("03/14/2023", "04/02/2023"),
    ("3/14/23", "4/2/23"),
    ("2023-03-14", "2023-04-02"),
    ("2023-03-14T10:22:00-05:00", "2023-04-02T10:22:00-05:00"),
    ("20230314102200", "20230402102200"),
    ("20230314", "20230402"),
    ("March 14, 2023", "April 2, 2023"),
    ("Mar. 14th, 2023", "Apr. 2nd, 2023"),
    ("MARCH 14 2023", "APRIL 2 2023"),
    ("14-MAR-2023", "02-APR-2023"),
    ("14 March 2023", "2 April 2023"),
    ("14th of March", "2nd of April"),
    ("March 2023", "April 2023"),
    ("03/2023", "04/2023"),
    ("3/14", "4/2"),
    ("Tuesday, March 14, 2023", "Sunday, April 2, 2023"),
    ("3/14/23 at 9:40 am", "4/2/23 at 9:40 am"),
    ("3/14-3/16/2023", "4/2-4/4/2023"),
    ("25/12/2020", "13/01/2021"),
    ("12/25/2020", "01/13/2021"),
    ("February 10, 2024", "February 29, 2024"),
    ("Feb. 29, 2024", "Mar. 19, 2024"),
    ("12/31/1999 23:59", "01/19/2000 23:59"),
    ("Tues.", "Sun."),
]


@pytest.mark.parametrize(("written", "moved"), FORMS)
def test_a_shifted_date_keeps_its_notation(written: str, moved: str) -> None:
    assert shift_text(written, 19, REFERENCE) == moved


@pytest.mark.parametrize(
    "text",
    ["Christmas Eve 2019", "August fifteenth, 2024", "15 de agosto de 2019", "spring 2022",
     "March 14, 2023 (Easter)", "the fifteenth of August 2024"],
)  # fmt: skip
def test_a_date_with_words_that_show_the_old_date_is_not_shifted(text: str) -> None:
    assert shift_text(text, 19, REFERENCE) is None


@pytest.mark.parametrize(
    "text, moved",
    [
        ("between 3/10 and 4/10", "between 3/29 and 4/29"),
        ("d.o.b. 3/10/1958", "d.o.b. 3/29/1958"),
        ("week of 3/10/2019 (approx)", "week of 3/29/2019 (approx)"),
    ],
)
def test_words_that_show_no_date_are_kept(text: str, moved: str) -> None:
    assert shift_text(text, 19, REFERENCE) == moved


@pytest.mark.parametrize(
    "text", ["", "some time ago", "the 24th", "13/45/2020", "1/2/3/4", "2/30/2021"]
)
def test_a_date_that_is_not_fully_understood_is_not_shifted(text: str) -> None:
    assert shift_text(text, 19, REFERENCE) is None


def test_the_last_possible_date_is_no_error() -> None:
    assert shift_text("9999-12-31", 19, REFERENCE) is None


@given(
    st.dates(date(1900, 1, 1), date(2090, 1, 1)),
    st.dates(date(1900, 1, 1), date(2090, 1, 1)),
    st.integers(-365, 365),
    st.sampled_from(["%Y-%m-%d", "%m/%d/%Y", "%B %d, %Y", "%d-%b-%Y", "%Y%m%d"]),
)
def test_shifting_keeps_intervals(one: date, two: date, days: int, form: str) -> None:
    from datetime import datetime

    moved = [shift_text(day.strftime(form), days, REFERENCE) for day in (one, two)]
    read = [datetime.strptime(text or "", form).date() for text in moved]
    assert read[1] - read[0] == two - one
    assert read[0] - one == timedelta(days)


@given(st.dates(date(1900, 1, 1), date(2090, 1, 1)), st.integers(-52, 52))
def test_whole_weeks_keep_the_weekday(day: date, weeks: int) -> None:
    text = day.strftime("%A, %B %d, %Y")
    moved = shift_text(text, 7 * weeks, REFERENCE)
    assert moved is not None and moved.split(",")[0] == text.split(",")[0]
