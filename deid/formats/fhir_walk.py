"""Takes a resource apart by the types of its elements: leaves for the flow, a tree for the sink.

What no table names never becomes a leaf with a value, and is not in the tree; an element of a wrong
JSON type is treated so, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from deid.formats.fhir_attachment import is_image, open_attachment
from deid.formats.fhir_hints import HINTS, Hints
from deid.formats.fhir_json import DEEPEST, JsonError, Spelled
from deid.formats.fhir_loci import locus_named, locus_of, role_of, withheld
from deid.formats.fhir_narrative import read_narrative, write_narrative
from deid.formats.fhir_pointers import read_pointer
from deid.formats.fhir_published import extensions, published
from deid.formats.fhir_tree import Branch, Frame, Item, Many, Node, Slot, Token
from deid.formats.fhir_types import (
    NUMBERS,
    PRIMITIVES,
    QUANTITIES,
    Element,
    reference_types,
    resource_types,
    types,
)
from deid.formats.locus import Locus

MOST_LEAVES = 20_000
# Ranges that tell an age, unlike those of doses and of reference populations.
_AGE_RANGES = frozenset(
    ["onsetRange", "abatementRange", "ageRange", "deceasedRange", "performedRange"]
)
_AGE_QUESTION = re.compile(r"\b(?:age|years old)\b", re.IGNORECASE)
# LOINC: ages, reported, calculated and at specimen collection.
_AGE_CODES = frozenset(["30525-0", "21612-7", "21611-9", "29553-5", "63900-5", "35659-2"])
_AGED = ("Observation", "Observation.component", "QuestionnaireResponse.item.answer")
_URIS = frozenset(["uri", "url", "canonical"])
_KEY_SHAPES = frozenset(["key", "patient_key", "account", "plan"])
_TIME = re.compile(r"\d\d:\d\d(?::\d\d(?:\.\d+)?)?")
Leaf = tuple[Locus, str | None]


@dataclass(frozen=True, slots=True)
class Taken:
    """A record taken apart: leaves in order, and the tree whose slots number them."""

    leaves: tuple[Leaf, ...] = field(repr=False)
    tree: Branch = field(repr=False)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the walk is: the path, the type there, whose it is, how deep, in which extension."""

    path: str
    kind: str
    role: str = ""
    depth: int = 0
    contained: bool = False
    aged: bool = False
    extension: str = ""

    def below(self, element: Element) -> _Place:
        """The place of an element that has elements. A backbone element is called by its type, so
        that items within items share a path."""
        path = element.kind if "." in element.kind else f"{self.path}.{element.name}"
        aged = self.aged or element.name in _AGE_RANGES
        role = role_of(path, self.role)
        return _Place(path, element.kind, role, self.depth + 1, False, aged, self.extension)


def take_resource(resource: dict[str, Any]) -> Taken:
    """One resource taken apart.

    Raises:
        JsonError: `no-resource-type`, `unknown-resource`, `unknown-modifier`, `too-deep`,
            `too-many-values`.
    """
    walk = _Walk()
    tree = walk.resource(resource, 0, contained=False)
    return Taken(tuple(walk.leaves), tree)


def take_part(value: dict[str, Any], kind: str) -> Taken:
    """An entry of a Bundle, or a line of an export's log. Raises as `take_resource`."""
    walk = _Walk()
    tree = walk.branch(value, _Place(kind, kind), Element("", kind))
    return Taken(tuple(walk.leaves), tree)


