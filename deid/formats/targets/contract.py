"""The contract of a target: it takes all tables of a release or none, and remembers which."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

import pyarrow as pa

from deid.errors import DeidError

MARKER = "deid_release"
"""The table, or file, of a target that names the release it holds."""


@dataclass(frozen=True, slots=True)
class LoadableTable:
    """A table to load: its name, its typed columns and its rows."""

    name: str = field(repr=False)
    schema: pa.Schema = field(repr=False)
    batches: Callable[[], Iterator[pa.RecordBatch]] = field(repr=False)


@dataclass(frozen=True, slots=True)
class LoadableRelease:
    """A release that its manifest vouches for. `others` counts files that are no tables.

    `sha256` stands for the released files with their paths: it is what a target remembers.
    """

    sha256: str
    tables: tuple[LoadableTable, ...]
    others: int


class Target(Protocol):
    """Where tables are loaded."""

    def held_release(self) -> str | None:
        """The SHA-256 of the release that it holds whole; None if it holds nothing.

        Raises:
            DeidError: `target-not-empty`, if it holds anything else; what its kind says.
        """
        ...

    def load(self, release: LoadableRelease) -> int:
        """All tables and the marker, or nothing; the number of rows.

        Raises:
            DeidError: `target-not-written`; what its kind says.
        """
        ...


@dataclass(frozen=True, slots=True)
class LoadedRelease:
    """What was loaded. `before` says that the target held the release already."""

    tables: int
    rows: int
    others: int
    before: bool


def target_not_empty() -> DeidError:
    """The refusal of a target that holds something else."""
    hint = "name a schema, file or folder that is empty or does not exist yet"
    return DeidError("target-not-empty", "the target holds something already", hint=hint)
