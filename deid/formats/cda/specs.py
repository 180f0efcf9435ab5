"""Classifies attributes and texts of each kind of C-CDA element: leaves, tokens or strays."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from deid.formats.cda import closed_lists as words
from deid.formats.cda.closed_lists import SDTC, V3, XSI, ElementKind, element_kind
from deid.formats.cda.embedded import names_document

_YEAR_UNITS = frozenset({"a", "yr", "yrs", "y", "year", "years", "{years}", "[yr]"})
_SHORT_UNITS = {
    **dict.fromkeys(("mo", "month", "months"), "mo"),
    **dict.fromkeys(("wk", "week", "weeks"), "wk"),
    **dict.fromkeys(("d", "day", "days"), "d"),
}
# LOINC and SNOMED CT: age, age at onset, at death, reported, estimated.
_LOINC_AGES = "30525-0 21611-9 21612-7 29553-5 30972-4 35659-2 39016-1 63900-5 74198-3 39989-9"
_SNOMED_AGES = "397659008 445518008 424144002 397669002 105727008"
_AGE_OBSERVATION_CODES = frozenset(f"{_LOINC_AGES} {_SNOMED_AGES}".split())
_FIRMS = frozenset(("place", "location", "healthCareFacility", "scopingEntity"))
_STATUS_ELEMENTS = frozenset(
    [
        *("statusCode", "realmCode", "signatureCode", "event", "processingCode"),
        *("processingModeCode", "acceptAckCode", "queryResponseCode", "responsePriorityCode"),
        *("responseModalityCode", "typeCode"),
    ]
)
_TELECOM_SCHEME = re.compile(
    r"\s*(tel|fax|mailto|https?|ftp|file|mllp|nfs|telnet|modem|sip|urn):\s*(?=\S)", re.IGNORECASE
)
_TELECOM_SCHEMES = {"tel": "tel", "modem": "tel", "sip": "tel", "fax": "fax", "mailto": "mailto"}
_CLASSES = {
    "PROV": "provider", "ASSIGNED": "provider", "AGNT": "provider", "LIC": "provider",
    "SDLOC": "provider", "MANU": "device", "POLHOLD": "plan", "COVPTY": "plan", "PAYOR": "plan",
    "LOCE": "place", "TERR": "place",
}  # fmt: skip
_SPACES = (f"{{{V3}", f"{{{SDTC}")
_UNLISTED = ElementKind("drop", "")
# The kinds of query parameters, before what their values hold.
_PARAMETER = "parameter_"
_TEXT_ELEMENTS = frozenset(("text", "name", "addr"))


@dataclass(frozen=True, slots=True)
class Spec:
    """The specification of a leaf attribute: its path, its form and, if set, the value to use."""

    path: str
    form: str
    essential: bool = False
    value: str | None = field(default=None, repr=False)
    before: str = ""


ElementValue = Spec | str | None
"""A leaf, a literal token, or None for a stray."""


@dataclass(frozen=True, slots=True)
class ElementPlace:
    """The context of an element: person, kind, and whether it is a time, age or family history."""

    head: str = "document"
    parent: str = ""
    kind: str = ""
    clock: str = ""
    age: bool = False
    kin: bool = False


def local(node: Any) -> str:
    """The name of an element without its namespace."""
    return str(node.tag).rpartition("}")[2]


def namespace_of(node: Any) -> str:
    """The namespace of an element; "" if it has none."""
    return str(node.tag).rpartition("}")[0].removeprefix("{")


def is_listed_element(node: Any) -> bool:
    """Whether the element is in the closed list."""
    space, _, name = str(node.tag).rpartition("}")
    return space in _SPACES and element_kind(name) is not None


def element_place(old: Any, outer: ElementPlace) -> ElementPlace:
    """The context of an element whose parent has the context `outer`."""
    named = element_kind(local(old)) or _UNLISTED
    head = outer.head
    if named.scope:
        head = _scope(old) if named.scope == "by_class" else named.scope
    kind = _element_kind(old, named.kind, outer)
    clock, age = outer.clock, outer.age
    told = _parameter(kind)
    if told.endswith("Time"):
        clock = told
    elif kind == "time":
        name = local(old)
        clock = clock or (name if name in ("birthTime", "deceasedTime") else "time")
    elif kind == "quantity":
        age = age or _is_age(old)
    kin = outer.kin or (local(old) == "organizer" and old.find(f"{{{V3}}}subject") is not None)
    return ElementPlace(head, outer.parent, kind, clock, age, kin)


def _parameter(kind: str) -> str:
    """What the `value` of a query parameter holds; "" for other elements."""
    return kind.removeprefix(_PARAMETER) if kind.startswith(_PARAMETER) else ""


def inner_place(old: Any, place: ElementPlace) -> ElementPlace:
    """The context that an element gives to its children."""
    return ElementPlace(place.head, local(old), place.kind, place.clock, place.age, place.kin)


def _scope(old: Any) -> str:
    return _CLASSES.get(old.get("classCode", ""), "relative")


def _element_kind(old: Any, kind: str, outer: ElementPlace) -> str:
    name = local(old)
    if name == "value" and (told := _parameter(outer.kind)):
        return "time" if told.endswith("Time") else told
    if outer.parent == "qualifier" and name in ("name", "value"):
        return "code"
    if name == "text" and outer.parent == "section":
        return "narrative"
    if name == "value" and outer.parent in ("observationMedia", "regionOfInterest"):
        return "text" if outer.parent == "observationMedia" and names_document(old) else "drop"
    if name == "reference" and (outer.kind == "text" or "value" in old.attrib):
        return "pointer"
    if kind == "bound":
        return "time" if outer.clock and name != "width" else "quantity"
    return _kind_of_value(old) if kind == "value" else kind


def _kind_of_value(old: Any) -> str:
    """The kind of a value by its `xsi:type` or, without one, by its attributes."""
    kind = (old.get(f"{{{XSI}}}type") or "").rpartition(":")[2]
    if kind in ("CD", "CE", "CV", "CO", "CS", "PQR"):
        return "code"
    if kind in ("ST", "ED", "SC"):
        return "text"
    if "TS" in kind:
        return "time"
    if kind in ("PQ", "REAL", "INT", "MO") or kind.startswith(("IVL_", "RTO", "SLIST", "GLIST")):
        return "quantity"
    if kind in ("II", "BL", "TEL"):
        return {"II": "id", "BL": "flag", "TEL": "telecom"}[kind]
    if not kind and ("code" in old.attrib or "codeSystem" in old.attrib):
        return "code"
    if not kind and "unit" in old.attrib:
        return "quantity"
    return "text" if not kind and "value" not in old.attrib else "drop"


def _is_age(old: Any) -> bool:
    """Whether the value belongs to an observation of an age."""
    parent = old.getparent()
    code = None if parent is None else parent.find(f"{{{V3}}}code")
    return code is not None and code.get("code") in _AGE_OBSERVATION_CODES


# -- attributes ------------------------------------------------------------------------------


def attributes_of(old: Any, place: ElementPlace) -> Mapping[str, ElementValue]:
    """The specifications of the attributes that hold an element's value, by name."""
    return _SPECS.get(place.kind, _no_spec)(old, place)


