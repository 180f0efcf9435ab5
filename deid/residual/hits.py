"""What the search of the output found: hits by place and kind, never a value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from safe_harbor import Identifier


@dataclass(frozen=True, slots=True)
class ResidualHit:
    """Where a known value stands: file and record (1-based; None for the whole file)."""

    file: int
    record: int | None
    word: Identifier
    kind: str


@dataclass(frozen=True, slots=True)
class Residual:
    """The result of the search: values looked for, bytes searched, hits by identifier. No values.

    `sought` holds the identifiers of which a form was looked for; `unlinked` counts the records
    that name no known patient.
    """

    known_values: int = 0
    searched_bytes: int = 0
    by_word: Mapping[Identifier, int] = field(default_factory=dict)
    places: tuple[ResidualHit, ...] = ()
    sought: frozenset[Identifier] = frozenset()
    unlinked: int = 0

    @property
    def hits(self) -> int:
        """How many known values are still there."""
        return sum(self.by_word.values())


@dataclass(slots=True)
class FoundHits:
    """The hits of some rows, those on bare numbers by column, and the numbers by column."""

    hits: list[ResidualHit] = field(default_factory=list)
    bare: dict[int, list[ResidualHit]] = field(default_factory=dict)
    numbers: Counter[int] = field(default_factory=Counter)

    def add(self, column: int, hit: ResidualHit, bare: bool) -> None:
        """Add a hit in a column."""
        (self.bare.setdefault(column, []) if bare else self.hits).append(hit)

    def add_all(self, other: FoundHits) -> None:
        """Add the hits and the numbers of other rows of the table."""
        self.hits += other.hits
        self.numbers += other.numbers
        for column, hits in other.bare.items():
            self.bare.setdefault(column, []).extend(hits)
