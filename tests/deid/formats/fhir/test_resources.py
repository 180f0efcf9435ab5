"""FHIR read and written: which files are FHIR, what a record and a leaf are, how cells are
written.
"""

from __future__ import annotations

import base64
import json
import pickle
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deid.errors import DeidError
from deid.formats import Record, RecordFault, format_of, open_source
from deid.formats.documents.rtf import read_rtf
from deid.formats.fhir.definitions.element_types import types
from deid.formats.fhir.json_text import JsonError, Style, read_json, write_json
from deid.formats.fhir.render import render_resource
from deid.formats.fhir.resources import FhirSource
from deid.formats.fhir.walk import take_part, take_resource
from deid.vocabularies.lists import read_vocabulary

Through = Callable[..., tuple[Path, tuple[str, ...]]]
PATIENT = {"resourceType": "Patient", "id": "p1", "gender": "female"}
OBSERVATION = (
    '{"resourceType":"Observation","id":"o-1","status":"final","subject":{"reference":"Patient/p1"},'
    '"code":{"coding":[{"system":"http://loinc.org","code":"8302-2","display":"Height"}],'
    '"text":"Height"},"valueQuantity":{"value":171.10,"unit":"cm",'
    '"system":"http://unitsofmeasure.org","code":"cm"},"component":[{"code":{"text":"x"},'
    '"valueQuantity":{"value":1e0}},{"code":{"text":"y"},"valueInteger":2}]}'
)


def _file(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def _numbered(name: str, cell: str | None) -> str | None:
    return "[ID-7]" if cell is not None and ("reference" in name or name.endswith(".id")) else cell


def _sent(through: Through, folder: Path, value: Any, change: Any = None) -> Any:
    """Write a resource as JSON, send it through the format with a change of cells, and parse the
    output.
    """
    path = _file(folder, "r.json", json.dumps(value))
    target, _ = through(path) if change is None else through(path, change)
    return json.loads(target.read_text("utf-8"))


def _loci(resource: dict[str, Any]) -> dict[str, tuple[str, str, str]]:
    taken = take_resource(read_json(json.dumps(resource).encode()))
    return {
        locus.path: (locus.profile.kind, locus.profile.shape, locus.profile.role)
        for locus, _ in taken.leaves
    }


# -- which file, which record ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "format_"),
    [
        ("a.ndjson", json.dumps(PATIENT), "fhir"),
        ("a.jsonl", "\n" + json.dumps(PATIENT), "fhir"),
        ("a.json", json.dumps(PATIENT, indent=2), "fhir"),
        ("a.ndjson", json.dumps({"data": "a" * (1 << 19), **PATIENT}), "fhir"),
        ("log.ndjson", '{"exportId": "x", "timestamp": "2024", "eventId": "kickoff"}', "fhir"),
        ("a.jsonl", json.dumps({"text": '{"resourceType": "Patient"}'}), "jsonl"),
        ("a.jsonl", '{"text": "resourceType"}', "jsonl"),
        ("a.json", '{"name": "x"}', "json"),
        ("a.csv", '"resourceType": "Patient"', "csv"),
    ],
)
def test_json_with_a_resource_type_is_fhir(
    tmp_path: Path, name: str, text: str, format_: str | None
) -> None:
    found = format_of(_file(tmp_path, name, text))
    assert (found.name if found else None) == format_


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_lines_keep_order_keys_and_the_spelling_of_numbers(
    tmp_path: Path, through: Through, mark: bytes
) -> None:
    spaced = json.dumps(json.loads(OBSERVATION.replace("171.10", "7").replace("1e0", "1")))
    for number, line in enumerate((OBSERVATION, spaced)):
        text = f"{line}\n{line.replace('o-1', 'o-2')}\n".encode()
        target, _ = through(_file(tmp_path, f"{number}.ndjson", mark + text))
        assert target.read_bytes() == text


