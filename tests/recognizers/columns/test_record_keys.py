"""Keys of results and sites are keys if they are codes; names of laboratories are facilities."""

from __future__ import annotations

import pytest

from recognizers import profile

HEADERS = ["lab_id", "lab_result_id", "laboratory_key", "facility_id", "hospital_admission_id"]


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("form", ["{}", "LR-{}", "MERCY{}", "a4{}-9c"])
def test_codes_are_keys(header: str, form: str) -> None:
    found = profile(header, [form.format(70410 + n) for n in range(40)])
    assert (found.kind, found.identifier, found.shape) == ("identifier", "others", "key")


@pytest.mark.parametrize("header", HEADERS)
def test_names_are_facilities(header: str) -> None:
    values = ["Quest Diagnostics", "Mercy Hospital Laboratory", "Dunmorrow Lab 2"] * 15
    found = profile(header, values)
    assert (found.identifier, found.shape) == ("places", "facility")


def test_one_name_among_the_codes_is_enough() -> None:
    found = profile("lab_id", [*(f"L{n}" for n in range(100, 140)), "Dunmorrow Laboratories"])
    assert found.identifier == "places"


def test_the_role_of_the_person_stays() -> None:
    values = [f"F{n}" for n in range(100, 140)]
    assert profile("employer_organization_id", values).role == "employer"


@pytest.mark.parametrize(
    "header",
    ["patient_index", "pt_idx", "subject_sequence", "member_rank", "case_index", "site_index",
     "hospital_index", "village_index", "region_seq"],
)  # fmt: skip
def test_a_position_among_persons_or_places_is_a_key(header: str) -> None:
    assert profile(header, [str(n % 41 + 1) for n in range(200)]).kind == "identifier"


@pytest.mark.parametrize("header", ["patient_frailty_index", "resistance_index", "visit_sequence"])
def test_an_index_of_something_else_is_kept(header: str) -> None:
    assert profile(header, [str(n % 7) for n in range(200)]).transform == "keep"
