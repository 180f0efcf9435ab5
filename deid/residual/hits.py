"""The hits of the output search, by place and kind, never with the value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from safe_harbor import Identifier


@dataclass(frozen=True, slots=True)
class ResidualHit:
    """The place of a known value: file and record (1-based; None if the record is not known).

    `element` is the path in a format with published paths (`section/title`), or "".
    """

    file: int
    record: int | None
    word: Identifier
    kind: str
    element: str = ""


@dataclass(frozen=True, slots=True)
class Residual:
    """The result of the search, without values: known values, searched bytes, and hits.

    `by_word` counts the hits by identifier. `sought` holds the identifiers with forms that were
    searched for; `unlinked` counts the records that are of no known patient.
    """

    known_values: int = 0
    searched_bytes: int = 0
    by_word: Mapping[Identifier, int] = field(default_factory=dict)
    places: tuple[ResidualHit, ...] = ()
    sought: frozenset[Identifier] = frozenset()
    unlinked: int = 0

    @property
    def hits(self) -> int:
        """The number of known values still in the output."""
        return sum(self.by_word.values())


@dataclass(slots=True)
class FoundHits:
    """The hits of some rows of a table.

    `bare` are hits on cells that are only a number, by column; `numbers` counts such cells.
    """

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