def test_a_bundle_is_read_entry_by_entry(tmp_path: Path, through: Through) -> None:
    entries = [{"fullUrl": f"urn:uuid:{n}", "resource": {**PATIENT, "id": n}} for n in "abc"]
    bundle = {"resourceType": "Bundle", "type": "collection", "entry": entries, "total": 3}
    for number, indent in enumerate((None, 2, 4)):
        path = _file(tmp_path, f"{number}.json", json.dumps(bundle, indent=indent) + "\n")
        records = list(open_source(path).records())
        assert [r.ordinal for r in records] == [1, 2, 3, 4]
        target, _ = through(path, _numbered)
        after = json.loads(target.read_text("utf-8"))
        assert list(after) == list(bundle) and after["total"] == 3
        assert [e["resource"]["id"] for e in after["entry"]] == ["ID-7"] * 3
        lines = path.read_text("utf-8").splitlines()
        assert len(target.read_text("utf-8").splitlines()) == len(lines)


@pytest.mark.parametrize("shell", [{"entry": []}, {}, {"entry": [], "timestamp": "2020"}])
def test_a_bundle_without_entries(tmp_path: Path, through: Through, shell: dict[str, Any]) -> None:
    bundle = {"resourceType": "Bundle", "type": "searchset", **shell}
    for indent in (None, 2):
        path = _file(tmp_path, "b.json", json.dumps(bundle, indent=indent))
        target, _ = through(path)
        after = json.loads(target.read_text("utf-8"))
        assert after.get("entry") == shell.get("entry")


def test_the_only_patient_of_a_bundle_is_the_patient_of_every_record(tmp_path: Path) -> None:
    entries = [{"resource": PATIENT}, {"resource": {"resourceType": "Provenance"}}]
    bundle = {"resourceType": "Bundle", "type": "collection", "entry": entries}
    two = {**bundle, "entry": [*entries, {"resource": {**PATIENT, "id": "p2"}}]}
    new = {"fullUrl": "urn:uuid:p3", "resource": {"resourceType": "Patient"}}
    one = {**bundle, "entry": [new, entries[1]]}
    for value, person in ((bundle, "p1"), (two, None), (one, "p3")):
        source = open_source(_file(tmp_path, "b.json", json.dumps(value)))
        assert {r.patient for r in source.records() if isinstance(r, Record)} == {person}


def test_json_of_several_lines_is_read_by_line(tmp_path: Path) -> None:
    path = _file(tmp_path, "a.json", f"{json.dumps(PATIENT)}\n{OBSERVATION}\n")
    assert len(list(open_source(path).records())) == 2


def test_a_bundle_cut_short_is_refused(tmp_path: Path) -> None:
    whole = json.dumps({"resourceType": "Bundle", "entry": [{"resource": PATIENT}]})
    for broken in (
        whole[:-2],
        whole + "x",
        whole.replace("[{", "[1,{"),
        whole.replace("[{", "[{{"),
    ):
        with pytest.raises(DeidError) as caught:
            list(open_source(_file(tmp_path, "b.json", broken)).records())
        assert caught.value.code in ("broken-json", "no-resource")


# -- what is a leaf --------------------------------------------------------------------------------


def test_no_repr_of_a_resource_shows_a_value(tmp_path: Path) -> None:
    patient = {**PATIENT, "name": [{"family": "Oyelaran"}]}
    source = open_source(_file(tmp_path, "p.ndjson", json.dumps(patient)))
    (record,) = source.records()
    assert "Oyelaran" not in repr(source) + repr(record)
    assert "Oyelaran" not in repr(pickle.dumps(record.skeleton))  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "part",
    [
        {"canary": "x"},
        {"nickname": {"canary": 1}},
        {"extension": [{"url": "http://x.example/canary", "valueString": "canary"}]},
        {"extension": "canary"},
        {"gender": ["canary"]},
        {"name": "canary"},
        {"name": [{"family": {"canary": "canary"}}]},
        {"active": "canary"},
        {"_gender": {"extension": [{"url": "canary", "valueString": "canary"}], "id": "canary"}},
        {"_canary": {"id": "canary"}},
        {"_name": ["canary"]},
        {"photo": [{"contentType": "image/png", "data": "canary=", "title": "canary"}]},
        {"text": {"status": "generated", "div": "<div><img src='canary'/><!-- canary --></div>"}},
        {"text": {"status": "generated", "div": "<div class='canary'>a</div>"}},
        {"maritalStatus": {"resourceType": "canary", "text": "a"}},
        {"multipleBirthInteger": "canary"},
        {"generalPractitioner": [{"reference": "ftp://canary/x"}]},
        {"generalPractitioner": [{"reference": "Canary/1", "type": "canary"}]},
    ],
)
def test_elements_that_no_table_names_are_in_neither_leaves_nor_tree(
    tmp_path: Path, through: Through, part: dict[str, Any]
) -> None:
    after = _sent(through, tmp_path, {**PATIENT, **part})
    assert "canary" not in json.dumps(after).casefold()
    assert after["gender" if "gender" not in part else "id"]


