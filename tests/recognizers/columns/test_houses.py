"""Names of hospitals and laboratories under a header for tests, and columns of names on no list."""

from __future__ import annotations

import pytest

from recognizers import names_house, profile


@pytest.mark.parametrize(
    "text",
    [
        "Dunmorrow Lab", "Mercy Hospital", "St. Mary's Hospital", "Szymanski Clinic",
        "DUNMORROW LABORATORIES", "Waltham Medical Center", "Harrowgate School",
    ],
)  # fmt: skip
def test_names_of_facilities_are_recognized(text: str) -> None:
    assert names_house(text)


@pytest.mark.parametrize(
    "text",
    [
        "Reference lab", "Microbiology lab", "Cardiac cath lab", "Pain clinic", "Hospital",
        "Outside hospital", "Community health center", "Day care center", "Trauma Center",
        "Skilled nursing facility", "Blood bank lab", "High school", "Rehabilitation hospital",
    ],
)  # fmt: skip
def test_a_kind_of_facility_is_not_a_name(text: str) -> None:
    assert not names_house(text)


@pytest.mark.parametrize("header", ["PERF_LAB", "performing lab", "performed lab"])
def test_the_laboratory_that_performs_is_a_facility(header: str) -> None:
    assert profile(header, ["Dunmorrow"] * 30).identifier == "places"


UNLISTED_NAMES = [
    "Quenby Harrowgate", "Thaddeus Pemblewick", "Ottoline Drinkwater", "Ignatius Osterhagen",
    "Perpetua Villanueva", "Lysander Castleberry", "Wilhelmina Fothergill", "Cordula Okonkwo",
]  # fmt: skip


@pytest.mark.parametrize("header", ["from", "sender", "informant", "x1", "caller"])
@pytest.mark.parametrize("case", [str, str.upper, str.lower])
def test_unlisted_names_are_recognized_as_names(header: str, case: type[str]) -> None:
    assert profile(header, list(map(case, UNLISTED_NAMES))).identifier == "names"


@pytest.mark.parametrize(
    "values",
    [
        ["Chest Pain", "Back Pain", "Hip fracture", "Ear ache", "Runny nose", "Asthma attack"],
        ["Quenby Harrowgate", "Ottoline Drinkwater"],
        ["left side", "right side", "both sides", "no side", "upper side", "lower side"],
    ],
)
def test_listed_words_and_few_values_are_not_taken_for_names(values: list[str]) -> None:
    assert profile("x1", values * 2).identifier != "names"


def test_mail_subjects_are_texts_and_not_keys() -> None:
    seen = profile("subject", ["Re: Quenby's refill", "question about labs", "FW: see you Friday"])
    assert seen.kind == "text"


def test_a_name_that_starts_like_a_month_does_not_make_a_date_column() -> None:
    seen = profile("from", [*UNLISTED_NAMES, *UNLISTED_NAMES, "Octavius Pemblewick"])
    assert seen.identifier == "names"
    assert profile("from", ["2021-03-04", "2021-03-05", "unknown"] * 9).identifier == "dates"


@pytest.mark.parametrize("header", ["redcap_data_access_group", "data access group"])
def test_the_data_access_group_of_a_study_is_a_place(header: str) -> None:
    assert profile(header, ["pine_ridge", "rosebud"] * 20).identifier == "places"
