# ruff: noqa: E501
"""FHIR in XML: the same content as in JSON, written as XML and read again by an independent parser."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest
from document_canaries import address, canaries_left, canaries_of, canary, released, scrub_document
from fhir_samples import RELEASES, everything, model_of
from lxml import etree

from deid.formats import Record, open_source
from deid.formats.fhir.xml_files import XmlSyntax, looks_like_fhir_xml

SPACE = "xmlns='http://hl7.org/fhir'"


def as_xml(resource: dict[str, Any], release: str) -> bytes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = model_of(release, resource["resourceType"]).model_validate(resource)
        return bytes(model.model_dump_xml())


def read_back(resource: Any, release: str) -> Any:
    name = etree.QName(resource).localname
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        data = etree.tostring(resource)
        return json.loads(model_of(release, name).model_validate_xml(data).model_dump_json())


def bundle_of(release: str) -> dict[str, Any]:
    entries = [{"resource": resource} for resource in everything(release)]
    return {"resourceType": "Bundle", "type": "collection", "entry": entries}


@pytest.mark.parametrize("fhir_release", RELEASES)
def test_every_element_reads_as_it_does_in_json(tmp_path: Path, fhir_release: str) -> None:
    """The XML has the same paths and values as the JSON and uses the same table."""
    bundle = bundle_of(fhir_release)
    (tmp_path / "a.json").write_text(json.dumps(bundle))
    (tmp_path / "a.xml").write_bytes(as_xml(bundle, fhir_release))
    cells = []
    for name in ("a.json", "a.xml"):
        source = open_source(tmp_path / name)
        records = [record for record in source.records() if isinstance(record, Record)]
        cells.append(
            [
                sorted(
                    (column, _plain(value))
                    for column, value in zip(source.columns, record.cells, strict=True)
                    if value is not None
                )
                for record in records
            ]
        )
    assert len(cells[0]) == len(bundle["entry"]) + 1
    assert cells[0] == cells[1]


def _plain(value: str) -> str:
    """The parser writes times and numbers in two ways; this makes them one."""
    return value.replace("10:00:00.000000-05:00", "10:00:00-05:00").replace(".000-", "-")


def test_released_xml_is_read_by_an_independent_parser(tmp_path: Path) -> None:
    bundle = bundle_of("R5")
    out = scrub_document(tmp_path, "all.xml", as_xml(bundle, "R5"))
    resources = etree.fromstring((out / "all.xml").read_bytes()).findall("{*}entry/{*}resource/*")
    # The parser does not accept a list of dates whose only date is masked.
    after = [read_back(one, "R5") for one in resources if "Consent" not in one.tag]
    kinds = [entry["resource"]["resourceType"] for entry in bundle["entry"]]
    assert [one["resourceType"] for one in after] == [kind for kind in kinds if kind != "Consent"]
    assert "2019-03" not in json.dumps(after) and "1926" not in json.dumps(after)


PATIENT = [
    "<!-- % -->", "<?x % ?>", "<nonsense value='%'/>", "<id value='%'/>", "<meta><source value='%'/></meta>",
    "<meta><versionId value='%'/></meta>", "<implicitRules value='http://@'/>", "<language value='%'/>",
    "<extension url='%'><valueString value='x'/></extension>", "<extension url='http://x.example/y'><valueString value='%'/></extension>",
    "<identifier id='%'><value value='%'/></identifier>", "<identifier><system value='http://@'/><value value='7%'/></identifier>",
    "<active value='%'/>", "<name><family value='%'/></name>", "<name><given value='%'><extension url='%'/></given></name>",
    "<name><text value='%'/><period><start value='%'/></period></name>", "<telecom><system value='email'/><value value='@'/></telecom>",
    "<telecom><system value='%'/><value value='%'/></telecom>", "<gender value='%'/>", "<birthDate value='%'/>",
    "<birthDate><extension url='http://hl7.org/fhir/StructureDefinition/patient-birthTime'><valueDateTime value='%'/></extension></birthDate>",
    "<address><line value='%'/><city value='%'/><state value='%'/></address>", "<photo><contentType value='image/png'/><data value='%'/></photo>",
    "<contact><name><family value='%'/></name></contact>", "<communication><language><text value='@'/></language></communication>",
    "<generalPractitioner><reference value='Practitioner/%'/><display value='%'/></generalPractitioner>",
    "<link><other><reference value='%'/></other></link>", "% is no element", "<x:family xmlns:x='urn:x' value='%'/>",
    "<name unknown='%'><use value='usual'/></name>", "<contained><Practitioner><name><family value='%'/></name></Practitioner></contained>",
    "<gender xmlns:y='urn:%' y:value='%' value='female'/>", "<birthDate value='1960'>%</birthDate>", "<multipleBirthInteger value='%'/>",
    "<text><status value='%'/><div xmlns='http://www.w3.org/1999/xhtml'><p id='%' title='%'>@</p><!-- % --><img alt='%'/><script>%</script></div></text>",
    "<text><div>%</div></text>",
]  # fmt: skip
# If an element that may occur once occurs twice, the second one is not read.
TWICE = "<maritalStatus><text value='@'/></maritalStatus><maritalStatus><text value='%'/></maritalStatus>"


def test_no_canary_is_in_any_byte_of_released_fhir_xml(tmp_path: Path) -> None:
    places = [*PATIENT, TWICE]
    entries = "".join(
        f"<entry><fullUrl value='http://{canary(n)}/x'/><resource><Patient xml:base='{canary(n)}'>"
        f"{place.replace('%', canary(n)).replace('@', address(n))}</Patient></resource></entry>"
        for n, place in enumerate(places)
    )
    note = "<note><text value='The patient is well on lisinopril.'/></note>"
    entries += f"<entry><resource><Observation>{note}</Observation></resource></entry>"
    text = f"<Bundle {SPACE} id='{canary(90)}'><id value='{canary(91)}'/>{entries}</Bundle>"
    data = f"<?xml version='1.0'?><!-- {canary(92)} -->{text}<!-- {canary(93)} -->".encode()
    assert len(canaries_of(data)) >= len(places) + 4
    out = scrub_document(tmp_path, "letter.xml", data)
    assert canaries_left(out) == set()
    text = released(out, ".xml").read_text("utf-8")
    assert '<text value="The patient is well on lisinopril."/>' in text
    assert text.count("<entry>") == len(places) + 1
    told = json.loads((out / "_release" / "manifest.json").read_text())["left_behind"]
    counts = {line["what"]: line["count"] for line in told}
    assert counts["unnamed-elements"] > 40 and counts["photos"] == 1
    assert counts["unknown-extensions"] >= 2


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("<Patient xmlns='http://hl7.org/fhir'/>", True),
        ("<?xml version='1.0'?>\n<!-- a -->\n<f:Patient a='b' xmlns:f = 'http://hl7.org/fhir' >", True),
        ("<Patient xmlns='http://hl7.org/fhir/x'/>", False),
        ("<Patient xmlns:f='http://hl7.org/fhir'/>", False),
        ("<ClinicalDocument xmlns='urn:hl7-org:v3' xmlns:f='http://hl7.org/fhir'/>", False),
        ("see <Patient xmlns='http://hl7.org/fhir'/>", False),
    ],
)  # fmt: skip
def test_fhir_in_xml_is_recognized_by_its_name_space(
    tmp_path: Path, text: str, known: bool
) -> None:
    for number, encoding in enumerate(("utf-8", "utf-8-sig", "utf-16")):
        path = tmp_path / f"{number}.xml"
        path.write_text(text, encoding)
        assert looks_like_fhir_xml(path) is known


def test_prefixed_and_wide_files_are_read(tmp_path: Path) -> None:
    text = (
        "<f:Basic xmlns:f='http://hl7.org/fhir'><f:code><f:text value='a &amp; b'/></f:code>"
        "</f:Basic>"
    )
    (tmp_path / "a.xml").write_text(f"<?xml version='1.0' encoding='utf-16'?>{text}", "utf-16")
    source = open_source(tmp_path / "a.xml")
    (record,) = source.records()
    assert isinstance(record, Record)
    assert (source.columns, record.cells) == (("Basic.code.text",), ("a & b",))


def test_released_values_are_valid_for_their_xml_types() -> None:
    value = {
        "resourceType": "Basic",
        "_created": {"extension": [{"url": "u&v", "valueCode": "masked"}]},
        "code": {"text": "a<\"b'\n&"},
        "flags": [True, False],
    }
    assert XmlSyntax().resource(value).splitlines()[1:] == [
        '<Basic xmlns="http://hl7.org/fhir">',
        "  <created>",
        '    <extension url="u&amp;v">',
        '      <valueCode value="masked"/>',
        "    </extension>",
        "  </created>",
        "  <code>",
        '    <text value="a&lt;&quot;b\'&#10;&amp;"/>',
        "  </code>",
        '  <flags value="true"/>',
        '  <flags value="false"/>',
        "</Basic>",
    ]


@pytest.mark.parametrize(
    ("kind", "inside", "column"),
    [
        ("Encounter", "<class><code value='AMB'/></class>", "Encounter.class.code"),
        ("Encounter", "<class><coding><code value='AMB'/></coding></class>", "Encounter.class.coding.code"),
        ("MedicationRequest", "<medication><concept><text value='x'/></concept></medication>", "MedicationRequest.medication.concept.text"),
        ("Coverage", "<subscriberId value='x'/>", "Coverage.subscriberId"),
        ("Coverage", "<subscriberId><value value='x'/></subscriberId>", "Coverage.subscriberId.value"),
        ("Procedure", "<complication><text value='x'/></complication>", "Procedure.complication.text"),
        ("Procedure", "<complication><concept><text value='x'/></concept></complication>", "Procedure.complication.concept.text"),
    ],
)  # fmt: skip
def test_elements_are_read_by_the_fhir_release_that_they_fit(
    tmp_path: Path, kind: str, inside: str, column: str
) -> None:
    (tmp_path / "a.xml").write_text(f"<{kind} {SPACE}>{inside}</{kind}>")
    assert [c.partition("[")[0] for c in open_source(tmp_path / "a.xml").columns] == [column]


@pytest.mark.parametrize("wide", [True, False])
def test_an_extension_of_a_value_in_a_list_is_counted(tmp_path: Path, wide: bool) -> None:
    extension = "<extension url='http://a.example/nick'><valueString value='Zyx'/></extension>"
    names = f"<given value='Ann'>{extension}</given>" + ("<given value='Eve'/>" if wide else "")
    data = f"<Patient {SPACE}><name>{names}</name></Patient>".encode()
    out = scrub_document(tmp_path, "a.xml", data)
    told = json.loads((out / "_release" / "manifest.json").read_text())["left_behind"]
    assert [(line["what"], line["count"]) for line in told] == [("extensions-in-lists", 1)]
    assert b"Zyx" not in released(out, ".xml").read_bytes()


def test_an_extension_in_a_list_is_counted_in_json_too(tmp_path: Path) -> None:
    extension = {"extension": [{"url": "http://a.example/nick", "valueString": "Zyx"}]}
    name = {"given": ["Ann", "Eve"], "_given": [extension, None]}
    data = json.dumps({"resourceType": "Patient", "name": [name]}).encode()
    out = scrub_document(tmp_path, "a.json", data)
    told = json.loads((out / "_release" / "manifest.json").read_text())["left_behind"]
    assert [(line["what"], line["count"]) for line in told] == [("extensions-in-lists", 1)]