def _spoilt(value: Any, chance: random.Random) -> Any:
    """The value with a canary or a wrong type somewhere inside."""
    if isinstance(value, dict) and value and chance.random() < 0.7:
        name = chance.choice(list(value))
        return {**value, name: _spoilt(value[name], chance)}
    if isinstance(value, list) and value and chance.random() < 0.7:
        return [*value[1:], _spoilt(value[0], chance)]
    if isinstance(value, dict):
        canary = {"url": "canary", "valueString": "canary"}
        odd = [{"canary": "canary"}, {"resourceType": "canary"}, {"extension": [canary, "canary"]}]
        return {**value, **chance.choice([*odd, {f"_{chance.choice([*value, 'x'])}": canary}])}
    return chance.choice(
        [None, True, 7, [value], {"canary": value}, [["canary"]], {"url": "canary"}]
    )


def test_the_tree_of_a_damaged_resource_contains_no_canary() -> None:
    chance = random.Random(7)
    patient = {
        **PATIENT,
        "name": [{"use": "maiden", "given": ["A"], "period": {"start": "2020"}}],
        "maritalStatus": {"coding": [{"system": "http://loinc.org", "code": "1"}], "text": "x"},
        "contained": [{"resourceType": "Observation", "valueQuantity": {"value": 1, "unit": "a"}}],
        "link": [{"other": {"reference": "Patient/2", "identifier": {"value": "3"}}}],
        "photo": [{"contentType": "text/plain", "data": "eA=="}],
        "text": {"status": "generated", "div": "<div>x</div>"},
    }
    whole = 0
    for _ in range(600):
        spoilt: Any = patient
        for _ in range(chance.randint(1, 4)):
            spoilt = _spoilt(spoilt, chance)
        try:
            taken = take_resource(read_json(json.dumps(spoilt).encode()))
        except JsonError:
            continue
        whole += 1
        assert b"canary" not in pickle.dumps(taken.tree)
        render_resource(taken.tree, [value for _, value in taken.leaves])
    assert whole > 300


def test_extensions_are_kept_by_their_url(tmp_path: Path, through: Through) -> None:
    race = {
        "url": "http://hl7.org/fhir/us/core/StructureDefinition/us-core-race",
        "extension": [
            {"url": "text", "valueString": "White"},
            {"url": "secret", "valueString": "canary"},
        ],
    }
    born = {
        "url": "http://hl7.org/fhir/StructureDefinition/patient-birthPlace",
        "valueAddress": {"city": "Putney"},
    }
    patient = {**PATIENT, "extension": [race, born]}
    after = _sent(through, tmp_path, patient)
    assert after["extension"] == [{**race, "extension": race["extension"][:1]}]  # type: ignore[index]
    # The place of birth is not released, but it is a known value of the patient.
    assert "Patient.extension(patient-birthPlace).valueAddress.city" in _loci(patient)


def test_an_unknown_modifier_extension_withholds_the_record(tmp_path: Path) -> None:
    path = _file(tmp_path, "p.ndjson", json.dumps({**PATIENT, "modifierExtension": [{"url": "u"}]}))
    good = json.dumps(PATIENT)
    path.write_text(path.read_text() + "\n" + good)
    first, second = open_source(path).records()
    assert isinstance(first, RecordFault) and first.code == "unknown-modifier"
    assert isinstance(second, Record)


def test_elements_left_behind_are_counted(tmp_path: Path) -> None:
    patient = {
        **PATIENT,
        "extension": [{"url": "u", "valueString": "a"}],
        "other": 1,
        "photo": [{}],
    }
    path = _file(tmp_path, "p.ndjson", json.dumps(patient))
    found = format_of(path)
    told = found.left_behind(path)  # type: ignore[union-attr]
    assert told == {"unknown-extensions": 1, "unnamed-elements": 1, "photos": 1}


