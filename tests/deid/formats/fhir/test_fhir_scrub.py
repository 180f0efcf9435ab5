"""FHIR through the whole job, read again by a parser that is independent of this engine."""

from __future__ import annotations

import base64
import csv
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from fhir_samples import RELEASES, everything, parses, resources_of

from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from deid.release.releasing import Release
from deid.residual.residues import is_residue
from deid.text.engine import load_finder

pytest.importorskip("fhir.resources")
DAY = date(2026, 11, 21)
ROOT = Path(__file__).parents[4]
CLINIC = ROOT / "corpora" / "clinic"
BULK = ROOT.parent / "shared" / "data" / "extracts" / "fhir-bulk-10"


def _scrub(folder: Path, out: Path) -> Release:
    job = Job((folder,), out, read_policy("safe_harbor"), DAY)
    return run_job(job, load_finder(DAY))


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _is_clean(release: Release) -> bool:
    manifest = release.manifest
    assert manifest["verdict"]["supported"] == "safe_harbor"
    assert manifest["residual"]["hits"] == 0
    return bool(manifest["records_in"] == manifest["records_out"])


# -- every element of every resource ---------------------------------------------------------------


@pytest.mark.parametrize("fhir_release", RELEASES)
def test_every_resource_still_parses_after_the_job(tmp_path: Path, fhir_release: str) -> None:
    resources = [r for r in everything(fhir_release) if parses(r, fhir_release)]
    assert len(resources) == 2 * len(resources_of(fhir_release))
    (tmp_path / "in").mkdir()
    text = "".join(json.dumps(r) + "\n" for r in resources)
    (tmp_path / "in" / "all.ndjson").write_text(text)
    release = _scrub(tmp_path / "in", tmp_path / "out")
    assert _is_clean(release)
    after = _lines(tmp_path / "out" / "all.ndjson")
    assert [r["resourceType"] for r in after if not parses(r, fhir_release)] == []
    dates = json.dumps(after)
    assert "2019-03" not in dates and "1926" not in dates


# -- a Bundle as Synthea writes it -----------------------------------------------------------------

PERSON = "8c95253e-8ee8-9ae8-6d40-021d702dc78e"
VISIT = "3bd1a1f1-0000-4000-8000-00000000aaaa"
NOTE = (
    "2019-03-14\n\nMarguerite Oyelaran is a 93 year-old woman, seen by Dr. Felix Trantow. MRN "
    "00771234. Lives at 12 Maple Hollow Road, Putney. Call 802-555-0199. Potassium 4.1 mmol/L."
)
_SECRETS = """
Oyelaran Marguerite Trantow Beatrix 0199 0122 Putney Maple 771234 999-12 Quimby Dummerston 1931
2019- hospital.example iVBOR JVBER 42.97 9999912345 8c95253e 3bd1a1f1 onclick
"""


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _extension(name: str, **value: Any) -> dict[str, Any]:
    return {"url": f"http://hl7.org/fhir/StructureDefinition/{name}", **value}


def _coded(code: str) -> dict[str, Any]:
    return {"coding": [{"system": "http://terminology.hl7.org/CodeSystem/v2-0203", "code": code}]}