class _Walk:
    def __init__(self) -> None:
        self.leaves: list[Leaf] = []
        self._gone: set[str] = set()

    # -- objects -----------------------------------------------------------------------------

    def resource(self, value: dict[str, Any], depth: int, *, contained: bool) -> Branch:
        kind = value.get("resourceType")
        if not isinstance(kind, str) or isinstance(kind, Spelled):
            raise JsonError("no-resource-type")
        if kind not in resource_types():
            raise JsonError("unknown-resource")
        place = _Place(kind, kind, role_of(kind, ""), depth, contained)
        return self.branch(value, place, Element("", kind))

    def branch(self, value: dict[str, Any], place: _Place, own: Element) -> Branch:
        """An object of the type of its place, element by element in its own order."""
        if place.depth > DEEPEST:
            raise JsonError("too-deep")
        if not place.aged and _asks_age(value, place.kind):
            place = replace(place, aged=True)
        elements = types().get(place.kind, {})
        hints = _hints(value, place, own)
        items: list[Item] = []
        for name, below in value.items():
            known = elements.get(name.removeprefix("_"))
            if name == "resourceType":
                items.append(Item(name, Token(str(below)), True))
            elif known is None:
                self._drop(f"{place.path}.?")
            elif name == known.name:
                node = None if below is None else self._element(value, below, place, known, hints)
                shadow = self._shadow(value.get(f"_{name}"), place, known)
                items.append(Item(name, node, known.required, shadow))
            elif known.name not in value:
                shadow = self._shadow(below, place, known)
                items.append(Item(known.name, None, known.required, shadow))
        pools = place.kind in ("Quantity", "Age") and own.name not in ("low", "high")
        return Branch(tuple(items), pools and bool(hints.get("value")))

    def _element(
        self,
        parent: dict[str, Any],
        value: Any,
        place: _Place,
        element: Element,
        hints: Hints,
    ) -> Node | None:
        """One element of an object, or each of its list."""
        hint = hints.get(element.name, "")
        special = _SPECIAL.get(f"{place.kind}.{element.name}")
        if special is not None:
            return special(self, parent, value, place, element, hint)
        if not element.many:
            return self._one(value, place, element, hint)
        if not isinstance(value, list):
            self._drop(f"{place.path}.{element.name}")
            return None
        values = [item for item in value if item is not None]
        if not values and place.kind == "Bundle" and element.name == "entry":
            return Token([])
        if len(values) == 1:
            element = replace(element, many=False)
        nodes = [
            self._one(item, place, element, hint or _ordinal(place, element, number))
            for number, item in enumerate(values)
        ]
        return Many(tuple(node for node in nodes if node is not None))

    def _one(self, value: Any, place: _Place, element: Element, hint: str) -> Node | None:
        if element.kind in PRIMITIVES:
            return self._primitive(value, place, element, hint)
        if element.kind == "dropped":
            return None
        if element.kind == "Modifier":
            raise JsonError("unknown-modifier")
        if not isinstance(value, dict):
            self._drop(f"{place.path}.{element.name}")
            return None
        if element.kind == "Resource":
            return self.resource(value, place.depth + 1, contained=element.name == "contained")
        if element.kind == "Extension":
            return self._extension(value, place)
        if element.kind not in types():
            self._drop(f"{place.path}.{element.name}")
            return None
        return self.branch(value, place.below(element), element)

    def _shadow(self, value: Any, place: _Place, element: Element) -> Branch | None:
        """What `_element` holds: of it, known extensions stay. Those of lists go."""
        if element.kind not in PRIMITIVES or element.many or not isinstance(value, dict):
            return None
        path = f"{place.path}.{element.name}"
        return self.branch(value, _Place(path, "Element", place.role, place.depth + 1), element)

    def _extension(self, value: dict[str, Any], place: _Place) -> Node | None:
        url = value.get("url")
        inner = _extended(place, url) if isinstance(url, str) else None
        if inner is None:
            self._drop(f"{place.path}.extension")
            return None
        below = {name: part for name, part in value.items() if name != "url"}
        branch = self.branch(below, inner, Element("extension", "Extension"))
        known = extensions().get(str(url))
        if known is not None and not known.leaves:
            return None
        return Branch((Item("url", Token(str(url)), True), *branch.items))

    # -- leaves ------------------------------------------------------------------------------

    def _leaf(self, locus: Locus, value: str, kind: str, frame: Frame = None) -> Slot | None:
        if locus.profile.kind == "unsure":
            self._drop(locus.path)
            return None
        if len(self.leaves) >= MOST_LEAVES:
            raise JsonError("too-many-values")
        self.leaves.append((locus, value))
        return Slot(len(self.leaves) - 1, kind, frame)

    def _drop(self, path: str) -> None:
        """Note, once, that something of this path does not leave."""
        if path not in self._gone:
            self._gone.add(path)
            self.leaves.append((withheld(path), None))

    def _primitive(self, value: Any, place: _Place, element: Element, hint: str) -> Node | None:
        kind, path = element.kind, f"{place.path}.{element.name}"
        if kind == "boolean" and isinstance(value, bool):
            return Token(value)
        if not isinstance(value, str) or isinstance(value, Spelled) != (kind in NUMBERS):
            self._drop(path)
            return None
        if kind in _URIS:
            return self._uri(value, place, element, hint)
        if kind == "base64Binary":
            return self._bytes(place, element, image=False)
        if kind == "time" and not _TIME.fullmatch(value):
            self._drop(path)
            return None
        if kind in NUMBERS and place.aged and place.kind in _AGED:
            hint = "years"
        locus = self._locus(path, place, element, hint)
        return self._leaf(locus, value, "key" if locus.profile.shape in _KEY_SHAPES else kind)

    def _locus(self, path: str, place: _Place, element: Element, hint: str) -> Locus:
        if place.extension:
            named = locus_named(path, f"{place.extension}.{element.name}", place.role)
            if named.profile.kind != "unsure":
                return named
        if place.contained and element.name == "id":
            return locus_named(f"{path}[contained]", "id")
        return locus_of(path, place.kind, element, hint, place.role)

    def _uri(self, value: str, place: _Place, element: Element, hint: str) -> Node | None:
        found = published(value)
        if found.match == "exact":
            return Token(value)
        hint = "published" if found.match else hint
        path = f"{place.path}.{element.name}"
        return self._leaf(locus_of(path, place.kind, element, hint, place.role), value, "uri")

    def _bytes(self, place: _Place, element: Element, *, image: bool) -> Slot | None:
        """Bytes that cannot be searched: counted, never passed on."""
        path = f"{place.path}.{element.name}"
        locus = locus_of(path, "", element, "image" if image else "", "")
        return self._leaf(locus, "bytes", "bytes")

    # -- elements with rules of their own ----------------------------------------------------

    def pointer(
        self, parent: dict[str, Any], value: Any, place: _Place, element: Element, hint: str
    ) -> Node | None:
        """References, full URLs, URLs of requests: the key is the leaf."""
        path = f"{place.path}.{element.name}"
        pointer = read_pointer(value) if isinstance(value, str) else None
        if pointer is None:
            self._drop(path)
            return None
        if pointer.form == "type":
            return Token(pointer.target)
        target = hint or pointer.target or _entry_type(parent)
        if place.kind.startswith("Bundle.entry") and target == "Patient":
            target = "own"
        shown = f"{path}[{target}]" if target in reference_types() or target == "own" else path
        locus = locus_named(shown, f"Reference.reference[{target}]")
        if locus.profile.kind == "unsure":
            locus = locus_named(shown, "Reference.reference")
        return self._leaf(locus, pointer.key, "pointer", replace(pointer, key=""))

    def address(
        self, parent: dict[str, Any], value: Any, place: _Place, element: Element, hint: str
    ) -> Node | None:
        """The URL of an attachment: a resource of the same server is a reference."""
        pointer = read_pointer(value) if isinstance(value, str) else None
        if pointer is not None and pointer.target:
            return self.pointer(parent, value, place, element, hint)
        return self._one(value, place, element, hint)

    def target_type(
        self, parent: dict[str, Any], value: Any, place: _Place, element: Element, hint: str
    ) -> Node | None:
        """`Reference.type` is the name of a resource."""
        if value in reference_types():
            return Token(value)
        self._drop(f"{place.path}.type")
        return None

    def data(
        self, parent: dict[str, Any], value: Any, place: _Place, element: Element, hint: str
    ) -> Node | None:
        """`data` of an attachment or a Binary: text is searched, anything else does not leave."""
        opened = open_attachment(parent.get("contentType"), value)
        if opened is None:
            return self._bytes(place, element, image=is_image(parent.get("contentType")))
        note, text = opened
        return self._leaf(locus_named(f"{place.path}.data[text]", "string"), text, "note", note)

    def photo(
        self, parent: dict[str, Any], value: Any, place: _Place, element: Element, hint: str
    ) -> Node | None:
        """The picture of a person: counted, and nothing of it leaves."""
        locus = locus_named(f"{place.path}.photo", "base64Binary[image]", place.role)
        self._leaf(locus, "photo", "bytes")
        return None

    def div(
        self, parent: dict[str, Any], value: Any, place: _Place, element: Element, hint: str
    ) -> Node | None:
        """`div` of a narrative: the text between its tags."""
        if not isinstance(value, str):
            self._drop(f"{place.path}.div")
            return None
        markup, text = read_narrative(value)
        if not text:
            return Token(write_narrative(markup, ""))
        return self._leaf(locus_named(f"{place.path}.div", "xhtml"), text, "narrative", markup)


