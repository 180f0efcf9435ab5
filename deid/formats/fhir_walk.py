"""Takes a resource apart by the types of its elements: leaves for the flow, a tree for the sink.

What no table names never becomes a leaf with a value, and is not in the tree; an element of a wrong
JSON type is treated so, too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from deid.formats.fhir_attachment import is_image, open_attachment
from deid.formats.fhir_hints import HINTS, Hints
from deid.formats.fhir_json import DEEPEST, JsonError, Spelled
from deid.formats.fhir_loci import locus_named, withheld
from deid.formats.fhir_narrative import read_narrative, write_narrative
from deid.formats.fhir_places import Part, Place, element_place, extended, root
from deid.formats.fhir_pointers import read_pointer
from deid.formats.fhir_published import extensions, published
from deid.formats.fhir_tree import Branch, Frame, Head, Item, Many, Node, Slot, Token
from deid.formats.fhir_types import QUANTITIES, Element, reference_types, resource_types
from deid.formats.locus import Locus

MOST_LEAVES = 20_000
_AGE_QUESTION = re.compile(r"\b(?:age|years old)\b", re.IGNORECASE)
# LOINC: ages, reported, calculated and at specimen collection.
_AGE_CODES = frozenset(["30525-0", "21612-7", "21611-9", "29553-5", "63900-5", "35659-2"])
_AGED = ("Observation", "Observation.component", "QuestionnaireResponse.item.answer")
_ASKING = frozenset([*_AGED[:2], "QuestionnaireResponse.item"])
_TIME = re.compile(r"\d\d:\d\d(?::\d\d(?:\.\d+)?)?")
_TYPE, _URL = Head("resourceType", True), Head("url", True)
Leaf = tuple[Locus, str | None]


@dataclass(frozen=True, slots=True)
class Taken:
    """A record taken apart: leaves in order, the tree whose slots number them, and how many parts
    of which sort are in neither."""

    leaves: tuple[Leaf, ...] = field(repr=False)
    tree: Branch = field(repr=False)
    left: Mapping[str, int] = field(default_factory=dict)


def take_resource(resource: dict[str, Any]) -> Taken:
    """One resource taken apart.

    Raises:
        JsonError: `no-resource-type`, `unknown-resource`, `unknown-modifier`, `too-deep`,
            `too-many-values`.
    """
    walk = _Walk()
    tree = walk.resource(resource, 0)
    return Taken(tuple(walk.leaves), tree, dict(walk.left))


def take_part(value: dict[str, Any], kind: str) -> Taken:
    """An entry of a Bundle, or a line of an export's log. Raises as `take_resource`."""
    walk = _Walk()
    tree = walk.branch(value, root(kind), Element("", kind), 0)
    return Taken(tuple(walk.leaves), tree, dict(walk.left))


