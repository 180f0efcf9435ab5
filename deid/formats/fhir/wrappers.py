"""Splits the JSON around resources: requests and answers of CDS Hooks, envelopes of services.

Of a wrapper, only its form is kept: objects and lists, keys of known words, true and false, the
resources in it, and a few values that CDS Hooks defines. All other values are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deid.formats.fhir.definitions.element_types import resource_types
from deid.formats.fhir.definitions.loci import locus_named
from deid.formats.fhir.json_text import DEEPEST_RESOURCE, JsonError, Spelled
from deid.formats.fhir.resource_tree import (
    ClosedToken,
    Head,
    Item,
    ListNode,
    ObjectNode,
    ResourceNode,
)
from deid.vocabularies.wording import DESCRIPTION, KEY_PATH, NAME, names_nobody

if TYPE_CHECKING:
    from deid.formats.fhir.walk import Walk

# The closed values of CDS Hooks 2.0, by key.
_HOOK_VALUES = {
    "hook": frozenset(
        [
            *("patient-view", "order-select", "order-sign", "order-dispatch"),
            *("encounter-start", "encounter-discharge", "appointment-book"),
            *("medication-prescribe", "medication-refill", "problem-list-item-create"),
        ]
    ),
    "indicator": frozenset(["info", "warning", "critical"]),
    "selectionBehavior": frozenset(["at-most-one", "any"]),
    "type": frozenset(["create", "update", "delete", "absolute", "smart", "Bearer"]),
}
# Keys of CDS Hooks and of services that are no known words.
_WRAPPER_KEYS = frozenset(["hook", "prefetch", "resource", "bundle"])
# The texts of CDS Hooks, which are searched. A shorter one is a title, without digits.
_SHORTEST_TEXT = 4
_HOOK_TEXTS = frozenset(["summary", "detail", "label", "description"])


def holds_resource(value: Any, depth: int = 0) -> bool:
    """Whether the JSON value is a FHIR resource, or a list or object around one."""
    if depth > DEEPEST_RESOURCE:
        return False
    if isinstance(value, dict):
        kind = value.get("resourceType")
        if isinstance(kind, str):
            return kind in resource_types()
        return any(holds_resource(below, depth + 1) for below in value.values())
    return isinstance(value, list) and any(holds_resource(below, depth + 1) for below in value)


def take_wrapper(walk: Walk, value: dict[str, Any], path: tuple[str, ...] = ()) -> ObjectNode:
    """Split an object around resources. Raises the errors of `Walk.resource` for the resources."""
    items = []
    for number, (name, below) in enumerate(value.items(), 1):
        shown = _shown_key(name, path, number)
        node = _enclosed(walk, name, below, (*path, shown))
        if node is not None:
            items.append(Item(Head(shown), node))
    return ObjectNode(tuple(items))


def _shown_key(name: str, path: tuple[str, ...], number: int) -> str:
    """The key, or its position if it is a number or may name somebody, alone or after `path`."""
    if name in _WRAPPER_KEYS:
        return name
    is_number = not any(map(str.isalpha, name))
    may_stay = names_nobody(name, NAME) and names_nobody(" ".join((*path, name)), KEY_PATH)
    return name if may_stay and not is_number else f"key_{number}"


def _enclosed(walk: Walk, name: str, value: Any, path: tuple[str, ...]) -> ResourceNode | None:
    """Split the value of a key: a resource, another wrapper, or a value that may stay."""
    depth = len(path)
    if depth > DEEPEST_RESOURCE:
        raise JsonError("too-deep")
    if isinstance(value, dict):
        if "resourceType" in value:
            return walk.resource(value, depth)
        return take_wrapper(walk, value, path)
    if isinstance(value, list):
        nodes = [_enclosed(walk, "", below, (*path, "")) for below in value]
        return ListNode(tuple(node for node in nodes if node is not None))
    if isinstance(value, bool) or (isinstance(value, str) and _is_of_hooks(name, value)):
        return ClosedToken(value)
    if name in _HOOK_TEXTS and _is_text(value):
        return walk.leaf(locus_named(f"wrapper.{name}", "string"), value, "string")
    if value is not None:
        walk.drop("wrapper.?")
    return None


def _is_text(value: Any) -> bool:
    """Whether the value is a text with a sentence's context, or a title that names nobody."""
    if not isinstance(value, str) or isinstance(value, Spelled):
        return False
    if len(value.split()) >= _SHORTEST_TEXT:
        return True
    return names_nobody(value, DESCRIPTION) and not any(map(str.isdigit, value))


def _is_of_hooks(name: str, value: str) -> bool:
    return value in _HOOK_VALUES.get(name, ())
