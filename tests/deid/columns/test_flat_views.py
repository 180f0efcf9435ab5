"""Flat views of FHIR: columns named after elements get the same decisions as those elements."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import pytest

from deid.columns.flat_views import flat_view

sys.path.append(str(Path(__file__).parents[2] / "leaks"))
from document_canaries import canaries_left, canary, scrub_folder

PATIENTS = ["id", "gender", "birth_date", "name_family", "name_given", "address_city", "active"]
PATHS = {
    "patients": {
        "id": "Patient.id",
        "birth_date": "Patient.birthDate",
        "name_family": "Patient.name.family",
        "nameGiven": "Patient.name.given",
        "address_postal_code": "Patient.address.postalCode",
        "telecom_value": "Patient.telecom.value",
        "managing_organization_id": "Patient.managingOrganization.reference[Organization]",
        "deceased_date_time": "Patient.deceasedDateTime",
        "contact_name_family": "Patient.contact.name.family",
    },
    "conditions": {
        "id": "Condition.id",
        "patient_id": "Patient.id",
        "subject_reference": "Condition.subject.reference[own]",
        "encounter_id": "Condition.encounter.reference[Encounter]",
        "code_coding_code": "Condition.code.coding.code[published]",
        "code_display": "Condition.code.coding.display",
        "code_system": "Condition.code.coding.system",
        "onset_date_time": "Condition.onsetDateTime",
        "recorder_display": "Condition.recorder.display[Practitioner]",
        "clinicalStatusCode": "Condition.clinicalStatus.coding.code[published]",
        "practitioner_name_family": "Practitioner.name.family",
    },
    "addresses": {
        "patient_id": "Patient.id",
        "use": "Patient.address.use",
        "city": "Patient.address.city",
        "period_start": "Patient.address.period.start",
        "postal_code": "Patient.address.postalCode",
    },
}
OTHERS = [
    ["patient_id", "encounter_id", "start", "stop", "code", "description"],
    ["mrn", "last_name", "first_name", "dob", "sex", "zip"],
    ["person_id", "gender_concept_id", "year_of_birth", "race_concept_id"],
    ["name", "value", "unit", "date"],
    ["", "2", "?"],
]


@pytest.mark.parametrize("name", PATHS)
def test_column_names_map_to_elements(name: str) -> None:
    relative = f"views/patient_{name}.csv" if name == "addresses" else f"views/{name}.csv"
    loci = flat_view(relative, list(PATHS[name]))
    assert [locus and locus.path for locus in loci] == list(PATHS[name].values())


@pytest.mark.parametrize("columns", OTHERS)
def test_other_tables_are_not_taken_for_views(columns: list[str]) -> None:
    assert flat_view("table.csv", columns) == (None,) * len(columns)
    assert not any(flat_view("wide.csv", PATIENTS + ["x"] * 400))


def test_a_view_is_released_as_its_resources_would_be(tmp_path: Path) -> None:
    rows = [
        {
            "id": canary(n), "subject_id": canary(100 + n % 40), "class_code": "AMB",
            "type_coding_code": "99213", "type_coding_system": "http://www.ama-assn.org/go/cpt",
            "type_coding_display": "Office visit", "period_start": "2021-03-04T10:00:00Z",
            "service_provider_display": f"{canary(200 + n % 7).title()} Medical Center",
            "participant_individual_display": f"Dr. Felix {canary(220 + n).title()}",
            "service_provider_id": canary(300 + n % 3), "length_value": str(20 + n % 9),
            "identifier_system": f"http://{canary(310)}.example",
            "reason_code_text": f"Cough, mail {canary(260 + n % 3)}@canary.example",
        }
        for n in range(60)
    ]  # fmt: skip
    rows[7]["type_coding_system"] = f"http://{canary(320)}.example"
    (tmp_path / "in").mkdir()
    with (tmp_path / "in" / "encounter.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    assert scrub_folder(tmp_path / "in", tmp_path / "out").exit_code == 0
    assert canaries_left(tmp_path / "out") == set()
    with (tmp_path / "out" / "encounter.csv").open() as file:
        found = list(csv.DictReader(file))
    systems = [row["type_coding_system"] for row in found]
    assert systems == [*["http://www.ama-assn.org/go/cpt"] * 7, systems[7], *systems[8:]]
    assert systems[8:] == systems[:1] * 52 and "http" not in systems[7]
    kept = ("class_code", "type_coding_code", "type_coding_display", "length_value")
    assert all(
        new[name] == old[name] for new, old in zip(found, rows, strict=True) for name in kept
    )
    assert {row["service_provider_display"] for row in found} == {"[FACILITY]"}
    assert {row["identifier_system"] for row in found} == {"[URL]"}
    assert {row["period_start"] for row in found} == {"2021"}
    assert len({row["service_provider_id"] for row in found}) == 3
    assert len({row["subject_id"] for row in found}) == 40
    assert all("[EMAIL]" in row["reason_code_text"] for row in found)
