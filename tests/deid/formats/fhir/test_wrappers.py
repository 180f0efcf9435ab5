"""FHIR within other JSON: CDS Hooks, envelopes and lists. Only the resources and the form leave."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from deid.formats import open_source
from deid.formats.contract import Record, RecordFault
from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from deid.text.engine import load_finder

DAY = date(2026, 11, 21)
MRN, SURNAME, TOKEN = "88120447", "Oyelaran", "tok-Zbrezow-551"
HEMOGLOBIN = {
    "resourceType": "Observation",
    "id": "o1",
    "status": "final",
    "code": {"coding": [{"system": "http://loinc.org", "code": "718-7", "display": "Hemoglobin"}]},
    "subject": {"reference": f"Patient/{MRN}"},
    "valueQuantity": {"value": 7.2, "unit": "g/dL"},
}


def _patient(key: str = MRN, surname: str = SURNAME) -> dict[str, Any]:
    return {
        "resourceType": "Patient",
        "id": key,
        "gender": "female",
        "birthDate": "1961-07-04",
        "name": [{"family": surname, "given": ["Thessaly"]}],
    }


def _hook_request() -> dict[str, Any]:
    return {
        "hook": "order-sign",
        "hookInstance": "d1577c69-dfbe-44ad-ba6d-3e05e953b2ea",
        "fhirServer": f"https://fhir.{SURNAME}.example/{MRN}",
        "fhirAuthorization": {"access_token": TOKEN, "expires_in": 300, "token_type": "Bearer"},
        SURNAME: {"note": SURNAME},
        MRN: [MRN, int(MRN), None],
        "context": {
            "userId": "Practitioner/zbrezow7",
            "patientId": MRN,
            "selections": [f"Observation/{SURNAME}"],
            "draftOrders": {
                "resourceType": "Bundle",
                "type": "collection",
                "entry": [{"resource": HEMOGLOBIN}],
            },
        },
        "prefetch": {"patient": _patient(), "none": None},
        "cards": [
            {
                "summary": f"Please call Thessaly {SURNAME}",
                "label": SURNAME,
                "description": "Order review",
                "indicator": "info",
                "uuid": f"u-{MRN}",
            },
        ],
    }


def _released(tmp_path: Path, name: str, text: str) -> str:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / name).write_text(text, "utf-8")
    job = Job((tmp_path / "in",), tmp_path / "out", read_policy("safe_harbor"), DAY)
    release = run_job(job, load_finder(DAY))
    assert release.manifest["quarantined"] == 0
    [released] = [path for path in (tmp_path / "out").iterdir() if path.is_file()]
    return released.read_text("utf-8")


def _holds_planted(text: str) -> bool:
    planted = (MRN, SURNAME, TOKEN, "d1577c69", "zbrezow7", "1961-07", "300", "Thessaly")
    return any(value.casefold() in text.casefold() for value in planted)


def test_a_hook_request_keeps_its_resources_and_its_form(tmp_path: Path) -> None:
    text = _released(tmp_path, "hook.json", json.dumps(_hook_request()))
    after = json.loads(text)
    assert not _holds_planted(text)
    assert after["hook"] == "order-sign" and after["cards"][0]["indicator"] == "info"
    assert after["cards"][0]["summary"] == "Please call [NAME]"
    assert after["cards"][0]["description"] == "Order review"
    [entry] = after["context"]["draftOrders"]["entry"]
    assert entry["resource"]["code"] == HEMOGLOBIN["code"]
    patient = after["prefetch"]["patient"]
    assert patient["birthDate"] == "1961"
    assert entry["resource"]["subject"]["reference"] == f"Patient/{patient['id']}"


def test_a_list_of_resources_has_a_record_for_each(tmp_path: Path) -> None:
    items = [_patient(), _patient("88120448", "Quorblatt"), HEMOGLOBIN]
    text = _released(tmp_path, "list.json", json.dumps(items, indent=2))
    after = json.loads(text)
    assert [r["resourceType"] for r in after] == ["Patient", "Patient", "Observation"]
    assert after[2]["valueQuantity"] == {"value": 7.2, "unit": "g/dL"}
    assert not _holds_planted(text) and "Quorblatt" not in text


def test_lines_around_resources_are_read_as_envelopes(tmp_path: Path) -> None:
    line = json.dumps({"resource": _patient(), "source": SURNAME, "loaded": "2024-05-06"})
    text = _released(tmp_path, "lines.ndjson", f"{line}\n{line}\n")
    after = [json.loads(line) for line in text.splitlines()]
    assert [sorted(line) for line in after] == [["resource"], ["resource"]]
    assert not _holds_planted(text) and "2024-05" not in text


@pytest.mark.parametrize(
    "value",
    [
        {"resource": {"resourceType": "NoSuchType", "name": SURNAME}},
        {"resource": {"resourceType": 7}, "note": '"resourceType": "Patient"'},
        [{"metadata": SURNAME}, {"resourceType": "NoSuchType"}],
    ],
)
def test_a_wrapper_without_a_known_resource_is_withheld(tmp_path: Path, value: Any) -> None:
    path = tmp_path / "other.ndjson"
    path.write_text(json.dumps(_patient()) + "\n" + json.dumps(value) + "\n", "utf-8")
    _, second = open_source(path).records()
    assert isinstance(second, RecordFault)


def test_one_unknown_resource_withholds_its_whole_wrapper(tmp_path: Path) -> None:
    broken = {"good": _patient(), "bad": {"resourceType": "NoSuchType", "name": SURNAME}}
    path = tmp_path / "other.ndjson"
    path.write_text(json.dumps(_patient()) + "\n" + json.dumps(broken) + "\n", "utf-8")
    first, second = open_source(path).records()
    assert isinstance(first, Record)
    assert isinstance(second, RecordFault) and second.code == "unknown-resource"


def test_numbers_and_names_along_a_path_are_no_keys(tmp_path: Path) -> None:
    paths = [("age", "97"), ("patient", "12"), ("room", "14"), ("bill", "price"), ("dr", "hand")]
    wrapper = {first: {second: HEMOGLOBIN} for first, second in paths}
    after = json.loads(_released(tmp_path, "keys.json", json.dumps(wrapper)))
    assert {next(iter(below)) for below in after.values()} == {"key_1"}


def test_short_titles_with_digits_are_left_out(tmp_path: Path) -> None:
    labels = ["Bed 14", "1931", "Room 12", "age 97", "44301", "Order review"]
    wrapper = {"prefetch": {"o": HEMOGLOBIN}, "cards": [{"label": label} for label in labels]}
    after = json.loads(_released(tmp_path, "cards.json", json.dumps(wrapper)))
    assert after["cards"] == [{"label": "Order review"}]


def test_the_description_of_a_location_is_a_facility(tmp_path: Path) -> None:
    place = {"resourceType": "Location", "id": "l1", "description": "POC--Room-2--Greenland"}
    text = _released(tmp_path, "place.json", json.dumps(place))
    assert "Greenland" not in text and "Room" not in text
