"""Questions and answers: the label of a row classifies its value; facts name places and ages."""

from __future__ import annotations

import pytest

from recognizers import conforms, is_answer_header, is_label_header, labelled_identifier


@pytest.mark.parametrize(
    ("label", "value", "word"),
    [
        ("What is your ZIP code?", "05301", "places"),
        ("Zip", "5301", "places"),
        ("Town of residence", "Putney", "places"),
        ("Last name", "Rose", "names"),
        ("Mother's maiden name", "Park", "names"),
        ("Age", "93", "dates"),
        ("Date of birth", "03/04/1950", "dates"),
        ("Who is your employer?", "Acme Foundry", "names"),
        ("Year of birth", "1925", "dates"),
        ("Day of birth", "14", "dates"),
        ("SSN last four", "4412", "ssns"),
        ("MRN", "441", "mrns"),
        ("MRN", "A12.3", "mrns"),
        ("Phone", "555.1234", "phones"),
        ("Room number", "412", "places"),
        ("How old are you?", "93", "dates"),
        ("Where do you live?", "Putney", "places"),
        ("Where do you work?", "Acme Foundry", "names"),
        ("Best number to reach you", "802-555-0134", "phones"),
        ("How old are you?", "45", None),
        ("Phone calls per week", "3", None),
        ("Date of last visit", "2019", None),
        ("Time since discharge", "441", None),
        ("Age", "45", None),
        ("Platelet count", "250000", None),
        ("Hemoglobin A1c", "5.6", None),
        ("Patient temperature", "98.6", None),
        ("Do you live in a nursing home?", "No", None),
        ("Smoking status", "Former smoker", None),
        ("Body site", "Left arm", None),
    ],
)
def test_a_label_classifies_its_value(label: str, value: str, word: str | None) -> None:
    found = labelled_identifier(label, value)
    assert (found.value if found else None) == word


def test_columns_of_labels_and_values_are_recognized() -> None:
    assert all(map(is_label_header, ["QUESTION", "attribute_name", "FIELD", "item text", "QLABEL"]))
    assert all(map(is_answer_header, ["answer", "VAL", "response_text", "valueNum", "QVAL"]))
    assert not is_label_header("answer") and not is_answer_header("question")


@pytest.mark.parametrize("value", ["DEM|ZIP:05301", "\\Zip codes\\Vermont\\Putney\\05301\\"])
def test_a_fact_that_names_a_place_is_not_kept_as_a_code(value: str) -> None:
    assert not conforms("coded", value) and not conforms("term", value)


def test_a_fact_of_an_age_over_89_is_not_kept_as_a_code() -> None:
    assert not conforms("coded", "DEM|AGE:93") and conforms("coded", "DEM|AGE:88")
