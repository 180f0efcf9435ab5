"""FHIR in XML: read into the JSON form of the same resource, and written from it.

The same tables apply to JSON and XML. Elements, attributes and text that FHIR does not define
become an element whose name begins with `?`, so that they are counted and not released.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from lxml import etree

from deid.formats.contract import RecordFault
from deid.formats.fhir.definitions.element_types import (
    NUMBER_TYPES,
    PRIMITIVE_TYPES,
    Element,
    JsonForm,
    types,
)
from deid.formats.fhir.json_text import Spelled
from deid.formats.fhir.narrative import XMLNS
from deid.formats.fhir.syntax import FhirLayout, FilePart, Shape
from deid.formats.guarded_xml import parse_xml_file

FHIR_NS = "http://hl7.org/fhir"
_SEARCHED_HEAD = 1 << 18
_FHIR_ROOT = re.compile(
    rb"<(?:([A-Za-z_][\w.-]{0,63}):)?[A-Z][A-Za-z]{1,63}\s(?:[^<>]*\s)?xmlns(?(1):\1)\s*=\s*"
    rb"[\"']http://hl7\.org/fhir[\"']"
)
_JSON_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_EXTENSIONS = ("extension", "modifierExtension")
_BOOLEANS = ("false", "true")
# The name of content that FHIR does not define; no FHIR element has this name.
_UNKNOWN_NAME = "?"


def looks_like_fhir_xml(path: Path) -> bool:
    """Whether the root element of a file is in the FHIR namespace."""
    try:
        with path.open("rb") as file:
            head = file.read(_SEARCHED_HEAD).replace(b"\0", b"")
    except OSError:
        return False
    return head.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n").startswith(b"<") and bool(
        _FHIR_ROOT.search(head)
    )


def read_xml_layout(path: Path) -> FhirLayout:
    """Detect the layout of the file.

    Raises:
        DeidError: an error of `parse_xml_file`.
    """
    root = parse_xml_file(path)
    return FhirLayout("bundle" if _name_of(root) == "Bundle" else "resource", XmlSyntax())


@dataclass(frozen=True, slots=True)
class FhirElement:
    """The XML element of one record; the `repr` shows no content."""

    ordinal: int
    part: FilePart
    element: Any = field(repr=False)

    def value(self) -> Any:
        """The element as FHIR JSON."""
        if self.part == "entry":
            return _object(self.element, "Bundle.entry")
        resource = _resource(self.element)
        return resource | {"entry": []} if "entry" in resource else resource


@dataclass(frozen=True, slots=True)
class XmlSyntax:
    """XML in the FHIR namespace, with one element per line."""

    def parts(self, path: Path, shape: Shape) -> Iterator[FhirElement | RecordFault]:
        """The resource, or the Bundle and its entries.

        Raises:
            DeidError: an error of `parse_xml_file`.
        """
        root = parse_xml_file(path)
        if shape == "resource":
            yield FhirElement(1, "line", root)
            return
        entries = [child for child in root if _name_of(child) == "entry"]
        for entry in entries[1:]:
            root.remove(entry)
        first = etree.Element(f"{{{FHIR_NS}}}entry")
        if entries:
            root.replace(entries[0], first)
        yield FhirElement(1, "shell", root)
        for ordinal, entry in enumerate(entries, 2):
            yield FhirElement(ordinal, "entry", entry)

    def resource(self, value: dict[str, Any]) -> str:
        """The XML document of a resource."""
        return _XML_DECLARATION + _written_resource(value, 0, f' xmlns="{FHIR_NS}"')

    def entry(self, value: dict[str, Any], *, first: bool) -> str:
        """The XML of an entry, on its own lines."""
        return "\n" + _written_element("entry", value, {}, 1)

    def bundle(self, shell: dict[str, Any]) -> tuple[str, str]:
        """The XML of the Bundle before its entries and after them."""
        hole = "\ue000"
        entries: dict[str, Any] = {"entry": [hole]} if "entry" in shell else {}
        head, _, tail = self.resource(shell | entries).partition(f'\n  <entry value="{hole}"/>')
        return head, tail


# -- reading ---------------------------------------------------------------------------------------


def _name_of(element: Any) -> str:
    """The name of a FHIR element; "" for an element of another namespace."""
    space, _, name = element.tag.rpartition("}")
    return name if space == f"{{{FHIR_NS}" else ""


def _resource(element: Any) -> dict[str, Any]:
    kind = _name_of(element)
    return {"resourceType": kind, **_object(element, kind)}


def _object(element: Any, kind: str) -> dict[str, Any]:
    """The JSON object of an element of type `kind`, from its attributes and children."""
    known = types().get(kind, {})
    out: dict[str, Any] = {}
    for name, value in element.attrib.items():
        if name == "id" or (name == "url" and kind == "Extension"):
            out[name] = value
        elif not (name == "value" and kind == "Element"):
            out[f"{_UNKNOWN_NAME}{len(out)}"] = {}
    if any(text and text.strip() for text in (element.text, *(child.tail for child in element))):
        out[f"{_UNKNOWN_NAME}{len(out)}"] = {}
    groups: dict[str, list[Any]] = {}
    for child in element:
        groups.setdefault(_child_name(child), []).append(child)
    for name, children in groups.items():
        if name in known:
            _put_element(out, name, known[name], children)
        else:
            out |= {f"{_UNKNOWN_NAME}{len(out)}{n}": {} for n in range(len(children))}
    return out


def _child_name(child: Any) -> str:
    if child.tag == f"{{{XMLNS}}}div":
        return "div"
    name = _name_of(child)
    return "" if name == "div" else name


def _put_element(out: dict[str, Any], name: str, element: Element, children: Sequence[Any]) -> None:
    """Put all occurrences of an element into `out`, in the form of R4 or R5 that they fit."""
    first, many = children[0], len(children) > 1
    counts: dict[str, int] = {}
    for child in first:
        counts[_name_of(child)] = counts.get(_name_of(child), 0) + 1
    below = {key: True if count > 1 else None for key, count in counts.items()}
    form: JsonForm = "plain" if "value" in first.attrib or element.kind == "xhtml" else "object"
    form = "boolean" if first.get("value") in _BOOLEANS else form
    fitting = element.fitting(form, many or None, below if form == "object" else {})
    values = [_json_value(child, fitting) for child in children]
    told = [_shadow_of(child, fitting.kind) for child in children]
    if fitting.many or many:
        out[name] = values
        if any(told):
            out[f"_{name}"] = told
        return
    if values[0] is not None:
        out[name] = values[0]
    if told[0] is not None:
        out[f"_{name}"] = told[0]


def _shadow_of(child: Any, kind: str) -> dict[str, Any] | None:
    """The `_element` of a primitive value in JSON: its id and extensions."""
    if kind == "xhtml" or kind not in PRIMITIVE_TYPES or not (len(child) or "id" in child.attrib):
        return None
    return _object(child, "Element")


def _json_value(child: Any, element: Element) -> Any:
    kind = element.kind
    if kind == "xhtml":
        return etree.tostring(child, encoding="unicode", with_tail=False)
    if kind in PRIMITIVE_TYPES:
        return _primitive(child.get("value"), kind)
    if kind == "Resource":
        inside = [one for one in child if _name_of(one)]
        return _resource(inside[0]) if len(inside) == 1 else {_UNKNOWN_NAME: {}}
    return _object(child, kind)


def _primitive(value: str | None, kind: str) -> Any:
    if kind == "boolean" and value in _BOOLEANS:
        return value == "true"
    if kind in NUMBER_TYPES and value is not None and _JSON_NUMBER.fullmatch(value):
        return Spelled(value)
    return value


# -- writing ---------------------------------------------------------------------------------------


def _written_resource(value: dict[str, Any], level: int, space: str = "") -> str:
    elements = {name: below for name, below in value.items() if name != "resourceType"}
    return _tag(value["resourceType"], space, elements, level)


def _tag(name: str, attributes: str, elements: Mapping[str, Any], level: int) -> str:
    indent = "  " * level
    inside = _children(elements, level + 1)
    if not inside:
        return f"{indent}<{name}{attributes}/>"
    return "\n".join([f"{indent}<{name}{attributes}>", *inside, f"{indent}</{name}>"])


def _children(elements: Mapping[str, Any], level: int) -> list[str]:
    out = []
    for name in elements:
        own = name.removeprefix("_")
        if own != name and own in elements:
            continue  # written with its element
        value, shadow = elements.get(own), elements.get(f"_{own}")
        values = value if isinstance(value, list) else [value]
        shadows = shadow if isinstance(shadow, list) else [shadow]
        for place in range(max(len(values), len(shadows))):
            beside = shadows[place] if place < len(shadows) else None
            one = values[place] if place < len(values) else None
            out.append(_written_element(own, one, beside or {}, level))
    return out


def _written_element(name: str, value: Any, shadow: dict[str, Any], level: int) -> str:
    indent = "  " * level
    if isinstance(value, dict) and "resourceType" in value:
        inside = _written_resource(value, level + 1)
        return f"{indent}<{name}>\n{inside}\n{indent}</{name}>"
    if isinstance(value, dict):
        url = value.get("url") if name in _EXTENSIONS else None
        rest = value if url is None else {key: v for key, v in value.items() if key != "url"}
        return _tag(name, "" if url is None else f" url={_quoted_attribute(url)}", rest, level)
    if name == "div" and isinstance(value, str):
        return indent + value
    told = "" if value is None else f" value={_quoted_attribute(_attribute_value(value))}"
    return _tag(name, told, shadow, level)


def _attribute_value(value: Any) -> str:
    return _BOOLEANS[value] if isinstance(value, bool) else str(value)


def _quoted_attribute(value: str) -> str:
    return quoteattr(value, {'"': "&quot;"})
