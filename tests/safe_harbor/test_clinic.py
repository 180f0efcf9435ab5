"""Every expected ZIP code, date and age of the linked clinic extract. Failures name places, not
values.
"""

import csv
from datetime import date, datetime

from safe_harbor import (
    AgeAt,
    Born,
    PartialDate,
    bound_birth,
    cap_age,
    read_age,
    read_date,
    year_of,
    zip3,
)

REFERENCE = date(2026, 11, 21)
BIRTHS = {"birthDate", "Birth Date", "PID-7", "IN1-18"}
ZIPS = {"postalCode", "Zip Code", "address[0].postalCode", "PID-11.5", "IN1-19.5"}
AGES = {"AGE_AT_VISIT"}


def kind(column):
    if column in ZIPS or column.startswith("NK1"):
        return "zip"
    if column in AGES:
        return "age"
    return "birth" if column in BIRTHS else "date"


def outcome(row):
    what = kind(row["column"])
    if what == "zip":
        return zip3(row["raw"]).text
    if what == "age":
        return cap_age(row["raw"]).text
    return year_of(row["raw"], REFERENCE, birth=what == "birth")


def place(row):
    return f"{row['table']} row {row['row']} {row['column']}"


def test_every_expected_zip_code_date_and_age_is_met(expected):
    wrong = [place(row) for row in expected if outcome(row) != row["expected"]]
    assert len(expected) > 900
    assert wrong == []


def test_ages_that_show_a_person_over_89_are_found(clinic, expected):
    """The rows whose `also_ok` is 90+ belong to persons now over 89, and no other rows do."""
    births = _births(clinic)
    wrong, checked = [], 0
    for row, visit in zip(_ages(expected), _rows(clinic / "encounters.csv"), strict=True):
        age, born = read_age(row["raw"]), births[visit["PAT_ID"]]
        seen = datetime.fromisoformat(visit["ADMIT_TS"]).date()
        if age is None or age.over_89 or born is None:
            continue
        checked += 1
        told = AgeAt.of(age, PartialDate(seen.year, seen.month, seen.day))
        birth = Born(PartialDate(born.year, born.month, born.day))
        shown = bound_birth([told, birth], REFERENCE).shows_over_89(REFERENCE)
        if shown != (row["also_ok"] == "90+"):
            wrong.append(place(row))
        if shown and not bound_birth([told], REFERENCE).shows_over_89(REFERENCE):
            wrong.append(place(row) + " without the birth date")
    assert checked > 60
    assert wrong == []


def _ages(expected):
    return [row for row in expected if row["column"] == "AGE_AT_VISIT"]


def _rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _births(clinic):
    births = {}
    for patient in _rows(clinic / "patients.csv"):
        found = read_date(patient["birthDate"], REFERENCE, birth=True)
        births[patient["patientId"]] = found.whole if found else None
    return births