class _Walk:
    def __init__(self) -> None:
        self.leaves: list[Leaf] = []
        self.left: Counter[str] = Counter()
        self._gone: set[str] = set()

    # -- objects -----------------------------------------------------------------------------

    def resource(self, value: dict[str, Any], depth: int, contained: bool = False) -> Branch:
        kind = value.get("resourceType")
        if not isinstance(kind, str) or isinstance(kind, Spelled):
            raise JsonError("no-resource-type")
        if kind not in resource_types():
            raise JsonError("unknown-resource")
        return self.branch(value, root(kind, contained), Element("", kind), depth)

    def branch(self, value: dict[str, Any], place: Place, own: Element, depth: int) -> Branch:
        """An object of the type of its place, element by element in its own order."""
        if depth > DEEPEST:
            raise JsonError("too-deep")
        if place.kind in _ASKING and _asks_age(value, place.kind):
            place = place.of_ages()
        hints = _hints(value, place, own)
        items: list[Item] = []
        for name, below in value.items():
            part = place.part(name)
            if part is not None:
                hint = hints.get(name, "")
                node = None if below is None else self._part(part, below, value, depth, hint)
                shadow = self._shadow(part, value, depth) if part.shadow in value else None
                items.append(Item(part.head, node, shadow))
            elif name == "resourceType":
                items.append(Item(_TYPE, Token(str(below))))
            elif name.removeprefix("_") not in value:
                part = place.part(name[1:]) if name.startswith("_") else None
                if part is None:
                    self.drop(f"{place.path}.?")
                else:
                    items.append(Item(part.head, None, self._shadow(part, value, depth)))
        pools = place.kind in ("Quantity", "Age") and own.name not in ("low", "high")
        return Branch(tuple(items), pools and bool(hints.get("value")))

    def _part(
        self, part: Part, value: Any, parent: dict[str, Any], depth: int, hint: str
    ) -> Node | None:
        """One element of an object, or each of its list."""
        special = _SPECIAL.get((part.place.kind, part.element.name))
        if special is not None:
            return special(self, part, value, parent, hint)
        if not part.element.many:
            return self.one(part, part.element, value, depth, hint)
        if not isinstance(value, list):
            self.drop(part.path)
            return None
        if not value and part.path == "Bundle.entry":
            return Token([])
        element = part.alone if len(value) == 1 else part.element
        nodes = [
            self.one(part, element, item, depth, hint or _ordinal(part, number))
            for number, item in enumerate(value)
            if item is not None
        ]
        return Many(tuple([node for node in nodes if node is not None]))

    def one(self, part: Part, element: Element, value: Any, depth: int, hint: str) -> Node | None:
        """One value of an element, by its sort."""
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

    def _shadow(self, part: Part, parent: dict[str, Any], depth: int) -> Branch | None:
        """What `_element` holds: of it, known extensions stay. Those of lists go."""
        value = parent.get(part.shadow)
        if not isinstance(value, dict):
            return None
        place = element_place(part.path, part.place.role)
        return self.branch(value, place, part.element, depth + 1)

    def _extension(self, part: Part, value: dict[str, Any], depth: int) -> Node | None:
        url, place = value.get("url"), part.place
        if not isinstance(url, str) or (url not in extensions() and not place.extension):
            inner = None
        else:
            inner = extended(place.path, place.role, place.extension, url)
        if inner is None:
            self.drop(part.path, "unknown-extensions")
            return None
        below = {name: item for name, item in value.items() if name != "url"}
        branch = self.branch(below, inner, part.element, depth + 1)
        known = extensions().get(str(url))
        if known is not None and not known.leaves:
            return None
        return Branch((Item(_URL, Token(str(url))), *branch.items))

    # -- leaves ------------------------------------------------------------------------------

    def leaf(self, locus: Locus, value: str, kind: str, frame: Frame = None) -> Slot:
        """Note a leaf and give its place."""
        place = len(self.leaves)
        if place >= MOST_LEAVES:
            raise JsonError("too-many-values")
        self.leaves.append((locus, value))
        return Slot(place, kind, frame)

    def drop(self, path: str, what: str = "unnamed-elements") -> None:
        """Note that something of this path does not leave: counted, and the path told once."""
        self.left[what] += 1
        if path not in self._gone:
            self._gone.add(path)
            self.leaves.append((withheld(path), None))

    def _primitive(self, part: Part, value: Any, hint: str) -> Node | None:
        sort = part.sort
        if sort == "boolean" and isinstance(value, bool):
            return Token(value)
        if not isinstance(value, str) or isinstance(value, Spelled) != (sort == "number"):
            self.drop(part.path)
            return None
        if sort == "uri":
            return self._uri(part, value, hint)
        if sort == "base64Binary":
            return self.bytes(part, image=False)
        if sort == "boolean" or (sort == "time" and not _TIME.fullmatch(value)):
            self.drop(part.path)
            return None
        if sort == "number" and part.place.aged and part.place.kind in _AGED:
            hint = "years"
        locus, kind = part.locus(hint)
        return self.leaf(locus, value, kind)

    def _uri(self, part: Part, value: str, hint: str) -> Node:
        found = published(value)
        if found.match == "exact":
            return Token(value)
        locus, _ = part.locus("published" if found.match else hint)
        return self.leaf(locus, value, "uri")

    def bytes(self, part: Part, *, image: bool) -> Slot:
        """Bytes that cannot be searched: counted, never passed on."""
        self.left["binary-attachments"] += 1
        locus, _ = part.locus("image" if image else "")
        return self.leaf(locus, "bytes", "bytes")


# -- elements with rules of their own ------------------------------------------------------------