@pytest.mark.parametrize(
    ("identifier", "path", "shape"),
    [
        ({"type": {"coding": [{"code": "MR"}]}}, "[MR]", "patient_key"),
        ({"type": {"coding": [{"code": "SS"}]}}, "[SS]", "ssn"),
        ({"type": {"text": "Driver's license number"}}, "[DL]", "license"),
        ({"system": "http://hl7.org/fhir/sid/us-ssn"}, "[SS]", "ssn"),
        ({"system": "urn:oid:2.16.840.1.113883.4.3.25"}, "[DL]", "license"),
        ({"type": {"coding": [{"code": "MB"}]}}, "[MB]", "plan"),
        ({}, "", "patient_key"),
    ],
)
def test_identifiers_by_type(identifier: dict[str, Any], path: str, shape: str) -> None:
    patient = {**PATIENT, "identifier": [{**identifier, "value": "12345"}]}
    assert _loci(patient)[f"Patient.identifier.value{path}"][1] == shape


def test_the_role_says_who_a_value_belongs_to() -> None:
    name = [{"family": "A", "given": ["B", "C"]}]
    found = _loci({**PATIENT, "name": name, "contact": [{"name": name[0]}]})
    assert found["Patient.name.given[middle]"] == ("identifier", "name", "")
    assert found["Patient.contact.name.family"] == ("identifier", "name", "contact")
    doctor = _loci({"resourceType": "Practitioner", "id": "d", "name": name})
    assert doctor["Practitioner.name.family"][2] == "provider"


@pytest.mark.parametrize(
    ("resource", "reference", "shape"),
    [
        ("Encounter", {"subject": {"reference": "Patient/p1"}}, "patient_key"),
        ("Encounter", {"subject": {"reference": "urn:uuid:p1"}}, "patient_key"),
        ("Encounter", {"subject": {"reference": "https://h.example/Patient/p1"}}, "patient_key"),
        ("Encounter", {"subject": {"reference": "Group/g1"}}, "key"),
        ("Encounter", {"subject": {"reference": "#p1"}}, "key"),
        ("Coverage", {"beneficiary": {"reference": "Patient/p1"}}, "patient_key"),
        ("Observation", {"performer": [{"reference": "Patient/p1"}]}, "key"),
        ("Account", {"subject": [{"reference": "Patient/p1"}]}, "patient_key"),
        ("Account", {"subject": [{"reference": f"Patient/{n}"} for n in "12"]}, "key"),
        ("Group", {"member": [{"entity": {"reference": "Patient/p1"}}]}, "key"),
    ],
)  # fmt: skip
def test_only_a_reference_to_the_subject_is_a_patient_key(
    resource: str, reference: dict[str, Any], shape: str
) -> None:
    found = _loci({"resourceType": resource, **reference})
    shapes = {shape for path, (_, shape, _) in found.items() if ".reference" in path}
    assert shapes == {shape}


# -- how it is written again -----------------------------------------------------------------------


