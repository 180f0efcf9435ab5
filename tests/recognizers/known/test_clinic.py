# ruff: noqa: E501 (tables of examples)
"""The clinic: known values of a patient from its tables must not remain in that patient's notes."""

from __future__ import annotations

import csv
import json
import re
from collections import defaultdict
from pathlib import Path

import pytest

from recognizers.known.values import KnownValue, KnownValues
from safe_harbor import Identifier as I

CLINIC = Path(__file__).parents[3] / "corpora" / "clinic"
PATIENT = {
    "mrn": (I.MRNS, ""), "priorMrn": (I.MRNS, ""), "lastName": (I.NAMES, "last"),
    "firstName": (I.NAMES, "first"), "middleName": (I.NAMES, "middle"),
    "nameSuffix": (I.NAMES, "suffix"), "preferredName": (I.NAMES, "preferred"),
    "maidenName": (I.NAMES, "maiden"), "birthDate": (I.DATES, "birth"), "ssn": (I.SSNS, ""),
    "city": (I.PLACES, "city"), "county": (I.PLACES, "county"), "postalCode": (I.PLACES, "zip"),
    "homePhone": (I.PHONES, ""), "cellPhone": (I.PHONES, ""), "emailAddress": (I.EMAILS, ""),
    "memberId": (I.PLANS, ""), "accountNo": (I.ACCOUNTS, ""), "driversLicense": (I.LICENSES, ""),
    "licensePlate": (I.VEHICLES, ""), "deceasedDate": (I.DATES, "death"), "photoFile": (I.PHOTOS, ""),
    "portalUser": (I.URLS, ""), "comments": (I.OTHERS, "comment"),
}  # fmt: skip
CONTACT = {
    "Birth Date": (I.DATES, "birth"), "Street": (I.PLACES, "street"), "Town": (I.PLACES, "city"),
    "Zip Code": (I.PLACES, "zip"), "Phone 1": (I.PHONES, ""), "Phone 2": (I.FAXES, ""),
    "E-mail": (I.EMAILS, ""), "Works For": (I.NAMES, "organization"), "Work Phone": (I.PHONES, ""),
    "Policy / Claim No": (I.ACCOUNTS, ""), "Remarks": (I.OTHERS, "comment"),
}  # fmt: skip
DEVICE = {
    "SerialNo": (I.DEVICES, ""), "LotNo": (I.DEVICES, ""), "UdiCarrier": (I.DEVICES, ""),
    "ImplantDate": (I.DATES, "event"), "FollowUpUrl": (I.URLS, ""), "NetAddress": (I.IPS, ""),
}  # fmt: skip
AGENCIES = {"EMPLOYER", "FORMER EMPLOYER", "SCHOOL", "SHELTER", "FACILITY"}


def rows(name: str, delimiter: str = ",") -> list[dict[str, str]]:
    with (CLINIC / name).open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream, delimiter=delimiter))


