"""Addresses of HL7's definitions are kept; addresses with a person's name or number are not."""

from __future__ import annotations

import json

import pytest

from deid.formats.fhir.definitions.published_uris import published
from deid.formats.fhir.json_text import read_json
from deid.formats.fhir.walk import take_resource
from deid.vocabularies import is_code_of

FHIR = "http://hl7.org/fhir"
DEFINITIONS = [
    f"{FHIR}/StructureDefinition/bodyweight",
    f"{FHIR}/StructureDefinition/iso21090-EN-qualifier",
    f"{FHIR}/us/core/StructureDefinition/us-core-patient|6.1.0",
    f"{FHIR}/us/mcode/StructureDefinition/mcode-cancer-patient",
    f"{FHIR}/us/carin-bb/StructureDefinition/C4BB-ExplanationOfBenefit-Inpatient-Institutional|2.0.0",
    f"{FHIR}/us/davinci-hrex/CodeSystem/hrex-temp",
    f"{FHIR}/us/davinci-pdex-plan-net/StructureDefinition/plannet-Practitioner",
    f"{FHIR}/us/ecr/StructureDefinition/eicr-composition|2.1.0-snapshot",
    f"{FHIR}/us/qicore/StructureDefinition/qicore-patient",
    f"{FHIR}/uv/ips/StructureDefinition/Patient-uv-ips",
    f"{FHIR}/ca/baseline/ValueSet/yukon",
    f"{FHIR}/us/carin-bb/CodeSystem/C4BBAdjudication",
    f"{FHIR}/us/carin-bb/StructureDefinition/carin-bb",
    f"{FHIR}/us/davinci-pdex/StructureDefinition/davinci-pdex",
    f"{FHIR}/us/ecr/StructureDefinition/eicr-document-bundle",
    f"{FHIR}/StructureDefinition/iso21090-ADXP-streetName",
    "http://terminology.hl7.org/CodeSystem/CMSplaceofservicecodes",
    "http://terminology.hl7.org/CodeSystem/observation-category",
    "http://terminology.hl7.org/CodeSystem/v2-0203",
    "http://terminology.hl7.org/CodeSystem/v3-ActCode",
    "http://cancerstaging.org",
]


@pytest.mark.parametrize("uri", DEFINITIONS)
def test_addresses_of_published_definitions_are_kept(uri: str) -> None:
    assert published(uri).match


@pytest.mark.parametrize(
    "rest",
    [
        "us/core/StructureDefinition/jane-smith",
        "us/core/StructureDefinition/JaneSmith",
        "us/core/StructureDefinition/Smith",
        "us/core/StructureDefinition/patient-48213",
        "us/core/StructureDefinition/patient-123456",
        "us/core/StructureDefinition/visit-03-14-2019",
        "us/core/StructureDefinition/p-503-555-0147",
        "us/core/StructureDefinition/us-core-patient|Smith",
        "us/core/StructureDefinition/us-core-patient|20190314",
        "us/core/StructureDefinition/us-core-patient/jsmithers",
        "us/smith/StructureDefinition/patient",
        "us/mercyhospital/StructureDefinition/ward3",
        "us/mercyhospital/StructureDefinition/patient",
        "us/core/StructureDefinition/ward3",
        "ValueSet/tjohnson19",
        "ValueSet/mrn-1234-5",
        "ValueSet/ssn-123",
        "ValueSet/jdoe",
        "ValueSet/mark-brown",
        "ValueSet/mary-chart",
        "ValueSet/st-marys",
        "ValueSet/new-york",
        "ValueSet/sunrise-clinic",
        "xx/mcode/StructureDefinition/mcode-cancer-patient",
        "us/mcode/Patient/qjsmithers",
        "Patient/48213377",
        "Zbrzezinkow",
    ],
)
def test_addresses_that_may_name_a_person_are_not(rest: str) -> None:
    assert not published(f"{FHIR}/{rest}").match


@pytest.mark.parametrize("name", ["jkowalski", "toledo-mercy-general", "Kowalski", "v2-02031"])
def test_names_under_the_address_of_the_terminology_are_not_kept(name: str) -> None:
    assert not published(f"http://terminology.hl7.org/CodeSystem/{name}").match


def test_profiles_of_published_guides_are_kept_in_resources() -> None:
    known, other = f"{FHIR}/uv/ips/StructureDefinition/Patient-uv-ips", "http://clinic.example/p/1"
    patient = {"resourceType": "Patient", "meta": {"profile": [known, other]}}
    taken = take_resource(read_json(json.dumps(patient).encode()))
    kinds = {value: locus.profile.kind for locus, value in taken.leaves}
    assert kinds == {known: "keep", other: "identifier"}


def test_codes_of_cancer_stages_are_kept() -> None:
    codes = ("cT2", "pN1mi", "cM0(i+)", "IIIB", "0", "ypTis")
    assert all(is_code_of("http://cancerstaging.org", code) for code in codes)
    assert not is_code_of("http://cancerstaging.org", "Smithers")
