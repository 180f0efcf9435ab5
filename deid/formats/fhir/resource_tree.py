"""The tree of a resource, into which its leaves are written back.

Nothing of a resource is in the tree but names of elements, tokens of closed lists (types, URIs of
published systems, true and false) and places of leaves.
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
    """An element's name, whether it must be there, and the element of its choice that may say that
    it was masked (and whether that one is a text)."""

    name: str
    required: bool = False
    other: tuple[str, bool] = ("", False)


@dataclass(frozen=True, slots=True)
class ClosedToken:
    """A token of a closed list: a string, true or false, an empty list."""

    value: Any = field(repr=False)


class Slot(NamedTuple):
    """The place of a leaf: its index among the leaves of the record, the FHIR type that its new
    value must fit, and what surrounds it."""

    leaf: int
    kind: str
    frame: TreeFrame = None


class ListNode(NamedTuple):
    """A list."""

    items: tuple[Any, ...]


class Item(NamedTuple):
    """One element of an object; `shadow` is what its `_element` holds and keeps."""

    head: Head
    node: Any
    shadow: ObjectNode | None = None


class ObjectNode(NamedTuple):
    """An object; where `ages` is not empty, its `value` is an age in that unit, and `>= 90` years
    may stand for it."""

    items: tuple[Item, ...]
    ages: str = ""


ResourceNode = ClosedToken | Slot | ListNode | ObjectNode


def masked(more: str = "") -> dict[str, Any]:
    """What stands for a value that was taken out; `more` is how it may be shown."""
    told: list[dict[str, Any]] = [{"url": MASKED_URL, "valueCode": "masked"}]
    if more:
        told.append({"url": RENDERED_URL, "valueString": more})
    return {"extension": told}