def _pointer(walk: _Walk, part: Part, value: Any, parent: dict[str, Any], hint: str) -> Node | None:
    """References, full URLs, URLs of requests: the key is the leaf."""
    pointer = read_pointer(value) if isinstance(value, str) else None
    if pointer is None:
        walk.drop(part.path)
        return None
    if pointer.form == "type":
        return Token(pointer.target)
    target = hint or pointer.target or _entry_type(parent)
    if part.place.kind.startswith("Bundle.entry") and target == "Patient":
        target = "own"
    known = target == "own" or target in reference_types()
    shown = f"{part.path}[{target}]" if known else part.path
    locus = locus_named(shown, f"Reference.reference[{target}]" if known else "")
    if locus.profile.kind == "unsure":
        locus = locus_named(shown, "Reference.reference")
    return walk.leaf(locus, pointer.key, "pointer", replace(pointer, key=""))


def _address(walk: _Walk, part: Part, value: Any, parent: dict[str, Any], hint: str) -> Node | None:
    """The URL of an attachment: a resource of the same server is a reference."""
    pointer = read_pointer(value) if isinstance(value, str) else None
    if pointer is not None and pointer.target:
        return _pointer(walk, part, value, parent, hint)
    return walk.one(part, part.element, value, 0, hint)


def _target_type(
    walk: _Walk, part: Part, value: Any, parent: dict[str, Any], hint: str
) -> Node | None:
    """`Reference.type` is the name of a resource."""
    if isinstance(value, str) and value in reference_types():
        return Token(value)
    walk.drop(part.path)
    return None


def _data(walk: _Walk, part: Part, value: Any, parent: dict[str, Any], hint: str) -> Node | None:
    """`data` of an attachment or a Binary: text is searched, anything else does not leave."""
    opened = open_attachment(parent.get("contentType"), value)
    if opened is None:
        return walk.bytes(part, image=is_image(parent.get("contentType")))
    note, text = opened
    return walk.leaf(locus_named(f"{part.path}[text]", "string"), text, "note", note)


def _photo(walk: _Walk, part: Part, value: Any, parent: dict[str, Any], hint: str) -> Node | None:
    """The picture of a person: counted, and nothing of it leaves."""
    walk.left["photos"] += 1
    walk.leaf(locus_named(part.path, "base64Binary[image]", part.place.role), "photo", "bytes")
    return None


def _div(walk: _Walk, part: Part, value: Any, parent: dict[str, Any], hint: str) -> Node | None:
    """`div` of a narrative: the text between its tags."""
    if not isinstance(value, str):
        walk.drop(part.path)
        return None
    markup, text = read_narrative(value)
    if not text:
        return Token(write_narrative(markup, ""))
    return walk.leaf(locus_named(part.path, "xhtml"), text, "narrative", markup)


_Special = Callable[[_Walk, Part, Any, dict[str, Any], str], Node | None]
_SPECIAL: dict[tuple[str, str], _Special] = {
    ("Reference", "reference"): _pointer,
    ("Reference", "type"): _target_type,
    ("Bundle.entry", "fullUrl"): _pointer,
    ("Bundle.entry.request", "url"): _pointer,
    ("Bundle.entry.request", "ifNoneExist"): _pointer,
    ("Bundle.entry.response", "location"): _pointer,
    ("Attachment", "url"): _address,
    ("Attachment", "data"): _data,
    ("Binary", "data"): _data,
    ("Narrative", "div"): _div,
    ("Patient", "photo"): _photo,
    ("Person", "photo"): _photo,
    ("Practitioner", "photo"): _photo,
    ("RelatedPerson", "photo"): _photo,
}


def _hints(value: dict[str, Any], place: Place, own: Element) -> Hints:
    hint = HINTS.get(place.kind)
    if hint is None:
        return {}
    aged = place.aged and place.kind in QUANTITIES
    return hint(value, replace(own, kind="Age") if aged else own)


def _ordinal(part: Part, number: int) -> str:
    """The second given name is a middle name."""
    given = part.element.name == "given" and part.place.kind == "HumanName"
    return "middle" if number and given else ""


def _asks_age(value: dict[str, Any], kind: str) -> bool:
    """Is the number that answers an age?"""
    if kind == "QuestionnaireResponse.item":
        text = value.get("text")
        return isinstance(text, str) and bool(_AGE_QUESTION.search(text))
    code = value.get("code")
    codings = code.get("coding") if isinstance(code, dict) else None
    return any(
        isinstance(coding, dict) and coding.get("code") in _AGE_CODES
        for coding in (codings if isinstance(codings, list) else ())
    )


def _entry_type(parent: dict[str, Any]) -> str:
    """The type of the resource beside a full URL."""
    resource = parent.get("resource")
    kind = resource.get("resourceType") if isinstance(resource, dict) else None
    return kind if isinstance(kind, str) and kind in reference_types() else ""
