"""The types of FHIR R4: which element is of which type, as `fhir_elements.csv` has them."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_PRIMITIVES = """
    base64Binary boolean canonical code date dateTime decimal id instant integer markdown oid
    positiveInt string time unsignedInt uri url uuid xhtml
"""
PRIMITIVES = frozenset(_PRIMITIVES.split())
NUMBERS = frozenset(["integer", "decimal", "positiveInt", "unsignedInt"])
QUANTITIES = frozenset(["Quantity", "Age", "Count", "Distance", "Duration"])


@dataclass(frozen=True, slots=True)
class Element:
    """One element of a type: `kind` is its own type, `targets` what a reference may lead to."""

    name: str
    kind: str
    many: bool = False
    required: bool = False
    targets: frozenset[str] = frozenset()


_EVERY_ELEMENT = (Element("id", "dropped"), Element("extension", "Extension", many=True))
_EVERY_BACKBONE = (*_EVERY_ELEMENT, Element("modifierExtension", "Modifier", many=True))
_EVERY_RESOURCE = (
    Element("id", "id"),
    Element("meta", "Meta"),
    Element("implicitRules", "uri"),
    Element("language", "code"),
    Element("text", "Narrative"),
    Element("contained", "Resource", many=True),
    Element("extension", "Extension", many=True),
    Element("modifierExtension", "Modifier", many=True),
)
_NO_RESOURCE = frozenset(["BulkLog"])


@cache
def types() -> dict[str, dict[str, Element]]:
    """Every type with its elements by name."""
    found: dict[str, dict[str, Element]] = {}
    text = (files("deid.formats") / "fhir_elements.csv").read_text("utf-8")
    for row in csv.DictReader(text.splitlines()):
        element = Element(
            row["element"],
            row["is"],
            bool(row["many"]),
            bool(row["required"]),
            frozenset(row["targets"].split("|")) - {""},
        )
        found.setdefault(row["type"], {})[element.name] = element
    data_types = _used(found)
    for name, elements in found.items():
        if name.startswith("BulkLog"):
            continue
        small = "." in name or name in data_types
        common: tuple[Element, ...] = _EVERY_BACKBONE if small else _EVERY_RESOURCE
        for element in common:
            elements.setdefault(element.name, element)
    return found


def _used(found: dict[str, dict[str, Element]]) -> frozenset[str]:
    """The data types: what is used as the type of an element."""
    used = {element.kind for elements in found.values() for element in elements.values()}
    return frozenset({*used, "CodeableReference", "RatioRange", "UsageContext"} & found.keys())


@cache
def resource_types() -> frozenset[str]:
    """The resources that this format reads."""
    return frozenset(n for n in types() if "." not in n) - _used(types()) - _NO_RESOURCE


@cache
def reference_types() -> frozenset[str]:
    """What a reference may lead to: these resources, and those they may name."""
    elements = (element for of_type in types().values() for element in of_type.values())
    return resource_types().union(*(element.targets for element in elements))