def _no_spec(old: Any, place: ElementPlace) -> Mapping[str, ElementValue]:
    return {}


def _template(old: Any, place: ElementPlace) -> Mapping[str, ElementValue]:
    root, version = old.get("root", "").strip(), old.get("extension", "").strip()
    known = words.is_template(root) or root == words.INTERACTIONS
    return {
        "root": root if known else None,
        "extension": version if known and _is_version(version) else None,
    }


def _is_version(text: str) -> bool:
    return words.is_version(text) or words.is_interaction(text)


def _id_spec(old: Any, place: ElementPlace) -> Mapping[str, ElementValue]:
    root, number = old.get("root", "").strip(), old.get("extension", "").strip()
    sort = words.id_kind(root)
    path = f"{place.head}/id"
    alone = "" if number else ":alone"
    return {
        "root": root if sort or words.system_of(root) else Spec(f"{path}{alone}@root", "uid", True),
        "extension": Spec(f"{path}:{sort}@extension" if sort else f"{path}@extension", "uid", True),
    }


def _code(old: Any, place: ElementPlace) -> Mapping[str, ElementValue]:
    name, code = local(old), old.get("code", "").strip()
    system = words.system_of(old.get("codeSystem"))
    if name == "languageCode":
        return _coded(old, "code:language", system)
    if name in _STATUS_ELEMENTS and "codeSystem" not in old.attrib:
        return _coded(old, "code:status", None)
    if system is None or (code and not system.has(code)):
        told: dict[str, ElementValue] = dict.fromkeys(("code", "codeSystem", "codeSystemName"))
        return told | {"displayName": Spec("code:local@displayName", "string")}
    return _coded(old, f"code:{system.what}" if system.what else "code", system)


def _coded(old: Any, path: str, system: words.CodeSystem | None) -> Mapping[str, ElementValue]:
    """The attributes of a code; `value` and `unit` belong to a PQR quantity."""
    told = _unit_attribute(old) | {
        "code": Spec(f"{path}@code", "word", True),
        "displayName": Spec(f"{path}@displayName", "string"),
        "codeSystemVersion": Spec("code@codeSystemVersion", "string"),
        "value": Spec("quantity@value", "number"),
    }
    if system is not None:
        told |= {"codeSystem": system.oid, "codeSystemName": system.name}
    return told


