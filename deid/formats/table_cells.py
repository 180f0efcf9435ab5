"""A table format for tables with documents in their cells, which are read as documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deid.formats.contract import Format, ReadOptions, RecordSource, Sink

CreateSink = Callable[[Path, Format, Any, Mapping[int, str]], Sink]


@dataclass(frozen=True, slots=True)
class CellDocuments:
    """One kind of document that table cells may hold.

    `open_cells` returns a source that reads the documents in the cells, or the table itself if no
    cell holds such a document. `create_sink` writes a source of the type `source`.
    """

    open_cells: Callable[[RecordSource, ReadOptions], RecordSource]
    source: type
    create_sink: CreateSink


@dataclass(frozen=True, slots=True)
class TableOfDocuments:
    """A table format in which one kind of document in the cells is read as documents."""

    table: Format
    documents: CellDocuments = field(repr=False)

    @property
    def name(self) -> str:
        """The name of the format."""
        return self.table.name

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether the format of the table accepts the file."""
        return self.table.accepts(path, suffix)

    def open(self, path: Path, options: ReadOptions, *member: str) -> RecordSource:
        """Open the table. Raises DeidError as the format of the table does."""
        return self.documents.open_cells(self.table.open(path, options, *member), options)

    def create(self, path: Path, source: RecordSource, columns: Mapping[int, str]) -> Sink:
        """Open the output of the table."""
        if isinstance(source, self.documents.source):
            return self.documents.create_sink(path, self.table, source, columns)
        return self.table.create(path, source, columns)

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "table"), name)
