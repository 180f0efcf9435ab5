"""Writes cells back into the tree of a resource, in the form of their FHIR types.

A cell that its type does not allow (a tag in a date, `90+` in a birth date) is left out, and its
element gets the extension for masked values. `docs/decisions/` describes how `90+` is written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from deid.formats.fhir.attachment import AttachedText
from deid.formats.fhir.json_text import Spelled
from deid.formats.fhir.narrative import Markup, write_narrative
from deid.formats.fhir.references import Pointer, spell_key, spell_pointer
from deid.formats.fhir.resource_tree import (
    RENDERED_URL,
    ClosedToken,
    Item,
    ListNode,
    ObjectNode,
    ResourceNode,
    Slot,
    masked,
)
from safe_harbor import NINETY_OR_OLDER

# The HL7 security label of a resource in which a value was aggregated.
POOLED = {
    "system": "http://terminology.hl7.org/CodeSystem/v3-ObservationValue",
    "code": "AGGRED",
    "display": "aggregated",
}
OLDEST_IN_YEARS = {"value": Spelled(NINETY_OR_OLDER.rstrip("+")), "comparator": ">="}
OLDEST_AGE_QUANTITY = OLDEST_IN_YEARS | {
    "unit": "years",
    "system": "http://unitsofmeasure.org",
    "code": "a",
}
_FHIR_YEAR = r"[1-9]\d{3}"
_MONTH, _DAY = r"(?:0[1-9]|1[0-2])", r"(?:0[1-9]|[12]\d|3[01])"
_FHIR_CLOCK = r"T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)"
_YEAR_ALONE = re.compile(_FHIR_YEAR)
_FHIR_DATE = re.compile(rf"{_FHIR_YEAR}(?:-{_MONTH}(?:-{_DAY})?)?")
_TAGGED = re.compile(r"\[[A-Z][A-Z0-9_-]*\]")
_INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,9})")
_PRIMITIVE_FORMS = {
    "date": _FHIR_DATE,
    "dateTime": re.compile(rf"{_FHIR_DATE.pattern}(?:{_FHIR_CLOCK})?"),
    "instant": re.compile(rf"{_FHIR_YEAR}-{_MONTH}-{_DAY}{_FHIR_CLOCK}"),
    "time": re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?"),
    "decimal": re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?"),
    "integer": _INTEGER,
    "positiveInt": re.compile(r"[1-9]\d{0,9}"),
    "unsignedInt": re.compile(r"0|[1-9]\d{0,9}"),
    "code": re.compile(r"[^\s]+(?:\s[^\s]+)*"),
    "id": re.compile(r"[A-Za-z0-9.-]{1,64}"),
    "uri": re.compile(r"\S+"),
}
_PRIMITIVE_FORMS |= {
    "url": _PRIMITIVE_FORMS["uri"],
    "canonical": _PRIMITIVE_FORMS["uri"],
    "oid": _PRIMITIVE_FORMS["uri"],
}
_NUMBER_TYPES = frozenset(["decimal", "integer", "positiveInt", "unsignedInt"])
_TEXTS = frozenset(["string", "markdown"])


@dataclass(frozen=True, slots=True)
class _Absent:
    """An element without a value.

    `masked` is true if it had a value. `shown` is the text that may replace the value, and `pooled`
    is true if that text is the category 90 or older.
    """

    masked: bool = True
    shown: str = ""

    @property
    def pooled(self) -> bool:
        return self.shown == NINETY_OR_OLDER


_NOTHING, _MASKED, _POOLED = _Absent(False), _Absent(), _Absent(True, NINETY_OR_OLDER)


def render_resource(tree: ObjectNode, cells: Sequence[str | None]) -> dict[str, Any]:
    """The resource of a tree; `cells` has a cell per leaf, None for a leaf that is withheld."""
    render = _Render(cells)
    value = render.object(tree)
    resource = value.get("resource") if "resourceType" not in value else value
    if render.pooled and isinstance(resource, dict):
        _add_security_label(resource)
    return value


def _add_security_label(resource: dict[str, Any]) -> None:
    """Add the security label to a resource, after its id."""
    meta = resource.pop("meta", {})
    meta.setdefault("security", []).append(dict(POOLED))
    rest = {name: resource.pop(name) for name in list(resource)}
    for name in ("resourceType", "id"):
        if name in rest:
            resource[name] = rest.pop(name)
    resource["meta"] = meta
    resource.update(rest)


class _Render:
    def __init__(self, cells: Sequence[str | None]) -> None:
        self._cells = cells
        self.pooled = False

    def object(self, branch: ObjectNode) -> dict[str, Any]:
        """The JSON object of a node, with its cells in place."""
        out: dict[str, Any] = {}
        for item in branch.items:
            value = _NOTHING if item.node is None else self._node(item.node)
            old = isinstance(value, _Absent) and value.pooled
            if old and branch.ages and item.head.name == "value":
                out |= OLDEST_AGE_QUANTITY if branch.ages != "years" else OLDEST_IN_YEARS
            else:
                self._put(out, item, value)
        return out

    def _put(self, out: dict[str, Any], item: Item, value: Any) -> None:
        shadow = self.object(item.shadow) if item.shadow is not None else {}
        if not isinstance(value, _Absent):
            out.setdefault(item.head.name, value)
        elif value.masked or (item.head.required and not shadow):
            self.pooled |= value.pooled
            shadow = self._mask(item, shadow, value.shown)
            if isinstance(item.node, ListNode):
                self._put_many(out, item, shadow)
                return
            name, text = item.head.other
            if name:
                out[name] = (value.shown or "masked") if text else shadow
                return
        if shadow:
            out[f"_{item.head.name}"] = shadow

    @staticmethod
    def _mask(item: Item, shadow: dict[str, Any], more: str) -> dict[str, Any]:
        told = masked(more)
        return {**shadow, "extension": [*shadow.get("extension", ()), *told["extension"]]}

    @staticmethod
    def _put_many(out: dict[str, Any], item: Item, shadow: dict[str, Any]) -> None:
        """Put one masked element into a required list that has no values."""
        if item.node == ListNode(()) or not item.head.required:
            return
        first = item.node.items[0] if isinstance(item.node, ListNode) else None
        out[item.head.name if isinstance(first, ObjectNode) else f"_{item.head.name}"] = [shadow]

    def _node(self, node: ResourceNode) -> Any:
        if isinstance(node, ClosedToken):
            return node.value
        if isinstance(node, Slot):
            return self._slot(node)
        if isinstance(node, ListNode):
            values = [self._node(item) for item in node.items]
            kept = [value for value in values if not isinstance(value, _Absent)]
            return kept or _NOTHING
        value = self.object(node)
        return _NOTHING if _is_empty(value) else value

    def _slot(self, slot: Slot) -> Any:
        cell = self._cells[slot.leaf]
        if cell is None:
            return _NOTHING
        if not cell.strip():
            return _MASKED
        if isinstance(slot.frame, Pointer):
            return spell_pointer(slot.frame, cell) or _MASKED
        if isinstance(slot.frame, Markup):
            return write_narrative(slot.frame, cell)
        if isinstance(slot.frame, AttachedText):
            return slot.frame.encode(cell)
        return _primitive_value(slot.kind, cell)


def _is_empty(value: dict[str, Any]) -> bool:
    """Whether an object has no content of its own.

    It then holds only masking marks or the URL of its extension, or is a narrative without text.
    """
    return "_div" in value or all(
        name == "url" or (name.startswith("_") and RENDERED_URL not in str(below))
        for name, below in value.items()
    )


def _primitive_value(kind: str, cell: str) -> Any:
    if kind in _TEXTS:
        return cell
    if kind == "key":
        return spell_key(cell) or cell
    if cell == NINETY_OR_OLDER:
        return _POOLED
    if kind == "id":
        return spell_key(cell) or _MASKED
    if kind == "instant" and _YEAR_ALONE.fullmatch(cell):
        return _Absent(True, cell)
    form = _PRIMITIVE_FORMS.get(kind)
    if _TAGGED.search(cell) or form is None or not form.fullmatch(cell):
        return _MASKED
    return Spelled(cell) if kind in _NUMBER_TYPES else cell
