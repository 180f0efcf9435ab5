"""A resource taken apart: its leaves with their loci, and the tree they are put back into.

Nothing of a resource is in the tree but names of elements, tokens of closed lists (types, URIs of
published systems, true and false) and places of leaves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from deid.formats.fhir_attachment import Note
from deid.formats.fhir_json import Spelled
from deid.formats.fhir_narrative import Markup
from deid.formats.fhir_pointers import Pointer

MASKED_URL = "http://hl7.org/fhir/StructureDefinition/data-absent-reason"
RENDERED_URL = "http://hl7.org/fhir/StructureDefinition/rendered-value"

Frame = Pointer | Markup | Note | None


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a closed list, as JSON has it: a string, a number, true or false."""

    value: Any = field(repr=False)


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of a leaf: its index among the leaves of the record, the FHIR type that its new
    value must fit, and what surrounds it."""

    leaf: int
    kind: str
    frame: Frame = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Many:
    """A list."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """One element of an object. `shadow` is what its `_element` holds and keeps."""

    name: str
    node: Node | None
    required: bool = False
    shadow: Branch | None = None


@dataclass(frozen=True, slots=True)
class Branch:
    """An object; `ages` says that its `value` is an age, which `>= 90` may stand for."""

    items: tuple[Item, ...]
    ages: bool = False


Node = Token | Slot | Many | Branch
Kind = Literal["absent", "masked", "pooled"]


def masked(more: str = "") -> dict[str, Any]:
    """What stands for a value that was taken out; `more` is how it may be shown."""
    told: list[dict[str, Any]] = [{"url": MASKED_URL, "valueCode": "masked"}]
    if more:
        told.append({"url": RENDERED_URL, "valueString": more})
    return {"extension": told}


def tokens(node: Node | None) -> Iterator[Any]:
    """Every token of a tree."""
    if isinstance(node, Token):
        yield node.value
    elif isinstance(node, Many):
        for item in node.items:
            yield from tokens(item)
    elif isinstance(node, Branch):
        for element in node.items:
            yield from tokens(element.node)
            yield from tokens(element.shadow)


__all__ = ["Branch", "Item", "Many", "Node", "Slot", "Spelled", "Token", "masked", "tokens"]
