"""Names of schools, practices, congregations and companies are not kept in any column; kinds of
organizations are.
"""

from __future__ import annotations

import pytest

from recognizers import conforms, profile
from recognizers.columns.cells.organizations import is_organization

HEADERS = ("response", "ref", "type", "status", "category", "class", "level", "source", "xq")
NAMED = {
    "schools": ["Oakdale Elementary", "Eastview High", "Jefferson Middle", "Lincoln K-8"],
    "practices": ["Sunrise Family Practice", "Pine Hollow Surgery Center", "Mercy Ridge Clinic"],
    "funeral homes": ["Buffalo Hill FH", "Darlington Cremation", "Austin & Sons"],
    "congregations": ["First Baptist", "Grace Lutheran", "Hope Chapel", "St Mark's"],
    "employers": ["Walmart", "Amazon", "Target", "Home Depot", "Hormel", "Retired"],
    "neighborhoods": ["Capitol Hill", "Ballard", "Fremont", "Rainier Beach"],
    "towns": ["Mobile", "Reading", "Hope", "Independence", "Enid", "Grand Island"],
}


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("kind", NAMED)
def test_columns_of_names_of_organizations_are_withheld(kind: str, header: str) -> None:
    assert profile(header, NAMED[kind] * 25).kind not in ("keep", "text")


@pytest.mark.parametrize("header", ["FUNFACNAME", "Common Place", "reason"])
def test_practices_under_an_unknown_header_are_identifiers(header: str) -> None:
    for kind in ("practices", "funeral homes"):
        assert profile(header, NAMED[kind] * 25).kind == "identifier"


@pytest.mark.parametrize(
    "text",
    [
        *("Outpatient Clinic", "Skilled Nursing Facility", "Retail Pharmacy", "Day Care"),
        *("Critical Access Hospital", "Rural Health Clinic", "Roman Catholic", "Very High"),
        *("Federally Qualified Health Center", "Pediatric Cardiology", "Some College", "Target"),
        *(
            "Born inside hospital",
            "Less than HS",
            "Kidney Center",
            "Teaching Hospital",
            "Private Home",
        ),
    ],
)
def test_kinds_of_organizations_are_not_names(text: str) -> None:
    assert not is_organization(text)


@pytest.mark.parametrize("text", ["Walmart #1234", "ROOSEVELT ELEMENTARY", "Kroger Pharmacy"])
def test_the_name_of_an_organization_is_not_a_term(text: str) -> None:
    assert is_organization(text)
    assert not conforms("term", text)


@pytest.mark.parametrize("header", ["type", "class", "xq"])
@pytest.mark.parametrize("value", ["St Luke's", "roosevelt elementary", "Springfield"])
def test_a_column_with_one_organization_or_town_is_withheld(value: str, header: str) -> None:
    assert profile(header, [value] * 60).kind not in ("keep", "text")


@pytest.mark.parametrize(
    "text",
    [
        *("Smith-Jones Pediatrics", "O'Connor Oncology", "O’Connor Oncology", "o'connor oncology"),
        *("Wilkes-Barre Cardiology", "Mid-Valley Cardiology", "Mid-Valley Pediatrics", "Mayo's"),
        *("A&M University", "Texas A&M University", "IU Pediatrics", "UT Oncology"),
        *("LDS Hospital", "Teche Healthcenter", "Gulf Coast Associates", "SMITH-JONES DENTAL"),
        "Al-Noor Pediatrics",
    ],
)
def test_hyphenated_names_and_initials_are_recognized_in_organizations(text: str) -> None:
    assert is_organization(text)
    assert profile("type", [text] * 60).kind not in ("keep", "text")


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Women's Health",
            "Children's Hospital",
            "Crohn's",
            "Step-Down Cardiology",
            "Men's Health",
        ),
        *("ICU Pediatrics", "GYN Oncology", "Hem-Onc Oncology", "IP Oncology", "OP Pediatrics"),
        *("L&D Center", "X-ray Lab", "Faith-Based Community", "Research Associates"),
        *("Neuro-Oncology", "Walk-in Clinic", "Same-day Clinic", "BH Center"),
    ],
)
def test_clinical_compounds_and_abbreviations_are_not_organizations(text: str) -> None:
    assert not is_organization(text)


@pytest.mark.parametrize(
    "text", ["University of Nebraska", "City of Omaha", "Mt Sinai", "Burke HS"]
)
def test_organizations_are_recognized_by_their_first_word(text: str) -> None:
    assert is_organization(text)


@pytest.mark.parametrize("text", ["St John's Wort", "Church of Christ", "Progressive MS"])
def test_herbs_beliefs_and_diseases_are_not_organizations(text: str) -> None:
    assert not is_organization(text)


@pytest.mark.parametrize("header", ["type", "xq"])
def test_payers_are_kept_even_if_named_like_facilities(header: str) -> None:
    payers = ["Medicare", "Medicaid", "Aetna", "Humana", "Molina Healthcare", "Kaiser Permanente"]
    assert profile(header, payers * 20).kind == "keep"


def test_regions_of_the_country_are_kept_although_towns_have_these_names() -> None:
    regions = ["Northeast", "Midwest", "South", "West", "Mountain", "Pacific"]
    assert profile("class", regions * 20).kind == "keep"


def test_a_company_is_not_a_code() -> None:
    assert not conforms("code", "Kroger")


def test_a_few_companies_among_answers_do_not_withhold_the_column() -> None:
    answers = ["active", "completed", "pending"] * 60
    found = profile("status", [*answers, "Walmart", "Kroger", "Boeing"] + ["Home Depot"] * 3)
    assert found.kind == "keep"
    assert not found.may_stay("Kroger")


def test_makers_are_kept_under_a_header_for_makers() -> None:
    assert profile("manufacturer", ["GE Healthcare", "Philips", "Siemens"] * 20).kind == "keep"


@pytest.mark.parametrize("header", ["CTR_CODE", "LISTING_CTR_CODE", "INST_CODE", "sch_id"])
def test_codes_of_centers_are_identifiers(header: str) -> None:
    assert profile(header, ["CAUC", "TXHH", "MNAN"] * 30).kind == "identifier"