# Elements with a required binding (HL7 FHIR R4, 4.0.1) and the code system of its value set.
REQUIRED_BINDINGS = {
    "Account.status": "account-status",
    "Appointment.status": "appointmentstatus",
    "CarePlan.status": "request-status",
    "CarePlan.intent": "request-intent",
    "CareTeam.status": "care-team-status",
    "Communication.status": "event-status",
    "Composition.status": "composition-status",
    "Coverage.status": "fm-status",
    "DetectedIssue.status": "observation-status",
    "Device.udiCarrier.entryType": "udi-entry-type",
    "DeviceRequest.intent": "request-intent",
    "DeviceUseStatement.status": "device-statement-status",
    "DiagnosticReport.status": "diagnostic-report-status",
    "DocumentReference.status": "document-reference-status",
    "Encounter.status": "encounter-status",
    "Encounter.statusHistory.status": "encounter-status",
    "EpisodeOfCare.status": "episode-of-care-status",
    "ExplanationOfBenefit.status": "explanationofbenefit-status",
    "FamilyMemberHistory.status": "history-status",
    "Flag.status": "flag-status",
    "Goal.lifecycleStatus": "goal-status",
    "ImagingStudy.status": "imagingstudy-status",
    "Invoice.status": "invoice-status",
    "List.status": "list-status",
    "Media.status": "event-status",
    "Observation.status": "observation-status",
    "Patient.gender": "administrative-gender",
    "Procedure.status": "event-status",
    "QuestionnaireResponse.status": "questionnaire-answers-status",
    "RiskAssessment.status": "observation-status",
    "ServiceRequest.intent": "request-intent",
    "ServiceRequest.priority": "request-priority",
    "ServiceRequest.status": "request-status",
    "Slot.status": "slotstatus",
    "Specimen.status": "specimen-status",
    "SupplyDelivery.status": "supplydelivery-status",
    "SupplyRequest.status": "supplyrequest-status",
    "Task.status": "task-status",
}
# Codes that a value set of R4 leaves out of its code system.
OUTSIDE_THE_VALUE_SET = {
    "CarePlan.intent": {
        "original-order", "reflex-order", "filler-order", "instance-order"
    },
}  # fmt: skip


@pytest.mark.parametrize(("path", "system"), REQUIRED_BINDINGS.items())
def test_every_code_of_a_required_binding_is_kept(path: str, system: str) -> None:
    owner, _, name = path.rpartition(".")
    rows = read_vocabulary("lists")
    (codes,) = (row["codes"] for row in rows if row["list"] == f"http://hl7.org/fhir/{system}")
    left = set(codes.split("|")) - OUTSIDE_THE_VALUE_SET.get(path, set())
    assert left <= types()[owner][name].codes


def test_no_closed_list_of_codes_is_cut() -> None:
    listed = {c for of in types().values() for element in of.values() for c in element.codes}
    assert all(re.fullmatch(r"[A-Za-z0-9-]+", code) for code in listed)
    task = {"resourceType": "Task", "id": "t", "status": "completed", "intent": "order"}
    assert "Task.status[unlisted]" not in _loci(task)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Patient/p1", "Patient/ID-7"),
        ("Patient/p1/_history/2", "Patient/ID-7"),
        ("#p1", "#ID-7"),
        ("urn:uuid:p1", "urn:uuid:00000000-0000-4000-8000-000000000007"),
        ("urn:oid:1.2.3", "urn:uuid:00000000-0000-4000-8000-000000000007"),
        ("https://ehr.example/r4/Patient/p1", "https://fhir.invalid/Patient/ID-7"),
        (
            "Practitioner?identifier=http://hl7.org/fhir/sid/us-npi|99",
            "Practitioner?identifier=http://hl7.org/fhir/sid/us-npi|ID-7",
        ),
        ("Practitioner?identifier=http%3A%2F%2Fx.example%7C99", "Practitioner?identifier=ID-7"),
        ("Practitioner?name=Oyelaran", None),
        ("Oyelaran/p1", None),
        ("see Oyelaran", None),
    ],
)
def test_references_keep_their_form(
    tmp_path: Path, through: Through, before: str, after: str | None
) -> None:
    encounter = {
        "resourceType": "Encounter",
        "status": "finished",
        "subject": {"reference": before},
    }
    sent = _sent(through, tmp_path, encounter, _numbered)
    assert sent.get("subject", {}).get("reference") == after
    assert "Oyelaran" not in json.dumps(sent)


def _to(cell: str) -> Callable[[str, str | None], str | None]:
    return lambda name, value: value if value is None or "[" in name else cell


@pytest.mark.parametrize(
    ("element", "value", "cell", "told"),
    [
        ("birthDate", "1931-02-03", "90+", "90+"),
        ("birthDate", "1971-02-03", "[DATE]", None),
        ("deceasedDateTime", "2019-03-14T10:00:00Z", "[DATE]", None),
        ("multipleBirthInteger", 2, "[OTHERID]", None),
    ],
)
def test_a_value_that_its_type_does_not_allow_is_masked(
    tmp_path: Path, through: Through, element: str, value: Any, cell: str, told: str | None
) -> None:
    after = _sent(through, tmp_path, {"resourceType": "Patient", element: value}, _to(cell))
    extensions = after[f"_{element}"]["extension"]
    assert element not in after
    assert extensions[0]["valueCode"] == "masked"
    assert [e.get("valueString") for e in extensions[1:]] == ([told] if told else [])
    assert ("meta" in after) == (told == "90+")


