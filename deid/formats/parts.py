"""Parts of a container whose cells have their own types: sheets and SQLite tables.

A part is a file of JSON lines, already scrubbed. A second file beside it describes its columns.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from deid.formats.contract import RecordSource
from deid.formats.typed.typed_values import restore_value

_VALUE_MAKERS: dict[str, Any] = {
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
}


@dataclass(frozen=True, slots=True)
class PartColumn:
    """A column of a part: its header, its index in the original, and the Python types of its cells.

    `same` says that every cell is unchanged from the original.
    """

    header: str = field(repr=False)
    index: int
    types: frozenset[str]
    same: bool


class PartSink:
    """Writes a part; the skeleton of a record is the list of its original values by column."""

    def __init__(self, path: Path, columns: Mapping[int, str]) -> None:
        self._columns, self._path = dict(columns), path
        self._types: dict[int, set[str]] = {index: set() for index in columns}
        self._same = dict.fromkeys(columns, True)
        self._file = path.open("w", encoding="utf-8", newline="\n")

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None:
        """Write one record: the cells of the released columns, in order."""
        row = []
        for index, cell in zip(self._columns, cells, strict=True):
            value = restore_value(cell, skeleton[index])
            if value is not None:
                self._types[index].add(type(value).__name__)
            if value is not skeleton[index]:
                self._same[index] = False
            row.append(_packed_value(value))
        self._file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def close(self) -> None:
        """Write what is buffered, and the description of the columns."""
        self._file.close()
        told = [
            [name, index, sorted(self._types[index]), self._same[index]]
            for index, name in self._columns.items()
        ]
        _beside(self._path).write_text(json.dumps(told), "utf-8")


class PartFormat:
    """A container whose members are written as parts, from which it is then assembled."""

    def create(self, path: Path, source: RecordSource, columns: Mapping[int, str]) -> PartSink:
        """Open the sink for one member, as a part."""
        return PartSink(path, columns)


def part_columns(path: Path) -> list[PartColumn]:
    """The columns of a closed part."""
    told = json.loads(_beside(path).read_text("utf-8"))
    return [PartColumn(name, index, frozenset(types), same) for name, index, types, same in told]


def part_rows(path: Path) -> Iterator[list[Any]]:
    """The rows of a closed part, as typed values."""
    with path.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            yield [_unpacked_value(value) for value in json.loads(line)]


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}.columns")


def _packed_value(value: Any) -> Any:
    kind = type(value).__name__
    return {kind: value.isoformat()} if kind in _VALUE_MAKERS else value


def _unpacked_value(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    [(kind, text)] = value.items()
    return _VALUE_MAKERS[kind](text)
