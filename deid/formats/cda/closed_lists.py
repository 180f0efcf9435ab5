"""The closed lists of C-CDA: elements and what they hold, code systems, roots, tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from deid.vocabularies import in_list, is_code_of, is_language
from recognizers import is_snomed
from safe_harbor import csv_rows

V3 = "urn:hl7-org:v3"
SDTC = "urn:hl7-org:sdtc"
XSI = "http://www.w3.org/2001/XMLSchema-instance"
XML = "http://www.w3.org/XML/1998/namespace"

# Published identifier roots; they identify no person.
ID_ROOTS = MappingProxyType(
    {
        "2.16.840.1.113883.4.1": "SSN",
        "2.16.840.1.113883.4.6": "NPI",
        "2.16.840.1.113883.4.572": "plan",
        "2.16.840.1.113883.4.927": "plan",
        "2.16.840.1.113883.4.814": "license",
        "2.16.840.1.113883.4.330": "license",
        "2.16.840.1.113883.3.3719": "UDI",
    }
)
_LICENSES = re.compile(r"2\.16\.840\.1\.113883\.4\.(?:3|330)\.\d{1,3}")
# HL7, IHE, HITSP, DICOM, CDC, the data segmentation of ONC (3.445, 3.3251) and the EHR makers' own
# templates.
_TEMPLATE = re.compile(
    r"(?:2\.16\.840\.1\.113883\.(?:10|3\.88|1\.3|3\.1937|3\.445|3\.3251)|1\.3\.6\.1\.4\.1\.19376|1\.2\.840\.10008"
    r"|1\.2\.840\.114350\.1\.72)(?:\.\d{1,5}){0,9}"
)
_VALUE_SET = re.compile(
    r"2\.16\.840\.1\.(?:113883\.(?:1\.11|3\.88|3\.526\.3|10\.20)|114222\.4\.11|113762\.1\.4)(?:\.\d{1,6}){1,6}"
)
_PUBLISHED = """
    2010-08-01 2012-07-01 2013-01-31 2014-06-09 2014-08-01 2015-04-01 2015-06-09 2015-08-01
    2015-08-13 2015-10-05 2016-03-01 2016-06-01 2016-07-01 2016-08-01 2016-11-01 2016-11-30
    2016-12-01 2017-04-01 2017-05-01 2017-08-01 2017-11-30 2018-02-27 2018-04-01 2018-06-12
    2018-07-24 2018-09-01 2019-02-01 2019-04-01 2019-06-20 2019-06-21 2019-07-01 2019-10-01
    2019-12-01 2020-04-01 2020-09-01 2020-11-13 2021-01-01 2021-06-09 2021-07-01 2021-08-01
    2021-08-18 2022-02-14 2022-05-01 2022-06-01 2022-06-09 2022-07-01 2022-10-19 2023-05-01
    2024-05-01