def _time_spec(old: Any, place: ElementPlace) -> Mapping[str, ElementValue]:
    return {"value": Spec(f"{place.head}/{place.clock}@value", "time", True)} | _unit_attribute(old)


def _unit_attribute(old: Any) -> dict[str, ElementValue]:
    unit = old.get("unit", "").strip()
    return {"unit": unit if words.is_token("unit", unit) else Spec("quantity@unit", "word")}


def _quantity(old: Any, place: ElementPlace) -> Mapping[str, ElementValue]:
    unit = old.get("unit", "").strip().casefold()
    path = "quantity"
    if not place.clock and (unit in _YEAR_UNITS or (place.age and unit in ("", "1"))):
        path = "kin/age" if place.kin else "age"
    elif place.age and unit in _SHORT_UNITS:
        path = ("kin/age" if place.kin else "age") + f":{_SHORT_UNITS[unit]}"
    return {"value": Spec(f"{path}@value", "number", True)} | _unit_attribute(old)


def _number_spec(old: Any, place: ElementPlace) -> Mapping[str, ElementValue]:
    return {"value": Spec("number@value", "number", True)}


def _flag(old: Any, place: ElementPlace) -> Mapping[str, ElementValue]:
    value = old.get("value", "").strip()
    return {"value": value if value in ("true", "false") else None}


def _telecom(old: Any, place: ElementPlace) -> Mapping[str, ElementValue]:
    value = old.get("value", "")
    match = _TELECOM_SCHEME.match(value)
    scheme = match[1].casefold() if match else "mailto" if "@" in value else "tel"
    rest = value[match.end() :].strip() if match else value.strip()
    before = f"{scheme}:" if match else ""
    if "value" in old.attrib and not re.search(r"\w", rest):
        return {"value": None}
    sort = _TELECOM_SCHEMES.get(scheme, "url")
    return {"value": Spec(f"{place.head}/telecom:{sort}@value", "link", True, rest, before)}


def _device(old: Any, place: ElementPlace) -> Mapping[str, ElementValue]:
    return {"displayName": Spec("device/software", "string")} if old.get("displayName") else {}


_SPECS: Mapping[str, Callable[[Any, ElementPlace], Mapping[str, ElementValue]]] = {
    "template": _template,
    "id": _id_spec,
    "code": _code,
    "time": _time_spec,
    "quantity": _quantity,
    "number": _number_spec,
    "flag": _flag,
    "telecom": _telecom,
    "device_text": _device,
}


# -- texts -----------------------------------------------------------------------------------


def text_path(old: Any, place: ElementPlace) -> str:
    """The path of an element's text; "" if its text is left out."""
    kind, name = place.kind, local(old)
    if kind == "text":
        return "body" if place.parent == "nonXMLBody" else "text"
    if kind == "title":
        return "title"
    if kind == "name":
        return _name_path(place)
    if kind == "name_part":
        return f"{place.head}/name/{name}{_which(old, name)}"
    if kind in ("addr", "addr_part"):
        return f"{place.head}/addr" + ("" if kind == "addr" else f"/{name}")
    return {"device_text": "device/software", "lot": "product/lot"}.get(kind, "")


def tail_path(old: Any, place: ElementPlace) -> str:
    """The path of the text between the parts of an element."""
    return text_path(old, place) if place.kind in _TEXT_ELEMENTS else ""


def _name_path(place: ElementPlace) -> str:
    """The path for the name of a person, an organization or place, or a product."""
    parent = place.parent
    if parent == "manufacturerOrganization":
        return "product/organization"
    if parent.endswith("Organization") or parent in _FIRMS:
        return f"{place.head}/organization"
    if parent == "playingEntity" and place.head in ("provider", "place"):
        return f"{place.head}/organization"
    if place.head in ("product", "device"):
        return "product/name"
    return f"{place.head}/name"


def _which(old: Any, name: str) -> str:
    """The suffix for call names (`:CL`), birth names (`:BR`) and second given names (`:2`)."""
    qualifier = old.get("qualifier", "").split()
    if name == "given" and "CL" in qualifier:
        return ":CL"
    if name == "family" and {"BR", "MID"} & set(qualifier):
        return ":BR"
    if name != "given":
        return ""
    before = old.itersiblings(old.tag, preceding=True)
    return ":2" if any("CL" not in other.get("qualifier", "") for other in before) else ""