def test_the_year_of_an_instant_is_written_in_an_extension(
    tmp_path: Path, through: Through
) -> None:
    meta = {"lastUpdated": "2019-03-14T10:00:00Z"}
    after = _sent(through, tmp_path, {"resourceType": "Patient", "meta": meta}, _to("2019"))
    assert after["meta"]["_lastUpdated"]["extension"][1]["valueString"] == "2019"


@pytest.mark.parametrize(
    ("condition", "path", "pooled"),
    [
        ({"onsetAge": {"value": 92, "unit": "years", "code": "a"}}, "onsetAge.value[years]", True),
        ({"onsetAge": {"value": 1100, "unit": "mo"}}, "onsetAge.value[months]", True),
        ({"onsetAge": {"value": 3}}, "onsetAge.value[years]", True),
        (
            {"onsetRange": {"low": {"value": 91, "unit": "yr"}}},
            "onsetRange.low.value[years]",
            False,
        ),
    ],
)
def test_ages_over_89_in_a_condition_are_pooled(
    tmp_path: Path, through: Through, condition: dict[str, Any], path: str, pooled: bool
) -> None:
    resource = {"resourceType": "Condition", **condition}
    assert _loci(resource)[f"Condition.{path}"][0] == "quasi"
    after = _sent(through, tmp_path, resource, lambda n, c: "90+" if "value[" in n else c)
    if pooled:
        assert after["onsetAge"] | {"value": 90, "comparator": ">="} == after["onsetAge"]
        assert after["onsetAge"].get("unit", "years") == "years"
    else:
        assert "91" not in json.dumps(after)


def test_answers_to_a_question_about_age_are_ages() -> None:
    item = {"linkId": "1", "text": "What is your age?", "answer": [{"valueInteger": 93}]}
    found = _loci({"resourceType": "QuestionnaireResponse", "item": [item]})
    assert found["QuestionnaireResponse.item.answer.valueInteger[years]"][1] == "age_years"
    coded = {"code": {"coding": [{"code": "30525-0"}]}, "valueQuantity": {"value": 93}}
    found = _loci({"resourceType": "Observation", **coded})
    assert found["Observation.valueQuantity.value[years]"][1] == "age_years"


def test_a_narrative_without_text_is_removed(tmp_path: Path) -> None:
    patient = {**PATIENT, "text": {"status": "generated", "div": "<div>Ann</div>"}}
    taken = take_resource(patient)
    assert render_resource(taken.tree, [None] * len(taken.leaves)) == {
        "resourceType": "Patient",
        "gender": "female",
    }


def test_required_elements_are_masked_and_not_removed(tmp_path: Path, through: Through) -> None:
    masked = [
        {
            "url": "http://hl7.org/fhir/StructureDefinition/data-absent-reason",
            "valueCode": "masked",
        }
    ]
    link = {"other": {"reference": "see Ann"}, "type": "refer"}
    after = _sent(through, tmp_path, {**PATIENT, "link": [link]})
    assert after["link"] == [{"other": {"extension": masked}, "type": "refer"}]
    shot = {"resourceType": "Immunization", "occurrenceDateTime": "1930-01-01"}
    after = _sent(through, tmp_path, shot, _to("90+"))
    assert after["occurrenceString"] == "90+" and "occurrenceDateTime" not in after


def _note(text: str, kind: str = "text/plain", charset: str = "utf-8") -> dict[str, Any]:
    data = base64.b64encode(text.encode(charset)).decode()
    attachment = {"contentType": f"{kind}; charset={charset}", "data": data, "size": 3}
    return {"resourceType": "DocumentReference", "content": [{"attachment": attachment}]}


@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "utf-16"])
def test_base64_notes_are_decoded_and_encoded_again(
    tmp_path: Path, through: Through, charset: str
) -> None:
    def change(name: str, cell: str | None) -> str | None:
        return cell and cell.replace("Zoë", "[NAME]")

    after = _sent(through, tmp_path, _note("Zoë is well", charset=charset), change)
    attachment = after["content"][0]["attachment"]
    assert base64.b64decode(attachment["data"]).decode(charset) == "[NAME] is well"


