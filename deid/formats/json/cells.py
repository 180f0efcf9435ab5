"""Tables with columns of JSON: each path within the cells is a column, as for JSON records.

A column counts as JSON if all its first filled cells are objects or arrays. A later cell that is
neither gets the name of the column as its path, and is not classified. For columns of FHIR
resources, the FHIR tables decide what happens to each path.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from deid.formats.contract import (
    Format,
    ReadOptions,
    Record,
    RecordFault,
    RecordSource,
    sink_path,
)
from deid.formats.fhir.json_text import JsonError, write_json
from deid.formats.fhir.render import render_resource
from deid.formats.json.cell_columns import (
    FhirTree,
    JsonColumn,
    cell_paths,
    columns_of_json,
    nested_of,
    take_row,
)
from deid.formats.json.record_tree import (
    GONE,
    KeyNames,
    LeafCells,
    RecordLeaf,
    rebuild_record,
)
from deid.formats.path_columns import PathColumns
from deid.formats.table_cells import CellDocuments
from deid.vocabularies.locus import Locus

MOST_CELL_PATHS = 2_000


@dataclass(frozen=True, slots=True)
class JsonRow:
    """The data that the sink needs to write a row.

    It holds the skeleton of the table's own row, the trees of its JSON cells, and the column of
    each leaf.
    """

    inner: Any = field(repr=False)
    trees: Mapping[int, Any] = field(repr=False)
    places: tuple[int, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class JsonCellsSource:
    """A table with some JSON columns.

    `paths` are the names of the other columns, then the paths of the leaves. `spread` are the JSON
    columns of the table, and `plain` are the other columns. `loci_at` has the loci of the FHIR
    paths.
    """

    inner: RecordSource
    paths: PathColumns
    spread: Mapping[int, JsonColumn]
    plain: tuple[int, ...]
    valued: frozenset[str] = field(repr=False)
    loci_at: Mapping[str, Locus] = field(repr=False)
    by_name: bool = True
    prefixes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"JsonCellsSource({len(self.columns)} columns, {len(self.spread)} of JSON)"

    @property
    def columns(self) -> tuple[str, ...]:
        """The plain columns, then the paths."""
        return self.paths.columns

    @property
    def nested(self) -> frozenset[str]:
        """The columns of lists, structures and bytes, which the table cannot search as text."""
        return nested_of(self.inner)

    def records(self) -> Iterator[Record | RecordFault]:
        """Every row in order."""
        for record in self.inner.records():
            yield record if isinstance(record, RecordFault) else self._record(record)

    def sample(self, size: int) -> Iterator[Record]:
        """The first rows."""
        for record in islice(self.records(), size):
            if isinstance(record, Record):
                yield record

    def _record(self, row: Record) -> Record | RecordFault:
        try:
            taken, _ = take_row(row, self.inner.columns, self.spread, self.valued)
        except JsonError as error:
            return RecordFault(row.ordinal, error.code)
        cells: list[str | None] = [None] * len(self.columns)
        for place, column in enumerate(self.plain):
            cells[place] = row.cells[column]
        skeleton = JsonRow(row.skeleton, taken.tree, self.paths.place(taken.leaves, cells))
        return Record(row.ordinal, tuple(cells), row.patient, row.known, skeleton, row.note)


class JsonCellsSink:
    """Writes the trees as JSON into their cells, and the rows with the sink of the table."""

    def __init__(
        self, path: Path, table: Format, source: JsonCellsSource, columns: Mapping[int, str]
    ) -> None:
        self._asked = path
        self._position = {column: place for place, column in enumerate(columns)}
        told = [(source.columns[n], name) for n, name in columns.items()]
        self._names = KeyNames(told, source.columns)
        self._styles = source.spread
        headers = source.inner.columns
        leaving = {
            column: columns[place] for place, column in enumerate(source.plain) if place in columns
        }
        leaving |= {
            column: self._names.name(headers[column], headers[column])
            for column in source.spread
            if self._names.leaves_under(headers[column])
        }
        self._order = sorted(leaving)
        self._plain = {column: place for place, column in enumerate(source.plain)}
        self._inner = table.create(
            path, source.inner, {column: leaving[column] for column in self._order}
        )

    @property
    def path(self) -> Path:
        """The path of the written table."""
        return sink_path(self._inner, self._asked)

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None:
        """Write one row from the cells of the released columns, in order."""
        if not isinstance(skeleton, JsonRow):
            raise TypeError("a sink of JSON cells needs the row that was read")
        position = self._position
        values = [cells[position[n]] if n in position else GONE for n in skeleton.places]
        left = LeafCells(values, self._names)
        row = [
            cells[position[self._plain[column]]]
            if column in self._plain
            else self._cell(column, skeleton.trees.get(column), left)
            for column in self._order
        ]
        self._inner.write(row, skeleton.inner)

    def _cell(self, column: int, tree: Any, left: LeafCells) -> str | None:
        if tree is None:
            return None
        style = self._styles[column].style
        if isinstance(tree, FhirTree):
            told = (left.values[n] for n in tree.leaves)
            cells = [None if value is GONE else value for value in told]
            return write_json(render_resource(tree.tree, cells), style)
        value = rebuild_record(tree, left)
        if isinstance(tree, RecordLeaf):
            return None if value is GONE or value is None else str(value)
        if value is GONE:
            value = [] if isinstance(tree, list) else {}
        return write_json(value, style)

    def close(self) -> None:
        """Write what is buffered and close the file."""
        self._inner.close()


def spread_json(source: RecordSource, options: ReadOptions) -> RecordSource:
    """The source with its JSON columns split into path columns; unchanged if it has none."""
    if getattr(source, "loci", None) is not None or getattr(source, "by_name", False):
        return source
    spread = columns_of_json(source, options.rtf)
    if not spread:
        return source
    valued, most, loci = cell_paths(source, spread, frozenset())
    if wide := _too_wide(source, spread, most):
        spread = {n: column for n, column in spread.items() if n not in wide}
        valued, most, loci = cell_paths(source, spread, frozenset())
    if valued:
        _, most, loci = cell_paths(source, spread, valued)
    if not most or most.total() > MOST_CELL_PATHS:
        return source
    plain = tuple(n for n in range(len(source.columns)) if n not in spread)
    paths = PathColumns.of(most, [source.columns[n] for n in plain])
    return JsonCellsSource(source, paths, spread, plain, valued, loci)


def _too_wide(
    source: RecordSource, spread: Mapping[int, JsonColumn], most: Counter[str]
) -> set[int]:
    """Return the columns with too many paths, such as a waveform of thousands of readings."""
    sizes = {
        n: sum(count for path, count in most.items() if _leads_into(path, source.columns[n]))
        for n in spread
    }
    return {n for n, size in sizes.items() if size > MOST_CELL_PATHS}


def _leads_into(path: str, column: str) -> bool:
    """Whether the path is in the cells of that column."""
    return path == column or path.startswith((f"{column}.", f"{column}[", f"{column}{{"))


JSON_CELLS = CellDocuments(spread_json, JsonCellsSource, JsonCellsSink)
