"""Closed lists, grammars and known words: codes are recognized as codes, and no surname is."""

from __future__ import annotations

import pytest

from deid.vocabularies import (
    in_list,
    is_code_of,
    is_language,
    is_measure_unit,
    is_measurement,
    is_short_code,
)
from deid.vocabularies.data_models import find_schema
from deid.vocabularies.wording import CODED, DESCRIPTION, LOCAL_CODE, PAYER, names_nobody

SURNAMES = ["Zbrzezinkow", "ZBRZEZINKOW", "zbrzezinkow", "Quorblatt", "Vandersluisen", "Smith"]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("v2-0001", "F"),
        ("v2-0003", "A01"),
        ("v2-0006", "CAT"),
        ("v2-0063", "SPO"),
        ("v2-0076", "ADT"),
        ("v2-0078", "HH"),
        ("v2-0203", "mr"),
        ("http://terminology.hl7.org/CodeSystem/v3-RoleCode", "MTH"),
        ("http://hl7.org/fhir/quantity-comparator", "<="),
        ("iso-4217", "USD"),
        ("mime", "application/fhir+json"),
    ],
)
def test_each_list_contains_its_codes(name: str, code: str) -> None:
    assert in_list(name, code)
    assert not any(in_list(name, surname) for surname in SURNAMES)


@pytest.mark.parametrize(
    ("system", "code", "other"),
    [
        ("http://loinc.org", "8480-6", "8480-5"),
        ("LN", "LP38316_3", "Zbrz-3"),
        ("http://snomed.info/sct", "73211009", "73211008"),
        ("SCT", "185349003", "Quorblatt"),
        ("I10", "J45.909", "JONES"),
        ("2.16.840.1.113883.6.101", "207R00000X", "ZBRZEZINKX"),
        ("http://hl7.org/fhir/sid/icd-10-pcs", "0DTJ4ZZ", "SZCZERB"),
        ("http://www.nlm.nih.gov/research/umls/rxnorm", "860975", "Zbrz"),
        ("http://unitsofmeasure.org", "mm[Hg]", "Quorblatt"),
        ("HL70001", "F", "Roe"),
        ("http://terminology.hl7.org/CodeSystem/v2-0203", "MR", "Roe"),
        ("http://terminology.hl7.org/CodeSystem/v3-MaritalStatus", "M", "Park"),
        ("2.16.840.1.113883.5.111", "MTH", "Moe"),
        ("urn:ietf:bcp:47", "en-US", "lee"),
    ],
)
def test_code_systems_contain_their_codes(system: str, code: str, other: str) -> None:
    assert is_code_of(system, code)
    assert not is_code_of(system, other)


@pytest.mark.parametrize("code", ["19800321", "198003211745"])
def test_a_day_is_no_drug_code(code: str) -> None:
    assert not is_code_of("http://hl7.org/fhir/sid/ndc", code)
    assert is_code_of("http://hl7.org/fhir/sid/ndc", "00093" + "0058" + "01")


@pytest.mark.parametrize("code", ["CHEM7", "LAB1234", "A1C", "X-12", "WBC", "7", "e-visit"])
def test_local_codes_of_digits_and_known_words_are_accepted(code: str) -> None:
    assert names_nobody(code, LOCAL_CODE)


@pytest.mark.parametrize("surname", SURNAMES)
def test_no_surname_is_a_code_a_unit_or_a_measurement(surname: str) -> None:
    for text in (surname, f"{surname}7", f"5 {surname}"):
        assert (
            not names_nobody(text, LOCAL_CODE)
            and not is_measure_unit(text)
            and not is_measurement(text)
        )
    assert not names_nobody(surname, *CODED) and not is_short_code(surname)


@pytest.mark.parametrize(
    "text",
    [
        "Spouse",
        "White",
        "Glucose [Mass/volume] in Blood",
        "24 HR metformin hydrochloride 500 MG Extended Release Oral Tablet",
        "Microalbuminuria due to type 2 diabetes mellitus (disorder)",
        "DrugAllergy",
        "Parkinson's disease",
    ],
)
def test_descriptions_of_known_words_are_accepted(text: str) -> None:
    assert names_nobody(text, DESCRIPTION)


@pytest.mark.parametrize(
    "text", [*SURNAMES, "Zbrzezinkow allergy", "VanHorn", "aunt of Quorblatt", "Ng", "Kowalczyk"]
)
def test_descriptions_with_a_surname_are_not_accepted(text: str) -> None:
    assert not names_nobody(text, DESCRIPTION)


@pytest.mark.parametrize(
    "unit",
    [
        "mg/dL",
        "10*3/uL",
        "K/uL",
        "mL/min/{1.73_m2}",
        "[in_i]",
        "%",
        "{score}",
        "U/L",
        "tablet(s)",
        "Day",
        "Weeks",
        "Gray",
    ],
)
def test_units_of_ucum_and_of_the_clinic_are_recognized(unit: str) -> None:
    assert is_measure_unit(unit) and is_measurement(f"5.5 {unit}")
    assert not is_measure_unit(f"{{{SURNAMES[0]}}}")


