"""A few recurring words under uninformative headers: categories are kept, names are not."""

from __future__ import annotations

import pytest

from recognizers import profile


@pytest.mark.parametrize(
    ("header", "values"),
    [
        ("qqx", ["Small effusion", "Moderate effusion", "Normal"]),
        ("qqx", ["Cold snare", "Biopsy forceps", "Hot snare"]),
        ("qqx", ["Foam", "Hydrocolloid", "Alginate", "Collagen"]),
        ("ab_id", ["Anti-K antibody", "None", "Cold antibody"]),
        ("ImageQuality", ["Good", "Technically difficult", "Suboptimal"]),
        ("Location", ["Left heel", "Sacrum", "Coccyx"]),
    ],
)
def test_a_few_recurring_clinical_words_are_kept(header: str, values: list[str]) -> None:
    assert profile(header, values * 10).kind == "keep"


@pytest.mark.parametrize(
    "values",
    [
        ["Long", "Young", "Bird", "Will"],
        ["Price", "Moscow", "Eden", "Orange"],
        ["North", "Main", "Eagle"],
        ["North Campus", "Surgery Tower", "West Wing"],
        ["Post Office", "Pain Solutions", "Farm Bureau"],
        ["Two Bulls", "Brave Heart", "Yellow Bird"],
        ["Sage Primary Care", "Star Valley Peds", "Teton OB"],
        ["Hope", "Grace", "Faith", "Joy"],
        ["CJ", "PAT", "BH", "TJ"],
        ["Pain, Will", "Head, Rose", "Blood, Frank"],
        ["Frank Blood", "Rose Pain", "Will Hand"],
        ["Elk Run Dr", "Mill Lane", "Birch St"],
    ],
)
def test_recurring_names_of_persons_towns_and_organizations_are_not_kept(values: list[str]) -> None:
    assert profile("qqx", values * 10).kind != "keep"


@pytest.mark.parametrize(
    ("header", "values", "kind"),
    [
        ("cycle_day", ["C1D1", "C2D8", "C3D15"], "keep"),
        ("day", ["1", "8", "15"], "identifier"),
        ("dat", ["1+", "2+ IgG", "NEG"], "keep"),
        ("dat", ["3/4", "March 3", "2021"], "quasi"),
        ("position_dep", ["Supine predominant", "No"], "keep"),
        ("tx_codes", ["97110", "97112, 97530"], "keep"),
        ("pma", ["35w6d", "28w0d"], "keep"),
        ("Unit", ["Medic 4", "Engine 12", "Rescue 1"], "identifier"),
    ],
)
def test_informative_values_decide_under_an_unclear_header(
    header: str, values: list[str], kind: str
) -> None:
    assert profile(header, values * 10).kind == kind


@pytest.mark.parametrize(
    ("header", "values"),
    [
        ("st", ["Scheduled", "No Show", "Canceled"]),
        ("Location", ["Left heel", "Sacrum", "Coccyx"]),
        ("org", ["E. coli", "S. aureus"]),
    ],
)
def test_one_unfitting_cell_does_not_withhold_the_column(header: str, values: list[str]) -> None:
    found = profile(header, [*values * 30, "Okonkwo, Ngozi"])
    assert found.kind == "keep"
    assert not found.may_stay("Okonkwo, Ngozi")


def test_a_column_of_mostly_retired_and_some_employers_is_an_identifier() -> None:
    cells = ["Retired"] * 40 + ["Simplot Foods", "Post Office", "Ririe Dairy", "Walmart"] * 2
    assert profile("employer", cells).kind == "identifier"


def test_flags_with_one_unfitting_cell_are_kept_under_a_header_for_names() -> None:
    found = profile("mi", ["0", "1"] * 50 + ["Okonkwo"])
    assert found.kind == "keep" and not found.may_stay("Okonkwo")
    assert profile("mi", ["J", "N", "K", "T", "Y"] * 20).kind == "identifier"