def linked() -> dict[str, KnownValues]:
    """Known values by note: the rows that are linked to its patient, and the values in notes.csv."""
    known: dict[str, list[KnownValue]] = defaultdict(list)
    charts: dict[str, str] = {}

    def put(key: str, row: dict[str, str], columns: dict, role: str = "patient") -> None:
        for column, (word, part) in columns.items():
            known[key].append(KnownValue(word, row[column] or "", role, part))

    for row in rows("patients.csv"):
        key = row["patientId"]
        put(key, row, PATIENT)
        street = ", ".join(filter(None, (row["streetAddress"], row["addressLine2"])))
        known[key].append(KnownValue(I.PLACES, street, "patient", "street"))
        charts |= {row[c].lstrip("0"): key for c in ("mrn", "priorMrn") if row[c]}
    for row in rows("contacts.csv", ";"):
        key, role = row["Patient No"], "relative"
        put(key, row, CONTACT, role)
        agency = row["Contact Role"] in AGENCIES
        school = row["Contact Role"] in {"SCHOOL", "SHELTER", "FACILITY"}
        word, part = (
            (I.PLACES, "facility") if school else (I.NAMES, "organization" if agency else "full")
        )
        known[key].append(KnownValue(word, row["Full Name"], role, part))
    for row in rows("encounters.csv"):
        key = row["PAT_ID"]
        for column, word, part in (
            ("VISIT_NO", I.ACCOUNTS, ""), ("ADMIT_TS", I.DATES, "event"), ("GUAR_ACCT", I.ACCOUNTS, ""),
            ("DISCH_TS", I.DATES, "event"), ("AGE_AT_VISIT", I.DATES, "age"),
            ("SITE_NAME", I.PLACES, "facility"), ("ATTENDING_MD", I.NAMES, "full"),
        ):  # fmt: skip
            role = "provider" if word is I.NAMES else "patient"
            known[key].append(KnownValue(word, row[column], role, part))
    for row in rows("results.csv"):
        key = charts[row["mrn"].lstrip("0")]
        for column, word, part in (
            ("accession_no", I.OTHERS, ""), ("collected_on", I.DATES, "event"),
            ("resulted_on", I.DATES, "event"), ("ordering_provider", I.NAMES, "full"),
            ("lab_comment", I.OTHERS, "comment"),
        ):  # fmt: skip
            role = "provider" if word is I.NAMES else "patient"
            known[key].append(KnownValue(word, row[column], role, part))
    for row in rows("devices.csv"):
        put(row["PtId"], row, DEVICE)
    notes = {}
    for row in rows("notes.csv"):
        own = [
            KnownValue(I.NAMES, row["AUTHOR"], "provider", "full"),
            KnownValue(I.DATES, row["WRITTEN_AT"], "patient", "event"),
            KnownValue(I.ACCOUNTS, row["VISIT_NO"]),
        ]
        if row["AUTHOR"] == "Patient":
            own.pop(0)
        notes[row["NOTE_ID"]] = KnownValues((*known[row["PATIENT_ID"]], *own))
    return notes


@pytest.fixture(scope="module")
def gold() -> list[dict]:
    lines = (CLINIC / "notes_gold.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def known() -> dict[str, KnownValues]:
    return linked()


def covered(findings, size: int) -> set[int]:
    return {i for f in findings for i in range(f.start, f.end)}


def test_no_known_span_of_the_clinic_remains(gold, known):
    """Counted by note and label, so that a failure shows no value."""
    left = []
    for note in gold:
        seen = covered(known[note["id"]].find(note["text"]), len(note["text"]))
        for span in note["spans"]:
            places = range(span["start"], span["end"])
            bare = [i for i in places if note["text"][i].isalnum() and i not in seen]
            if span["known"] and bare:
                left.append((note["id"], span["label"], span["start"]))
    assert left == []


def test_other_words_of_the_notes_are_kept(gold, known):
    words = kept = 0
    for note in gold:
        seen = covered(known[note["id"]].find(note["text"]), len(note["text"]))
        tagged = {i for s in note["spans"] for i in range(s["start"], s["end"])}
        for match in re.finditer(r"\w+", note["text"]):
            places = set(range(*match.span()))
            if not places & tagged:
                words += 1
                kept += not places & seen
    assert kept / words >= 0.995


def test_the_last_four_digits_of_one_patient_are_kept_in_the_notes_of_others(gold, known):
    for note in gold:
        seen = covered(known[note["id"]].find(note["text"]), len(note["text"]))
        for match in re.finditer("4471", note["text"]):
            assert note["patient"] != "P001"
            assert not seen & set(range(*match.span()))


@pytest.mark.parametrize("first", ["John", "Jane"])
def test_patients_named_john_or_jane_are_known_by_their_first_name(first):
    known = KnownValues(
        (
            KnownValue(I.NAMES, first, "patient", "first"),
            KnownValue(I.NAMES, "Kowalczyk", "patient", "last"),
        )
    )
    (found,) = known.find(f"Today {first} denies pain.")
    assert (found.start, found.end) == (6, 10)
    assert KnownValues.of({"names": [f"DOE, {first.upper()}"]}).find(f"{first} Doe") == ()


def test_a_patient_with_placeholders_only_has_no_known_name():
    found = KnownValues.of(
        {
            "names": ["UNKNOWN", "N/A", "JOHN DOE", "none", "NULL"],
            "ssns": ["000-00-0000", "999-99-9999"],
            "dates": ["01/01/1900"],
            "phones": ["000-000-0000"],
            "places": ["UNKNOWN", "00000", "VT"],
        }
    ).find("UNKNOWN, JOHN DOE, none, 000-00-0000, 1/1/1900, 000-000-0000, 00000 VT, N/A")
    assert found == ()
