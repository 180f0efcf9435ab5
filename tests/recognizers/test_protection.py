"""Guards: what no score of the model takes, and what a name in a person's place needs."""

from __future__ import annotations

import pytest

from recognizers.protection import NEVER, needed, vetoed


@pytest.mark.parametrize(
    ("value", "entity", "left", "right"),
    [
        ("304914007", "OTHER_ID", "Infarction | SNOMED-CT | ", " | Acute"),
        ("97802", "US_ZIP_CODE", "| CPT | ", " | Medical"),
        ("10-18", "OTHER_ID", "(series #5 images #", ")"),
        ("24/26", "DATE_TIME", "on Entresto ", ", BNP"),
        ("28 5/7", "DATE_TIME", "born at ", " weeks"),
        ("G3P3003", "MEDICAL_RECORD_NUMBER", "~ ", " ~"),
        ("Postanesthesia Care Unit", "FACILITY", "to the ", " in"),
        ("1998", "DATE_TIME", "since ", " and"),
    ],
)
def test_out_of_reach(value: str, entity: str, left: str, right: str) -> None:
    assert needed(value, entity, left, right) >= NEVER


@pytest.mark.parametrize(
    ("value", "entity", "left", "right", "most"),
    [
        ("1931", "BIRTH_YEAR_OVER_89", "she was born in ", " in", 0.6),
        ("Bayberry Care Ctr", "FACILITY", "to ", " (pending)", 0.6),
        ("Sacred Heart School", "FACILITY", "at ", ".", 0.6),
        ("City Health Clinic", "FACILITY", "at ", ".", 0.6),
        ("Tamarack", "STREET_ADDRESS", "house on ", " 4 steps", 0.7),
        ("Washington", "PERSON", "by Dr. ", " documented", 0.97),
        ("Ray", "PERSON", "", " never hit me", 0.7),
        ("Peter B", "PERSON", "lymphoma, ", "., treated", 0.7),
        ("TJ", "PERSON", "of ", "'s death", 0.6),
    ],
)
def test_within_reach(value: str, entity: str, left: str, right: str, most: float) -> None:
    assert needed(value, entity, left, right) <= most


@pytest.mark.parametrize(
    ("value", "entity", "left", "right"),
    [
        ("1931", "BIRTH_YEAR_OVER_89", "the number ", " was"),
        ("Pain Care Center", "FACILITY", "the ", " is"),
        ("Levaquin", "PERSON", "believe was ", " and"),
        ("Lisinopril", "PERSON", "rxns to ", "."),
        ("Hachinski", "PERSON", "MoCA 24, ", " 2"),
    ],
)
def test_medicine_needs_near_certainty(value: str, entity: str, left: str, right: str) -> None:
    assert needed(value, entity, left, right) >= 0.97


def test_a_rule_that_is_half_sure_is_barred_from_codes_and_not_from_dates() -> None:
    assert vetoed("58160-0820-11", "OTHER_ID", "lot HB4471K, NDC ", ". Newborn")
    assert not vetoed("7/04", "DATE_TIME", "admitted ", " in vaso-occlusive")
