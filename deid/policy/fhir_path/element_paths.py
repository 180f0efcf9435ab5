"""All element paths of FHIR R4 that the format reads, each with the first rule that selects it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from deid.formats.fhir.definitions.element_types import (
    PRIMITIVE_TYPES,
    Element,
    resource_types,
    types,
)
from deid.formats.fhir.definitions.loci import locus_of, role_below, table
from deid.policy.fhir_path.selectors import Selector
from deid.vocabularies.locus import Locus

_UNREAD = ("dropped", "Modifier", "Resource", "Extension")
_Active = Mapping[int, frozenset[int]]
"""For each rule number, the positions in the rule's steps that a path has reached."""


@dataclass(frozen=True, slots=True)
class SelectedPath:
    """A primitive element, alone and under each of its qualifiers, and the number of its rule."""

    rule: int
    loci: tuple[Locus, ...]


def selected_paths(selectors: Sequence[Selector | None]) -> Iterator[SelectedPath]:
    """Every primitive element that a rule selects, directly or with an element that contains it.

    If several rules select it, the first decides, as in Microsoft's tools.
    """
    for resource in sorted(resource_types()):
        active = {
            number: frozenset([0])
            for number, selector in enumerate(selectors)
            if selector is not None and selector.resource in ("", resource)
        }
        whole = [n for n in active if not _steps_of(selectors, n)]
        first = min(whole) if whole else None
        yield from _paths_below(
            selectors, active, first, resource, resource, "", frozenset([resource])
        )


def _steps_of(selectors: Sequence[Selector | None], number: int) -> int:
    selector = selectors[number]
    return 0 if selector is None else len(selector.steps)


def _paths_below(
    selectors: Sequence[Selector | None],
    active: _Active,
    above: int | None,
    path: str,
    kind: str,
    role: str,
    seen: frozenset[str],
) -> Iterator[SelectedPath]:
    role = role_below(path, role)
    for name, element in types().get(kind, {}).items():
        if element.kind in _UNREAD:
            continue
        moved = _moved_states(selectors, active, element)
        ends = [n for n, at in moved.items() if _steps_of(selectors, n) in at]
        rule = min([*ends, *([] if above is None else [above])], default=None)
        below = f"{path}.{name}"
        if element.kind in PRIMITIVE_TYPES:
            if rule is not None:
                yield SelectedPath(rule, _loci(below, kind, element, role))
        elif element.kind not in seen and (moved or rule is not None):
            # The format names a backbone element by its type.
            inner = element.kind if "." in element.kind else below
            deeper = seen | {element.kind}
            yield from _paths_below(selectors, moved, rule, inner, element.kind, role, deeper)


def _moved_states(
    selectors: Sequence[Selector | None], active: _Active, element: Element
) -> dict[int, frozenset[int]]:
    found = {}
    for number, positions in active.items():
        selector = selectors[number]
        if selector is not None and (after := selector.after(positions, element)):
            found[number] = after
    return found


def _loci(path: str, owner: str, element: Element, role: str) -> tuple[Locus, ...]:
    """Return the loci of an element: alone, and under each qualifier in the table."""
    names = (path, f"{owner}.{element.name}", element.kind)
    qualifiers = dict.fromkeys(q for name in names for q in _qualifiers().get(name, ()))
    return tuple(locus_of(path, owner, element, q, role) for q in ("", *qualifiers))


@cache
def _qualifiers() -> dict[str, tuple[str, ...]]:
    """Return the qualifiers of each path or type in the locus table."""
    found: dict[str, list[str]] = {}
    for line in table().lines():
        name, opened, rest = line.partition("[")
        if opened:
            found.setdefault(name, []).append(rest.removesuffix("]"))
    return {name: tuple(qualifiers) for name, qualifiers in found.items()}
