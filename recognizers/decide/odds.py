"""Counts from annotated notes: how often rows of evidence were right, and words identified."""

from __future__ import annotations

import csv
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import log
from pathlib import Path

from recognizers.decide.word_odds import WordOdds
from recognizers.evidence.matching import Seen

# The bounds of the classes of a row's strength; each class has its own odds.
CLASSES = (1e-9, 0.3, 0.5, 0.7, 0.9)
HEADER = ("row", "entity", "class", "wrong", "right")
# The row's strength counts as this many cases, so that it matters for a row with few cases.
PRIOR = 4.0
LEAST, MOST = 0.02, 0.97
Key = tuple[str, str, int]


def strength_class(strength: float) -> int:
    """The class of a strength; class 0 is evidence against an identifier."""
    return bisect_right(CLASSES, strength)


def key_of(seen: Seen) -> Key:
    return seen.row, seen.entity, strength_class(seen.strength)


@dataclass(frozen=True)
class RowOdds:
    """How many times each row of evidence was wrong and right; partly right spans count in part."""

    cases: Mapping[Key, tuple[float, float]] = field(default_factory=dict, repr=False)

    @classmethod
    def read(cls, path: Path) -> RowOdds:
        """The odds from the table that the training writes."""
        with path.open(encoding="utf-8", newline="") as file:
            _, *table = csv.reader(file)
        return cls({(r, e, int(c)): (float(w), float(g)) for r, e, c, w, g in table})

    def table(self) -> Iterable[tuple[str, ...]]:
        """Return the rows of the table that `read` reads, its header first."""
        yield HEADER
        for (row, entity, number), (wrong, right) in sorted(self.cases.items()):
            yield row, entity, str(number), f"{wrong:.1f}", f"{right:.1f}"

    def __call__(self, seen: Seen) -> float:
        """Return the log odds that this hit of a row of evidence identifies a person."""
        wrong, right = self.cases.get(key_of(seen), (0.0, 0.0))
        expected = min(max(seen.strength, LEAST), MOST)
        share = (right + PRIOR * expected) / (wrong + right + PRIOR)
        return log(share / (1 - share))


@dataclass(frozen=True)
class Odds:
    """How often each row of evidence was right, and each word was part of an identifier."""

    rows: RowOdds = field(default_factory=RowOdds, repr=False)
    words: WordOdds = field(default_factory=WordOdds, repr=False)

    @classmethod
    def read(cls, rows: Path, words: Path) -> Odds:
        """The odds from the files that the training writes."""
        return cls(RowOdds.read(rows), WordOdds.read(words))