"""
# The root and extensions of typeId and the versions of templates (CDA R2, section 4.2.1.1).
_TYPE_ID = frozenset({"2.16.840.1.113883.1.3", "POCD_HD000040", "IMPL_CDAR2_LEVEL1"})
# The root of the interactions of HL7 v3.
INTERACTIONS = "2.16.840.1.113883.1.6"
# Constants of the schema (document type, namespaces): the same in every document.
CDA_CONSTANTS = _TYPE_ID | {
    "urn:hl7-org:v3",
    "urn:hl7-org:sdtc",
    "http://www.w3.org/2001/XMLSchema-instance",
    "http://www.w3.org/2001/XMLSchema",
    "http://www.w3.org/1999/xhtml",
    "CDA.xsd",
}
_VERSIONS = frozenset(_PUBLISHED.split()) | _TYPE_ID
# The vocabularies of HL7 v3 to which structural attributes are bound, all in capitals. `tokens.csv`
# has further codes.
_VOCABULARIES = MappingProxyType(
    {
        "classCode": ("ActClass", "RoleClass", "EntityClass"),
        "determinerCode": ("EntityDeterminer",),
        "moodCode": ("ActMood",),
        "typeCode": ("ParticipationType", "ActRelationshipType", "RoleLinkType"),
    }
)
V3_LIST = "http://terminology.hl7.org/CodeSystem/v3-"
_LANGUAGES = frozenset(["language", "lang"])
# Specialties have no longer codes in SNOMED CT, and telephone numbers have ten digits.
_LONGEST_CORE = 9
_LOINC = re.compile(r"\d{3,6}-\d")
# The codes that count for other systems. One number in a hundred seems to be of SNOMED CT.
_ALSO: Mapping[str, Callable[[str], bool]] = {
    "LOINC": lambda code: _LOINC.fullmatch(code) is not None,
    "SNOMED CT": lambda code: len(code) <= _LONGEST_CORE and is_snomed(code),
}


@dataclass(frozen=True, slots=True)
class ElementKind:
    """What an element holds (`class`, `id`, `code`, ...), and the person that it is about."""

    kind: str
    scope: str


@dataclass(frozen=True, slots=True)
class CodeSystem:
    """A published code system.

    `pattern` is a regular expression for the codes, or `=` and the name of their vocabulary.
    `what` is the kind of place (county, state, zip) if the codes are places. Codes of the systems
    in `also` count, too: senders write them under this one.
    """

    oid: str
    name: str
    pattern: str
    what: str
    also: tuple[str, ...]

    def has(self, code: str) -> bool:
        """Whether the code is of the system or of one of those that count for it."""
        if self.pattern.startswith("="):
            own = is_code_of(self.pattern[1:], code)
        else:
            own = re.fullmatch(self.pattern, code) is not None
        return own or any(_ALSO[name](code) for name in self.also)


@cache
def elements() -> Mapping[str, ElementKind]:
    """The elements that are kept, by local name, including `sdtc` extensions."""
    return {row["element"]: ElementKind(row["kind"], row["scope"]) for row in _cda_rows("elements")}


@cache
def _cda_systems() -> Mapping[str, CodeSystem]:
    return {
        row["oid"]: CodeSystem(
            row["oid"],
            row["name"],
            row["pattern"],
            row["what"],
            tuple(filter(None, row["also"].split("|"))),
        )
        for row in _cda_rows("codes")
    }


@cache
def _tokens() -> Mapping[str, re.Pattern[str]]:
    return {
        name: re.compile(row["pattern"])
        for row in _cda_rows("tokens")
        for name in row["attribute"].split("|")
    }


# The interactions of HL7 v3, and the payloads of ITK, are the root elements of their messages.
_INTERACTION = re.compile(r"[A-Z]{4}_[A-Z]{2}\d{6}[A-Z]{2}\d{2}")
_MESSAGE = ElementKind("class", "message")


def element_kind(name: str) -> ElementKind | None:
    """What an element holds; None if the element is not in the closed list."""
    found = elements().get(name)
    return _MESSAGE if found is None and is_interaction(name) else found


def is_interaction(name: str) -> bool:
    """Whether the name is that of an interaction of HL7 v3, such as `PRPA_IN201301UV02`."""
    return _INTERACTION.fullmatch(name) is not None


def _cda_rows(name: str) -> list[dict[str, str]]:
    return csv_rows(files("deid.formats.cda") / f"{name}.csv")


def system_of(oid: str | None) -> CodeSystem | None:
    """The published code system of an OID, or None."""
    return None if oid is None else _cda_systems().get(oid.strip().removeprefix("urn:oid:"))


def is_token(attribute: str, value: str) -> bool:
    """Whether the value is in the closed list of that attribute."""
    if attribute in _LANGUAGES:
        return is_language(value)
    bound = _VOCABULARIES.get(attribute, ()) if value.isupper() else ()
    if any(in_list(f"{V3_LIST}{name}", value) for name in bound):
        return True
    pattern = _tokens().get(attribute)
    return pattern is not None and bool(pattern.fullmatch(value))


def id_kind(root: str | None) -> str:
    """Return the kind of numbers under a published root; "" for any other root."""
    if root is None:
        return ""
    if _LICENSES.fullmatch(root):
        return "license"
    return ID_ROOTS.get(root.strip(), "")


def is_template(root: str) -> bool:
    """Whether `root` is the OID of a published template."""
    return bool(_TEMPLATE.fullmatch(root.strip()))


def is_value_set(oid: str) -> bool:
    """Whether `oid` is the OID of a published value set."""
    return bool(_VALUE_SET.fullmatch(oid.strip()))


def is_version(text: str) -> bool:
    """Whether the text is a publication date or a name of a template or value set."""
    return text.strip() in _VERSIONS
