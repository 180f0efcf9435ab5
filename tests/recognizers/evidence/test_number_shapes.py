"""Numbers that are sure by their shape alone, and their like that leave it to the model."""

from __future__ import annotations

import pytest

from recognizers.evidence.dates.yearless import rangeless
from recognizers.evidence.numbers.others import filed, long_enough, serial


@pytest.mark.parametrize("value", ["22-71-604", "0417-22-0032", "07-00-3381"])
def test_dashed_number_of_somebody_is_sure(value: str) -> None:
    assert serial(value) > 0


@pytest.mark.parametrize(
    "value",
    [
        "300-300-600",
        "20-40-80",
        "0600-1200-1800",
        "45-50-55-60-65",
        "00009-3475-01",
        "2019-2020-2021",
    ],
)
def test_doses_hours_levels_and_drugs_are_left_to_the_model(value: str) -> None:
    assert serial(value) == 0


def test_letters_and_digits_are_sure_when_long() -> None:
    assert filed("QX-447190") > 0
    assert filed("Q8820073") > 0
    assert filed("NCT04998217") == filed("B33005") == filed("T-57000") == 0


def test_short_numbers_of_forms_are_left_to_the_model() -> None:
    assert long_enough("ABC-20417-77") > 0
    assert long_enough("WH-380-F") == long_enough("PG-13-R") == 0


def test_a_range_rises_among_small_numbers() -> None:
    assert rangeless("6-4")
    assert rangeless("5-27")
    assert not any(map(rangeless, ("5-7", "10-14", "6-11", "3-0")))
