"""The tree of a resource, into which its leaves are written back.

The tree holds only element names, tokens of closed lists (types, URIs of published systems, true
and false) and the places of leaves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from deid.formats.fhir.attachment import AttachedText
from deid.formats.fhir.narrative import Markup
from deid.formats.fhir.references import Pointer

MASKED_URL = "http://hl7.org/fhir/StructureDefinition/data-absent-reason"
RENDERED_URL = "http://hl7.org/fhir/StructureDefinition/rendered-value"

TreeFrame = Pointer | Markup | AttachedText | None


@dataclass(frozen=True, slots=True)
class Head:
    """An element's name, and whether it is required.

    `other` is the element of the same choice (`value[x]`) that can mark it as masked, with True if
    that one is a string.
    """

    name: str
    required: bool = False
    other: tuple[str, bool] = ("", False)


@dataclass(frozen=True, slots=True)
class ClosedToken:
    """A token of a closed list: a string, true or false, an empty list."""

    value: Any = field(repr=False)


class Slot(NamedTuple):
    """The place of a leaf in the tree of a resource.

    It holds the index among the leaves of the record, the FHIR type of the new value, and the
    reference, markup or document around it.
    """

    leaf: int
    kind: str
    frame: TreeFrame = None


class ListNode(NamedTuple):
    """A list of nodes."""

    items: tuple[Any, ...]


class Item(NamedTuple):
    """One element of an object; `shadow` is the kept content of its `_element`."""

    head: Head
    node: Any
    shadow: ObjectNode | None = None


class ObjectNode(NamedTuple):
    """An object.

    If `ages` is not empty, its `value` is an age in that unit, and may be released as `>= 90`
    years.
    """

    items: tuple[Item, ...]
    ages: str = ""


ResourceNode = ClosedToken | Slot | ListNode | ObjectNode


def masked(more: str = "") -> dict[str, Any]:
    """The extensions of a masked value; `more` is the text that may be shown instead."""
    told: list[dict[str, Any]] = [{"url": MASKED_URL, "valueCode": "masked"}]
    if more:
        told.append({"url": RENDERED_URL, "valueString": more})
    return {"extension": told}
