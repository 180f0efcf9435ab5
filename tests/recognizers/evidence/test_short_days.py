"""Days without a month: weekdays with a number that fit each other."""

from __future__ import annotations

from functools import cache

import pytest

from recognizers import Finder


@cache
def finder(fast: bool) -> Finder:
    return Finder.load(fast=fast)


def left(text: str, fast: bool) -> str:
    """The text without what is found in it."""
    for finding in reversed(finder(fast).find(text)):
        text = text[: finding.start] + text[finding.end :]
    return text


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        "Tue 4 ate, Thu 6 fell, Fri 14 home",
        "Mon 3 rested\nWed 5 fell\nSat 8 home visit by Sun 16",
        "swap Thu 6/Fri 7, off Sat 8, back Monday 10",
        "lunes 3 bien, jueves 6 mal, vie 14 alta",
    ],
)
def test_weekdays_with_days_that_fit_each_other_are_days(text: str, fast: bool) -> None:
    assert not any(char.isdigit() for char in left(text, fast))


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("text", ["Tue 4 mg, Thu 6 mg", "sat 94, sat 96"])
def test_doses_and_saturations_after_a_weekday_are_no_days(text: str, fast: bool) -> None:
    digits = [char for char in text if char.isdigit()]
    assert [char for char in left(text, fast) if char.isdigit()] == digits
