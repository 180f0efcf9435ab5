"""Cells that are lists, structures and maps: read as JSON, and written with valid types again."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.types as kinds

from deid.formats.fhir.json_text import JsonError, Spelled, Style, read_json, write_json
from deid.formats.typed.column_guess import ColumnGuess, parsed_array

ReadLeaves = Callable[[pa.Array], Sequence[str | None]]
_NUMBER_OF_JSON = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")


def is_list_type(kind: pa.DataType) -> bool:
    """Whether a cell of the type holds a list of values."""
    return bool(kinds.is_list(kind) or kinds.is_large_list(kind) or kinds.is_fixed_size_list(kind))


def types_within(kind: pa.DataType) -> list[pa.DataType]:
    """The types of the single values in a nested type; any other type itself."""
    if kinds.is_dictionary(kind):
        return types_within(kind.value_type)
    if is_list_type(kind):
        return types_within(kind.value_type)
    if kinds.is_map(kind):
        return [*types_within(kind.key_type), *types_within(kind.item_type)]
    if kinds.is_struct(kind):
        return [one for child in kind for one in types_within(child.type)]
    return [kind]


def nested_cells(
    column: pa.Array, read_leaves: ReadLeaves, faults: dict[int, str]
) -> list[str | None]:
    """The cells of a nested column as JSON.

    Rows that JSON cannot hold because a key occurs twice, or with text that cannot be decoded, are
    added to `faults`.
    """
    cells: list[str | None] = []
    for place, value in enumerate(_json_values(column, read_leaves)):
        try:
            cells.append(None if value is None else write_json(value, Style()))
        except TypeError:
            faults[place] = "broken-nested-value"
            cells.append(None)
    return cells


_NO_JSON = object()


def _json_values(column: pa.Array, read_leaves: ReadLeaves) -> list[Any]:
    kind = column.type
    if kinds.is_dictionary(kind):
        return _json_values(column.dictionary_decode(), read_leaves)
    if kinds.is_struct(kind):
        return _objects(column, read_leaves)
    if kinds.is_map(kind):
        return _maps(column, read_leaves)
    if is_list_type(kind):
        items = iter(_json_values(column.flatten(), read_leaves))
        sizes = column.value_lengths().to_pylist()
        held = column.is_valid().to_pylist()
        return [
            [next(items) for _ in range(size)] if valid else None
            for size, valid in zip(sizes, held, strict=True)
        ]
    return _single_values(column, read_leaves)


def _objects(column: pa.StructArray, read_leaves: ReadLeaves) -> list[Any]:
    names = [child.name for child in column.type]
    members = [_json_values(child, read_leaves) for child in column.flatten()]
    held = column.is_valid().to_pylist()
    if len(set(names)) < len(names):
        return [_NO_JSON if valid else None for valid in held]
    return [
        {name: values[n] for name, values in zip(names, members, strict=True)} if valid else None
        for n, valid in enumerate(held)
    ]


def _maps(column: pa.MapArray, read_leaves: ReadLeaves) -> list[Any]:
    """Maps with text keys as objects, other maps as lists of objects `{"key", "value"}`."""
    keys, values = (_json_values(one, read_leaves) for one in (column.keys, column.items))
    ends = column.offsets.to_pylist()
    first = ends[0] if ends else 0
    # For a slice, older versions of pyarrow return all keys, and newer versions return the keys of
    # the slice.
    moved = first if len(keys) == ends[-1] - first and first else 0
    found: list[Any] = []
    for n, valid in enumerate(column.is_valid().to_pylist()):
        span = range(ends[n] - moved, ends[n + 1] - moved)
        found.append(_map_of([(keys[i], values[i]) for i in span]) if valid else None)
    return found


def _map_of(pairs: Sequence[tuple[Any, Any]]) -> Any:
    if not all(isinstance(key, str) and not isinstance(key, Spelled) for key, _ in pairs):
        return [{"key": key, "value": value} for key, value in pairs]
    made = dict(pairs)
    return made if len(made) == len(pairs) else _NO_JSON


def _single_values(column: pa.Array, read_leaves: ReadLeaves) -> list[Any]:
    kind = column.type
    if kinds.is_boolean(kind):
        return list(column.to_pylist())
    texts = read_leaves(column)
    held = column.is_valid().to_pylist()
    if not (kinds.is_integer(kind) or kinds.is_floating(kind) or kinds.is_decimal(kind)):
        pairs = zip(texts, held, strict=True)
        return [_NO_JSON if valid and text is None else text for text, valid in pairs]
    return [
        Spelled(text) if text is not None and _NUMBER_OF_JSON.fullmatch(text) else text
        for text in texts
    ]


@dataclass(slots=True)
class NestedGuess:
    """The type that can hold all cells of a nested column read so far. `was` is the original type.

    A structure keeps its released members. Cells with different structures are text.
    """

    was: pa.DataType | None
    textual: bool = False
    _leaf: ColumnGuess | None = None
    _items: NestedGuess | None = None
    _members: dict[str, NestedGuess] = field(default_factory=dict, repr=False)

    @property
    def type(self) -> pa.DataType:
        """The type that can hold all cells."""
        if self.textual or sum((bool(self._leaf), bool(self._items), bool(self._members))) != 1:
            return pa.string()
        if self._leaf is not None:
            return self._leaf.type
        if self._items is not None:
            return self._listed(self._items.type)
        return pa.struct([(name, member.type) for name, member in self._members.items()])

    def _listed(self, item: pa.DataType) -> pa.DataType:
        return pa.map_(pa.string(), item) if self._is_map else pa.list_(item)

    @property
    def _is_map(self) -> bool:
        return self.was is not None and kinds.is_map(self.was)

    def take(self, texts: pa.Array) -> pa.Array:
        """Return the cells as they are spooled, and drop the types that cannot hold them."""
        try:
            values = [None if one is None else read_json(one.encode()) for one in texts.to_pylist()]
        except JsonError:
            self.textual = True
        else:
            self._see([value for value in values if value is not None])
        return texts

    def _see(self, values: Sequence[Any]) -> None:
        objects = [value for value in values if isinstance(value, dict)]
        lists = [value for value in values if isinstance(value, list)]
        leaves = [value for value in values if not isinstance(value, dict | list)]
        if objects and self._is_map:
            lists += [list(value.values()) for value in objects]
        elif objects:
            self._see_members(objects)
        if lists:
            self._items = self._items or NestedGuess(self._type_of_items())
            self._items._see([one for some in lists for one in some if one is not None])
        if leaves:
            self._leaf = self._leaf or ColumnGuess.of(self._type_of_leaf(leaves))
            self._leaf.take(pa.array([_leaf_text(one) for one in leaves], pa.large_string()))

    def _see_members(self, objects: Sequence[dict[str, Any]]) -> None:
        for name in dict.fromkeys(name for value in objects for name in value):
            if name not in self._members:
                self._members[name] = NestedGuess(self._type_of_member(name))
            self._members[name]._see([v[name] for v in objects if v.get(name) is not None])

    def _type_of_member(self, name: str) -> pa.DataType | None:
        if self.was is None or not kinds.is_struct(self.was):
            return None
        at = self.was.get_field_index(name)
        return None if at < 0 else self.was.field(at).type

    def _type_of_items(self) -> pa.DataType | None:
        if self.was is None:
            return None
        if self._is_map:
            return self.was.item_type
        return self.was.value_type if is_list_type(self.was) else None

    def _type_of_leaf(self, leaves: Sequence[Any]) -> pa.DataType:
        """Return the original type; for a renamed member, the type that its first cells suggest."""
        if self.was is not None and len(types_within(self.was)) == 1:
            return types_within(self.was)[0]
        if all(isinstance(one, bool) for one in leaves):
            return pa.bool_()
        if all(isinstance(one, Spelled) for one in leaves):
            whole = all(one.lstrip("-").isdigit() for one in leaves)
            return pa.int64() if whole else pa.float64()
        return pa.string()


def _leaf_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str.__str__(value)


def nested_array(texts: pa.Array, kind: pa.DataType) -> pa.Array:
    """JSON as an array of a nested type that a `NestedGuess` found."""
    values = [None if one is None else read_json(one.encode()) for one in texts.to_pylist()]
    return _array(values, kind)


def _array(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    if kinds.is_struct(kind):
        missing = pa.array([value is None for value in values], pa.bool_())
        members = [_array([(v or {}).get(f.name) for v in values], f.type) for f in kind]
        return pa.StructArray.from_arrays(members, fields=list(kind), mask=missing)
    if kinds.is_map(kind):
        pairs = [pair for value in values if value for pair in value.items()]
        keys = pa.array([key for key, _ in pairs], pa.string())
        found = _array([value for _, value in pairs], kind.item_type)
        return pa.MapArray.from_arrays(_offsets(values), keys, found)
    if kinds.is_list(kind):
        found = _array([one for value in values if value for one in value], kind.value_type)
        return pa.ListArray.from_arrays(_offsets(values), found)
    told = [None if value is None else _leaf_of(value) for value in values]
    return parsed_array(pa.array(told, pa.large_string()), kind)


def _leaf_of(value: Any) -> str:
    return write_json(value, Style()) if isinstance(value, dict | list) else _leaf_text(value)


def _offsets(values: Sequence[Any]) -> pa.Array:
    """The offset of each list; null for a null list."""
    ends, at = [], 0
    for value in values:
        ends.append(None if value is None else at)
        at += len(value or ())
    return pa.array([*ends, at], pa.int32())
