"""Expands the FHIR types into places: the type, the path and the role of each element.

A place is created when a file first contains it, and is then cached.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Any

from deid.formats.fhir.definitions.element_types import (
    NUMBER_TYPES,
    PRIMITIVE_TYPES,
    Element,
    JsonForm,
    stand_in,
    types,
)
from deid.formats.fhir.definitions.loci import locus_named, locus_of, role_below
from deid.formats.fhir.definitions.published_uris import extensions
from deid.formats.fhir.resource_tree import Head
from deid.vocabularies.locus import Locus

# Ranges that are ages, unlike the ranges of doses and of reference populations.
_AGE_RANGES = frozenset(
    ["onsetRange", "abatementRange", "ageRange", "deceasedRange", "performedRange"]
)
_URIS = frozenset(["uri", "url", "canonical"])
_KEY_SHAPES = frozenset(["key", "patient_key", "account", "plan"])
_TYPE_GROUPS = {"dropped": "dropped", "Modifier": "modifier", "Resource": "resource"}
MOST_PLACES = 1 << 14


@dataclass(eq=False, slots=True)
class TypePart:
    """One element of a place (a path and its type).

    `sort` selects how the element is read. `alone` is the element if its list has only one item.
    `shadow` is the name of its `_element` if it is primitive. `later` is the element in R5 if that
    differs."""

    place: TypePlace
    element: Element
    path: str
    sort: str
    head: Head
    alone: Element
    shadow: str
    later: TypePart | None = None
    _loci: dict[str, tuple[Locus, str]] = field(default_factory=dict)
    _below: TypePlace | None = None

    def fitting(self, value: Any) -> TypePart:
        """Return the part as defined in R4 or R5, whichever fits the value."""
        if self.later is None:
            return self
        first = next(iter(value), None) if isinstance(value, list) else value
        below = first if isinstance(first, dict) else {}
        listed = {name: isinstance(item, list) for name, item in below.items() if name[:1] != "_"}
        form: JsonForm = "object" if isinstance(first, dict) else "plain"
        form = "boolean" if isinstance(first, bool) else form
        chosen = self.element.fitting(form, isinstance(value, list), listed)
        return self if chosen is self.element else self.later

    def locus(self, hint: str) -> tuple[Locus, str]:
        """Return the element's locus with the qualifier `hint`, and the type of its new value."""
        if hint not in self._loci:
            locus = self._find(hint)
            key = locus.profile.shape in _KEY_SHAPES
            self._loci[hint] = locus, "key" if key else self.element.kind
        return self._loci[hint]

    def _find(self, hint: str) -> Locus:
        place, name = self.place, self.element.name
        if place.extension:
            named = locus_named(self.path, f"{place.extension}.{name}", place.role)
            if named.profile.kind != "unsure":
                return named
        if place.contained and name == "id":
            return locus_named(f"{self.path}[contained]", "id")
        return locus_of(self.path, place.kind, self.element, hint, place.role)

    def below(self) -> TypePlace:
        """The place of an element's own elements.

        The path of a backbone element is its type, so that nested items share a path.
        """
        if self._below is not None:
            return self._below
        kind, above = self.element.kind, self.place
        path = kind if "." in kind else self.path
        aged = above.aged or self.element.name in _AGE_RANGES
        made = TypePlace(path, kind, role_below(path, above.role), False, aged, above.extension)
        if _count() < MOST_PLACES:
            self._below = made
        return made


@dataclass(eq=False, slots=True)
class TypePlace:
    """A path and the type there.

    `aged` is true if the numbers below it are ages; `extension` is the name of the extension around
    it.
    """

    path: str
    kind: str
    role: str = ""
    contained: bool = False
    aged: bool = False
    extension: str = ""
    _parts: dict[str, TypePart] = field(default_factory=dict)
    _aged: TypePlace | None = None

    def part(self, name: str) -> TypePart | None:
        """The element of that name; None if the type does not have it."""
        found = self._parts.get(name)
        if found is None and (element := types().get(self.kind, {}).get(name)) is not None:
            found = self._parts[name] = self._made(element)
        return found

    def _made(self, element: Element) -> TypePart:
        primitive = element.kind in PRIMITIVE_TYPES
        return TypePart(
            self,
            element,
            f"{self.path}.{element.name}",
            _sort(element),
            Head(element.name, element.required, stand_in(self.kind, element.name)),
            replace(element, many=False),
            f"_{element.name}" if primitive else "",
            self._made(element.later) if element.later is not None else None,
        )

    def of_ages(self) -> TypePlace:
        """The same place, with its numbers read as ages."""
        if self._aged is None:
            self._aged = TypePlace(
                self.path, self.kind, self.role, self.contained, True, self.extension
            )
        return self._aged


_UNFOLDED_COUNT: list[int] = [0]


def _count() -> int:
    """Count a place; the number is limited, so that files of many paths do not fill the memory."""
    _UNFOLDED_COUNT[0] += 1
    return _UNFOLDED_COUNT[0]


def _sort(element: Element) -> str:
    kind = element.kind
    if kind in _URIS:
        return "uri"
    if kind == "Extension" and element.many:
        return "extension"
    if kind in ("boolean", "base64Binary", "time"):
        return kind
    if kind in NUMBER_TYPES:
        return "number"
    if kind in PRIMITIVE_TYPES:
        return "text"
    return _TYPE_GROUPS.get(kind, "branch" if kind in types() else "unknown")


@cache
def root_place(kind: str, contained: bool = False) -> TypePlace:
    """The place of a resource, a Bundle entry, or a line of an export log."""
    return TypePlace(kind, kind, role_below(kind, ""), contained)


@lru_cache(maxsize=1 << 12)
def shadow_place(path: str, role: str) -> TypePlace:
    """The place of an `_element`."""
    return TypePlace(path, "Element", role)


@lru_cache(maxsize=1 << 12)
def extension_place(path: str, role: str, within: str, url: str) -> TypePlace | None:
    """The place in a known extension or in a part of one; None for other extensions."""
    if not within:
        known = extensions().get(url)
        if known is None:
            return None
        return TypePlace(f"{path}.extension({known.name})", "Extension", role, extension=known.name)
    if any(known.name == within and url in known.below for known in extensions().values()):
        return TypePlace(f"{path}.{url}", "Extension", role, extension=f"{within}.{url}")
    return None
