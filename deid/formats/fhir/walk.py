"""Splits a resource by its element types into leaves (its cells) and a tree for the sink.

Unlisted elements and elements of a wrong JSON type get no leaf with a value and are not in the
tree.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from deid.formats.fhir.definitions.codes import may_keep_fhir_code
from deid.formats.fhir.definitions.element_types import QUANTITIES, Element, resource_types
from deid.formats.fhir.definitions.loci import withheld
from deid.formats.fhir.definitions.published_uris import extensions, published
from deid.formats.fhir.definitions.unfolded_types import (
    TypePart,
    TypePlace,
    extension_place,
    root_place,
    shadow_place,
)
from deid.formats.fhir.hints import HINTS, Hints
from deid.formats.fhir.json_text import DEEPEST_RESOURCE, JsonError, Spelled
from deid.formats.fhir.resource_tree import (
    ClosedToken,
    Head,
    Item,
    ListNode,
    ObjectNode,
    ResourceNode,
    Slot,
    TreeFrame,
)
from deid.formats.fhir.special_elements import SPECIAL_ELEMENTS
from deid.formats.fhir.wrappers import take_wrapper
from deid.vocabularies.locus import Locus

MOST_LEAVES = 20_000
_AGE_QUESTION = re.compile(r"\b(?:age|years old)\b", re.IGNORECASE)
# LOINC: ages, reported, calculated and at specimen collection.
_FHIR_AGE_CODES = frozenset(["30525-0", "21612-7", "21611-9", "29553-5", "63900-5", "35659-2"])
_MAY_HOLD_AGE = ("Observation", "Observation.component", "QuestionnaireResponse.item.answer")
_ASKING = frozenset([*_MAY_HOLD_AGE[:2], "QuestionnaireResponse.item"])
_TIME_OF_DAY = re.compile(r"\d\d:\d\d(?::\d\d(?:\.\d+)?)?")
_TYPE, _URL = Head("resourceType", True), Head("url", True)
Leaf = tuple[Locus, str | None]


@dataclass(frozen=True, slots=True)
class TakenResource:
    """A record: its leaves in order, and the tree whose slots refer to the leaves by index.

    It also counts, by kind, the parts that are in neither.
    """

    leaves: tuple[Leaf, ...] = field(repr=False)
    tree: ObjectNode = field(repr=False)
    left: Mapping[str, int] = field(default_factory=dict)


def take_resource(resource: dict[str, Any], rtf: str = "document") -> TakenResource:
    """Split one resource; `rtf` is the option of `ReadOptions`: the form in which RTF is written.

    Raises:
        JsonError: `no-resource-type`, `unknown-resource`, `unknown-modifier`, `too-deep`,
            `too-many-values`.
    """
    walk = Walk(rtf)
    tree = walk.resource(resource, 0)
    return TakenResource(tuple(walk.leaves), tree, dict(+walk.left))


def take_wrapped(value: dict[str, Any], rtf: str = "document") -> TakenResource:
    """Split an object around resources. Raises the errors of `take_resource`."""
    walk = Walk(rtf)
    tree = take_wrapper(walk, value)
    return TakenResource(tuple(walk.leaves), tree, dict(+walk.left))


def take_part(value: dict[str, Any], kind: str, rtf: str = "document") -> TakenResource:
    """Split a Bundle entry or a line of an export log. Raises the errors of `take_resource`."""
    walk = Walk(rtf)
    tree = walk.branch(value, root_place(kind), Element("", kind), 0)
    return TakenResource(tuple(walk.leaves), tree, dict(+walk.left))


class Walk:
    """A record being split: its leaves so far, and the counts of its parts that are left out."""

    def __init__(self, rtf: str) -> None:
        self.rtf = rtf
        self.leaves: list[Leaf] = []
        self.left: Counter[str] = Counter()
        self._gone: set[str] = set()

    # -- objects -----------------------------------------------------------------------------

    def resource(self, value: dict[str, Any], depth: int, contained: bool = False) -> ObjectNode:
        kind = value.get("resourceType")
        if not isinstance(kind, str) or isinstance(kind, Spelled):
            raise JsonError("no-resource-type")
        if kind not in resource_types():
            raise JsonError("unknown-resource")
        return self.branch(value, root_place(kind, contained), Element("", kind), depth)

    def branch(
        self, value: dict[str, Any], place: TypePlace, own: Element, depth: int
    ) -> ObjectNode:
        """Split an object of the type at `place`, element by element in their original order."""
        if depth > DEEPEST_RESOURCE:
            raise JsonError("too-deep")
        if place.kind in _ASKING and _asks_age(value, place.kind):
            place = place.of_ages()
        hints = _hints(value, place, own)
        items: list[Item] = []
        for name, below in value.items():
            part = place.part(name)
            if part is not None:
                part = part.fitting(below)
                hint = hints.get(name, "")
                node = None if below is None else self._part(part, below, value, depth, hint)
                shadow = self._shadow(part, value, depth) if part.shadow in value else None
                items.append(Item(part.head, node, shadow))
            elif name == "resourceType" and below == place.kind:
                items.append(Item(_TYPE, ClosedToken(place.kind)))
            elif not name.startswith("_"):
                self.drop(f"{place.path}.?")
            elif name[1:] not in value:
                items += self._lone_shadow(place, name, value, depth)
        pools = place.kind in ("Quantity", "Age") and own.name not in ("low", "high")
        return ObjectNode(tuple(items), hints.get("value", "") if pools else "")

    def _part(
        self, part: TypePart, value: Any, parent: dict[str, Any], depth: int, hint: str
    ) -> ResourceNode | None:
        """Split one element of an object, or each item of a list element."""
        special = SPECIAL_ELEMENTS.get((part.place.kind, part.element.name))
        if special is not None:
            return special(self, part, value, parent, hint)
        if not part.element.many:
            return self.one(part, part.element, value, depth, hint)
        if not isinstance(value, list):
            self.drop(part.path)
            return None
        if not value and part.path == "Bundle.entry":
            return ClosedToken([])
        element = part.alone if len(value) == 1 else part.element
        nodes = [
            self.one(part, element, item, depth, hint or _ordinal(part, number))
            for number, item in enumerate(value)
            if item is not None
        ]
        return ListNode(tuple([node for node in nodes if node is not None]))

    def one(
        self, part: TypePart, element: Element, value: Any, depth: int, hint: str
    ) -> ResourceNode | None:
        """Split one value of an element, by the element's `sort`."""
        sort = part.sort
        if sort == "branch" and isinstance(value, dict):
            return self.branch(value, part.below(), element, depth + 1)
        if sort in ("text", "number", "uri", "time", "base64Binary", "boolean"):
            return self._primitive(part, value, hint)
        if sort == "dropped":
            return None
        if sort == "modifier":
            raise JsonError("unknown-modifier")
        if sort == "extension" and isinstance(value, dict):
            return self._extension(part, value, depth)
        if sort == "resource" and isinstance(value, dict):
            return self.resource(value, depth + 1, element.name == "contained")
        self.drop(part.path)
        return None

    def _shadow(self, part: TypePart, parent: dict[str, Any], depth: int) -> ObjectNode | None:
        """Split an `_element`; known extensions are kept, except in lists."""
        value = parent.get(part.shadow)
        if part.element.many or not isinstance(value, dict):
            for beside in value if isinstance(value, list) else [value]:
                if beside:
                    self.drop(f"{part.path}.extension", "extensions-in-lists")
            return None
        place = shadow_place(part.path, part.place.role)
        return self.branch(value, place, part.element, depth + 1)

    def _lone_shadow(
        self, place: TypePlace, name: str, value: dict[str, Any], depth: int
    ) -> list[Item]:
        """Split an `_element` whose element is missing."""
        part = place.part(name[1:])
        if part is None:
            self.drop(f"{place.path}.?")
            return []
        return [Item(part.head, None, self._shadow(part, value, depth))]

    def _extension(self, part: TypePart, value: dict[str, Any], depth: int) -> ResourceNode | None:
        url, place = value.get("url"), part.place
        if not isinstance(url, str) or (url not in extensions() and not place.extension):
            inner = None
        else:
            inner = extension_place(place.path, place.role, place.extension, url)
        if inner is None:
            self.drop(part.path, "unknown-extensions")
            return None
        below = {name: item for name, item in value.items() if name != "url"}
        branch = self.branch(below, inner, part.element, depth + 1)
        known = extensions().get(str(url))
        if known is not None and not known.leaves:
            return None
        return ObjectNode((Item(_URL, ClosedToken(str(url))), *branch.items))

    # -- leaves ------------------------------------------------------------------------------

    def leaf(self, locus: Locus, value: str, kind: str, frame: TreeFrame = None) -> Slot:
        """Add a leaf and return its slot."""
        place = len(self.leaves)
        if place >= MOST_LEAVES:
            raise JsonError("too-many-values")
        self.leaves.append((locus, value))
        return Slot(place, kind, frame)

    def drop(self, path: str, what: str = "unnamed-elements") -> None:
        """Count an element that is not released; its path is added once as a leaf without value."""
        self.left[what] += 1
        if path not in self._gone:
            self._gone.add(path)
            self.leaves.append((withheld(path), None))

    def _primitive(self, part: TypePart, value: Any, hint: str) -> ResourceNode | None:
        sort = part.sort
        if sort == "boolean" and isinstance(value, bool):
            return ClosedToken(value)
        if not isinstance(value, str) or isinstance(value, Spelled) != (sort == "number"):
            self.drop(part.path)
            return None
        if sort == "uri":
            return self._uri(part, value, hint)
        if sort == "base64Binary":
            return self.bytes(part, image=False)
        if sort == "boolean" or (sort == "time" and not _TIME_OF_DAY.fullmatch(value)):
            self.drop(part.path)
            return None
        if part.element.codes:
            if value in part.element.codes:
                return ClosedToken(value)
            hint = "unlisted"
        if sort == "number" and part.place.aged and part.place.kind in _MAY_HOLD_AGE:
            hint = "years"
        locus, kind = part.locus(hint)
        if (
            sort == "text"
            and locus.profile.kind == "keep"
            and not may_keep_fhir_code(part, locus, value)
        ):
            locus, kind = part.locus("unlisted")
        return self.leaf(locus, value, kind)

    def _uri(self, part: TypePart, value: str, hint: str) -> ResourceNode:
        found = published(value)
        if found.match == "exact":
            return ClosedToken(value)
        locus, _ = part.locus("published" if found.match else hint)
        return self.leaf(locus, value, "uri")

    def bytes(self, part: TypePart, *, image: bool) -> Slot:
        """Count bytes that cannot be searched; they are never released."""
        self.left["binary-attachments"] += 1
        locus, _ = part.locus("image" if image else "")
        return self.leaf(locus, "bytes", "bytes")


def _hints(value: dict[str, Any], place: TypePlace, own: Element) -> Hints:
    hint = HINTS.get(place.kind)
    if hint is None:
        return {}
    aged = place.aged and place.kind in QUANTITIES
    return hint(value, replace(own, kind="Age") if aged else own)


def _ordinal(part: TypePart, number: int) -> str:
    """Return the qualifier `middle` for the second and later given names, else ""."""
    given = part.element.name == "given" and part.place.kind == "HumanName"
    return "middle" if number and given else ""


def _asks_age(value: dict[str, Any], kind: str) -> bool:
    """Whether the question or code asks for an age."""
    if kind == "QuestionnaireResponse.item":
        text = value.get("text")
        return isinstance(text, str) and bool(_AGE_QUESTION.search(text))
    code = value.get("code")
    codings = code.get("coding") if isinstance(code, dict) else None
    return any(
        isinstance(coding, dict) and str(coding.get("code")) in _FHIR_AGE_CODES
        for coding in (codings if isinstance(codings, list) else ())
    )