def test_rtf_notes_are_rewritten(tmp_path: Path, through: Through) -> None:
    def change(name: str, cell: str | None) -> str | None:
        return cell and cell.replace("John Roe", "[NAME]")

    note = _note(r"{\rtf1{\info{\author Ann}}Jo{\b hn} Roe is well\par}", "application/rtf")
    after = _sent(through, tmp_path, note, change)
    data = base64.b64decode(after["content"][0]["attachment"]["data"])
    assert read_rtf(data).text == "[NAME] is well" and b"Ann" not in data


def test_html_notes_keep_their_blocks_only(tmp_path: Path, through: Through) -> None:
    page = "<html><head><title>Ann</title></head><p id='Ann'>A &lt; <b>B</b></p><ul><li>C</ul>"
    after = _sent(through, tmp_path, _note(page, "text/html"))
    text = base64.b64decode(after["content"][0]["attachment"]["data"]).decode()
    assert "<p>A &lt; B</p><ul><li>C</li></ul>" in text and "Ann" not in text


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("application/pdf", "JVBERi0xLjQ="),
        ("text/plain", "JVBERi0xLjQ="),
        ("text/plain", "AAEC"),
        ("text/plain", "not base64!"),
        ("text/rtf", "e1xydGY="),
        ("application/xml", "PGE+PC9hPg=="),
        (None, "QW5u"),
    ],
)
def test_attachments_that_are_not_clearly_text_are_withheld(
    tmp_path: Path, through: Through, kind: str | None, data: str
) -> None:
    attachment = {"contentType": kind, "data": data} if kind else {"data": data}
    resource = {"resourceType": "DocumentReference", "content": [{"attachment": attachment}]}
    after = _sent(through, tmp_path, resource, lambda n, c: "[OTHERID]" if c == "bytes" else c)
    assert data not in json.dumps(after)


@pytest.mark.parametrize(
    ("div", "text"),
    [
        ("<div>Ann <b>Lee</b></div>", "Ann Lee"),
        ("<div><p>Ann Lee</p><p>well &amp; fine</p></div>", "Ann Lee\nwell & fine"),
        ("<div><p>Ann</p><p>Lee</p>!</div>", "Ann\nLee\n!"),
        ("<div><p>one<p>two</div></div><i>three", "one\ntwo\nthree"),
    ],
)
def test_narratives_are_read_as_text_and_written_as_xhtml(
    tmp_path: Path, through: Through, div: str, text: str
) -> None:
    patient = {**PATIENT, "text": {"status": "generated", "div": div}}
    taken = take_resource(patient)
    assert [value for locus, value in taken.leaves if locus.path == "Patient.text.div"] == [text]
    sent = _sent(through, tmp_path, patient, lambda n, c: "a\nb < c" if n.endswith("div") else c)
    assert sent["text"]["div"].startswith('<div xmlns="http://www.w3.org/1999/xhtml">')
    assert "b &lt; c" in sent["text"]["div"]


def test_codes_of_closed_lists_are_not_leaves_and_unlisted_codes_are() -> None:
    listed = _loci({"resourceType": "Patient", "gender": "female"})
    other = _loci({"resourceType": "Patient", "gender": "Oyelaran"})
    assert listed == {} and other["Patient.gender[unlisted]"][0] == "keep"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("text/plain; charset=utf-8", "text/plain; charset=utf-8"),
        ("application/pdf; name=Oyelaran.pdf", "application/pdf"),
        ("text/plain; charset=Oyelaran", "text/plain"),
        ("Oyelaran", None),
    ],
)
def test_a_file_name_is_removed_from_a_content_type(
    tmp_path: Path, through: Through, before: str, after: str | None
) -> None:
    attachment = {"contentType": before, "title": "a"}
    note = {"resourceType": "DocumentReference", "content": [{"attachment": attachment}]}
    sent = _sent(through, tmp_path, note)["content"][0]["attachment"]
    assert sent.get("contentType") == after


