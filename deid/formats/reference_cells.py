"""Tables with FHIR references in their cells, as in flat views: only the keys are read.

`Patient/17` under `subject_reference` and `17` under `id` are one key, so that both get the same
person, number and code. The text before the key is written again, without the server's address.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from deid.formats.contract import (
    ColumnSource,
    Format,
    ReadOptions,
    Record,
    RecordFault,
    RecordSource,
    sink_path,
)
from deid.formats.fhir.references import BASE, Pointer, read_pointer
from deid.formats.table_cells import CellDocuments
from deid.vocabularies.locus import Locus

REFERENCE_CELLS_LOOKED_AT = 200
_TOLD_FORMS = ("relative", "absolute", "uuid")


@dataclass(frozen=True, slots=True)
class ReferenceRow:
    """What a row's sink needs: the table's own skeleton, and the text before each key."""

    inner: Any = field(repr=False)
    before: Mapping[int, str]


class ReferenceCellsSource:
    """A table in which the columns `of_references` hold references."""

    def __init__(self, inner: RecordSource, of_references: frozenset[int]) -> None:
        self.inner, self.of_references = inner, of_references

        self.columns = inner.columns
        self.nested: frozenset[str] = getattr(inner, "nested", frozenset())
        self.by_name: bool = getattr(inner, "by_name", False)
        self.prefixes: tuple[str, ...] = getattr(inner, "prefixes", ())
        self.loci_at: Mapping[str, Locus] = getattr(inner, "loci_at", {})

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.columns)} columns)"

    def records(self) -> Iterator[Record | RecordFault]:
        """Every row in order, with keys in place of its references."""
        return map(self._opened, self.inner.records())

    def sample(self, size: int) -> Iterator[Record]:
        """The first rows."""
        return (r for r in islice(self.records(), size) if isinstance(r, Record))

    def _opened(self, row: Record | RecordFault) -> Record | RecordFault:
        if isinstance(row, RecordFault):
            return row
        found = {n: p for n in self.of_references if (p := _pointer_in(row.cells[n])) is not None}
        cells = tuple(found[n].key if n in found else cell for n, cell in enumerate(row.cells))
        before = {n: _before(pointer) for n, pointer in found.items()}
        return replace(row, cells=cells, skeleton=ReferenceRow(row.skeleton, before))


class ReferenceColumnsSource(ReferenceCellsSource):
    """A table with references that can be read by column.

    `heads` is the text with which every filled cell of each reference column begins.
    """

    inner: ColumnSource

    def __init__(
        self, inner: ColumnSource, of_references: frozenset[int], heads: Mapping[int, str]
    ) -> None:
        super().__init__(inner, of_references)
        self.heads = heads

    def is_regular(self) -> bool:
        """Whether the table itself can be read by column."""
        return self.inner.is_regular()

    def batches(self) -> Iterator[pa.RecordBatch]:
        """The cells by column, with the keys in place of the references."""
        for batch in self.inner.batches():
            columns = list(batch.columns)
            for n, head in self.heads.items():
                columns[n] = pc.utf8_slice_codeunits(columns[n], len(head))
            yield pa.record_batch(columns, names=batch.schema.names)


def _pointer_in(cell: str | None) -> Pointer | None:
    found = read_pointer(cell) if cell else None
    return found if found is not None and found.form in _TOLD_FORMS else None


def _before(pointer: Pointer) -> str:
    """Return the text that is written before the key."""
    if pointer.form == "uuid":
        return "urn:uuid:"
    return f"{BASE}/{pointer.target}/" if pointer.form == "absolute" else f"{pointer.target}/"


class ReferenceCellsSink:
    """Turns keys into references again, and writes the rows with the sink of the table."""

    def __init__(
        self, path: Path, table: Format, source: ReferenceCellsSource, columns: Mapping[int, str]
    ) -> None:
        self._asked, self._leaving = path, tuple(columns)
        self._inner: Any = table.create(path, source.inner, columns)
        self._before: Mapping[int, str] = {}

    @property
    def path(self) -> Path:
        """The path of the written table."""
        return sink_path(self._inner, self._asked)

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None:
        """Write one row: the cells of the released columns, in order."""
        known = isinstance(skeleton, ReferenceRow)
        before = skeleton.before if known else self._before
        row = [
            f"{before[column]}{cell}" if cell and column in before else cell
            for column, cell in zip(self._leaving, cells, strict=True)
        ]
        self._inner.write(row, skeleton.inner if known else None)

    def close(self) -> None:
        """Write what is buffered and close the file."""
        self._inner.close()


class ReferenceColumnsSink(ReferenceCellsSink):
    """Writes references again, column by column."""

    def __init__(
        self, path: Path, table: Format, source: ReferenceColumnsSource, columns: Mapping[int, str]
    ) -> None:
        super().__init__(path, table, source, columns)
        self._before = {n: _before_key(head) for n, head in source.heads.items()}

    def write_columns(self, columns: Sequence[pa.Array]) -> None:
        """Write many records: an array of strings for each released column, in order."""
        whole = [
            _headed(column, self._before[n]) if n in self._before else column
            for n, column in zip(self._leaving, columns, strict=True)
        ]
        self._inner.write_columns(whole)


def _before_key(head: str) -> str:
    pointer = _pointer_in(f"{head}0")
    return "" if pointer is None else _before(pointer)


def _headed(column: pa.Array, before: str) -> pa.Array:
    texts = column.cast(pa.string())
    return pc.if_else(pc.equal(texts, ""), texts, pc.binary_join_element_wise(before, texts, ""))


def _create_sink(
    path: Path, table: Format, source: ReferenceCellsSource, columns: Mapping[int, str]
) -> ReferenceCellsSink:
    if isinstance(source, ReferenceColumnsSource):
        return ReferenceColumnsSink(path, table, source, columns)
    return ReferenceCellsSink(path, table, source, columns)


def open_references(source: RecordSource, options: ReadOptions) -> RecordSource:
    """The table with keys in place of its references; the table itself if it has no references."""
    found = _columns_of_references(source)
    if not found:
        return source
    if isinstance(source, ColumnSource) and (heads := _heads(source, found)) is not None:
        return ReferenceColumnsSource(source, found, heads)
    return ReferenceCellsSource(source, found)


def _columns_of_references(source: RecordSource) -> frozenset[int]:
    """The columns whose first filled cells are all references."""
    found: set[int] = set()
    refused: set[int] = set()
    for record in islice(source.records(), REFERENCE_CELLS_LOOKED_AT):
        for n, cell in enumerate(record.cells if isinstance(record, Record) else ()):
            if cell and n not in refused:
                (refused if _pointer_in(cell) is None else found).add(n)
    return frozenset(found - refused)


def _heads(source: ColumnSource, columns: frozenset[int]) -> dict[int, str] | None:
    """Return the text before the key in each column.

    The result is None if this text differs between the filled cells of a column, or if the table
    cannot be read by column.
    """
    if not source.is_regular():
        return None
    heads: dict[int, str] = {}
    for batch in source.batches():
        for n in columns:
            filled = pc.unique(batch.column(n).drop_null()).to_pylist()
            for cell in filter(None, filled):
                head = _head(cell)
                if not head or heads.setdefault(n, head) != head:
                    return None
    return heads


def _head(cell: str) -> str:
    """Return the text before the key that ends a reference; "" for any other cell."""
    pointer = _pointer_in(cell)
    head = cell.removesuffix(pointer.key) if pointer else ""
    behind = _pointer_in(f"{head}0")
    return head if pointer and behind == replace(pointer, key="0") else ""


REFERENCE_CELLS = CellDocuments(open_references, ReferenceCellsSource, _create_sink)
