"""The contract of a target: it loads all tables of a release or none, and records the release."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

import pyarrow as pa

from deid.errors import DeidError

MARKER = "deid_release"
"""The name of the table or file by which a target records the release that it holds."""


@dataclass(frozen=True, slots=True)
class LoadableTable:
    """A table to load: its name, its typed columns and its rows."""

    name: str = field(repr=False)
    schema: pa.Schema = field(repr=False)
    batches: Callable[[], Iterator[pa.RecordBatch]] = field(repr=False)


@dataclass(frozen=True, slots=True)
class LoadableRelease:
    """A release checked against its manifest. `others` counts files that are not tables.

    `sha256` is the hash of the released files and their paths; the target records it.
    """

    sha256: str
    tables: tuple[LoadableTable, ...]
    others: int


class Target(Protocol):
    """A place into which the tables of a release are loaded."""

    def held_release(self) -> str | None:
        """The SHA-256 of the complete release in the target; None if the target is empty.

        Raises:
            DeidError: `target-not-empty` if it holds anything else; other errors of its kind.
        """
        ...

    def load(self, release: LoadableRelease) -> int:
        """Write all tables and the marker, or nothing; return the number of rows.

        Raises:
            DeidError: `target-not-written`; other errors of its kind.
        """
        ...


@dataclass(frozen=True, slots=True)
class LoadedRelease:
    """The counts of a load. `before` is true if the target already held the release."""

    tables: int
    rows: int
    others: int
    before: bool


def target_not_empty() -> DeidError:
    """Return the error for a target that is not empty and does not hold the release."""
    hint = "name a schema, file or folder that is empty or does not exist yet"
    return DeidError("target-not-empty", "the target is not empty", hint=hint)
