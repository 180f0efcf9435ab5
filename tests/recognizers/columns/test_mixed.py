"""Columns whose header and values contradict each other."""

from __future__ import annotations

import random

import pytest

from recognizers import KnownValue, KnownValues, is_header_word, profile
from recognizers.columns.coordinates import may_be_coordinates
from safe_harbor import Identifier

REFS = [f"CR/{100 + i * 7}/{10 + i}" for i in range(30)]
LOINC = ["4548-4", "2951-2", "6690-2", "33914-3", "2345-7"] * 4


@pytest.mark.parametrize(
    ("header", "values", "kind", "shape"),
    [
        ("Case ref", REFS, "identifier", "key"),
        ("score", [f"{4000000 + i * 37}" for i in range(30)], "unsure", ""),
        ("ALT_ID", [f"{400 + i * 37}" for i in range(30)], "unsure", ""),
        ("MedRec", ["700333.0", "123456.0", "87654.0"] * 5, "identifier", "patient_key"),
        ("value", [f"{700000 + i * 37}.0" for i in range(30)], "unsure", ""),
        ("mystery", [f"{700000 + i * 37}.0" for i in range(30)], "unsure", ""),
        ("Text value", ["Detected", "Not detected", "4.5", "802-555-0143"] * 5, "keep", "result"),
        ("Household size", ["4", "7", "3"] * 5, "keep", "number"),
        ("Gestational age (wks)", ["36", "28"] * 5, "keep", "number"),
        ("Pack years", ["4", "16"] * 5, "keep", "number"),
        ("State of birth", ["NH", "VT", "NM"] * 5, "quasi", "state"),
        ("Risk %", ["5%", "51%"] * 5, "keep", "number"),
        ("Titer", ["<1:20", "1:160"] * 5, "keep", "measure"),
        ("Rx #", ["6012345", "6022222"] * 5, "identifier", "key"),
        ("Device S/N", ["BLX123456S", "BLX654321S"] * 5, "identifier", "device"),
        ("Full Postal Address", ["9 Oak St\nValentine, NE"] * 5, "identifier", "street"),
        ("value_text", ["Negative", "Positive", "H"] * 10, "keep", "term"),
        ("Unit No", ["4000001", "4000378", "4000755"] * 3, "identifier", "patient_key"),
        ("unit_key", [f"{4000001 + i * 377}" for i in range(40)], "unsure", ""),
        ("ALT_NUMBER", [f"{40001 + i * 37}" for i in range(40)], "unsure", ""),
        ("account class key", [f"{40001 + i * 37}" for i in range(40)], "unsure", ""),
        ("DOC_NAME", ["Szymanski, Agnieszka", "OKONKWO^NKECHI^J"] * 9, "identifier", "name"),
        ("Patient", ["SZYMANSKI^AGNIESZKA^^^", "OKONKWO^NKECHI^J"] * 9, "identifier", "name"),
        ("Vaccine", ["Influenza, Seasonal", "Hepatitis B, Adult"] * 9, "keep", "term"),
        ("Consent Given", ["Yes", "No"] * 10, "keep", "flag"),
        ("COMPON_LNC_ID", LOINC, "keep", "code"),
        ("site_cd", ["C50.4", "C34.1", "C61.9"] * 10, "keep", "code"),
        ("CPT", ["19303", "32480", "55866"] * 10, "keep", "code"),
        ("hist", ["8500/3", "8140/3", "8070/3"] * 10, "keep", "term"),
        ("Smoking status", ["Never smoked", "Ex-smoker", "Current"] * 10, "keep", "term"),
        ("DISCH_DISP", ["Home or Self Care", "Expired"] * 10, "keep", "care_unit"),
        ("zzz", ["Emergency", "Elective", "Maternity"] * 10, "keep", "care_unit"),
        ("stage_t", ["T1a", "T2", "T3"] * 10, "keep", "term"),
        ("Temp C", ["36,5", "37,2", "38,9"] * 10, "keep", "number"),
        ("Weight (kg)", ["72,5", "101,2"] * 10, "keep", "number"),
        ("ADD_LINE_1", ["12 LARKSPUR LANE", "9 TANNERY ROW"], "identifier", "street"),
        ("pt_sec", ["12.1", "13.4", "11.9"] * 10, "keep", "number"),
        ("msa_cd", ["14460", "35620"] * 10, "identifier", "county"),
        ("AGE_MONTHS", ["14", "1100"] * 10, "quasi", "age_months"),
        ("age_days", ["6", "20"] * 10, "quasi", "age_days"),
        ("days_alive", ["6015", "33574", "7890"] * 10, "quasi", "age_days"),
        ("Days Old", ["12045", "33574"] * 10, "quasi", "age_days"),
        ("lifespan", ["71", "93"] * 10, "quasi", "age"),
        ("years_lived", ["71", "93"] * 10, "quasi", "age"),
        ("months_since_birth", ["14", "1100"] * 10, "quasi", "age_months"),
        ("day_of_life", ["3", "12"] * 10, "quasi", "age_days"),
        ("agey", ["66Y", "28", "93"] * 10, "quasi", "age"),
        ("flag", ["0", "1", "1", "0", "802-555-0143"] * 6, "keep", "flag"),
    ],
)
def test_the_values_correct_the_header(
    header: str, values: list[str], kind: str, shape: str
) -> None:
    seen = profile(header, values)
    assert (seen.kind, seen.shape) == (kind, shape), seen.reasons


