"""Where fresh values come from: Census names, places of the ZIP table, the notes' own words."""

from __future__ import annotations

import itertools
import random
import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pandas as pd

from training.notes import Note
from training.words import read_words

HELD_OUT = Path(__file__).parents[1] / "benchmarks" / "fairness_names.txt"
# The origin whose surnames consist of two words, and the share of names for which a new compound is
# made.
COMPOSED, ANEW = "native american", 0.6
SURNAMES, GIVEN, COMMON_GIVEN = 100_000, 30_000, 4_000


@dataclass(frozen=True)
class Weighted:
    """Words, half of them drawn by frequency and half evenly, so that rare words occur too."""

    words: tuple[str, ...]
    ends: tuple[float, ...]

    @classmethod
    def of(cls, rows: Iterable[tuple[str, float]]) -> Weighted:
        words, weights = zip(*rows, strict=True)
        return cls(tuple(words), tuple(itertools.accumulate(weights)))

    def without(self, held: frozenset[str]) -> Weighted:
        """The same words without those in `held`, which is in lower case."""
        ends = [0.0, *self.ends]
        rows = zip(self.words, itertools.pairwise(ends), strict=True)
        return self.of((w, end - start) for w, (start, end) in rows if w.lower() not in held)

    def draw(self, chance: random.Random) -> str:
        if chance.random() < 0.5:
            return chance.choice(self.words)
        at = bisect(self.ends, chance.random() * self.ends[-1])
        return self.words[min(at, len(self.words) - 1)]


@dataclass(frozen=True)
class Origin:
    """Names of one origin, none of them held out; `compounds` are words that occur in pairs."""

    given: tuple[str, ...]
    surnames: tuple[str, ...]
    compounds: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()

    def draw(self, given: bool, chance: random.Random) -> str:
        if not given and self.compounds and chance.random() < ANEW:
            made = " ".join(map(chance.choice, chance.choice(self.compounds)))
            return made if made.lower() not in held_out() else self.draw(given, chance)
        return chance.choice(self.given if given else self.surnames)


@dataclass(frozen=True)
class Pools:
    """The values that fill slots; `wordlike` are names that are also ordinary words.

    `origins` are drawn evenly; `words` are names that are common words, `homographs` those that
    are the most frequent words of all, such as `He` and `To`, and names spelled like a word.
    """

    surnames: Weighted
    given: Weighted
    given_set: frozenset[str]
    wordlike: tuple[str, ...]
    cities: tuple[str, ...]
    counties: tuple[str, ...]
    zips: tuple[str, ...]
    values: dict[str, tuple[str, ...]]
    origins: tuple[Origin, ...]
    words: Origin
    homographs: Origin

    @property
    def compounds(self) -> Origin:
        """The origin whose surnames are made of two words."""
        return next(origin for origin in self.origins if origin.compounds)


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
    held = held_out()
    origins = read_origins()
    return Pools(
        surnames=surnames.without(held),
        given=given.without(held),
        wordlike=tuple(n for n in _wordlike(surnames, given, notes) if n.lower() not in held),
        given_set=frozenset(word.lower() for word in given.words[:COMMON_GIVEN]),
        cities=tuple(sorted({p["city"].title() for p in places if p.get("city")})),
        counties=tuple(sorted({p["county"] for p in places if p.get("county")})),
        zips=tuple(sorted({p["zip_code"] for p in places})),
        values={label: tuple(texts) for label, texts in values.items()},
        words=origins.pop("function words"),
        homographs=origins.pop("homographs"),
        origins=tuple(origins.values()),
    )


@cache
def held_out() -> frozenset[str]:
    """The names, in lower case, that only measurements may use."""
    rows = [line.split(";") for line in HELD_OUT.read_text("utf-8").splitlines()[1:]]
    return frozenset(name.lower() for *_, names in rows for name in names.split("|"))


def read_origins() -> dict[str, Origin]:
    """The names of every origin, and the compounds where an origin has them."""
    names: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for line in read_words("origins")[1:]:
        origin, kind, row = line.split(";")
        names[origin][kind] = tuple(row.split("|"))
    heads, tails = (
        [tuple(line.split("|")) for line in read_words("compounds")[part::2]] for part in (1, 2)
    )
    pairs = tuple(zip(heads, tails, strict=True))
    return {
        origin: Origin(kinds["given"], kinds["surname"], pairs if origin == COMPOSED else ())
        for origin, kinds in names.items()
    }


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
