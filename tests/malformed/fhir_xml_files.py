"""Broken and hostile FHIR in XML."""

from __future__ import annotations

from broken_files import CANARY

SPACE = ' xmlns="http://hl7.org/fhir"'
NAME = f'<name><family value="{CANARY}"/></name>'
PERSON = f"<Patient{SPACE}>{NAME}</Patient>"


def declared(encoding: str, text: str = PERSON) -> str:
    return f'<?xml version="1.0" encoding="{encoding}"?>{text}'


def bundle(inside: str) -> bytes:
    return f'<Bundle{SPACE}><type value="collection"/>{inside}</Bundle>'.encode()


def observation(inside: str) -> bytes:
    return f"<Observation{SPACE}>{inside}</Observation>".encode()


def nested(levels: int) -> str:
    return f'<item><text value="{CANARY}"/>' * levels + "</item>" * levels


TELECOMS = '<telecom><value value="1"/></telecom>' * 20_001
# Bundles in which one entry is withheld.
ENTRIES: dict[str, tuple[bytes, str]] = {
    "two_resources.xml": (
        bundle(f"<entry><resource>{PERSON}{PERSON}</resource></entry>"),
        "no-resource-type",
    ),
    "unknown_entry.xml": (
        bundle(f"<entry><resource><Quux>{NAME}</Quux></resource></entry>"),
        "unknown-resource",
    ),
    "modifier_entry.xml": (
        bundle(
            f'<entry><resource><Patient>{NAME}<modifierExtension url="u"/></Patient>'
            "</resource></entry>"
        ),
        "unknown-modifier",
    ),
}
REFUSED_LATER = tuple(ENTRIES)
FHIR_XML_FILES: dict[str, tuple[bytes, str]] = {
    "cut_fhir.xml": (PERSON[:-9].encode(), "broken-xml"),
    "crossed_fhir.xml": (PERSON.replace("</name>", "</nome>").encode(), "broken-xml"),
    "twice_fhir.xml": ((PERSON + PERSON).encode(), "broken-xml"),
    "behind_fhir.xml": ((PERSON + CANARY).encode(), "broken-xml"),
    "laughs_fhir.xml": (
        f'<!DOCTYPE x [<!ENTITY a "{CANARY}">]>{PERSON}'.encode(),
        "xml-dtd",
    ),
    "outside_fhir.xml": (
        f'<!-- {CANARY} --><!DOCTYPE x SYSTEM "file:///etc/passwd">{PERSON}'.encode(),
        "xml-dtd",
    ),
    "entity_fhir.xml": (PERSON.replace("<name>", "&who;<name>").encode(), "xml-entity"),
    "controls_fhir.xml": (PERSON.replace("<name>", "\x01<name>").encode(), "undecodable-bytes"),
    "bytes_fhir.xml": (PERSON.encode().replace(b"<name>", b"\xff\xfe<name>"), "undecodable-bytes"),
    "klingon_fhir.xml": (declared("klingon").encode(), "encoding-unknown"),
    "not_wide_fhir.xml": (declared("utf-16").encode(), "encoding-mismatch"),
    "not_latin_fhir.xml": (
        declared("iso-8859-1", PERSON.replace("<name>", "<name><!-- \u00e9 -->")).encode(),
        "encoding-mismatch",
    ),
    "deep_fhir.xml": (f"<Basic{SPACE}>{nested(3000)}</Basic>".encode(), "xml-limits"),
    "deep_items.xml": (
        f"<QuestionnaireResponse{SPACE}>{nested(80)}</QuestionnaireResponse>".encode(),
        "no-resource",
    ),
    "conformance_fhir.xml": (
        f'<StructureDefinition{SPACE}><name value="{CANARY}"/></StructureDefinition>'.encode(),
        "no-resource",
    ),
    "many_fhir.xml": (f"<Patient{SPACE}>{NAME}{TELECOMS}</Patient>".encode(), "no-resource"),
    "modifier_fhir.xml": (
        observation(f'<modifierExtension url="{CANARY}"/>'),
        "no-resource",
    ),
    "prefixed_fhir.xml": (
        PERSON.replace("<Patient xmlns", "<f:Patient xmlns:g").encode(),
        "broken-xml",
    ),
    **ENTRIES,
}
GOOD = f'<Basic{SPACE}><code><text value="The patient is well."/></code></Basic>'.encode()