@pytest.mark.parametrize(
    ("title", "path"),
    [
        ("Oyelaran_Marguerite.pdf", "[file]"),
        ("scan0001.pdf", "[file]"),
        ("C:\\scans of 2019\\a", "[file]"),
        ("History and physical", ""),
        ("Follow-up of Ann Lee", ""),
    ],
)
def test_a_title_that_is_a_file_name_is_an_identifier(title: str, path: str) -> None:
    note = {"attachment": {"title": title}}
    found = _loci({"resourceType": "DocumentReference", "content": [note]})
    assert f"DocumentReference.content.attachment.title{path}" in found


@pytest.mark.parametrize(
    ("resource", "reference", "what"),
    [
        ("Observation", {"performer": [{"display": "Ann Lee"}]}, ("name", "provider")),
        ("Coverage", {"payor": [{"display": "Medicare"}]}, ("facility", "provider")),
        ("Encounter", {"subject": {"display": "Ann Lee"}}, ("name", "")),
        ("Procedure", {"reasonReference": [{"display": "a fall"}]}, ("text", "")),
        ("Appointment", {"participant": [{"actor": {"display": "Ann Lee"}}]}, ("name", "provider")),
        ("Composition", {"section": [{"entry": [{"display": "Lee"}]}]}, ("name", "provider")),
    ],
)
def test_a_display_is_classified_by_what_its_reference_may_name(
    resource: str, reference: dict[str, Any], what: tuple[str, str]
) -> None:
    ((_, shape, role),) = _loci({"resourceType": resource, **reference}).values()
    assert (shape, role) == what


def test_a_binary_has_the_key_of_its_document(tmp_path: Path) -> None:
    note = {"attachment": {"url": "Binary/note-1"}}
    found = _loci({"resourceType": "DocumentReference", "content": [note]})
    assert found["DocumentReference.content.attachment.url[Binary]"][1] == "account"
    assert _loci({"resourceType": "Binary", "id": "note-1"})["Binary.id"][1] == "account"


def test_an_identifier_that_is_a_urn_is_replaced_by_a_urn(tmp_path: Path, through: Through) -> None:
    identifier = [{"system": "urn:ietf:rfc:3986", "value": "urn:uuid:0a0b"}]
    document = {"resourceType": "DocumentReference", "identifier": identifier}
    sent = _sent(through, tmp_path, document, lambda n, c: "[ID-7]" if n.endswith("value") else c)
    assert sent["identifier"][0]["value"] == "urn:uuid:00000000-0000-4000-8000-000000000007"


def test_a_line_of_a_bulk_log_is_read_by_its_elements() -> None:
    taken = take_part({"exportId": "x", "eventId": "kickoff"}, "BulkLog")
    assert [locus.path for locus, _ in taken.leaves] == ["BulkLog.exportId", "BulkLog.eventId"]


def test_numbers_keep_their_spelling() -> None:
    text = '{"a": [1.0, 1.00, 1e0, 12345678901234567890, -0.10], "b": null, "c": "\\u00e9"}'
    value = read_json(text.encode())
    assert write_json(value, Style(", ", ": ")) == text.replace("\\u00e9", "é")


@pytest.mark.parametrize("odd", ["TEXT/PLAIN", "letter.txt", 7, {"x": 1}])
@pytest.mark.parametrize("first", [True, False])
def test_an_element_left_out_of_one_record_is_kept_in_others(
    tmp_path: Path, odd: object, first: bool
) -> None:
    order = (odd, "text/plain") if first else ("text/plain", odd)
    lines = [
        json.dumps(
            {
                "resourceType": "DocumentReference",
                "status": "current",
                "content": [{"attachment": {"contentType": told, "title": "x"}}],
            }
        )
        for told in order
    ]
    path = tmp_path / "a.ndjson"
    path.write_text("\n".join(lines), "utf-8")
    source = open_source(path)
    column = source.columns.index("DocumentReference.content.attachment.contentType")
    seen = [record.cells[column] for record in source.records() if isinstance(record, Record)]
    assert sorted(map(str, seen)) == ["None", "text/plain"]
    assert isinstance(source, FhirSource)
    locus = source.loci[column]
    assert locus is not None and locus.profile.kind == "keep"
