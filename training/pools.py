"""Where fresh values come from: Census names, places of the ZIP table, the notes' own words."""

from __future__ import annotations

import itertools
import random
import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from training.notes import Note

SURNAMES, GIVEN, COMMON_GIVEN = 100_000, 30_000, 4_000


@dataclass(frozen=True)
class Weighted:
    """Words drawn half by their frequency, half evenly, so that rare ones are seen too."""

    words: tuple[str, ...]
    ends: tuple[float, ...]

    @classmethod
    def of(cls, rows: Iterable[tuple[str, float]]) -> Weighted:
        words, weights = zip(*rows, strict=True)
        return cls(tuple(words), tuple(itertools.accumulate(weights)))

    def draw(self, chance: random.Random) -> str:
        if chance.random() < 0.5:
            return chance.choice(self.words)
        at = bisect(self.ends, chance.random() * self.ends[-1])
        return self.words[min(at, len(self.words) - 1)]


@dataclass(frozen=True)
class Pools:
    """What slots are filled with; `wordlike` are names that are ordinary words, too."""

    surnames: Weighted
    given: Weighted
    given_set: frozenset[str]
    wordlike: tuple[str, ...]
    cities: tuple[str, ...]
    counties: tuple[str, ...]
    zips: tuple[str, ...]
    values: dict[str, tuple[str, ...]]


def read_pools(census: Path, notes: Sequence[Note]) -> Pools:
    """Pools from the Census parquet files, the ZIP table and the *training* notes."""
    import zipcodes

    places = zipcodes.list_all()
    values: dict[str, list[str]] = defaultdict(list)
    for note in notes:
        for piece in note.pieces:
            if piece.label:
                values[piece.label].append(piece.text)
    surnames = _names(census / "census_2020.parquet", SURNAMES)
    given = _names(census / "census_2020_first_names.parquet", GIVEN)
    return Pools(
        surnames=surnames,
        given=given,
        wordlike=_wordlike(surnames, given, notes),
        given_set=frozenset(word.lower() for word in given.words[:COMMON_GIVEN]),
        cities=tuple(sorted({p["city"].title() for p in places if p.get("city")})),
        counties=tuple(sorted({p["county"] for p in places if p.get("county")})),
        zips=tuple(sorted({p["zip_code"] for p in places})),
        values={label: tuple(texts) for label, texts in values.items()},
    )


def _wordlike(surnames: Weighted, given: Weighted, notes: Sequence[Note]) -> tuple[str, ...]:
    texts = (piece.text for note in notes for piece in note.pieces if not piece.label)
    words = {word for text in texts for word in re.findall(r"\b[a-z]{3,}\b", text)}
    names = {*surnames.words[:20_000], *given.words[:5_000]}
    return tuple(sorted(name for name in names if name.lower() in words))


def _names(path: Path, most: int) -> Weighted:
    table = pd.read_parquet(path, columns=["name", "count"]).dropna()
    table = table[table["name"].str.fullmatch(r"[A-Z]{2,}")].nlargest(most, "count")
    return Weighted.of(
        zip(table["name"].str.capitalize(), table["count"].astype(float), strict=True)
    )
