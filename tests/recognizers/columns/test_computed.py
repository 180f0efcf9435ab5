"""Decimals that a program computed are no coordinates, and coordinates stay withheld."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from math import exp, log, log2, log10

import pytest

from recognizers import profile
from recognizers.columns.cells.computed import antilogarithm, without_noise
from recognizers.columns.coordinates import may_be_coordinates

ROWS = 120


def single(figure: float) -> str:
    """A number as a program prints it that stored it in single precision."""
    return repr(struct.unpack("f", struct.pack("f", figure))[0])


def drawn(make: Callable[[random.Random], str], seed: int = 5) -> list[str]:
    chance = random.Random(seed)
    return [make(chance) for _ in range(ROWS)]


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("3.9000000953674316", "3.9"),
        ("11.800000190734863", "11.8"),
        ("41.8781136512756", "41.8781136512756"),
        ("17.950000000000003", "17.95"),
        ("14.299999999999999", "14.3"),
        ("41.878113", "41.878113"),
        ("-87.62979888916016", "-87.6298"),
    ],
)
def test_noise_of_single_precision_is_no_precision(value: str, meant: str) -> None:
    assert without_noise(value) == meant


@pytest.mark.parametrize("number", [3, 17, 93, 769, 0.26, 3.4, 10958])
@pytest.mark.parametrize("of", [log, log10, log2])
@pytest.mark.parametrize("shown", [repr, "{:.7f}".format])
def test_logarithms_of_short_numbers_are_recognized(
    number: float, of: Callable[[float], float], shown: Callable[[float], str]
) -> None:
    found = antilogarithm(shown(of(number)))
    assert found is not None
    assert found == pytest.approx(number)


@pytest.mark.parametrize(
    "make",
    [
        lambda chance: single(chance.randint(18, 106) / 10),
        lambda chance: single(round(chance.uniform(1, 45), 2)),
        lambda chance: repr(log(chance.randint(150, 2500))),
        lambda chance: f"{log(chance.randint(150, 2500)):.6f}",
        lambda chance: repr(log10(chance.randint(20, 900) / 10)),
        lambda chance: single(log(chance.randint(3, 900))),
        lambda chance: repr(chance.randint(300, 900) / 23),
        lambda chance: repr(chance.randint(100, 600) / chance.choice((7, 11, 13, 19, 52))),
        lambda chance: repr(chance.randint(100, 800) / 10 * 1.1),
    ],
)
def test_computed_decimals_are_no_coordinates(make: Callable[[random.Random], str]) -> None:
    cells = drawn(make)
    assert not may_be_coordinates(cells)
    assert profile("qxz", cells).kind == "keep"


@pytest.mark.parametrize("center", [41.88, -33.45, 5.6, -1.29, 1.35, 9.03, 103.8, 52.5, -8.6])
@pytest.mark.parametrize(
    "shown", [repr, single, "{:.5f}".format, "{:.6f}".format, "{:.7f}".format, "{:.12f}".format]
)
def test_coordinates_are_not_explained_by_a_calculation(
    center: float, shown: Callable[[float], str]
) -> None:
    cells = drawn(lambda chance: shown(chance.gauss(center, 0.05)))
    assert may_be_coordinates(cells)
    assert profile("qxz", cells).kind != "keep"


@pytest.mark.parametrize("parts", [60, 3600])
@pytest.mark.parametrize("center", [41.88, -8.6, 1.35])
def test_coordinates_in_minutes_and_seconds_of_arc_are_no_means(center: float, parts: int) -> None:
    cells = drawn(lambda chance: repr(round(chance.gauss(center, 0.3) * parts) / parts))
    assert may_be_coordinates(cells)


def test_coordinates_among_logarithms_are_withheld() -> None:
    cells = drawn(
        lambda chance: (
            f"{chance.gauss(41.8, 0.2):.6f}"
            if chance.random() < 0.5
            else repr(log(chance.randint(20, 900)))
        )
    )
    assert profile("qxz", cells).kind != "keep"


def test_logarithms_of_ages_over_89_are_withheld() -> None:
    oldest = drawn(lambda chance: repr(log(min(99, int(chance.gauss(70, 12))))))
    assert round(max(exp(float(cell)) for cell in oldest)) > 89
    assert profile("lx", oldest).kind != "keep"
    assert profile("lage", oldest).kind != "keep"
    younger = drawn(lambda chance: repr(log(chance.randint(18, 80))))
    assert profile("lx", younger).kind == "keep"


@pytest.mark.parametrize("header", ["hic", "mr", "IP_10_Inducible_Protein", "cell_factor"])
def test_decimals_below_one_or_of_full_precision_are_no_numbers_of_a_person(header: str) -> None:
    below = drawn(lambda chance: f"{chance.uniform(-0.3, 0.9):.3f}")
    full = drawn(lambda chance: repr(chance.uniform(4.2, 7.4)))
    assert profile(header, below).kind == "keep"
    assert profile(header, full).kind != "identifier"


@pytest.mark.parametrize("header", ["patient_id", "mrn", "phone", "account"])
@pytest.mark.parametrize(
    "make",
    [
        lambda chance: f"{chance.randint(200, 999)}.{chance.randint(0, 9999):04d}",
        lambda chance: f"{chance.randint(10**5, 10**7)}.0",
    ],
)
def test_numbers_with_a_point_stay_identifiers(
    header: str, make: Callable[[random.Random], str]
) -> None:
    assert profile(header, drawn(make)).kind != "keep"


@pytest.mark.parametrize(
    "header", ["num.vehicles", "NumHospitals", "n_accounts", "avg_clinics", "max_policies"]
)
def test_counts_of_things_are_no_numbers_of_these_things(header: str) -> None:
    cells = drawn(lambda chance: str(min(9, int(chance.expovariate(0.7)))))
    assert profile(header, cells).kind == "keep"


def test_subjects_within_sites_stay_identifiers() -> None:
    cells = drawn(lambda chance: f"{chance.randint(1, 12)}.{chance.randint(1, 80):02d}")
    assert profile("patient_id", cells).kind != "keep"


@pytest.mark.parametrize("header", ["no_vehicles", "number_plates", "num_rooms", "num_accounts"])
def test_long_or_varied_numbers_after_a_counting_word_are_withheld(header: str) -> None:
    rooms = [str(number) for number in random.Random(3).sample(range(1101, 4800), ROWS)]
    assert profile(header, rooms).kind != "keep"


@pytest.mark.parametrize("header", ["log_value", "result", "x"])
@pytest.mark.parametrize("logarithm", [log10, log2])
def test_logarithms_of_ages_over_89_are_withheld_under_any_header(
    header: str, logarithm: Callable[[float], float]
) -> None:
    ages = [logarithm(20 + 7 * n % 79) for n in range(60)]
    assert profile(header, [f"{age:.12f}" for age in (*ages, logarithm(95))]).kind != "keep"


@pytest.mark.parametrize("header", ["gridpos", "home"])
@pytest.mark.parametrize("rows", [5, 40])
def test_degrees_rounded_to_a_grid_are_no_means(header: str, rows: int) -> None:
    degrees = [f"{(2778 + 61 * n) / 111:.13f}" for n in range(rows)]
    assert may_be_coordinates(degrees)
    assert profile(header, degrees).kind != "keep"


@pytest.mark.parametrize("header", ["account", "phone", "patient_key", "vehicle", "num_accounts"])
def test_telephone_numbers_among_small_decimals_are_no_readings(header: str) -> None:
    phones = [f"555.{1000 + 37 * n}" for n in range(40)]
    shares = [f"-0.{100000 + 7919 * n}" for n in range(60)]
    assert profile(header, [*phones, *shares]).kind != "keep"
    assert profile(header, phones).kind != "keep"


@pytest.mark.parametrize("header", ["hospital_rating", "clinic_accreditation"])
@pytest.mark.parametrize(
    "cells", [["1341.4694", "3284.7893", "4071.2134"], ["5057", "5253", "8832"]]
)
def test_numbers_under_headers_of_ratings_are_withheld(header: str, cells: list[str]) -> None:
    assert profile(header, cells).kind != "keep"


@pytest.mark.parametrize("header", ["x", "Y", "point_x"])
def test_degrees_under_the_header_of_an_axis_are_withheld(header: str) -> None:
    """A third decimal tells a place to some hundred meters."""
    degrees = [f"{34 + n % 7}.{1000 + 577 * n % 9000}" for n in range(40)]
    assert "the values may be coordinates" in profile(header, degrees).reasons
