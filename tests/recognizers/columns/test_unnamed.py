"""Columns with an uninformative header: the values alone decide, and doubtful columns are
withheld.
"""

from __future__ import annotations

import hashlib
import random

import pytest

from recognizers import profile
from recognizers.columns.doubts import may_be_weekdays


@pytest.mark.parametrize(
    "values",
    [
        ["PSA, Total", "WBC", "Creatinine", "CEA"] * 5,
        ["PO", "IV", "SC"] * 6,
        ["1+", "2+", "Neg"] * 6,
        ["mg/dL", "mmol/L", "%"] * 6,
        ["ng/mL", "10*3/uL", "K/uL"] * 6,
        ["70-99", "3.5-5.1", "<100"] * 6,
        ["4.1", "5.2 mmol/L", "<0.5"] * 6,
        ["120/80", "118/72", "131/84"] * 6,
        ["O+", "A-", "AB+"] * 6,
        ["E11.9, I10", "Z38.00; P07.18"] * 6,
    ],
)
def test_values_that_only_clinics_write_are_kept(values: list[str]) -> None:
    seen = profile("q7", values)
    assert seen.kind == "keep", seen.reasons
    assert all(seen.may_stay(value) for value in values)


@pytest.mark.parametrize(
    "values",
    [
        ["MK", "TJ", "BH"] * 6,
        ["401-A", "212-B"] * 6,
        ["3/14", "4/2"] * 9,
        ["12-04", "11-30", "01-15"] * 6,
        ["Fri", "Mon"] * 9,
        ["May", "June"] * 9,
        ["29.95", "-90.72"] * 9,
        ["29.95012", "30.11101"] * 9,
        ["Jackson", "Lincoln"] * 9,
        ["555-0143", "555-0188"] * 6,
        ["92", "91", "88"] * 6,
        ["60-79", "985-21"] * 6,
        ["3231116.1930", "3240202.0815", "3231229.11"] * 6,
        ["45123.5", "45201.25", "44987.375"] * 6,
        ["1700163000.25", "1701163450.5"] * 9,
        ["{86e5b618-1c2d-4f6a-9b3e-0a1b2c3d4e5f}", "{0b7c9a12-77de-4c01-8f45-a1b2c3d4e5f6}"] * 9,
    ],
)
def test_values_that_may_identify_a_person_are_not_kept(values: list[str]) -> None:
    assert profile("q7", values).kind in ("unsure", "identifier")


FAMILIES = ["Harrowgate", "Osterhagen", "Szymanski", "Okonkwo", "Throckmorton", "Nakagawa"]
GIVEN = ["Quenby", "Ottoline", "Cordula", "Hephzibah", "Jocasta", "Evander"]


@pytest.mark.parametrize(
    "header", ["PATIENT", "patient", "Subject", "client", "member", "Resident"]
)
@pytest.mark.parametrize("form", ["{0} {1}", "{1} {0}", "{0}, {1}", "{1} Q. {0}", "{0}-Núñez {1}"])
@pytest.mark.parametrize("case", [str, str.upper, str.lower])
def test_full_names_under_a_patient_header_are_names(
    header: str, form: str, case: type[str]
) -> None:
    values = [case(form.format(*both)) for both in zip(FAMILIES, GIVEN, strict=True)]
    assert profile(header, values).identifier == "names"


@pytest.mark.parametrize("values", [["7304118", "7304119"], ["A-10", "B-11"], ["ABCD", "EFGH"]])
@pytest.mark.parametrize("header", ["PATIENT", "subject", "client", "member"])
def test_keys_under_a_patient_header_are_not_names(header: str, values: list[str]) -> None:
    assert profile(header, values * 4).identifier != "names"


@pytest.mark.parametrize("header", ["patient_guid", "patient_id", "pat_key", "member_hash"])
def test_hashes_under_a_key_header_are_keys_and_not_text(header: str) -> None:
    digests = [hashlib.md5(str(n).encode(), usedforsecurity=False).hexdigest() for n in range(20)]
    assert profile(header, digests).kind == "identifier"


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("weekend", [0.1, 0.6, 1.0])
@pytest.mark.parametrize("header", ["w2x", "PGK", "kx_2"])
def test_numbered_weekdays_of_many_rows_are_withheld(
    header: str, weekend: float, first: int
) -> None:
    chance = random.Random(29)
    days = chance.choices(range(first, first + 7), [1] * 5 + [weekend] * 2, k=600)
    assert profile(header, [str(day) for day in days]).kind != "keep"


def test_uneven_answers_to_seven_choices_are_no_weekdays() -> None:
    chance = random.Random(31)
    answers = chance.choices(range(7), [9, 14, 8, 5, 3, 2, 1], k=600)
    assert not may_be_weekdays([str(answer) for answer in answers])
    assert profile("scale", [str(answer) for answer in answers]).kind == "keep"
