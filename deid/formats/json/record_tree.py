"""Splits a JSON record into leaves with paths, and rebuilds it.

A path is written like `address.city`, `encounters[].date` (for every element of a list),
`labs{}.value` (below keys that are values) or `labs{key}` (for these keys themselves).
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from deid.formats.fhir.json_text import JsonError, Spelled
from deid.formats.json.keys import is_keyed, is_ours, is_value, may_name, names_column
from deid.naming.columns import PathNames, paths_under
from deid.vocabularies.wording import NAME, names_nobody

MOST_LEAVES, DEEPEST = 20_000, 64
GONE = object()
# The replacement of a withheld column name.
_RENAMED = re.compile(r"column_\d+")


class Hole(str):
    """A placeholder in an envelope for the records of a collection."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class RecordLeaf:
    """A number, string, boolean or null: its index among the record's leaves, and its value."""

    number: int
    was: Any = field(repr=False)


@dataclass(frozen=True, slots=True)
class RecordObject:
    """An object; each member is its key (a leaf if the key is a value), its path and its node."""

    path: str = field(repr=False)
    members: tuple[tuple[str | RecordLeaf, str, Any], ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class TakenRecord:
    """A record: its tree, its leaves as (path, cell), the counts of its objects and keys by path.

    `values` are the keys that are values; `key` is the leaf of the record's own key, if that is a
    value.
    """

    tree: Any = field(repr=False)
    key: RecordLeaf | None
    leaves: tuple[tuple[str, str | None], ...] = field(repr=False)
    objects: Counter[str] = field(repr=False)
    keys: Mapping[str, Counter[str]] = field(repr=False)
    values: Mapping[str, set[str]] = field(repr=False)


def cell_of(value: Any) -> str | None:
    """The cell of a leaf; None for null."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return str.__str__(value)


class _Taker:
    def __init__(self, valued: Collection[str]) -> None:
        self._valued = valued
        self.leaves: list[tuple[str, str | None]] = []
        self.objects: Counter[str] = Counter()
        self.keys: dict[str, Counter[str]] = defaultdict(Counter)
        self.values: dict[str, set[str]] = defaultdict(set)

    def take(self, value: Any, path: str, depth: int = 0) -> Any:
        if depth > DEEPEST:
            raise JsonError("too-deep")
        if isinstance(value, Hole):
            return value
        if isinstance(value, dict):
            return self._object(value, path, depth)
        if isinstance(value, list):
            return [self.take(one, f"{path}[]", depth + 1) for one in value]
        return self.leaf(value, path)

    def leaf(self, value: Any, path: str) -> RecordLeaf:
        if len(self.leaves) == MOST_LEAVES:
            raise JsonError("too-many-values")
        self.leaves.append((path, cell_of(value)))
        return RecordLeaf(len(self.leaves) - 1, value)

    def _object(self, value: dict[str, Any], path: str, depth: int) -> RecordObject:
        self.objects[path] += 1
        valued, rare = is_keyed(value), path in self._valued
        members: list[tuple[str | RecordLeaf, str, Any]] = []
        for key, below in value.items():
            a_value = is_value(key) or (depth > 0 and may_name(key))
            if a_value:
                self.values[path].add(key)
            if valued or a_value or (rare and not names_column(key)):
                known = self.leaf(key, f"{path}{{key}}")
                members.append((known, f"{path}{{}}", self.take(below, f"{path}{{}}", depth + 1)))
                continue
            self.keys[path][key] += 1
            under = f"{path}.{key}" if path else key
            members.append((key, under, self.take(below, under, depth + 1)))
        return RecordObject(path, tuple(members))


def take_record(
    value: Any, prefix: str = "", key: str | None = None, valued: Collection[str] = ()
) -> TakenRecord:
    """Split a record into tree and leaves.

    `prefix` is the path of its collection; `key` is its key in the collection, if the key is a
    value; `valued` are paths of objects whose unknown keys are values.

    Raises:
        JsonError: `too-deep`, `too-many-values`.
    """
    taker = _Taker(valued)
    own = None if key is None else taker.leaf(key, f"{prefix.removesuffix('{}')}{{key}}")
    tree = taker.take(value, prefix)
    return TakenRecord(tree, own, tuple(taker.leaves), taker.objects, taker.keys, taker.values)


def take_columns(columns: Mapping[int, tuple[str, Any]], valued: Collection[str]) -> TakenRecord:
    """Split several JSON values of one row, each below its column name; `tree` has a tree for each.

    Raises:
        JsonError: `too-deep`, `too-many-values`.
    """
    taker = _Taker(valued)
    trees = {number: taker.take(value, name, 1) for number, (name, value) in columns.items()}
    return TakenRecord(trees, None, tuple(taker.leaves), taker.objects, taker.keys, taker.values)


class KeyNames:
    """The released names of keys.

    `columns` are the released paths, each with its name; `paths` are the paths of all columns, in
    order. A key is kept if its words are known, unless the names of all columns below it are
    withheld.
    """

    def __init__(self, columns: Collection[tuple[str, str]], paths: Sequence[str]) -> None:
        self._columns = dict(columns)
        self._paths = sorted(self._columns)
        self._names = PathNames(paths)
        self._found: dict[str, str] = {}

    def leaves_under(self, path: str) -> bool:
        """Whether a column at or below the path is released."""
        return next(paths_under(self._paths, path), None) is not None

    def name(self, key: str, path: str) -> str:
        """The released name of the key at the end of the path."""
        if path not in self._found:
            self._found[path] = self._name(key, path)
        return self._found[path]

    def _name(self, key: str, path: str) -> str:
        names = [(one, self._columns[one]) for one in paths_under(self._paths, path)]
        if any(one == name for one, name in names):
            return key
        if names and all(_RENAMED.fullmatch(name) for _, name in names):
            return self._names.replaced(path)
        return self._names.key(key, path)


@dataclass(frozen=True, slots=True)
class LeafCells:
    """The released values of a record's leaves, by index; `GONE` for a column that is withheld.

    If `nulls` is true, members without a released value are kept as null. This is for the only
    record of a file, which could otherwise be read again as an envelope.
    """

    values: Sequence[Any] = field(repr=False)
    names: KeyNames
    nulls: bool = False


def rebuild_record(node: Any, cells: LeafCells, *, nulls: bool | None = None) -> Any:
    """Return the record with its released values; `GONE` if it has none."""
    keep = cells.nulls if nulls is None else nulls
    if isinstance(node, RecordLeaf):
        cell = cells.values[node.number]
        return GONE if cell is GONE else json_value(cell, node.was)
    if isinstance(node, list):
        found = [rebuild_record(one, cells, nulls=False) for one in node]
        if all(one is GONE for one in found):
            return GONE
        pairs = zip(node, found, strict=True)
        return [_empty(one) if value is GONE else value for one, value in pairs]
    if isinstance(node, RecordObject):
        return _object_of(node, cells, keep)
    return node


def _empty(node: Any) -> Any:
    """What replaces a list element without released values, so that the others stay in place."""
    return {} if isinstance(node, RecordObject) else [] if isinstance(node, list) else None


def _object_of(node: RecordObject, cells: LeafCells, nulls: bool) -> Any:
    made: dict[str, Any] = {}
    times: Counter[str] = Counter()
    for place, (key, path, below) in enumerate(node.members, 1):
        value = rebuild_record(below, cells, nulls=nulls)
        if value is GONE and _is_bare(below) and cells.names.leaves_under(path):
            value = [] if isinstance(below, list) else {}
        if value is GONE and not nulls:
            continue
        name = (
            _key_within(key, place, cells, nulls)
            if isinstance(key, RecordLeaf)
            else cells.names.name(key, path)
        )
        made[_distinct_key(name, made, times)] = None if value is GONE else value
    return made if made or nulls else GONE


def _is_bare(node: Any) -> bool:
    return node == [] or (isinstance(node, RecordObject) and not node.members)


def key_left(leaf: RecordLeaf, place: int, cells: LeafCells) -> str:
    """The released form of a key that was a value: a tag, a year, or its position (`key_3`)."""
    cell = cells.values[leaf.number]
    return cell if isinstance(cell, str) and is_ours(cell) else f"key_{place}"


def _key_within(leaf: RecordLeaf, place: int, cells: LeafCells, nulls: bool) -> str:
    """Return the released form of a key that was a value within a record; known words may stay.

    In the only record of a file, a word is not replaced by a tag, which would be read again as a
    record key.
    """
    cell = cells.values[leaf.number]
    if nulls and not is_value(leaf.was) and not may_name(leaf.was):
        return f"withheld_{place}"
    if (
        isinstance(cell, str)
        and cell == leaf.was
        and not is_value(cell)
        and names_nobody(cell, NAME)
    ):
        return cell
    return key_left(leaf, place, cells)


def _distinct_key(name: str, made: Mapping[str, Any], times: Counter[str]) -> str:
    """Return the key, with a number added if another key of the object has the same name."""
    times[name] += 1
    while (found := name if times[name] == 1 else f"{name} ({times[name]})") in made:
        times[name] += 1
    return found


def json_value(cell: str | None, was: Any) -> Any:
    """A cell as a JSON value: the old value if unchanged; numbers stay numbers if possible."""
    if cell is None:
        return None
    if isinstance(was, str) and not isinstance(was, Spelled):
        return cell
    if cell == cell_of(was):
        return was
    if not cell:
        return None
    return Spelled(cell) if isinstance(was, Spelled) and _is_json_number(cell) else cell


def _is_json_number(cell: str) -> bool:
    try:
        return isinstance(json.loads(cell), int | float) and cell[0] in "-0123456789"
    except ValueError:
        return False
