"""Writes JSON records in the layout of their source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from deid.errors import unreadable
from deid.formats.fhir.json_text import write_json
from deid.formats.json.layout import JsonLayout
from deid.formats.json.record_tree import (
    GONE,
    KeyNames,
    LeafCells,
    RecordLeaf,
    key_left,
    rebuild_record,
)


@dataclass(frozen=True, slots=True)
class RecordSkeleton:
    """The data that the sink needs to write a record.

    It holds the tree of the record, the column of each leaf, the collection, and the leaf of the
    record's key in that collection.
    """

    tree: Any = field(repr=False)
    places: tuple[int, ...] = field(repr=False)
    collection: int | None = None
    key: RecordLeaf | None = None


def hole(number: int) -> str:
    """The placeholder in an envelope for the records of that collection."""
    return f"\ue000{number}\ue000"


class JsonRecordsSink:
    """Writes records in the layout of their source."""

    def __init__(
        self, path: Path, layout: JsonLayout, paths: Sequence[str], columns: Mapping[int, str]
    ) -> None:
        self._layout = layout
        self._position = {column: place for place, column in enumerate(columns)}
        self._names = KeyNames([(paths[n], name) for n, name in columns.items()], paths)
        self._file = path.open("w", encoding="utf-8", newline="\n")
        self._between: list[str] = []
        self._at, self._written = -1, 0
        self._keys: Counter[str] = Counter()
        if self._layout.kind in ("array", "keyed"):
            marks = ("[", "]") if self._layout.kind == "array" else ("{", "}")
            self._between = list(marks)

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None:
        """Write one record from the cells of the released columns, in order."""
        known, position = cast(RecordSkeleton, skeleton), self._position
        values = [cells[position[n]] if n in position else GONE for n in known.places]
        left = LeafCells(values, self._names, self._layout.kind == "single")
        value = rebuild_record(known.tree, left)
        value = _left(known.tree) if value is GONE else value
        if known.collection is not None:
            self._write_element(known, value, left)
        elif self._layout.kind == "envelope":
            self._open(value)
        else:
            self._file.write(write_json(value, self._layout.style) + "\n")

    def _open(self, envelope: dict[str, Any]) -> None:
        """Split the envelope at the places of its collections and keep the pieces."""
        rest = write_json(envelope, self._layout.style)
        for number, collection in enumerate(self._layout.collections):
            left, right = ("{", "}") if collection.keyed else ("[", "]")
            head, _, rest = rest.partition(f'"{hole(number)}"')
            self._between.append(head + left)
            rest = right + rest
        self._between.append(rest)

    def _write_element(self, known: RecordSkeleton, value: dict[str, Any], left: LeafCells) -> None:
        number, style = cast(int, known.collection), self._layout.style
        if not self._between:
            raise unreadable("envelope-withheld", "the envelope around the records is withheld")
        self._reach(number)
        level = self._level(number)
        text = write_json(value, style, level)
        if known.key is not None:
            name = key_left(known.key, self._written + 1, left)
            self._keys[name] += 1
            name = name if self._keys[name] == 1 else f"{name} ({self._keys[name]})"
            text = f"{write_json(name, style)}{style.colon}{text}"
        indent = f"\n{style.indent * level}" if style.indent else ""
        self._file.write(f"{style.comma if self._written else ''}{indent}{text}")
        self._written += 1

    def _level(self, number: int) -> int:
        return len(self._layout.collections[number].path) + 1

    def _reach(self, number: int) -> None:
        """Write the envelope text between the last written record and this collection's records."""
        while self._at < number:
            if self._written and self._layout.style.indent:
                self._file.write(f"\n{self._layout.style.indent * (self._level(self._at) - 1)}")
            self._at += 1
            self._file.write(self._between[self._at])
            self._written = 0
            self._keys.clear()

    def close(self) -> None:
        """Write the rest of the document and close the file."""
        if self._between and not self._file.closed:
            self._reach(len(self._between) - 1)
            self._file.write("\n")
        self._file.close()


def _left(tree: Any) -> Any:
    """Return what replaces a record without released values."""
    return [] if isinstance(tree, list) else {}
