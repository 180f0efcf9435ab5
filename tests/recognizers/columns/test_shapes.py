"""Shapes of cells, and the check digits that distinguish a code from another number."""

from __future__ import annotations

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recognizers import conforms, held_shape, is_filler_value, is_null
from recognizers.columns.cells.shapes import is_loinc, is_person, is_snomed, shape_of
from recognizers.words.folder import WORDS


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("912-34-4471", "ssn"),
        ("(802) 555-0143", "phone"),
        ("+31 20 555 0119", "phone"),
        ("a@b.example", "email"),
        ("https://x.example/p/1", "url"),
        ("10.44.7.18", "ip"),
        ("00:1B:44:11:3A:B7", "mac"),
        ("1.2.840.99999999.1.44256249", "oid"),
        ("(01)00850077112206(17)290131(21)CVT88214K", "udi"),
        ("05301-2218", "zip9"),
        ("2020-02-10T15:10:00-05:00", "date"),
        ("10-FEB-2020", "date"),
        ("20210518", "date"),
        ("6 days", "age"),
        ("89Y", "age"),
        ("VT", "state"),
        ("I10", "code"),
        ("430193006", "code"),
        ("2345-7", "code"),
        ("MEHTA, RAJAN DO", "person"),
        ("Danyelle408 Von197", "person"),
        ("N/A", "null"),
        ("1.13", "decimal"),
        ("-103.4133215", "fine_decimal"),
    ],
)
def test_the_shape_of_a_cell(value: str, shape: str) -> None:
    assert shape_of(value) == shape


def test_check_digits_distinguish_codes_from_numbers() -> None:
    assert is_snomed("430193006") and not is_snomed("430193007") and not is_snomed("8025550143")
    assert is_loinc("2345-7") and not is_loinc("2345-8")


@pytest.mark.parametrize("value", ["", "  ", "NULL", "n/a", "None", "\\N", "[NULL]", "-", "@"])
def test_null_words_are_recognized(value: str) -> None:
    assert is_null(value) and is_filler_value(value)


@pytest.mark.parametrize("value", ["000-00-0000", "01/01/1900", "00000", "JOHN DOE", "9999-12-31"])
def test_placeholder_values_are_filler(value: str) -> None:
    assert is_filler_value(value) and not is_null(value)


@pytest.mark.parametrize(
    "term",
    [
        "Hip prosthesis",
        "Pacemaker, dual chamber",
        "Amoxicillin 500 MG Oral Tablet",
        "Parkinson disease",
        "Foley catheter",
        "Measles, mumps and rubella",
        "Green Mountain Care",
        "Well child visit (procedure)",
    ],
)
def test_medical_terms_conform(term: str) -> None:
    assert conforms("term", term)


@pytest.mark.parametrize("name", ["TRAN, LUCILLE MD", "Dr. Fairweather", "Robert James Hale"])
def test_a_person_is_distinguished_from_a_term(name: str) -> None:
    assert is_person(name) and not conforms("term", name)


@pytest.mark.parametrize("shape", ["sex", "race", "marital", "language", "country", "flag", "code"])
@pytest.mark.parametrize("value", ["Thibodeau", "Maria Gonzalez", "802-555-0143", "00402817"])
def test_closed_lists_accept_no_name_or_number(shape: str, value: str) -> None:
    assert not conforms(shape, value)


@pytest.mark.parametrize(
    ("value", "stays"),
    [
        ("CMP for Maria Kowalczyk", False),
        ("Pump of John Smith", False),
        ("KOWALCZYK^MARIA", False),
        ("Wolff-Parkinson-White pattern", True),
        ("Guillain-Barre syndrome following vaccination", True),
    ],
)
def test_a_display_that_names_a_person_is_refused(value: str, stays: bool) -> None:
    assert conforms("coded", value) is stays


@given(st.text(max_size=60))
def test_no_cell_breaks_the_check(value: str) -> None:
    shape_of(value)
    held_shape(value)
    for shape in ("term", "flag", "number", "code", "measure", "unit", "coded", "named"):
        conforms(shape, value)


@given(st.from_regex(r"[2-9][0-9]{2}-[2-9][0-9]{2}-[0-9]{4}", fullmatch=True))
def test_no_kept_column_accepts_a_telephone_number(number: str) -> None:
    for shape in ("term", "flag", "number", "code", "measure", "unit", "coded", "named", "sex"):
        assert not conforms(shape, f"call {number}")


def test_no_row_of_the_list_is_cut_off_at_a_comma() -> None:
    with (WORDS / "columns" / "values.csv").open(encoding="utf-8", newline="") as file:
        assert all(None not in row for row in csv.DictReader(file))


def test_a_surname_is_not_a_word_for_unknown() -> None:
    assert not is_filler_value("Doe") and not is_filler_value("0")
    assert is_filler_value("Doe, Jane") and is_filler_value("declined")