def test_a_telephone_number_among_flags_is_not_kept() -> None:
    seen = profile("flag", ["0", "1", "1", "0", "802-555-0143"] * 6)
    assert seen.may_stay("1")
    assert not seen.may_stay("802-555-0143")


@pytest.mark.parametrize("value", ["4.5", "Not detected", "<0.01", "2+", "1:160", "12%"])
def test_results_are_kept_in_a_mixed_column(value: str) -> None:
    assert profile("value", ["Detected", "Negative", "4.5", "802-555-0143"] * 9).may_stay(value)


@pytest.mark.parametrize("value", ["0402817", "Okoro", "Kwame Abernathy", "802-555-0143"])
def test_other_values_are_not_kept_in_a_column_of_results(value: str) -> None:
    seen = profile("value", ["Detected", "Negative", "4.5", "802-555-0143"] * 9)
    assert seen.kind == "keep"
    assert not seen.may_stay(value)


def test_few_words_that_name_towns_are_not_taken_for_flags() -> None:
    assert profile("unexplained", ["Boston", "ModelOutput"] * 20).kind != "keep"


def test_header_words_are_distinguished_from_names() -> None:
    assert is_header_word("PAT")
    assert not is_header_word("Abernathy")


@pytest.mark.parametrize("order", [1, -1])
def test_a_number_known_under_two_identifiers_gets_the_more_specific_one(order: int) -> None:
    values = [KnownValue(word, "00402817") for word in (Identifier.OTHERS, Identifier.MRNS)]
    found = KnownValues(tuple(values[::order])).find("chart 402817 pulled")
    assert [finding.identifier for finding in found] == [Identifier.MRNS]


@pytest.mark.parametrize(
    "values",
    [
        ["State-gov", "Self-emp-not-inc", "Federal-gov", "Local-gov", "Private"],
        ["Adm-clerical", "Exec-managerial", "Machine-op-inspct", "Priv-house-serv", "Tech-support"],
    ],
)
def test_compounds_of_words_and_abbreviations_are_terms(values: list[str]) -> None:
    cells = random.Random(514).choices(values, k=120)
    assert profile("workclass", cells).kind == "keep"
    assert profile("occupation", cells).kind == "keep"


def test_hyphenated_surnames_are_not_taken_for_compounds() -> None:
    values = ["Zwirek-Waters", "Obiageli-Fields", "Tchorz-House", "Quillbane-Service"]
    assert profile("type", values * 10).kind != "keep"


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["0.03378", "0.00200", "0.10447"], False),
        (["212.50031", "318.77120"], False),
        (["44.97781", "45.02213"], True),
        (["-93.26501", "-122.41942"], True),
        (["-93.27", "-71.06"], True),
    ],
)
def test_shares_with_many_decimals_are_not_coordinates(values: list[str], expected: bool) -> None:
    assert may_be_coordinates(values * 10) == expected


def test_an_age_under_a_count_header_is_an_age() -> None:
    ages = [str(number) for number in range(61, 101)]
    assert profile("BENE_AGE_CNT", ages).kind == "quasi"
