"""The types of FHIR R4 and R5 and their elements, from `elements.csv`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Literal

from safe_harbor import csv_rows

_PRIMITIVES = """
    base64Binary boolean canonical code date dateTime decimal id instant integer markdown oid
    positiveInt string time unsignedInt uri url uuid xhtml
"""
PRIMITIVE_TYPES = frozenset(_PRIMITIVES.split())
NUMBER_TYPES = frozenset(["integer", "decimal", "positiveInt", "unsignedInt"])
JsonForm = Literal["plain", "boolean", "object"]
QUANTITIES = frozenset(["Quantity", "Age", "Count", "Distance", "Duration"])


@dataclass(frozen=True, slots=True)
class Element:
    """One element of a type.

    `kind` is the element's own type, and `targets` are the resources that it may refer to. `choice`
    is the stem of its choice (`value[x]`), and `codes` are its allowed codes. `later` is its
    definition in R5 if the type or cardinality differs.
    """

    name: str
    kind: str
    many: bool = False
    required: bool = False
    targets: frozenset[str] = frozenset()
    choice: str = ""
    codes: frozenset[str] = frozenset()
    later: Element | None = None

    def fitting(
        self, form: JsonForm, many: bool | None, below: Mapping[str, bool | None]
    ) -> Element:
        """Return the definition (R4 or R5) that a value fits best.

        It is chosen by the form of the value, by whether the value is a list, and by which of its
        elements are lists (None if unknown).
        """
        if self.later is None:
            return self

        def misfits(one: Element) -> tuple[bool, int, bool]:
            known = types().get(one.kind, {})
            odd = sum(
                name not in known or (listed is not None and known[name].many != listed)
                for name, listed in below.items()
            )
            wanted: JsonForm = "plain" if one.kind in PRIMITIVE_TYPES else "object"
            wanted = "boolean" if one.kind == "boolean" else wanted
            return wanted != form, odd, many not in (None, one.many)

        return min(self, self.later, key=misfits)


_EVERY_ELEMENT = (Element("id", "dropped"), Element("extension", "Extension", many=True))
_EVERY_BACKBONE = (*_EVERY_ELEMENT, Element("modifierExtension", "Modifier", many=True))
_EVERY_BARE_RESOURCE = (
    Element("id", "id"),
    Element("meta", "Meta"),
    Element("implicitRules", "uri"),
    Element("language", "code"),
)
_EVERY_RESOURCE = (
    *_EVERY_BARE_RESOURCE,
    Element("text", "Narrative"),
    Element("contained", "Resource", many=True),
    Element("extension", "Extension", many=True),
    Element("modifierExtension", "Modifier", many=True),
)
_CONTAINER_RESOURCES = frozenset(["Binary", "Bundle", "Parameters"])
_NO_RESOURCE = frozenset(["BulkLog"])


@cache
def types() -> dict[str, dict[str, Element]]:
    """All types, each with its elements by name."""
    found: dict[str, dict[str, Element]] = {}
    for row in csv_rows(files("deid.formats.fhir.definitions") / "elements.csv"):
        element = Element(
            row["element"],
            row["is"],
            bool(row["many"]),
            bool(row["required"]),
            frozenset(row["targets"].split("|")) - {"", "Resource"},
            row["choice"],
            frozenset(row["codes"].split("|")) - {""},
        )
        of_type = found.setdefault(row["type"], {})
        old = of_type.get(element.name)
        of_type[element.name] = element if old is None else replace(old, later=element)
    data_types = _used(found)
    for name, elements in found.items():
        if name.startswith("BulkLog"):
            continue
        common: tuple[Element, ...] = (
            _EVERY_BARE_RESOURCE if name in _CONTAINER_RESOURCES else _EVERY_RESOURCE
        )
        if "." in name or name in data_types:
            common = _EVERY_BACKBONE
        for element in common:
            elements.setdefault(element.name, element)
    found["Element"] = {element.name: element for element in _EVERY_ELEMENT}
    return found


def _used(found: dict[str, dict[str, Element]]) -> frozenset[str]:
    """Return the data types, that is, the types of elements."""
    every = [element for elements in found.values() for element in elements.values()]
    used = {element.kind for element in every}
    used |= {element.later.kind for element in every if element.later is not None}
    used |= {"Element", "CodeableReference", "RatioRange", "UsageContext"}
    return frozenset(used & found.keys())


@cache
def resource_types() -> frozenset[str]:
    """The names of the resources that can be read."""
    return frozenset(n for n in types() if "." not in n) - _used(types()) - _NO_RESOURCE


@cache
def reference_types() -> frozenset[str]:
    """The resource types of references: the readable resources, and all targets of elements."""
    elements = (element for of_type in types().values() for element in of_type.values())
    return resource_types().union(*(element.targets for element in elements))


@cache
def stand_in(of_type: str, name: str) -> tuple[str, bool]:
    """Return the element that marks a required element as masked if its `_element` cannot.

    This is an element of the same choice, with True if it is a string and False if it has elements
    of its own. The result is ("", False) if no such element is needed.
    """
    elements = types().get(of_type, {})
    wanted = elements[name]
    if not wanted.required or (wanted.kind in PRIMITIVE_TYPES and not wanted.choice):
        return "", False
    if wanted.kind not in PRIMITIVE_TYPES:
        return name, False
    same = [element for element in elements.values() if element.choice == wanted.choice]
    texts = [element.name for element in same if element.kind == "string"]
    others = [element.name for element in same if element.kind in types()]
    return (texts[0], True) if texts else (others[0] if others else "", False)
