"""Derives qualifiers from neighboring values.

Examples are the type of an identifier, the target of a reference, and whether a code belongs to a
published system.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from deid.formats.fhir.definitions.element_types import Element, reference_types
from deid.formats.fhir.definitions.published_uris import published
from deid.formats.fhir.references import read_pointer
from deid.vocabularies import is_code_of
from deid.vocabularies.wording import CODED, DESCRIPTION, names_nobody

Hints = dict[str, str]

# HL7 table 0203: identifier types, with their qualifiers in the locus table.
_TYPE_CODES = {
    **dict.fromkeys(["SS", "SB"], "SS"),
    **dict.fromkeys(["MR", "MRT"], "MR"),
    **dict.fromkeys(["PI", "PT", "EI"], "PI"),
    **dict.fromkeys(["DL"], "DL"),
    **dict.fromkeys(["PPN"], "PPN"),
    **dict.fromkeys(["NPI"], "NPI"),
    **dict.fromkeys(["DEA", "DN"], "DEA"),
    **dict.fromkeys(["MD", "RN", "LN", "RPH", "PN", "SL", "TAX"], "MD"),
    **dict.fromkeys(["MB", "MC", "MA", "SN", "HC", "NH", "MCN", "PHC"], "MB"),
    **dict.fromkeys(["AN", "ANON", "ANC"], "AN"),
    **dict.fromkeys(["VN", "FIN"], "VN"),
    **dict.fromkeys(["SNO", "UDI"], "SNO"),
}
_TYPE_WORDS = (
    ("social security", "SS"),
    ("medical record", "MR"),
    ("driver", "DL"),
    ("passport", "PPN"),
    ("member", "MB"),
    ("subscriber", "MB"),
    ("insurance", "MB"),
    ("medicare", "MB"),
    ("account", "AN"),
    ("visit", "VN"),
)
# Elements that refer to the subject of a resource, unless they are lists.
OWN = frozenset(["subject", "patient", "beneficiary", "individual", "for", "sourcePatientInfo"])
OWN_LINKS = frozenset(["other", "target"])
# The order in which a reference's target is guessed from the targets that the element allows.
_LIKELY = """
Practitioner PractitionerRole Organization Location HealthcareService Endpoint RelatedPerson Patient
Person
"""
# For titles that are file names: files are often named after patients.
_FILE_NAME = re.compile(r"\S*[\w)]\.\w{2,5}|\S*[^\W_][_-]\S*|.*[/\\].*")
_YEARS_HINT = re.compile(r"years?|yrs?\.?|y\.?o\.?|y/o|years? old|a(?:_[jg])?|y", re.IGNORECASE)
_AGE_UNIT_HINTS = (
    ("months", re.compile(r"mo|months?|mos", re.IGNORECASE)),
    ("weeks", re.compile(r"wk|weeks?|wks", re.IGNORECASE)),
    ("days", re.compile(r"d|days?", re.IGNORECASE)),
    ("hours", re.compile(r"h|hours?|hrs?|min|minutes?", re.IGNORECASE)),
)


def identifier(value: dict[str, Any], element: Element) -> Hints:
    """The qualifier of `value`: by the code of the type, the system, or the text of the type."""
    kind = value.get("type")
    codings = kind.get("coding") if isinstance(kind, dict) else None
    for coding in codings if isinstance(codings, list) else ():
        code = coding.get("code") if isinstance(coding, dict) else None
        if isinstance(code, str) and code in _TYPE_CODES:
            return {"value": _TYPE_CODES[code]}
    if found := published(value.get("system")).identifier:
        return {"value": found}
    words = kind.get("text") if isinstance(kind, dict) else None
    words = words.casefold() if isinstance(words, str) else ""
    return {"value": next((sort for word, sort in _TYPE_WORDS if word in words), "")}


def coding(value: dict[str, Any], element: Element) -> Hints:
    """Return the qualifiers of `code` and `display`.

    They are `published` for a code of a published system and for a display of known words, else
    `unlisted`.
    """
    system, code, display = value.get("system"), value.get("code"), value.get("display")
    if not published(system).match:
        is_unlisted = isinstance(code, str) and not names_nobody(code, *CODED)
        return {"code": "unlisted"} if is_unlisted else {}
    listed = not isinstance(code, str) or is_code_of(str(system), code)
    worded = not isinstance(display, str) or names_nobody(display, DESCRIPTION)
    return {
        "code": "published" if listed else "unlisted",
        "display": "published" if worded else "unlisted",
    }


def concept(value: dict[str, Any], element: Element) -> Hints:
    """The qualifier `display` for a text that only repeats the display of a published system."""
    text, codings = value.get("text"), value.get("coding")
    for coded in codings if isinstance(codings, list) and text is not None else ():
        if isinstance(coded, dict) and coded.get("display") == text:
            known = isinstance(text, str) and names_nobody(text, DESCRIPTION)
            return {"text": "display"} if known and published(coded.get("system")).match else {}
    return {}


def telecom(value: dict[str, Any], element: Element) -> Hints:
    """The qualifier of `value`: the system of the contact point."""
    system = value.get("system")
    known = ("phone", "sms", "pager", "fax", "email", "url")
    return {"value": system} if system in known else {}


def name(value: dict[str, Any], element: Element) -> Hints:
    """The qualifiers of maiden names and nicknames, by `use`."""
    use = value.get("use")
    if use == "maiden":
        return {"family": "maiden"}
    return {"given": "nickname"} if use == "nickname" else {}


def quantity(value: dict[str, Any], element: Element) -> Hints:
    """The unit of a quantity that may be an age: years or, for an `Age`, any unit of time."""
    units = [u for u in (value.get("code"), value.get("unit")) if isinstance(u, str)]
    if any(_YEARS_HINT.fullmatch(unit.strip()) for unit in units):
        return {"value": "years"}
    if element.kind != "Age":
        return {}
    for sort, pattern in _AGE_UNIT_HINTS:
        if any(pattern.fullmatch(unit.strip()) for unit in units):
            return {"value": sort}
    return {"value": "years"}


def reference(value: dict[str, Any], element: Element) -> Hints:
    """The target of a reference: by its text, its type, or the targets that the element allows."""
    text = value.get("reference")
    pointer = read_pointer(text) if isinstance(text, str) else None
    target = pointer.target if pointer else ""
    told = value.get("type")
    if not target and isinstance(told, str) and told in reference_types():
        target = told
    if _is_own(element, target):
        fragment = pointer is not None and pointer.form == "fragment"
        return {"reference": "Patient" if fragment else "own", "display": "own"}
    target = target or _guess(element.targets)
    return {"reference": target, "display": target}


def _is_own(element: Element, target: str) -> bool:
    """Whether the reference is to the subject of its resource."""
    if element.name in OWN_LINKS:
        return target in ("Patient", "Person")
    if element.name not in OWN or element.many:
        return False
    allowed = "Patient" in element.targets or not element.targets
    return target in ("Patient", "Person") or (not target and allowed)


def _guess(targets: frozenset[str]) -> str:
    """Return the likely target among those that the element allows; a practitioner if all are."""
    if not targets:
        return "Practitioner"
    return next((target for target in _LIKELY.split() if target in targets), "")


def attachment(value: dict[str, Any], element: Element) -> Hints:
    """The qualifier `file` for a title that is a file name."""
    title = value.get("title")
    named = isinstance(title, str) and _FILE_NAME.fullmatch(title.strip())
    return {"title": "file"} if named else {}


HINTS: dict[str, Callable[[dict[str, Any], Element], Hints]] = {
    "Identifier": identifier,
    "Coding": coding,
    "CodeableConcept": concept,
    "ContactPoint": telecom,
    "HumanName": name,
    "Reference": reference,
    "Quantity": quantity,
    "Age": quantity,
    "Attachment": attachment,
}
