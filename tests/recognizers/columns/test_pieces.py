"""Numbers made of several parts are identifiers; ranges, ratios, pressures and codes are not."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from recognizers import conforms, profile
from recognizers.columns.cells.pieces import holds_pieces, is_in_pieces, is_measured_pair

GENERIC = ("response", "ref", "result", "type", "value", "class", "level", "glucose", "lab_value")
FORMS = ("24-######", "####-####", "###.###.###", "24/######", "###-#####", "#####-#", "24-####")


def drawn(form: str, count: int = 100) -> list[str]:
    """Random numbers of the given form, in which `#` stands for a digit."""
    draw = random.Random(form)
    return ["".join(str(draw.randrange(10)) if c == "#" else c for c in form) for _ in range(count)]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("header", [*GENERIC, "diagnosis_code", "manufacturer"])
def test_serial_numbers_of_several_parts_are_withheld(header: str, form: str) -> None:
    assert profile(header, drawn(form)).kind == "unsure"


@pytest.mark.parametrize("form", ["##-###", "###-##", "####:####", "No. 24-####"])
@pytest.mark.parametrize("header", GENERIC)
def test_columns_of_pairs_that_are_not_ranges_are_withheld(header: str, form: str) -> None:
    assert profile(header, drawn(form, 60)).kind == "unsure"


@pytest.mark.parametrize("form", ["######", "24-####-@", "24-######", "2024.00###"])
@pytest.mark.parametrize("header", ["response", "ref", "result", "value"])
def test_serial_numbers_that_recur_are_withheld(header: str, form: str) -> None:
    values = drawn(form.replace("@", "A"), 60) * 3
    assert profile(header, values).kind == "unsure"


def test_numbers_of_several_parts_are_not_units_or_answers() -> None:
    assert profile("unit", drawn("###.###.###", 60) * 3).kind == "unsure"
    assert profile("status", drawn("AB-###-###", 60)).kind == "unsure"


def test_a_number_under_an_unknown_header_is_not_a_measurement() -> None:
    assert profile("xq", drawn("2024.00###", 60)).kind == "unsure"


@pytest.mark.parametrize("header", GENERIC)
def test_short_numbers_that_start_with_a_year_are_withheld(header: str) -> None:
    values = [f"24-{number:03}" for number in range(100)]
    assert profile(header, values).kind == "unsure"


@pytest.mark.parametrize(
    ("header", "draw"),
    [
        ("reference_range", lambda r: r.choice(["3.5-5.1", "4500-11000", "150000-450000"])),
        ("hr_range", lambda r: f"{r.randint(50, 70)}-{r.randint(90, 150)}"),
        ("confidence_interval", lambda r: f"{r.uniform(0.5, 1):.2f}-{r.uniform(1, 3):.2f}"),
        ("bp", lambda r: f"{r.randint(100, 185)}/{r.randint(50, 90)}"),
        ("titer", lambda r: f"1:{10 * 2 ** r.randint(0, 12)}"),
        ("intake_output", lambda r: f"{r.randint(10, 40) * 50}/{r.randint(10, 40) * 50}"),
        ("result", lambda r: f"{r.randint(100, 900)} mL"),
        ("income_range", lambda r: r.choice(["25000-34999", "50000-74999"])),
        ("diagnosis_code", lambda r: r.choice(["E11.9", "I10", "001-139"])),
        ("loinc_code", lambda r: r.choice(["2345-7", "718-7", "13457-7"])),
        ("procedure_code", lambda r: r.choice(["99213-25", "97110-59", "36415"])),
    ],
)
def test_measurements_and_codes_of_several_parts_are_kept(
    header: str, draw: Callable[[random.Random], str]
) -> None:
    seed = random.Random(header)
    assert profile(header, [draw(seed) for _ in range(150)]).kind == "keep"


@pytest.mark.parametrize("number", ["24-958433", "2851-8933", "649.427.853", "24/958433"])
@pytest.mark.parametrize("shape", ["term", "measure", "number", "brand", "result"])
def test_a_number_of_several_parts_fits_no_kept_column(shape: str, number: str) -> None:
    assert not conforms(shape, number)


def test_one_unfitting_number_does_not_withhold_a_column_of_pressures() -> None:
    pressures = [f"{number}/{number - 50}" for number in range(100, 180)] * 2
    kept = profile("bp", [*pressures, "24/958433"])
    assert kept.kind == "keep"
    assert not kept.may_stay("24/958433")


def test_numbers_among_words_are_found_and_doses_are_not() -> None:
    assert holds_pieces("Case 2851-8933")
    assert holds_pieces("No. 24-1234")
    assert not holds_pieces("Augmentin 875-125")
    assert not holds_pieces("Fluzone 2023-2024")
    assert not holds_pieces("insulin 1000-1275 MG")


@pytest.mark.parametrize(
    "text",
    ["2345-7", "0093-7180-01", "180/110/133", "2023-2024", "2023-24", "0730-1600", "1024x1024"],
)
def test_codes_pressures_years_times_and_sizes_are_not_numbers_of_parts(text: str) -> None:
    assert not is_in_pieces(text)


@pytest.mark.parametrize("text", ["24:958433", "24 to 958433", "882-314", "2021-0345"])
def test_pairs_that_cannot_be_a_range_or_ratio(text: str) -> None:
    assert not is_measured_pair(text)