def _patient() -> dict[str, Any]:
    page = (
        '<div xmlns="http://www.w3.org/1999/xhtml"><p id="Oyelaran">Marguerite <b>Oyelaran</b></p>'
        "<table><tr><td>DOB</td><td>1931-02-03</td></tr></table>"
        '<img src="x" alt="Marguerite"/></div>'
    )
    place = [_part("latitude", 42.97), _part("longitude", -72.52)]
    return {
        "resourceType": "Patient",
        "id": PERSON,
        "text": {"status": "generated", "div": page},
        "extension": [
            _extension("patient-mothersMaidenName", valueString="Quimby"),
            _extension("patient-birthPlace", valueAddress={"city": "Dummerston"}),
            {"url": "http://hospital.example/vip", "valueString": "Marguerite the mayor"},
        ],
        "identifier": [
            {"type": _coded("MR"), "system": "http://hospital.example", "value": "00771234"},
            {"system": "http://hl7.org/fhir/sid/us-ssn", "value": "999-12-3456"},
        ],
        "name": [{"family": "Oyelaran", "given": ["Marguerite", "Anne"], "prefix": ["Mrs."]}],
        "telecom": [{"system": "phone", "value": "802-555-0199"}],
        "gender": "female",
        "birthDate": "1931-02-03",
        "_birthDate": {
            "extension": [_extension("patient-birthTime", valueDateTime="1931-02-03T04:05:06Z")]
        },
        "address": [
            {
                "extension": [_extension("geolocation", extension=place)],
                "line": ["12 Maple Hollow Road"],
                "city": "Putney",
                "state": "VT",
                "postalCode": "05346",
            }
        ],
        "photo": [{"contentType": "image/png", "data": "iVBORw0KGgo="}],
        "contact": [
            {
                "relationship": [{"text": "daughter"}],
                "name": {"family": "Oyelaran", "given": ["Beatrix"]},
                "telecom": [{"system": "phone", "value": "802-555-0122"}],
            }
        ],
        "contained": [
            {"resourceType": "Practitioner", "id": "gp", "name": [{"family": "Trantow"}]}
        ],
        "generalPractitioner": [{"reference": "#gp"}],
    }


def _part(url: str, value: float) -> dict[str, Any]:
    return {"url": url, "valueDecimal": value}


def _clinical() -> list[dict[str, Any]]:
    subject = {"reference": f"urn:uuid:{PERSON}"}
    npi = "Practitioner?identifier=http://hl7.org/fhir/sid/us-npi|9999912345"
    page = "<h1 onclick='x'>Marguerite Oyelaran</h1><p>Seen 2019-03-14</p>"
    attachments = [
        {"contentType": "text/plain", "data": _base64(NOTE), "title": "Marguerite Oyelaran"},
        {"contentType": "text/html", "data": _base64(page)},
        {"contentType": "application/pdf", "data": "JVBERi0xLjQ="},
        {"contentType": "text/plain", "url": "https://hospital.example/00771234.txt"},
    ]
    return [
        {
            "resourceType": "Encounter",
            "id": VISIT,
            "status": "finished",
            "class": {
                "system": "http://terminology.hl7.org/CodeSystem/v3-ActCode",
                "code": "AMB",
            },
            "subject": {**subject, "display": "Mrs. Marguerite Oyelaran"},
            "participant": [{"individual": {"reference": npi, "display": "Dr. Felix Trantow"}}],
            "period": {"start": "2019-03-14T10:00:00-05:00", "end": "2019-03-14T11:00:00-05:00"},
        },
        {
            "resourceType": "Observation",
            "meta": {"lastUpdated": "2019-03-14T12:00:00.000Z", "versionId": "3"},
            "status": "final",
            "code": {"coding": [{"system": "http://loinc.org", "code": "8302-2"}]},
            "subject": subject,
            "encounter": {"reference": f"urn:uuid:{VISIT}"},
            "effectiveDateTime": "2019-03-14",
            "issued": "2019-03-14T10:00:00.123-05:00",
            "valueQuantity": {"value": 171.25, "unit": "cm"},
            "note": [{"authorString": "Felix Trantow", "text": "Marguerite stood on her toes."}],
        },
        {
            "resourceType": "Condition",
            "subject": subject,
            "code": {"text": "high blood pressure, says her daughter Beatrix"},
            "onsetAge": {"value": 92.0, "unit": "years", "code": "a"},
        },
        {
            "resourceType": "DocumentReference",
            "status": "current",
            "subject": subject,
            "date": "2019-03-14T10:00:00.000Z",
            "content": [{"attachment": attachment} for attachment in attachments],
        },
        {
            "resourceType": "Provenance",
            "target": [subject],
            "recorded": "2019-03-14T10:00:00.000Z",
            "agent": [{"who": {"display": "Felix Trantow"}}],
        },
    ]