_Special = Callable[[_Walk, dict[str, Any], Any, _Place, Element, str], Node | None]
_SPECIAL: dict[str, _Special] = {
    "Reference.reference": _Walk.pointer,
    "Reference.type": _Walk.target_type,
    "Bundle.entry.fullUrl": _Walk.pointer,
    "Bundle.entry.request.url": _Walk.pointer,
    "Bundle.entry.request.ifNoneExist": _Walk.pointer,
    "Bundle.entry.response.location": _Walk.pointer,
    "Attachment.url": _Walk.address,
    "Attachment.data": _Walk.data,
    "Binary.data": _Walk.data,
    "Narrative.div": _Walk.div,
    "Patient.photo": _Walk.photo,
    "Person.photo": _Walk.photo,
    "Practitioner.photo": _Walk.photo,
    "RelatedPerson.photo": _Walk.photo,
}


def _hints(value: dict[str, Any], place: _Place, own: Element) -> Hints:
    hint = HINTS.get(place.kind)
    if hint is None:
        return {}
    aged = place.aged and place.kind in QUANTITIES
    return hint(value, replace(own, kind="Age") if aged else own)


def _ordinal(place: _Place, element: Element, number: int) -> str:
    """The second given name is a middle name."""
    given = place.kind == "HumanName" and element.name == "given"
    return "middle" if given and number else ""


