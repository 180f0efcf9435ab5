"""A surname in a field for codes is not released: tested for every field of HL7 v2 and FHIR and the
coded fields of C-CDA. The codes of a common message are released.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator
from datetime import date
from importlib.resources import files
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from deid.formats import Record, open_source
from deid.formats.fhir.definitions.element_types import (
    PRIMITIVE_TYPES,
    Element,
    resource_types,
    types,
)
from deid.formats.hl7v2.loci import is_composite, same_type
from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from recognizers import Finder, conforms

DAY = date(2026, 11, 21)
MSH = "MSH|^~\\&|APP|FAC|||202611210800||ORU^R01^ORU_R01|M1|P|2.5.1"
PID = "PID|1||00402817^^^F^MR||Oyelaran^Thessaly||19760614|F"
_SYLLABLES = ("zbrez", "quor", "vlim", "xand", "thrub", "kovj", "mrel", "gzuk", "dworz", "pliv")
_CANARY = re.compile(rf"(?:{'|'.join(_SYLLABLES)})+ow", re.IGNORECASE)
Spell = Callable[[str], str]
SPELLINGS: tuple[Spell, ...] = (str, str.upper, lambda name: f"{name} allergy")


def _names(spell: Spell) -> Iterator[str]:
    """Invented surnames, all different, so that one place reveals nothing about another."""
    for number in count(1):
        yield spell("".join(_SYLLABLES[int(d)] for d in str(number)).capitalize() + "ow")


def _kept_canaries(path: Path) -> set[tuple[str, str]]:
    """The places where a canary is in a kept cell whose shape does not refuse it."""
    source: Any = open_source(path)
    found = set()
    for record in source.records():
        assert isinstance(record, Record)
        for name, locus, cell in zip(source.columns, source.loci, record.cells, strict=True):
            if not cell or locus is None or not _CANARY.search(cell):
                continue
            shape = locus.profile.shape
            if locus.profile.kind == "keep" and (not shape or conforms(shape, cell)):
                found.add((name, shape))
    return found


# -- HL7 v2 --------------------------------------------------------------------------------------


def _fields() -> dict[str, list[str]]:
    """The types of the fields of every segment, in order."""
    text = (files("deid.formats.hl7v2") / "types.csv").read_text("utf-8")
    found: dict[str, dict[int, str]] = {}
    for row in csv.DictReader(text.splitlines()):
        found.setdefault(row["name"], {})[int(row["part"])] = row["type"]
    return {
        name: [told.get(part, "ST") for part in range(1, max(told) + 1)]
        for name, told in found.items()
    }


FIELDS = _fields()
TYPES = {kind for fields in FIELDS.values() for kind in fields}
SEGMENTS = sorted(
    name
    for name in FIELDS
    if re.fullmatch(r"[A-Z][A-Z0-9]{2}", name)
    and name not in TYPES | {"FHS", "BHS", "BTS", "FTS", "MSH"}
)


def _filled(kind: str, names: Iterator[str], signs: str = "^&") -> str:
    """A value of a type with a surname in every component."""
    if not signs or not is_composite(kind):
        return next(names)
    parts = FIELDS[same_type(kind)]
    return signs[0].join(_filled(part, names, signs[1:]) for part in parts)


# Eight segments at a time in every spelling, so that the tables of their fields are read only once.
GROUPS = [SEGMENTS[start : start + 8] for start in range(0, len(SEGMENTS), 8)]
each_group = pytest.mark.parametrize("group", GROUPS, ids=lambda group: f"{group[0]}-{group[-1]}")


def _rows(group: list[str], values: Iterator[str]) -> list[str]:
    """The segments, a value in every component of every field."""
    return [f"{name}|" + "|".join(_filled(kind, values) for kind in FIELDS[name]) for name in group]


def test_the_segments_have_more_than_ten_thousand_fields() -> None:
    text = "\r".join(row for group in GROUPS for row in _rows(group, _names(str)))
    assert len(_CANARY.findall(text)) > 10_000


@each_group
def test_no_field_of_a_message_keeps_a_surname(tmp_path: Path, group: list[str]) -> None:
    for number, spell in enumerate(SPELLINGS):
        names, path = _names(spell), tmp_path / f"{number}.hl7"
        head = [_filled(kind, names) for kind in FIELDS["MSH"][2:]]
        rows = ["|".join(["MSH|^~\\&", *head]), *_rows(group, names)]
        path.write_text("\r".join(rows) + "\r", "utf-8", newline="")
        assert _kept_canaries(path) == set()


@pytest.mark.parametrize(
    "kind", ["NM", "CWE", "SN", "ID", "IS", "NA", "MA", "MO", "CQ", "CP", "RP"]
)
def test_no_type_of_result_keeps_a_surname(tmp_path: Path, kind: str) -> None:
    names, path = _names(str), tmp_path / "m.hl7"
    row = f"OBX|1|{kind}|{next(names)}^{next(names)}^LN||{_filled(kind, names)}|{next(names)}"
    path.write_text(f"{MSH}\r{PID}\r{row}|{next(names)}|{next(names)}\r", "utf-8", newline="")
    assert _kept_canaries(path) == set()


NUMBERS: tuple[tuple[Callable[[int], str], int], ...] = (
    (lambda n: f"{1 + n % 12}/{1 + n % 28}/{10 + n % 89}", 0),
    (lambda n: f"{1 + n % 28}-Jul-{10 + n % 89}", 0),
    (lambda n: f"19{10 + n % 89}{1 + n % 12:02}{1 + n % 28:02}", 0),
    (lambda n: f"(503)555-{n % 10_000:04}", 0),
    # A terminology of the site may have long numbers as codes, but nothing else may.
    (lambda n: f"{48_213_377 + n}", 1),
)


@each_group
def test_no_field_of_a_message_keeps_a_date_or_an_identifier_number(
    tmp_path: Path, group: list[str]
) -> None:
    for number, (spelled, code) in enumerate(NUMBERS):
        path = tmp_path / f"{number}.hl7"
        rows = [MSH, *_rows(group, map(spelled, count()))]
        path.write_text("\r".join(rows) + "\r", "utf-8", newline="")
        kept = _coded_and_kept(path)
        own = {name for name in kept if code and re.search(r"\.(?:1|4|10)$", name)}
        assert {name for name in kept - own if not name.startswith(("MSH", "SFT"))} == set()


def _coded_and_kept(path: Path) -> set[str]:
    """The places of values that are kept as codes of an unknown list."""
    source: Any = open_source(path)
    kept = set()
    for record in source.records():
        for name, locus, cell in zip(source.columns, source.loci, record.cells, strict=True):
            shape = locus.profile.shape if locus is not None else "unsure"
            if cell and shape == "coded" and locus.profile.kind == "keep" and conforms(shape, cell):
                kept.add(name)
    return kept


def test_the_codes_of_a_common_message_are_kept(tmp_path: Path) -> None:
    rows = [
        MSH,
        f"{PID}||2106-3^White^CDCREC|||||en^English^ISO639|M^Married^HL70002|CAT^Catholic^HL70006",
        "NK1|1|Roe^Jo|SPO^Spouse^HL70063||||C^Emergency Contact^HL70131",
        "PV1|1|I|W^1^2|E|||||| |MED",
        "OBR|1|||24323-8^Comprehensive metabolic 2000 panel^LN^CMP14^Comp Metabolic Panel^L",
        "OBX|1|NM|2345-7^Glucose^LN^GLU7^Glucose^L||182|mg/dL|70-99|H^High^HL70078|||F",
        "AL1|1|DA|7980^Penicillin G^RXNORM|SV^Severe^HL70128",
        "DG1|1||J45.909^Unspecified asthma, uncomplicated^I10|||A",
    ]
    path = tmp_path / "m.hl7"
    path.write_text("\r".join(rows) + "\r", "utf-8", newline="")
    source: Any = open_source(path)
    assert not [name for name in source.columns if name.endswith("[unlisted]")]


# -- FHIR ----------------------------------------------------------------------------------------

_SYSTEMS = (
    "http://loinc.org",
    "http://snomed.info/sct",
    "http://unitsofmeasure.org",
    "http://hl7.org/fhir/sid/icd-10-cm",
    "http://terminology.hl7.org/CodeSystem/v3-ActCode",
    "http://terminology.hl7.org/CodeSystem/v2-0203",
    "http://www.nlm.nih.gov/research/umls/rxnorm",
)


def _object(kind: str, depth: int, names: Iterator[str]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, element in types()[kind].items():
        value = _value(element, depth, names)
        if value is not None:
            made[name] = [value] if element.many else value
    if kind in ("Coding", "Quantity") and depth % 2:
        made["system"] = _SYSTEMS[sum(map(ord, made["code"])) % len(_SYSTEMS)]
    return made


def _value(element: Element, depth: int, names: Iterator[str]) -> Any:
    if element.kind == "xhtml":
        return f"<div>{next(names)}</div>"
    if element.kind in PRIMITIVE_TYPES:
        return next(names)
    known = element.kind in types() and element.kind not in ("Extension", "Resource")
    return _object(element.kind, depth + 1, names) if known and depth < 4 else None


@pytest.mark.parametrize("spell", SPELLINGS)
def test_no_element_of_a_resource_keeps_a_surname(tmp_path: Path, spell: Spell) -> None:
    names, path = _names(spell), tmp_path / "all.ndjson"
    with path.open("w", encoding="utf-8") as file:
        for kind in sorted(resource_types() - {"Bundle", "Parameters"}):
            for name, value in _object(kind, 0, names).items():
                file.write(json.dumps({"resourceType": kind, "id": "a", name: value}) + "\n")
    assert _kept_canaries(path) == set()


def test_urls_of_published_families_contain_no_surname() -> None:
    from deid.formats.fhir.definitions.published_uris import published

    for uri in (
        "http://hl7.org/fhir/Zbrzezinkow",
        "https://www.cms.gov/Zbrzezinkow/x",
        "http://hl7.org/fhir/Patient/48213377",
        "http://hl7.org/fhir/541-27-9983",
        "http://hl7.org/fhir/503-555-0147",
        "urn:oid:2.16.840.1.113883.4.3.48213377",
    ):
        assert published(uri).match == ""
    for uri in (
        "http://hl7.org/fhir/us/core/StructureDefinition/us-core-medicationrequest",
        "http://terminology.hl7.org/CodeSystem/v3-ActCode",
        "http://hl7.org/fhir/sid/cvx",
        "http://snomed.info/sct/731000124108/version/20220901",
    ):
        assert published(uri).match == "prefix"


# -- the whole job -------------------------------------------------------------------------------

DOCUMENT = """<?xml version="1.0"?>
<ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<realmCode code="{0}"/><id root="2.16.840.1.113883.19.5" extension="7"/>
<code code="{0}" codeSystem="2.16.840.1.113883.6.1" displayName="{0}"/>
<confidentialityCode code="{0}" codeSystem="2.16.840.1.113883.5.25"/><languageCode code="{0}"/>
<recordTarget><patientRole><id root="2.16.840.1.113883.19.5" extension="8"/><patient>
<name><given>Thessaly</given><family>Oyelaran</family></name>
<administrativeGenderCode code="F" codeSystem="2.16.840.1.113883.5.1" displayName="{0}"/>
<religiousAffiliationCode code="{0}" codeSystem="2.16.840.1.113883.5.1076"/>
</patient></patientRole></recordTarget>
<author><assignedAuthor><assignedAuthoringDevice><manufacturerModelName>{0}</manufacturerModelName>
<softwareName>{0} EHR</softwareName></assignedAuthoringDevice></assignedAuthor></author>
<component><structuredBody><component><section><entry><observation classCode="OBS" moodCode="EVN">
<code code="{0}" codeSystem="2.16.840.1.113883.6.96" displayName="{0} disease"/>
<code code="{0}" codeSystem="2.16.840.1.113883.4.642.4.1125"/>
<statusCode code="{0}"/><value xsi:type="PQ" value="5" unit="{0}"/>
<interpretationCode code="{0}" codeSystem="2.16.840.1.113883.5.83"/>
</observation></entry></section></component></structuredBody></component></ClinicalDocument>
"""
MESSAGE = """{msh}|||||{0}|{0}|{0}
{pid}||{0}^{0}^HL70005|||||{0}^{0}|{0}|{0}^{0}^HL70006|||||{0}|||{0}
NK1|1|Roe^Jo|{0}^{0}^HL70063||||{0}
PV1|1|{0}|W^1^2|{0}||||||{0}|||{0}|{0}
OBR|1|||{0}^{0}^LN^{0}^{0}^L|{0}||||||{0}
OBX|1|NM|2345-7^{0}^LN|{0}|{0}|{0}|{0}|{0}||{0}|{0}
AL1|1|{0}|{0}^{0}^RXNORM|{0}^{0}
DG1|1|{0}|{0}^{0}^I10|||{0}
"""
RESOURCE = {
    "resourceType": "Observation",
    "id": "a",
    "language": "{0}",
    "status": "{0}",
    "code": {"coding": [{"system": "http://loinc.org", "code": "{0}", "display": "{0}"}]},
    "bodySite": {"coding": [{"system": "http://snomed.info/sct", "code": "{0}"}]},
    "valueQuantity": {"value": 1, "comparator": "{0}", "unit": "{0}", "code": "{0}"},
    "extension": [
        {
            "url": "http://synthetichealth.github.io/synthea/quality-adjusted-life-years",
            "valueDecimal": "{0}",
        }
    ],
}
INVOICE = {"resourceType": "Invoice", "id": "b", "totalNet": {"value": 1, "currency": "{0}"}}


@pytest.mark.parametrize(
    "name", ["Zbrzezinkow", "QUORBLATT", "quorblatt", "(503)555-0147", "4-Jul-61"]
)
def test_the_job_releases_no_surname_written_as_a_code(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "d.xml").write_text(DOCUMENT.replace("{0}", name), "utf-8")
    message = MESSAGE.replace("{msh}", MSH).replace("{pid}", PID).replace("{0}", name)
    (folder / "m.hl7").write_text(message.replace("\n", "\r"), "utf-8", newline="")
    lines = [json.dumps(made).replace("{0}", name) for made in (RESOURCE, INVOICE)]
    (folder / "o.ndjson").write_text("\n".join(lines) + "\n", "utf-8")
    job = Job((folder,), tmp_path / "out", read_policy("safe_harbor"), DAY)
    release = run_job(job, Finder.load(model=False, reference_date=DAY))
    assert release.exit_code == 0 and release.out is not None
    written = [path for path in release.out.rglob("*") if path.is_file()]
    assert sum(path.suffix in (".xml", ".hl7", ".ndjson") for path in written) == 3
    held = [p.name for p in written if name.casefold() in p.read_text("utf-8").casefold()]
    assert held == []
