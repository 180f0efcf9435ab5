"""The class of a column: by its header, by its values, and by both when they disagree."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from recognizers import holds_value, profile

CLINIC = Path(__file__).parents[3] / "corpora" / "clinic"
NAMES = ["Maria Gonzalez", "John Miller", "Aisha Patel", "Robert Johnson", "Emily Davis"]
PHONES = ["802-555-0143", "(603) 555-0190", "413.555.0133", "802-555-0188", "802 555 0176"]


@pytest.mark.parametrize(
    ("header", "kind", "word", "shape"),
    [
        ("PAT_MRN_ID", "identifier", "mrns", "patient_key"),
        ("PAT_ENC_CSN_ID", "identifier", "accounts", "account"),
        ("HSP_ACCOUNT_ID", "identifier", "accounts", "account"),
        ("PatientDurableKey", "identifier", "others", "patient_key"),
        ("BIRTH_DT_TM", "quasi", "dates", "birth_date"),
        ("BENE_BIRTH_DT", "quasi", "dates", "birth_date"),
        ("Date of Birth", "quasi", "dates", "birth_date"),
        ("admittime", "quasi", "dates", "date"),
        ("LASTBILLEDDATE1", "quasi", "dates", "date"),
        ("collected_on", "quasi", "dates", "date"),
        ("month_of_birth", "identifier", "dates", "date_part"),
        ("AGE_AT_VISIT", "quasi", "dates", "age"),
        ("address.postalCode", "quasi", "places", "zip"),
        ("SP_STATE_CODE", "quasi", "places", "state"),
        ("BENE_COUNTY_CD", "identifier", "places", "county"),
        ("geo_lat", "identifier", "places", "coordinates"),
        ("DepartmentName", "identifier", "places", "facility"),
        ("name.family", "identifier", "names", "name"),
        ("OWNERNAME", "identifier", "names", "name"),
        ("Works For", "identifier", "names", "organization"),
        ("emergencyContactPhone", "identifier", "phones", "phone"),
        ("Fax #", "identifier", "faxes", "phone"),
        ("E-mail", "identifier", "emails", "email"),
        ("Social Security #", "identifier", "ssns", "ssn"),
        ("soc_sec_no", "identifier", "ssns", "ssn"),
        ("ins_group_number", "identifier", "plans", "plan"),
        ("AT_PHYSN_NPI", "identifier", "licenses", "license"),
        ("License Plate #", "identifier", "vehicles", "vehicle"),
        ("Device Lot", "identifier", "devices", "device"),
        ("portalUser", "identifier", "urls", "url"),
        ("mac_addr", "identifier", "ips", "ip"),
        ("Fingerprint ID", "identifier", "biometrics", "biometric"),
        ("photoFile", "identifier", "photos", "photo"),
        ("SERIES_UID", "identifier", "others", "key"),
        ("HNO_NOTE_TEXT", "text", None, "text"),
        ("Comments/Notes", "text", None, "text"),
        ("SexAssignedAtBirth", "keep", None, "sex"),
        ("LAB_LOINC", "keep", None, "code"),
        ("gender_concept_id", "keep", None, "concept"),
        ("TOTAL_CLAIM_COST", "keep", None, "number"),
        ("unit_of_measure", "keep", None, "unit"),
        ("nextOfKinRelationship", "keep", None, "relation"),
    ],
)
def test_headers_in_any_style_are_understood(
    header: str, kind: str, word: str | None, shape: str
) -> None:
    seen = profile(header, [])
    assert (seen.kind, seen.identifier, seen.shape) == (kind, word, shape)


@pytest.mark.parametrize("header", ["flag", "code", "status", "diagnosis", "category", "result"])
@pytest.mark.parametrize(
    ("values", "word"), [(PHONES, "phones"), (["912-34-4471", "931-40-7785"] * 5, "ssns")]
)
def test_identifying_values_override_a_harmless_header(
    header: str, values: list[str], word: str
) -> None:
    seen = profile(header, values)
    assert seen.kind == "identifier"
    assert seen.identifier == word


def test_names_under_a_harmless_header_are_not_kept() -> None:
    for header in ("flag", "diagnosis", "category", "code"):
        seen = profile(header, NAMES * 4)
        assert seen.kind in ("identifier", "unsure"), header
        assert not any(seen.may_stay(name) for name in NAMES)


@pytest.mark.parametrize(
    ("header", "values", "kind"),
    [
        ("xq7", [f"{n:08d}" for n in range(40_000, 40_050)], "unsure"),
        ("zz", ["17", "42", "88", "91"], "unsure"),
        ("grp", ["Smith", "Jones", "Garcia"] * 3, "identifier"),
        ("q1", ["yes", "no", "no", "yes"], "keep"),
        ("v", ["3.25", "4.5", "0.75", "12.5"], "keep"),
        ("w", ["I10", "E11.9", "J45.909", "Z00.00"], "keep"),
        ("d", ["2021-03-04", "2022-11-30", "2020-01-15"], "quasi"),
        ("d", ["04-MAR-2021", "30-NOV-2022", "15-JAN-2020"], "quasi"),
        ("e", ["a.b@x.example", "c@y.example"], "identifier"),
        ("u", ["0a1b2c3d-0000-1111-2222-333344445555"] * 3, "identifier"),
        ("t", ["Patient seen today with her husband, doing well overall."] * 4, "text"),
        ("nothing", ["", "NULL", "N/A"], "keep"),
    ],
)
def test_values_alone_decide_only_where_they_are_conclusive(
    header: str, values: list[str], kind: str
) -> None:
    assert profile(header, values).kind == kind


def test_an_empty_column_keeps_no_later_value() -> None:
    seen = profile("nothing", ["", ""])
    assert seen.may_stay("")
    assert not seen.may_stay("Theodora")


def test_every_cell_of_a_kept_column_is_checked() -> None:
    terms = profile("test_name", ["Glucose", "Creatinine", "LDL cholesterol"] * 10)
    assert terms.may_stay("WBC")
    for cell in (
        "802-555-0143",
        "seen 03/14/2023",
        "MRN 00402817",
        "Maria Gonzalez",
        "912-34-4471",
    ):
        assert not terms.may_stay(cell)
    numbers = profile("result_value", ["137", "0.6", "<5"] * 10)
    assert numbers.may_stay("13.3") and numbers.may_stay("1.005-1.030")
    assert not numbers.may_stay("Maria Gonzalez")


def test_the_role_of_a_column_says_who_its_values_belong_to() -> None:
    assert profile("ordering_provider", []).role == "provider"
    assert profile("mother_mrn", []).role == "relative"
    assert profile("insured_dob", []).role == "guarantor"
    assert profile("mrn", []).role == ""


def test_a_profile_shows_no_value() -> None:
    assert "Gonzalez" not in repr(profile("flag", NAMES))


@pytest.mark.parametrize(
    "name",
    [
        "2023-03-14",
        "402817733",
        "john.smith@x.example",
        "Mary Johnson",
        "Kowalczyk",
        "col Baranowski",
        "Glucose of Maria Kowalczyk",
    ],
)
def test_a_header_that_is_a_value_is_recognized(name: str) -> None:
    assert holds_value(name)


@pytest.mark.parametrize(
    "name", ["patients", "birthDate", "icd10_code", "results_2", "First Name", "kessler_score"]
)
def test_a_header_of_ordinary_words_is_not_taken_for_a_value(name: str) -> None:
    assert not holds_value(name)


def _clinic_columns() -> list[tuple[str, str, str, list[str]]]:
    classes = json.loads((CLINIC / "columns.json").read_text("utf-8"))
    found = []
    for table in ("patients", "contacts", "encounters", "results", "devices", "notes"):
        path = CLINIC / f"{table}.csv"
        delimiter = ";" if table == "contacts" else ","
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file, delimiter=delimiter))
        for header in rows[0]:
            sort = classes[f"{table}.csv"][header]["class"]
            found.append((table, header, sort, [row[header] for row in rows]))
    return found


@pytest.mark.parametrize(("table", "header", "sort", "values"), _clinic_columns())
def test_the_columns_of_the_clinic_have_their_documented_class(
    table: str, header: str, sort: str, values: list[str]
) -> None:
    kinds = {"direct": {"identifier"}, "quasi": {"quasi"}, "text": {"text"}}
    allowed = kinds.get(sort, {"keep", "quasi"} if "tate" in header else {"keep"})
    assert profile(header, values).kind in allowed


@pytest.mark.parametrize("mark", [",", ", ", "^"])
def test_last_and_first_names_under_a_key_header_are_persons(mark: str) -> None:
    names = (
        ("IRON CLOUD", "LELAND"),
        ("MANYGOATS", "WILHELMINA"),
        ("BUTCHER", "FAITH"),
        ("HE", "XIU"),
    )
    assert profile("PT", [mark.join(name) for name in names]).entity == "PERSON"