@pytest.mark.parametrize(
    ("code", "told"), [("en", True), ("spa", True), ("fr-CA", True), ("lee", False)]
)
def test_language_codes_are_recognized(code: str, told: bool) -> None:
    assert is_language(code) is told


NAMES = [
    "Smith-Jones", "john.smith", "W.Smith", "J Smith", "Smith MD", "Dr Smith", "O'Neil", "Lee",
    "LEE", "john", "Mark Young", "ROSE HILL", "Martin",
    "Kim", "Tim",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_name_of_common_words_alone_is_not_a_code_or_unit(name: str) -> None:
    assert (
        not names_nobody(name, *CODED)
        and not is_measure_unit(name)
        and not is_measure_unit(f"{{{name}}}")
    )


@pytest.mark.parametrize("name", ["Ray", "Meg", "Gus", "Fay", "Hal", "Gil", "Ada", "Art", "ray"])
def test_a_word_that_is_also_a_name_is_not_a_unit(name: str) -> None:
    assert not is_measure_unit(name) and not is_measure_unit(f"mg/{name}")


@pytest.mark.parametrize(
    "text", ["Jones fracture", "Johns Hopkins score", "rose bengal", "Black or White", "Georgia"]
)
def test_names_within_a_clinical_description_are_accepted(text: str) -> None:
    assert names_nobody(text, *CODED)


@pytest.mark.parametrize(
    "name",
    ["AKRON", "Toledo", "Houston", "Detroit", "AKRON_ED", "BoiseVA", "Los Angeles", "Jackson",
     "PARK2", "Young King", "Orion Health", "Amundsen", "Delacroix", "Asquith ward", "Plant City"],
)  # fmt: skip
def test_towns_firms_and_names_among_listed_words_are_no_codes(
    name: str,
) -> None:
    assert names_nobody(name, *PAYER)
    assert not names_nobody(name, *CODED) and not names_nobody(name, DESCRIPTION)
    assert not is_measure_unit(name) and not is_measurement(name)


@pytest.mark.parametrize("name", ["Marie", "HAZEL", "amber", "Karen", "Casado", "Deutsch", "Nare"])
def test_names_on_lists_of_languages_colors_and_the_like_are_no_codes(name: str) -> None:
    assert not names_nobody(name, *CODED) and not names_nobody(name, DESCRIPTION)
    assert not is_measure_unit(name) and not is_measurement(name)


@pytest.mark.parametrize(
    "text",
    ["White", "English", "friend", "Good", "home", "Orange juice", "Normal saline", "PAN4", "MI",
     "Eye exam established pat", "0 to 10", "signal to cut-off ratio"],
)  # fmt: skip
def test_answers_and_words_of_texts_that_are_also_names_are_codes(text: str) -> None:
    assert names_nobody(text, *CODED)


NUMBERS = [
    "7/4/61", "4-Jul-61", "04JUL1961", "Jul1961", "19610704", "196107041530", "07.04.1961",
    "(503)555-0147", "(503) 555-0147", "503.555.0147", "541.27.9983", "541-27-9983",
]  # fmt: skip


@pytest.mark.parametrize("text", NUMBERS)
def test_dates_telephone_and_social_security_numbers_are_not_codes(text: str) -> None:
    assert not names_nobody(text, *CODED) and not is_measure_unit(text)
    assert not names_nobody(f"seen {text}", DESCRIPTION) and not names_nobody(f"A:{text}", *CODED)


@pytest.mark.parametrize("text", ["48213377", "541279983", "E4821337", "acct 48213377"])
def test_long_numbers_are_not_descriptions_or_codes_of_an_unknown_list(text: str) -> None:
    assert not names_nobody(text, DESCRIPTION) and not is_measure_unit(text)
    assert not any(names_nobody(code, *CODED) for code in (text, f"Cue{text}"))
    assert not is_code_of("http://hl7.org/fhir/us/core/CodeSystem/whatever", text)


@pytest.mark.parametrize(
    "text", ["1000000 UNT", "10*6/L", "/100", "1.2.12", "3-0-1", "120/80", "12-345-6", "2106-3"]
)
def test_ratios_versions_and_powers_of_ten_are_accepted(text: str) -> None:
    assert names_nobody(text, *CODED) or is_measure_unit(text)


@pytest.mark.parametrize("text", ["", " ", "\0", "٣٤٥٦", "²", "é", "\ud800", "[" * 70, "1" * 10**5])
def test_odd_texts_raise_nothing(text: str) -> None:
    for name in ("http://loinc.org", "SCT", "OID", "UNII", "UCUM", "nobody's", text):
        assert is_code_of(name, text) in (True, False)
    assert names_nobody(text, *CODED) in (True, False) and is_measurement(text) in (True, False)


def test_a_table_with_unique_subject_ids_is_of_cdisc_even_if_many_columns_are_its_own() -> None:
    own = ["ZQOBS", "ZQLIM", "ZQFIT", "ZQRUN", "ZQTOP", "ZQCTL"]
    published = ["STUDYID", "SITEID", "AGE", "SEX"]
    found = find_schema("pk.csv", [*published, "USUBJID", *own])
    assert found is not None and found.name == "cdisc"
    assert find_schema("pk.csv", [*published, *own]) is None
    assert find_schema("pk.csv", ["USUBJID", *own]) is None
