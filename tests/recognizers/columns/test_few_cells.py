"""Columns of tables with five to fourteen rows, and headers whose words belong together."""

from __future__ import annotations

import random

import pytest

from recognizers import profile

DRAW = random.Random(11)
FLAGS = ["0", "1", "0", "0", "1", "0", "1", "0", "0", "1"]
ROWS = 60


def _drawn(*values: str) -> list[str]:
    return [DRAW.choice(values) for _ in range(ROWS)]


@pytest.mark.parametrize("header", ["hayfever", "odynophagia", "prior_stroke_flag"])
def test_answers_in_a_table_of_ten_rows_are_kept(header: str) -> None:
    assert profile(header, FLAGS).kind == "keep"


@pytest.mark.parametrize("header", ["hayfever", "ann_arbor_extranodal", "for_gi", "trefoil_factor"])
@pytest.mark.parametrize(
    "cells",
    [
        ["1", "6", "3", "5", "2", "6", "4", "3"],
        ["108", "103", "112", "101", "103", "110"],
        ["1981", "3136", "1698", "3090", "2217", "1505"],
        ["C", "B", "B", "D", "A", "C", "D", "B"],
    ],
)
def test_few_numbers_and_letters_are_not_kept_by_the_trees(header: str, cells: list[str]) -> None:
    assert profile(header, cells).kind != "keep"


def test_the_trees_doubt_numbered_documents_in_a_short_table() -> None:
    cells = ["RAD-SUBJ001-Week8", "RAD-SUBJ001-Week16", "RAD-SUBJ001-Week24", "RAD-SUBJ002-Week8"]
    cells.append("RAD-SUBJ003-Week8")
    assert profile("source_document_id", [*cells, *cells]).kind != "keep"


def test_a_concentration_per_deciliter_is_no_license() -> None:
    assert profile("PROTEIN, TOTAL G/DL", _drawn("7.9", "7.2", "6.8")).kind == "keep"
    assert profile("DL", _drawn("D1234567", "D7654321", "D2468101")).kind != "keep"


def test_a_marker_of_cells_is_no_code() -> None:
    assert profile("CD57T", ["15.86", "15.5", "0.5", "1.25", "2.75", "8.1"]).kind == "keep"
    assert profile("CD1", _drawn("J18.9", "I10", "E11.9")).kind == "keep"


def test_weeks_of_a_study_start_with_0_and_have_gaps() -> None:
    assert profile("Week", _drawn("0", "1", "3", "6")).kind == "keep"


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("week", [str(week) for week in range(53)]),
        ("Week", ["0", "1", "2", "3", "4"]),
        ("day", ["0", "2", "4"]),
        ("day", [str(day) for day in range(1, 32)]),
        ("month", ["0", "3", "6", "9"]),
    ],
)
def test_parts_of_dates_are_not_kept(header: str, cells: list[str]) -> None:
    assert profile(header, _drawn(*cells)).kind != "keep"


def test_a_year_in_the_name_of_a_risk_is_no_date() -> None:
    assert profile("TenYearCHD", _drawn("0", "1")).kind == "keep"
    assert profile("birth_year", _drawn("0", "1")).kind != "keep"


@pytest.mark.parametrize("header", ["codigo_postal", "Code_Postal", "PLZ"])
def test_postal_codes_abroad_are_no_zip_codes(header: str) -> None:
    found = profile(header, [f"{28_000 + 7 * row}" for row in range(ROWS)])
    assert found.kind == "identifier"
    assert found.entity != "US_ZIP_CODE"


@pytest.mark.parametrize("header", ["center", "centre", "centro"])
def test_the_number_of_a_center_is_a_facility(header: str) -> None:
    assert profile(header, _drawn("1", "2")).kind == "identifier"


def test_numbered_persons_are_no_clinical_terms() -> None:
    assert profile("name", [f"Patient_{row}" for row in range(ROWS)]).kind == "identifier"


def test_answers_in_french_and_spanish_fit_their_lists() -> None:
    assert profile("Genre", _drawn("Homme", "Femme")).kind == "keep"
    assert profile("genero", _drawn("hombre", "mujer")).kind == "keep"
