"""Numbers whose header does not say what they are: ages, beds, days and numbers of persons are
withheld, readings are kept.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from recognizers import profile
from recognizers.columns.ages import may_be_old_ages
from recognizers.columns.deciding import LEAST_CELLS
from recognizers.columns.doubts import doubt_of_numbers
from recognizers.columns.headers import names_only_values
from recognizers.columns.learned.of_headers import ends_in_unit

SAY_NOTHING = ["q5", "a8", "field_12", "data", "VARIABLE2", "item", "Group"]
NAME_READINGS = ["value", "VALUENUM", "result", "Measure", "obs_value", "Response"]
ROWS = (5, 14, 15, 50, 500)
Cells = Callable[[random.Random, int], list[str]]


def _each(make: Callable[[random.Random], str]) -> Cells:
    return lambda chance, rows: [make(chance) for _ in range(rows)]


def _with_one(make: Callable[[random.Random], str], value: str) -> Cells:
    return lambda chance, rows: [*(make(chance) for _ in range(rows - 1)), value]


def _in_runs(chance: random.Random, rows: int) -> list[str]:
    runs = [[str(person)] * chance.randint(1, 4) for person in range(1, rows + 1)]
    return [cell for run in runs for cell in run][:rows]


HOSTILE: dict[str, Cells] = {
    "ages over 89": _each(lambda c: str(c.randint(90, 120))),
    "ages of adults": _with_one(lambda c: str(c.randint(18, 97)), "93"),
    "ages of the old": _with_one(lambda c: str(c.randint(65, 99)), "90"),
    "ages of all": _with_one(lambda c: str(c.choice((3, 35, 48, 56, 61, 72, 84))), "91"),
    "ages as decimals": _with_one(lambda c: f"{c.randint(30, 97)}.0", "94.0"),
    "ages in tenths": _with_one(lambda c: f"{c.uniform(30, 97):.1f}", "94.2"),
    "ages, a quarter unknown": _with_one(
        lambda c: c.choice(
            ("-9", str(c.randint(30, 89)), *map(str, c.choices(range(50, 97), k=2)))
        ),
        "91",
    ),
    "ages, a quarter unknown as 999": _with_one(
        lambda c: c.choice(
            ("999", str(c.randint(30, 89)), *map(str, c.choices(range(50, 97), k=2)))
        ),
        "91",
    ),
    "ages, some with units": _with_one(lambda c: f"{c.randint(30, 97)} y", "91"),
    "beds": _each(lambda c: str(c.randint(1, 60))),
    "rooms and beds": _each(lambda c: f"{c.randint(5, 40)}-{c.randint(1, 4)}"),
    "rooms": _each(lambda c: str(100 * c.randint(1, 4) + c.randint(1, 60))),
    "floors and rooms": _each(lambda c: f"{c.randint(1, 6)}.{c.randint(1, 40):02}"),
    "sites and persons": _each(lambda c: f"{c.randint(1, 20)}.{c.randint(1, 400):04}"),
    "days and months": _each(lambda c: f"{c.randint(1, 31)}.{c.randint(1, 12):02}"),
    "days of a month": _each(lambda c: str(c.randint(1, 31))),
    "months and days": _each(lambda c: f"{c.randint(1, 12)}{c.randint(1, 28):02}"),
    "years": _each(lambda c: str(c.randint(1925, 2015))),
    "years and months": _each(lambda c: f"{c.randint(1925, 2015)}.{c.randint(1, 12):02}"),
    "years in tenths": _each(lambda c: f"{c.uniform(1925, 2015):.1f}"),
    "persons in runs": _in_runs,
    "persons in turn": lambda _, rows: [str(row % max(3, rows // 5) + 1) for row in range(rows)],
    "persons as decimals": lambda c, rows: [f"{cell}.0" for cell in _in_runs(c, rows)],
}
# By chance, the trees may mistake the beds and days of few patients for readings.
MOST_KEPT = {"beds": 1, "days of a month": 1}
READINGS: dict[str, Cells] = {
    "creatinine": _each(lambda c: f"{c.lognormvariate(0, 0.4):.2f}"),
    "hemoglobin": _each(lambda c: f"{c.gauss(13, 2):.1f}"),
    "temperature": _each(lambda c: f"{c.gauss(98.4, 0.8):.1f}"),
    "height": _each(lambda c: f"{c.gauss(170, 10):.1f}"),
    "z score": _each(lambda c: f"{c.gauss(0, 1):.2f}"),
    "specific gravity": _each(lambda c: f"1.0{c.randint(5, 30):02}"),
    "amount": _each(lambda c: f"{c.lognormvariate(5, 1):.2f}"),
}


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("sort", HOSTILE)
def test_numbers_of_persons_places_and_days_are_withheld(sort: str, rows: int) -> None:
    chance = random.Random(f"{sort} {rows}")
    seen = [profile(header, HOSTILE[sort](chance, rows)) for header in SAY_NOTHING]
    assert sum(found.kind == "keep" for found in seen) <= MOST_KEPT.get(sort, 0)


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("sort", READINGS)
def test_readings_are_kept(sort: str, rows: int) -> None:
    """By chance, all decimals of five readings may be below 60, as those of rooms are."""
    chance = random.Random(f"{sort} {rows}")
    headers = (*SAY_NOTHING, *NAME_READINGS)
    lost = [h for h in headers if profile(h, READINGS[sort](chance, rows)).kind != "keep"]
    assert len(lost) <= (1 if rows == LEAST_CELLS else 0)


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize(
    "sort", ["years", "years and months", "rooms and beds", "sites and persons", "days and months"]
)
def test_a_header_for_readings_vouches_for_no_years_rooms_and_persons(sort: str, rows: int) -> None:
    chance = random.Random(f"{sort} {rows}")
    seen = [profile(header, HOSTILE[sort](chance, rows)) for header in NAME_READINGS]
    assert not any(found.kind == "keep" for found in seen)


@pytest.mark.parametrize("rows", [15, 50, 500])
def test_vital_signs_are_kept_under_a_header_for_readings(rows: int) -> None:
    """Heart rates and saturations are numbers like ages over 89. The trees doubt fewer of them."""
    chance = random.Random(rows)
    rates = [str(round(chance.gauss(82, 14))) for _ in range(rows)]
    saturations = [str(min(100, round(chance.gauss(96, 2)))) for _ in range(rows)]
    for header in NAME_READINGS:
        assert profile(header, rates).kind == profile(header, saturations).kind == "keep"


@pytest.mark.parametrize("rows", [15, 50, 500])
@pytest.mark.parametrize("header", ["response", "Answer", "item_response"])
def test_answers_of_a_survey_are_kept(header: str, rows: int) -> None:
    chance = random.Random(rows)
    answers = [str(n) for n in chance.choices(range(1, 6), [4, 7, 9, 6, 3], k=rows)]
    assert profile(header, answers).kind == "keep"


def test_numbers_of_sites_are_equally_frequent_and_answers_are_not() -> None:
    chance = random.Random(3)
    sites = [str(chance.randint(1, 20)) for _ in range(500)]
    answers = [str(answer) for answer in chance.choices(range(1, 7), [9, 14, 8, 5, 3, 2], k=500)]
    assert doubt_of_numbers(sites) is not None
    assert doubt_of_numbers(answers) is None


@pytest.mark.parametrize("header", ["value", "VALUE_2", "result", "Response", "level", "unit"])
def test_a_header_of_general_words_names_only_values(header: str) -> None:
    assert names_only_values(header)


@pytest.mark.parametrize("header", ["result_glucose", "bp_value", "unit_no", "x", "", "pain level"])
def test_a_header_with_another_word_says_something(header: str) -> None:
    assert not names_only_values(header)


@pytest.mark.parametrize(
    "cells",
    [["80", "75", "100", "50", "100", "95", "100"] * 4, ["98.6", "97.9", "99.1"] * 5, ["140"] * 9],
)
def test_percentages_and_temperatures_are_no_ages(cells: list[str]) -> None:
    assert not may_be_old_ages(cells)


def test_rounded_ages_are_ages() -> None:
    assert may_be_old_ages(["85", "90", "95", "70", "80", "100"] * 4)


@pytest.mark.parametrize(
    "cell",
    [
        "93 y",
        "102 years old",
        "94yo",
        "97 yrs",
        "93.5 y",
        "93 yr 4 mo",
        "121 yrs",
        "age 93",
        "93 años",
    ],
)
def test_an_age_over_89_does_not_stay_among_results(cell: str) -> None:
    seen = profile("value", ["4.1", "Negative", "5.0", "12", cell] * 4)
    assert not seen.may_stay(cell)
    assert not profile("status", ["HOLD", "REPEAT"] * 10).may_stay(cell)


@pytest.mark.parametrize("cell", ["204B", "12A"])
def test_a_room_is_no_unit_of_measure(cell: str) -> None:
    assert profile("unit", [cell]).kind == "identifier"


def test_a_header_that_ends_in_a_unit_says_what_the_numbers_are() -> None:
    assert ends_in_unit("carbs_g")
    assert ends_in_unit("mealPct")
    assert not ends_in_unit("carbs_x")
