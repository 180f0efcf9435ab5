"""Columns of extracts invented to mislead: serial numbers, amounts, coordinates, flags, assessment
items.
"""

from __future__ import annotations

import random

import pytest

from recognizers import conforms, holds_value, profile

_DRAW = random.Random(11)
_SIGNS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"


def _drawn() -> str:
    return "".join(_DRAW.choice(_SIGNS) for _ in range(7)) + _DRAW.choice("ABC") + "7"


SERIALS = [_drawn() for _ in range(30)]
AMOUNTS = [f"{7 + n * 13}.{10 + n}" for n in range(30)]
LATITUDES = [f"{30 + n}.{123456 + n}" for n in range(12)]
DRUGS = ["lisinopril 20 MG Oral Tablet", "metformin 500 mg tablet", "amoxicillin 250 mg"] * 10
_NAMES = [
    ["Hope", "Grace", "Iris"],
    ["Young", "Heart", "Payne"],
    ["Bell", "Graves", "Cushing"],
    ["Boston", "ModelOutput"],
]
TESTS = ["Hemoglobin", "Creatinine", "Potassium", "Troponin"] * 8


@pytest.mark.parametrize("header", ["Source Device", "REF_6R", "UnitCallSign", "RESULT", "Model"])
def test_random_serial_numbers_are_not_kept(header: str) -> None:
    assert profile(header, SERIALS).kind != "keep"


@pytest.mark.parametrize("header", ["geo_pt", "pt_x", "patient_value", "loc_key"])
def test_coordinates_under_a_key_header_are_not_kept(header: str) -> None:
    assert profile(header, LATITUDES).kind != "keep"


@pytest.mark.parametrize("header", ["LastPmt", "dist_to_hosp_mi", "cord_ph"])
def test_amounts_under_a_header_like_a_name_or_telephone_are_kept(header: str) -> None:
    assert (profile(header, AMOUNTS).kind, profile(header, AMOUNTS).shape) == ("keep", "number")


@pytest.mark.parametrize("values", [["555.0147", "555.0188"] * 5, ["7734120", "7734121"] * 5])
def test_numbers_that_are_not_amounts_are_identifiers(values: list[str]) -> None:
    assert profile("cord_ph", values).kind == "identifier"


def test_zeros_and_ones_are_flags_under_any_header() -> None:
    assert profile("encLock", ["0", "1"] * 15).shape == "flag"
    assert profile("encLock", ["0", "1"] * 3).kind == "identifier"
    assert profile("encLock", ["1", "2"] * 15).kind == "identifier"


@pytest.mark.parametrize("header", ["A1000", "GG0130A1", "M1860_CRNT_AMBLTN"])
def test_assessment_items_keep_only_short_answers(header: str) -> None:
    seen = profile(header, ["0", "1", "4", "9"] * 8)
    assert seen.kind == "keep" and not seen.may_stay("004028")
    assert profile(header, ["Okonkwo", "Szymanski", "Petrosyan"] * 8).kind == "identifier"
    assert profile(header, [f"{7734120 + 3 * n}" for n in range(24)]).kind != "keep"


@pytest.mark.parametrize("values", [DRUGS, TESTS])
@pytest.mark.parametrize("header", ["MDN_NM", "c10"])
def test_recurring_clinical_terms_are_kept(header: str, values: list[str]) -> None:
    assert profile(header, values).kind == "keep"


@pytest.mark.parametrize("names", _NAMES)
def test_names_that_are_also_words_are_not_taken_for_terms(names: list[str]) -> None:
    for header in ("NM", "c10"):
        assert profile(header, names * 10).kind != "keep"


@pytest.mark.parametrize(
    ("header", "values", "kind", "shape"),
    [
        ("PT_SEX_CD", ["1", "2"] * 15, "keep", "sex"),
        ("PTNT_RC_CD", ["1", "5"] * 15, "keep", "race"),
        ("PATIENT_ZIP_CODE", ["70570", "05602"] * 15, "quasi", "zip"),
        ("PTNT_ST_CD", ["LA", "VT"] * 15, "quasi", "state"),
        ("PATIENT_CODE", ["7734120", "7734128"] * 15, "identifier", "patient_key"),
        ("MARSTAT", ["S", "M", "W"] * 10, "keep", "marital"),
        ("YearsOld", ["34", "61"] * 15, "quasi", "age"),
        ("Edad", ["34", "61"] * 15, "quasi", "age"),
        ("CERT_FROM", ["05/17/2024", "03/02/2023"] * 15, "quasi", "date"),
        ("MedGiven", DRUGS, "keep", "term"),
        ("Given", ["Marguerite", "Dashiell"] * 15, "identifier", "name"),
        ("MEAS_COMMENT", ["Called to the ward by a nurse at noon"] * 9, "text", "text"),
        ("Cause of Death", ["I10", "C50911", "E119"] * 10, "keep", "code"),
        ("ISS", ["9", "25", "4"] * 10, "keep", "number"),
        ("MIC", ["<=0.5", "2", ">32"] * 10, "keep", "measure"),
    ],
)
def test_headers_of_claims_registries_and_other_languages_are_understood(
    header: str, values: list[str], kind: str, shape: str
) -> None:
    seen = profile(header, values)
    assert (seen.kind, seen.shape) == (kind, shape), seen.reasons


def test_a_member_number_beside_the_name_of_a_payer_is_not_kept() -> None:
    for cell in ("Humana 3EG4-TE5-MK72", "Medicare 1EG4TE5MK73", "Aetna W772K10934"):
        assert not conforms("brand", cell)
    assert conforms("brand", "Medicare Advantage PPO 2024") and conforms(
        "term", "COVID-19 mRNA BNT162b2"
    )


@pytest.mark.parametrize("header", ["70570", "7734120", "93", "42.75"])
def test_a_header_that_is_only_a_number_is_a_value(header: str) -> None:
    assert holds_value(header)
    assert not holds_value("2019")


def test_file_names_under_a_report_header_are_identifiers() -> None:
    seen = profile("report_pdf", [f"Kowalczyk_{137293 + n}.jpg" for n in range(9)])
    assert (seen.kind, seen.shape) == ("identifier", "file")


@pytest.mark.parametrize("cell", ["lisinopril 20 mg; Rx by Thibodeaux", "HTN; sees Dr. Haverkamp"])
def test_a_surname_after_a_title_in_a_term_is_not_kept(cell: str) -> None:
    assert not conforms("term", cell) and not conforms("measure", cell)
    assert conforms("term", "Erythrocyte sedimentation rate by Westergren method")
