"""Profiles columns that are paths within a record, by the keys on each path."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from deid.vocabularies.name_parts import NAME_TITLES, name_part
from recognizers import ColumnProfile, explains, header_words

MOST_JUDGED_VALUES = 20_000
# Keys that only wrap the records of a response and do not say what the records are.
_WRAPPERS = (
    "data record records item items row rows result results entry entries value values list "
    "content contents hit hits edge edges node nodes response payload body object objects output "
    "export"
)
# Keys that only mean "value": the key above such a key names the value.
_VALUE_KEYS = (
    "value",
    "values",
    "val",
    "text",
    "display",
    "string",
    "content",
    "data",
    "number",
    "full",
)
Judge = Callable[[str, Sequence[str | None]], ColumnProfile]


def path_places(columns: Sequence[str]) -> Mapping[str, list[int]]:
    """The column indexes of each path."""
    places: dict[str, list[int]] = {}
    for index, path in enumerate(columns):
        places.setdefault(path, []).append(index)
    return places


def own_path(path: str, prefixes: Sequence[str]) -> str:
    """Return the path within its record, without the prefix of the collection of records."""
    prefix = _prefix_of(path, prefixes)
    if not prefix:
        return path
    return path.removeprefix(f"{prefix}.") if path.startswith(f"{prefix}.") else "{key}"


def _prefix_of(path: str, prefixes: Sequence[str]) -> str:
    fitting = [p for p in prefixes if p and path.startswith((f"{p}.", f"{p[:-2]}{{key}}"))]
    return max(fitting, key=len, default="")


def is_within(path: str) -> bool:
    """Whether the path leads into a list or an object of the record."""
    return any(mark in path for mark in ".[{")


def judged_path(
    path: str, prefixes: Sequence[str], values: Sequence[str | None], judge: Judge
) -> ColumnProfile:
    """The profile of the values at a path, judged by all keys on the path.

    If all keys together show no identifier, the last two keys are judged alone, because the keys
    above them may hide the identifier that they name.
    """
    whole = header_of(path, prefixes)
    found = judge(whole, values)
    above, _, own = whole.rpartition(".")
    if found.shape == "patient_key" and above and not explains(own):  # within a patient
        return judge(own, values)
    if found.shape == "street" and (zipped := judge(own, values)).shape == "zip":
        return zipped
    if found.kind in ("identifier", "quasi") or not above:
        return found
    last = ".".join(whole.split(".")[-2:])
    nearer = found if last == whole else judge(last, values)
    if own.casefold() in _VALUE_KEYS:
        named = judge(above, values)
        if named.kind in ("identifier", "quasi") and named.shape != "facility":
            return named
    if nearer.kind in ("identifier", "quasi", "text") or found.kind == "unsure":
        return nearer
    return found


def header_of(path: str, prefixes: Sequence[str]) -> str:
    """The path, written as a column header."""
    prefix = _prefix_of(path, prefixes)
    if set(_path_keys(prefix)) <= set(_WRAPPERS.split()):
        path = own_path(path, prefixes)
    return "record_key" if path == "{key}" else ".".join(_path_keys(path.replace("{key}", ".key")))


def _path_keys(path: str) -> list[str]:
    return [key for key in re.sub(r"\[\]|\{\}", "", path).split(".") if key]


def name_part_at(path: str, prefixes: Sequence[str], profile: ColumnProfile) -> str:
    """The part of a person's name that a path holds; "" if the form of the values must decide."""
    if profile.shape != "name":
        return ""
    words = header_words(header_of(path, prefixes))
    return name_part(words) if NAME_TITLES.isdisjoint(words) else "none"