def _asks_age(value: dict[str, Any], kind: str) -> bool:
    """Is the number that answers an age?"""
    if kind == "QuestionnaireResponse.item":
        text = value.get("text")
        return isinstance(text, str) and bool(_AGE_QUESTION.search(text))
    if kind not in _AGED:
        return False
    code = value.get("code")
    codings = code.get("coding") if isinstance(code, dict) else None
    return any(
        isinstance(coding, dict) and coding.get("code") in _AGE_CODES
        for coding in (codings if isinstance(codings, list) else ())
    )


def _extended(place: _Place, url: str) -> _Place | None:
    """The place within an extension: one that is known, or a part of one that is."""
    path = f"{place.path}.extension"
    if not place.extension:
        known = extensions().get(url)
        if known is None:
            return None
        path, name = f"{path}({known.name})", known.name
    elif any(k.name == place.extension and url in k.below for k in extensions().values()):
        path, name = f"{place.path}.{url}", f"{place.extension}.{url}"
    else:
        return None
    return _Place(path, "Extension", place.role, place.depth + 1, extension=name)


def _entry_type(parent: dict[str, Any]) -> str:
    """The type of the resource beside a full URL."""
    resource = parent.get("resource")
    kind = resource.get("resourceType") if isinstance(resource, dict) else None
    return kind if isinstance(kind, str) and kind in reference_types() else ""
