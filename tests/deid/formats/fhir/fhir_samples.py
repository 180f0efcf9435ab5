"""FHIR resources with every element, built from a parser that is independent of this engine."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Iterator
from typing import Any

from deid.formats.fhir.definitions.element_types import (
    PRIMITIVE_TYPES,
    Element,
    resource_types,
    types,
)
from table_makers.fhir_elements import DROPPED_BY_R5, RESOURCES_OF_R5, _field_type

RELEASES = ("R4B", "R5")


def model_of(release: str, name: str) -> Any:
    """The parser's class of a type."""
    return getattr(_module(release, name), name)


def _module(release: str, name: str) -> Any:
    package = "fhir.resources.R4B" if release == "R4B" else "fhir.resources"
    return importlib.import_module(f"{package}.{name.lower()}")


def parses(resource: dict[str, Any], release: str = "R4B") -> bool:
    """Does the independent parser accept the resource?"""
    model = model_of(release, resource["resourceType"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model.model_validate(resource)
        except ValueError:
            return False
    return True


SAMPLES: dict[str, Any] = {
    "base64Binary": "aGVsbG8=",
    "boolean": True,
    "canonical": "http://hl7.org/fhir/StructureDefinition/x",
    "code": "final",
    "date": "2019-03-14",
    "dateTime": "2019-03-14T10:00:00-05:00",
    "decimal": 12.5,
    "id": "abc-123",
    "instant": "2019-03-14T10:00:00.000-05:00",
    "integer": 7,
    "markdown": "Seen today.",
    "oid": "urn:oid:1.2.3",
    "positiveInt": 3,
    "string": "plain words",
    "time": "10:30:00",
    "unsignedInt": 0,
    "uri": "http://loinc.org",
    "url": "https://host.example/x",
    "uuid": "urn:uuid:c757873d-ec9a-4326-a141-556f43239520",
    "xhtml": '<div xmlns="http://www.w3.org/1999/xhtml"><p>Words</p></div>',
}
OLD = ("date", "dateTime", "instant")


def _fields(release: str, of_type: str) -> dict[str, dict[str, Any]]:
    """What the parser's model says about each element of a type."""
    first, *rest = of_type.split(".")
    module = _module(release, first)
    model = getattr(module, first)
    for name in rest:
        fields = model.model_fields.items()
        model = getattr(
            module, next(_field_type(f.annotation)[0] for n, f in fields if f.alias == name)
        )
    return {f.alias or n: f.json_schema_extra or {} for n, f in model.model_fields.items()}


def _element(release: str, element: Element) -> Element:
    return element.later if release == "R5" and element.later is not None else element


def built(release: str, of_type: str, depth: int, pick: int) -> dict[str, Any]:
    """An instance with all elements; of each choice element, the alternative that `pick`
    selects.
    """
    if of_type == "Reference":
        return {"reference": "Patient/p1", "display": "Ann Lee"}
    if of_type == "CodeableReference":
        return {"concept": {"text": "plain words"}}
    says, out = _fields(release, of_type), {}
    choices: dict[str, list[str]] = {}
    for name, told in says.items():
        choices.setdefault(told.get("one_of_many", name), []).append(name)
    chosen = {names[pick % len(names)] for names in choices.values()}
    resource = of_type in resource_types()
    for name, both in types()[of_type].items():
        element = _element(release, both)
        left_out = ("contained", "modifierExtension", "implicitRules", "extension")
        if name in left_out or name not in chosen or (name == "id" and not resource):
            continue
        if element.kind in PRIMITIVE_TYPES:
            codes = says[name].get("enum_values")
            value = codes[pick % len(codes)] if codes else SAMPLES[element.kind]
            if pick % 2 and element.kind in OLD:
                value = value.replace("2019", "1926")
        elif element.kind == "Resource":
            value = {"resourceType": "Basic", "code": {"text": "x"}}
        elif element.kind in types() and (depth > 0 or element.required):
            value = built(release, element.kind, depth - 1, pick)
        else:
            continue
        if value != {}:
            out[name] = [value] if element.many else value
    return out


def resources_of(release: str) -> list[str]:
    """The resources that both the release and this engine define."""
    others = RESOURCES_OF_R5.split() if release == "R4B" else DROPPED_BY_R5
    return sorted(resource_types() - frozenset(others))


def everything(release: str) -> Iterator[dict[str, Any]]:
    """Two instances of each resource, with all elements."""
    for name in resources_of(release):
        for pick in range(2):
            yield {"resourceType": name, **built(release, name, 1, pick)}
