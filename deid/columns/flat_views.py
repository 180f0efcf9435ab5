"""Flat views of FHIR: columns that a ViewDefinition names after the elements they hold.

In a view of patients, `name_family` is `Patient.name.family`; in a view of conditions,
`code_coding_display` is `Condition.code.coding.display`.
See https://sql-on-fhir.org (SQL on FHIR 2.0).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import PurePosixPath

from deid.formats.fhir.definitions.element_types import Element, resource_types, types
from deid.formats.fhir.definitions.loci import locus_of, role_below
from deid.formats.fhir.hints import reference
from deid.vocabularies.locus import Locus
from recognizers import GENOMIC, ColumnProfile

# In a view, at least half of the columns are named after elements of resources. At least two of
# these are named after nested elements (one if the table is named after the resource). No view has
# more than `_MOST_COLUMNS`.
_LEAST_SHARED, _LEAST_COMPOUND, _MOST_COLUMNS = 0.5, 2, 300
_CASE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ELEMENT_WORD = re.compile(r"[a-z]+")
# Besides the resources, the elements at which a view with one row per list item of a patient
# (`forEach`) may start.
_LISTS = ("Patient.name", "Patient.address", "Patient.telecom", "Patient.identifier")
# The child elements that the name of their parent may mean, in the order in which they are tried.
_MEANT = {
    "CodeableConcept": ("coding", "text"), "CodeableReference": ("concept", "reference"),
    "Coding": ("code",), "Quantity": ("value",), "Age": ("value",), "Identifier": ("value",),
    "HumanName": ("text",), "Address": ("text",), "ContactPoint": ("value",),
    "Reference": ("reference",), "Annotation": ("text",),
}  # fmt: skip
_REFERENCE_KEYS = (("id",), ("key",))
_SYSTEM_PROFILE = ColumnProfile(
    "keep", None, "", "system", "", 0.99, ("the system of a code of FHIR",)
)
_Words = tuple[str, ...]
_Found = tuple[Locus, bool]  # the locus, and whether the name has more than one element


def flat_view(relative: str, columns: Sequence[str]) -> tuple[Locus | None, ...]:
    """Return the locus of each column of a FHIR view.

    The locus is None for a column that names no element, and for all columns of other tables.
    """
    words = [_words(column) for column in columns[:_MOST_COLUMNS]]
    stem = " ".join(_words(PurePosixPath(relative).stem))

    def rank(root: str) -> tuple[int, bool, bool]:
        named = " ".join(_words(root.rpartition(".")[2])) in stem
        return (
            sum(_element_below(root, name) is not None for name in words),
            named,
            root == "Patient",
        )

    best = max([*sorted(resource_types()), *_LISTS], key=rank)
    found = [_element_below(best, name) or _of_another(name) for name in words]
    shared = sum(one is not None for one in found)
    compound = sum(one is not None and one[1] for one in found) + rank(best)[1]
    if shared < _LEAST_SHARED * len(columns) or compound < _LEAST_COMPOUND:
        return (None,) * len(columns)
    return tuple(None if one is None else one[0] for one in found)


def by_view(locus: Locus | None, profile: ColumnProfile) -> ColumnProfile:
    """Return the stricter of two decisions: by the element, or by the profile of the cells.

    An element that identifies always decides. An element to keep or to search decides only if the
    profile is unsure.
    """
    if locus is None or locus.profile.kind == "unsure" or GENOMIC in profile.reasons:
        return profile
    meant = locus.profile
    if meant.shape == "system" or locus.path.partition("[")[0].endswith((".id", ".reference")):
        return meant
    if meant.kind in ("identifier", "quasi"):
        return profile if profile.kind in ("identifier", "quasi") else meant
    return meant if profile.kind == "unsure" else profile


def _words(name: str) -> _Words:
    return tuple(_ELEMENT_WORD.findall(_CASE.sub(" ", name).lower()))


def _of_another(words: _Words) -> _Found | None:
    """Return the element after the name of its resource in a column name: `encounter_id`."""
    for length in (3, 2, 1):
        root = _resources_by_words().get(words[:length])
        if root is not None:
            return _element_below(root, words[length:])
    return None


@cache
def _resources_by_words() -> dict[_Words, str]:
    return {_words(name): name for name in resource_types()}


@lru_cache(maxsize=1 << 15)
def _element_below(root: str, words: _Words) -> _Found | None:
    """The primitive element that the words name in a resource or one of its lists."""
    resource, _, name = root.partition(".")
    kind = types()[resource][name].kind if name else resource
    found = _lead(kind, root, words, role_below(root, role_below(resource, "")))
    return None if found is None else (found[0], found[1] > 1)


def _lead(kind: str, path: str, words: _Words, role: str) -> tuple[Locus, int] | None:
    """Return the locus to which the words lead, and the number of elements that they name."""
    for name, element in _elements_by_word(kind).get(words[0], ()) if words else ():
        if words[: len(name)] == name:
            inside = f"{path}.{element.name}"
            found = _lead_on(element, kind, inside, words[len(name) :], role)
            if found is not None:
                return found[0], found[1] + 1
    for meant in _MEANT.get(kind, ()):
        found = _lead_on(types()[kind][meant], kind, f"{path}.{meant}", words, role)
        if found is not None:
            return found
    return None


@cache
def _elements_by_word(kind: str) -> dict[str, list[tuple[_Words, Element]]]:
    """Return a type's elements by the first word of their name, the longest names first."""
    found: dict[str, list[tuple[_Words, Element]]] = {}
    for element in types().get(kind, {}).values():
        name = _words(element.name)
        found.setdefault(name[0], []).append((name, element))
    for listed in found.values():
        listed.sort(key=lambda pair: -len(pair[0]))
    return found


def _lead_on(
    element: Element, owner: str, path: str, rest: _Words, role: str
) -> tuple[Locus, int] | None:
    role = role_below(path, role)
    if element.kind == "Reference":
        return _reference(element, path, rest, role)
    if element.kind in types():
        return _lead(element.kind, path, rest, role) if path.count(".") < 8 else None
    if rest or element.kind in ("dropped", "Extension", "Modifier", "Narrative", "Resource"):
        return None
    if element.name == "system" and owner in ("Coding", "Quantity"):
        return Locus(path, _SYSTEM_PROFILE), 0
    # Each cell of a column of codes is checked against the published codes.
    qualifier = "published" if (owner, element.name) == ("Coding", "code") else ""
    return locus_of(path, owner, element, qualifier, role), 0


def _reference(element: Element, path: str, rest: _Words, role: str) -> tuple[Locus, int] | None:
    """Return the locus of a reference: `subject_id` is a key, `recorder_display` is a name."""
    name = "reference" if rest in _REFERENCE_KEYS or not rest else rest[0]
    own = types()["Reference"][name] if name in ("reference", "display") else None
    if own is None or len(rest) > 1:
        return None
    qualifier = reference({}, element)[name]
    if not qualifier and len(element.targets) == 1:
        (qualifier,) = element.targets
    return locus_of(f"{path}.{name}", "Reference", own, qualifier, role), rest == (name,)
