"""A format of tables of which some cells are documents: they are read by their own format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deid.formats.contract import Format, ReadOptions, RecordSource, Sink

CreateSink = Callable[[Path, Format, Any, Mapping[int, str]], Sink]


@dataclass(frozen=True, slots=True)
class CellDocuments:
    """A kind of document in cells.

    `open_cells` gives the source that a table becomes under the reading options, or the table
    itself if no cell holds such documents; a source of the kind `source` is written by
    `create_sink`.
    """

    open_cells: Callable[[RecordSource, ReadOptions], RecordSource]
    source: type
    create_sink: CreateSink


@dataclass(frozen=True, slots=True)
class TableOfDocuments:
    """A format of tables, whose cells of a kind of document are read as documents."""

    table: Format
    documents: CellDocuments = field(repr=False)

    @property
    def name(self) -> str:
        """The name of the format."""
        return self.table.name

    def accepts(self, path: Path, suffix: str) -> bool:
        """As the format of the table says."""
        return self.table.accepts(path, suffix)

    def open(self, path: Path, options: ReadOptions, *member: str) -> RecordSource:
        """Raises DeidError: what the format of the table says."""
        return self.documents.open_cells(self.table.open(path, options, *member), options)

    def create(self, path: Path, source: RecordSource, columns: Mapping[int, str]) -> Sink:
        """Open the output of the table."""
        if isinstance(source, self.documents.source):
            return self.documents.create_sink(path, self.table, source, columns)
        return self.table.create(path, source, columns)

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "table"), name)
