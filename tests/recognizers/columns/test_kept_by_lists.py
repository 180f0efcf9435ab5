"""An unfitting cell never withholds its whole column: lists, units and kinds of service are
kept.
"""

from __future__ import annotations

import pytest

from recognizers import plain_unit, profile
from recognizers.columns.cells.conformance import conforms, is_care_unit


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("10³/µL", "10*3/uL"),
        ("mL/min/1.73m²", "mL/min/1.73m2"),
        ("10⁻⁹ mol", "10*-9 mol"),
        ("cm H₂O", "cm H2O"),
        ("mg/dL", "mg/dL"),
    ],
)
def test_units_are_read_in_ucum_notation(written: str, plain: str) -> None:
    assert plain_unit(written) == plain
    assert conforms("unit", written)


def test_a_column_of_units_keeps_superscript_digits() -> None:
    cells = ["10³/µL", "mL/min/1.73m²", "mg/dL", "mmol/L", "%"] * 8
    assert profile("unit", cells).shape == "unit"


def test_a_list_column_with_unfitting_cells_is_kept() -> None:
    cells = ["English", "Spanish", "French", "Wakandan", "Elvish"] * 8
    found = profile("language", cells)
    assert (found.kind, found.shape) == ("keep", "language")


@pytest.mark.parametrize("header", ["dept", "department"])
def test_kinds_of_service_are_not_facilities(header: str) -> None:
    found = profile(header, ["Cardiology", "ED", "ICU", "Oncology", "Neurology"] * 8)
    assert found.kind == "keep"
    named = profile(header, ["Mercy Cardiology", "Hale 4 West", "St. Anne ICU"] * 8)
    assert named.kind != "keep"


@pytest.mark.parametrize("text", ["4W", "Hale", "St. Anne", "Mercy Cardiology"])
def test_a_named_ward_is_not_a_kind_of_service(text: str) -> None:
    assert not is_care_unit(text)


@pytest.mark.parametrize(
    ("header", "terms"),
    [
        ("organism_name", ["Escherichia coli", "Klebsiella pneumoniae"]),
        ("antibiotic_name", ["Cefazolin", "Gentamicin", "Meropenem"]),
        ("method_name", ["Disk diffusion", "Broth microdilution"]),
    ],
)
def test_names_of_things_are_kept_and_names_of_persons_are_not(
    header: str, terms: list[str]
) -> None:
    assert profile(header, terms * 6).kind == "keep"
    staff = ["Maria Quispe", "John Smith", "Ann Tsosie", "Peter Okafor", "Ruth Yazzie"]
    assert profile(header, staff * 2).kind == "identifier"


def test_race_codes_that_look_like_months_are_races() -> None:
    assert profile("race", ["2054-5"] * 6 + ["2106-3"] * 4).shape == "race"
    assert profile("race", ["2019-03-04", "2020-05-01"] * 5).shape == "date"


@pytest.mark.parametrize(
    ("header", "values"),
    [
        ("PH", ["fasting", "postprandial"]),
        ("organ_lat", ["Left", "Right"]),
        ("site", ["LA", "RT", "LT", "RA"]),
        ("sir", ["S", "I", "R"]),
        ("cdt", ["D2391", "D0120"]),
    ],
)
def test_values_of_a_list_are_kept_under_ambiguous_headers(header: str, values: list[str]) -> None:
    assert profile(header, values * 8).kind == "keep"


@pytest.mark.parametrize("header", ["PH", "lat", "site", "side", "pdx"])
def test_names_under_ambiguous_headers_are_not_kept(header: str) -> None:
    names = ["Smith", "Garcia", "Lopez", "Johnson", "Nguyen", "Kowalczyk"]
    assert profile(header, names * 3).kind != "keep"
