"""Kinds of departments and places are released under headers of names; names are not."""

from __future__ import annotations

import pytest

from deid.columns.column_profiles import DescribedColumn
from deid.people.known_cells import telling_columns
from deid.vouching.voucher import Voucher
from recognizers import is_care_unit, is_kind, profile
from recognizers.columns.cells.organizations import is_organization

DEPARTMENTS = ["Cardiology", "General Surgery", "Obstetrics & Gynaecology", "ICU", "Emergency Dept"]
SOURCES = [
    *("EMERGENCY ROOM ADMIT", "CLINIC REFERRAL/PREMATURE", "PHYS REFERRAL/NORMAL DELI"),
    *("TRANSFER FROM SKILLED NUR", "HOME HEALTH CARE", "REHAB/DISTINCT PART HOSP"),
]


@pytest.mark.parametrize(
    "text",
    [
        *DEPARTMENTS,
        *SOURCES,
        *("Step-Down Unit (SDU)", "Well Baby Nursery (Level II)", "Type A Hospital", "Day surgery"),
        *("Government - Hospital District or Authority", "Nursing facility", "Cardiología"),
        *("Acute care hospital", "step_down", "Long-term care", "Inpatient ward"),
    ],
)
def test_a_kind_of_place_is_no_name(text: str) -> None:
    assert is_care_unit(text)
    assert not is_organization(text)


@pytest.mark.parametrize(
    "text",
    [
        *("Smith Ward", "Cardiology Springfield", "Mercy Cardiology", "4 West", "Ward A"),
        "ICU 3",
        *("General Hospital", "University Hospital", "Women's Hospital", "Family Health Center"),
        *(
            "東京 ICU",
            "Élan ICU",
            "SMITH_ICU",
            "Mercy-ICU",
            "Home with Ward",
            "Ward",
            "Day",
            "Burns",
        ),
        *(
            "Transfer from Springfield",
            "Home of Ray",
            "St. Anne ICU",
            "Ed",
            "Ray",
            "Long",
            "Mobile",
        ),
        *("Emergency Room Portland", "Church Home", "Hospital", "Center", "Unit", ""),
    ],
)
def test_what_may_be_a_name_is_no_kind(text: str) -> None:
    assert not is_care_unit(text)


@pytest.mark.parametrize("text", ["ED", "ICU", "OR", "Home with Ward"])
def test_short_forms_are_no_kinds_under_a_header_of_names(text: str) -> None:
    assert not is_kind(text)


@pytest.mark.parametrize(
    "text",
    [
        *("Cardiology Springfield", "Springfield Emergency Room", "Smith Ward", "ICU Smith"),
        *("Transfer from Portland", "Buffalo Hospital", "Bath Hospital", "Union Hospital"),
    ],
)
def test_a_name_beside_a_kind_names_an_organization(text: str) -> None:
    assert is_organization(text)


@pytest.mark.parametrize("text", ["Knee surgery", "Emergency appendectomy", "Brown Discharge"])
def test_clinical_words_beside_a_kind_name_no_organization(text: str) -> None:
    assert not is_organization(text)


@pytest.mark.parametrize(
    ("header", "values"),
    [
        ("department_name", DEPARTMENTS),
        ("admission_location", SOURCES),
        ("ward", ["General", "ICU", "Maternity", "Surgery"]),
        ("unit_name", ["Neuro ICU", "Surgical ICU", "Burn unit", "Cardiac stepdown"]),
        ("division_name", ["Hospital Medicine", "Cardiology", "Nephrology"]),
        ("Hospital Ownership", ["Government - State", "Proprietary", "Tribal", "Physician"]),
        ("especialidade", ["Cardiologia", "Ortopedia", "Pediatria", "Neurologia"]),
    ],
)
def test_a_column_of_kinds_is_kept(header: str, values: list[str]) -> None:
    found = profile(header, values * 12)
    assert found.kind == "keep"
    assert all(found.may_stay(value) for value in values)


@pytest.mark.parametrize("header", ["department", "admission_location", "facility_type"])
def test_a_named_place_in_a_column_of_kinds_never_stays(header: str) -> None:
    named = ["Smith Ward", "Cardiology Springfield", "General Hospital", "Mercy"]
    found = profile(header, DEPARTMENTS * 20 + named)
    assert found.shape == "care_unit"
    voucher = Voucher(found.shape, observed=frozenset(name.casefold() for name in named))
    assert all(voucher.refuses(name) for name in named)
    assert not any(voucher.refuses(value) for value in DEPARTMENTS)


def test_a_named_place_in_a_column_of_kinds_is_a_known_value() -> None:
    found = profile("department", ["Cardiology", "ICU", "Oncology", "Mercy Cardiology"] * 10)
    known = telling_columns(["department"], [DescribedColumn(found)])
    values = [one.value for cell in ("ICU", "Mercy Cardiology") for one in known.values([cell])]
    assert values == ["Mercy Cardiology"]


def test_named_places_alone_stay_facilities() -> None:
    assert profile("department", ["Mercy Cardiology", "Hale 4 West"] * 20).kind == "identifier"
    assert profile("ward", ["4 West", "NICU"] * 20).kind == "identifier"


@pytest.mark.parametrize(
    ("header", "values"),
    [
        ("region", ["Daegu", "Busan", "Gwangju", "Ulsan", "capital area"]),
        ("Region", ["Anvers"]),
        ("testing_lab_name", ["Fresno Pathology", "Acme Diagnostics", "Smith Labs"]),
        ("CHILD_SCHOOL_URN", ["100012", "104523", "112204"]),
    ],
)
def test_a_place_below_the_state_is_an_identifier(header: str, values: list[str]) -> None:
    assert profile(header, values * 10).kind == "identifier"


@pytest.mark.parametrize(
    ("header", "values", "shape"),
    [
        ("region", ["South", "West", "Midwest", "Northeast"], "region"),
        ("region", ["Ohio", "Texas", "Maine", "Utah"], "state"),
        ("province_name", ["Alberta", "Ontario", "Quebec", "Manitoba"], "state"),
    ],
)
def test_regions_above_the_states_and_states_are_not_lost(
    header: str, values: list[str], shape: str
) -> None:
    assert profile(header, values * 10).shape == shape


@pytest.mark.parametrize("header", ["county_region", "town_region"])
def test_counties_with_names_of_states_are_no_states(header: str) -> None:
    found = profile(header, ["Delaware", "Iowa", "Nevada", "Ohio"] * 15)
    assert found.kind != "keep" and found.shape != "state"


def test_a_clinical_word_beside_a_kind_does_not_close_a_column() -> None:
    """Before, `Bile` was taken for the name of a ward, and all words but `Breast` were blanked."""
    cancers = ["Breast", "Non-cancer", "Kidney", "Breast", "Prostate", "Leukemia"] * 6
    assert profile("cancer_type", [*cancers, "Liver/Bile duct/Gallbladder"]).shape != "care_unit"
