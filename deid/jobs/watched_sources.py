"""Sources that end at a read error and keep its code, so that gathering the patients goes on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

import pyarrow as pa

from deid.columns.column_profiles import PROFILE_SAMPLE
from deid.errors import DeidError
from deid.formats import ColumnSource, Record, RecordFault, RecordSource

ReadItem = TypeVar("ReadItem")


def code_of(error: Exception) -> str:
    """The code for why a file is withheld: the code of a `DeidError`, or a general code."""
    if isinstance(error, DeidError):
        return error.code
    return "input-unreadable" if isinstance(error, OSError) else "engine-error"


class WatchedSource:
    """A source that ends where reading fails; `fault` then holds the code."""

    def __init__(self, whole: RecordSource) -> None:
        self._whole = whole
        self.fault = ""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._whole, name)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._whole,)

    @property
    def columns(self) -> tuple[str, ...]:
        return self._whole.columns

    def records(self) -> Iterator[Record | RecordFault]:
        """The records that can be read."""
        return self._until_it_breaks(self._whole.records())

    def _until_it_breaks(self, items: Iterable[ReadItem]) -> Iterator[ReadItem]:
        try:
            yield from items
        except Exception as error:
            self.fault = code_of(error)


class WatchedColumns(WatchedSource):
    """A watched source that can be read by column."""

    _whole: ColumnSource

    def is_regular(self) -> bool:
        return self._whole.is_regular()

    def batches(self) -> Iterator[pa.RecordBatch]:
        return self._until_it_breaks(self._whole.batches())


class SourceHead(WatchedSource):
    """A source that yields only its first records."""

    def records(self) -> Iterator[Record | RecordFault]:
        """The first records."""
        return islice(super().records(), PROFILE_SAMPLE)

    def is_regular(self) -> bool:
        return False  # reading by column would read the whole table


def watch_source(source: RecordSource) -> WatchedSource:
    """Wrap a source so that it ends where reading fails."""
    return WatchedColumns(source) if isinstance(source, ColumnSource) else WatchedSource(source)