def _found(entry: dict[str, Any]) -> dict[str, Any]:
    """The entry of a transaction, rewritten as the entry of a search result."""
    link = [{"relation": "self", "url": "https://hospital.example/Patient?name=Oyelaran"}]
    return {name: part for name, part in entry.items() if name != "request"} | {"link": link}


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> tuple[Release, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("bundles")
    entries = [
        {
            "fullUrl": f"urn:uuid:{r.get('id', f'0c000000-0000-4000-8000-00000000000{n}')}",
            "resource": r,
            "request": {"method": "POST", "url": r["resourceType"]},
        }
        for n, r in enumerate([_patient(), *_clinical()])
    ]
    bundle = {"resourceType": "Bundle", "type": "transaction", "entry": entries}
    (folder / "in").mkdir()
    (folder / "in" / "Marguerite_Oyelaran.json").write_text(json.dumps(bundle, indent=2))
    found = bundle | {"type": "searchset", "entry": [_found(entry) for entry in entries]}
    base = "https://ehr.hospital.example/r4/Patient/"
    text = json.dumps(found).replace(f"urn:uuid:{PERSON}", base + PERSON)
    (folder / "in" / "found.json").write_text(text)
    release = _scrub(folder / "in", folder / "out")
    out = sorted((folder / "out").glob("*.json"))
    return release, {p.name: json.loads(p.read_text("utf-8")) for p in out}


def test_a_bundle_is_released_without_secrets_and_parses(
    bundles: tuple[Release, dict[str, Any]],
) -> None:
    release, files = bundles
    assert _is_clean(release)
    assert len(files) == 2 and not any("Oyelaran" in name for name in files)
    for bundle in files.values():
        assert parses(bundle)
        notes = [a.get("data", "") for a in _attachments(bundle)]
        opened = " ".join(base64.b64decode(note).decode() for note in notes)
        text = json.dumps(bundle) + opened
        assert [secret for secret in _SECRETS.split() if secret in text] == []
        assert "Potassium 4.1 mmol/L" in opened
    told = {(t["what"], t["count"]) for t in release.manifest["left_behind"]}
    assert {("binary-attachments", 1), ("photos", 1), ("unknown-extensions", 1)} <= told


def _attachments(bundle: dict[str, Any]) -> list[dict[str, Any]]:
    found = [e["resource"] for e in bundle["entry"]]
    notes = [r for r in found if r["resourceType"] == "DocumentReference"]
    return [content["attachment"] for r in notes for content in r["content"]]


def test_references_still_join(bundles: tuple[Release, dict[str, Any]]) -> None:
    for bundle in bundles[1].values():
        urls = {e["fullUrl"]: e["resource"] for e in bundle["entry"]}
        by_type = {r["resourceType"]: r for r in urls.values()}
        assert urls[by_type["Condition"]["subject"]["reference"]] is by_type["Patient"]
        assert urls[by_type["Observation"]["encounter"]["reference"]] is by_type["Encounter"]
        patient = by_type["Patient"]
        assert patient["generalPractitioner"][0]["reference"] == f"#{patient['contained'][0]['id']}"


def test_clinical_values_of_a_bundle_are_kept(bundles: tuple[Release, dict[str, Any]]) -> None:
    for bundle in bundles[1].values():
        by_type = {e["resource"]["resourceType"]: e["resource"] for e in bundle["entry"]}
        observation, patient = by_type["Observation"], by_type["Patient"]
        assert observation["code"] == {"coding": [{"system": "http://loinc.org", "code": "8302-2"}]}
        assert observation["valueQuantity"] == {"value": 171.25, "unit": "cm"}
        assert observation["effectiveDateTime"] == "2019"
        assert observation["note"][0]["text"] == "[NAME] stood on her toes."
        assert (patient["gender"], patient["address"][0]["state"]) == ("female", "VT")
        assert by_type["Condition"]["onsetAge"]["value"] == 90
        assert by_type["Condition"]["onsetAge"]["comparator"] == ">="


@pytest.mark.parametrize("key", ["ID-66801", "00000000-0000-4000-8000-000000066801"])
def test_the_number_in_a_key_tag_is_not_a_zip_code(key: str) -> None:
    assert is_residue(key) and not is_residue(f"{key} 66801")


# -- the linked clinic, and a bulk export ----------------------------------------------------------


def _birth(patient: dict[str, Any]) -> str:
    """The year of birth, or the extension value that shows that it was pooled."""
    if "birthDate" in patient or "_birthDate" not in patient:
        return str(patient.get("birthDate", ""))
    told = patient["_birthDate"]["extension"]
    assert told[0]["valueCode"] == "masked"
    if len(told) == 1:
        return ""
    assert patient["meta"]["security"][0]["code"] == "AGGRED"
    return str(told[1]["valueString"])


def test_every_expected_value_of_the_clinic_is_met(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in ("patients.ndjson", "patients.csv", "notes.csv"):
        (tmp_path / "in" / name).write_bytes((CLINIC / name).read_bytes())
    assert _is_clean(_scrub(tmp_path / "in", tmp_path / "out"))
    patients = _lines(tmp_path / "out" / "patients.ndjson")
    with (CLINIC / "expected.csv").open(encoding="utf-8") as file:
        expected = [r for r in csv.DictReader(file) if r["table"] == "patients.ndjson"]
    wrong = []
    for row in expected:
        patient = patients[int(row["row"]) - 1]
        address = (patient.get("address") or [{}])[0]
        found = {
            "birthDate": _birth(patient),
            "address[0].postalCode": address.get("postalCode", ""),
            "deceasedDateTime": patient.get("deceasedDateTime", ""),
        }[row["column"]]
        if found not in (row["expected"], row["also_ok"] or row["expected"]):
            wrong.append((row["row"], row["column"]))
    assert len(expected) == 74 and wrong == []
    assert all(parses(patient) for patient in patients)
    with (tmp_path / "out" / "patients.csv").open(encoding="utf-8") as file:
        keys = [row["patientId"].strip("[]") for row in csv.DictReader(file)]
    assert [patient["id"] for patient in patients] == keys


@pytest.mark.skipif(not BULK.is_dir(), reason="the bulk export is not here")
def test_a_bulk_export_is_released_and_parses(tmp_path: Path) -> None:
    """All files of the export, with the first 25 lines of each."""
    (tmp_path / "in").mkdir()
    before: list[dict[str, Any]] = []
    for path in sorted(BULK.glob("*.ndjson")):
        lines = path.read_text("utf-8").splitlines(keepends=True)[:25]
        (tmp_path / "in" / path.name).write_text("".join(lines), "utf-8")
        before += map(json.loads, lines)
    assert _is_clean(_scrub(tmp_path / "in", tmp_path / "out"))
    outputs = sorted((tmp_path / "out").glob("*.ndjson"))
    after = [resource for path in outputs for resource in _lines(path)]
    broken = [r["resourceType"] for r in after if "resourceType" in r and not parses(r)]
    assert broken == []
    patients = [r for r in before if r.get("resourceType") == "Patient"]
    names = {n for p in patients for name in p["name"] for n in (name["family"], *name["given"])}
    text = "".join(path.read_text("utf-8") for path in outputs)
    notes = [r["content"][0]["attachment"]["data"] for r in after if "content" in r]
    text += "".join(base64.b64decode(note).decode() for note in notes)
    keys = {r["id"] for r in before if "id" in r}
    assert [value for value in names | keys if value in text] == []
    assert len(notes) == 25


def test_a_resource_whose_id_is_its_title_is_released(tmp_path: Path) -> None:
    pressure = {
        "resourceType": "Observation",
        "id": "BloodPressure",
        "identifier": [{"value": "BloodPressure"}],
        "status": "final",
        "subject": {"reference": f"Patient/{PERSON}"},
        "code": {"text": "Blood pressure"},
    }
    (tmp_path / "in").mkdir()
    lines = "".join(json.dumps(resource) + "\n" for resource in (_patient(), pressure))
    (tmp_path / "in" / "all.ndjson").write_text(lines)
    assert _is_clean(_scrub(tmp_path / "in", tmp_path / "out"))
    [_, after] = _lines(tmp_path / "out" / "all.ndjson")
    assert after["code"] == {"text": "Blood pressure"}
    assert "BloodPressure" not in json.dumps(after)
