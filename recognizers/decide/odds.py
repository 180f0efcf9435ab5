"""Counts from annotated notes: how often rows of evidence were right, and words identified."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import log
from pathlib import Path

import numpy as np

from recognizers.constants import constant, constant_group
from recognizers.decide.evidence import END, Atoms, Columns, Floats, Numbers
from recognizers.evidence.matching import Seen
from recognizers.words.memory import kept
from safe_harbor import csv_rows

# What is counted: a word, a word with its shape, a shape after or before a word, and a pair of
# words whose second or first word may be an identifier.
COUNTED_PAIRS = ("pair behind", "pair before")
COUNTED_KINDS = ("word", "written", "behind", "before", *COUNTED_PAIRS)
COUNTED_FEATURES = tuple(
    f"{what} of {kind}" for kind in COUNTED_KINDS for what in ("odds", "cases")
)
WORDS_COUNTED, CASES_RIGHT, CASES_WRONG = "words", "right", "wrong"
# Word numbers for the places beyond the ends of a text, and for words too rare to be counted.
OUTSIDE_TEXT, NEVER_COUNTED = 0, -1
GAP_KINDS, SHAPE_KINDS = END + 1, 8
LONGEST_FORM = 24
FIGURE_IN_WORD = re.compile(r"\d")
PRIOR_CASES = constant("odds", "prior cases of a word")


@kept
def word_form(word: str) -> str:
    """A word as it is counted: in small letters, with 0 for each digit."""
    return FIGURE_IN_WORD.sub("0", word.lower())[:LONGEST_FORM]


@dataclass(frozen=True, eq=False)
class WordCounts:
    """Sorted keys; for each, how often it was part of an identifier (`right`) and was not
    (`wrong`).
    """

    keys: Numbers
    wrong: Floats
    right: Floats

    def of(self, wanted: Numbers) -> tuple[Floats, Floats]:
        """Return how often each key was counted as right and as wrong; 0 for an unknown key."""
        place = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        known = self.keys[place] == wanted
        return self.wrong[place] * known, self.right[place] * known


NOTHING_COUNTED = WordCounts(np.zeros(1, np.int64), *np.zeros((2, 1), np.float32))


@dataclass(frozen=True, eq=False)
class WordOdds:
    """The counts of each kind; `numbers` maps the words that were counted to their numbers."""

    numbers: Mapping[str, int] = field(default_factory=dict, repr=False)
    counts: Mapping[str, WordCounts] = field(default_factory=dict, repr=False)

    @classmethod
    def read(cls, path: Path) -> WordOdds:
        """The odds from the file that the training writes."""
        with np.load(path) as told:
            words = bytes(told[WORDS_COUNTED]).decode("utf-8").split("\n")
            counts = {
                kind: WordCounts(
                    *(told[f"{kind}.{part}"] for part in ("keys", CASES_WRONG, CASES_RIGHT))
                )
                for kind in COUNTED_KINDS
            }
        return cls({word: number for number, word in enumerate(words, 1)}, counts)

    def features(self, atoms: Atoms) -> Columns:
        """For each kind, each atom's log odds and log2 of the number of its cases plus 1."""
        keys = word_keys(atoms, self.numbers)
        told = [self.counts.get(kind, NOTHING_COUNTED).of(keys[kind]) for kind in COUNTED_KINDS]
        wrong, right = np.stack(told, axis=1)
        # In doubles, so that the last bits do not depend on the number of atoms.
        cases = wrong.astype(np.float64) + right
        share = (right + PRIOR_CASES * self.base) / (cases + PRIOR_CASES)
        columns = np.stack([np.log(share / (1 - share)), np.log2(1 + cases)], axis=1)
        columns = columns.reshape(len(COUNTED_FEATURES), len(atoms))
        return dict(zip(COUNTED_FEATURES, columns, strict=True))

    @cached_property
    def base(self) -> float:
        """The share of all counted words that were part of identifiers."""
        own = self.counts.get(COUNTED_KINDS[0])
        if own is None or not len(own.keys):
            return constant("odds", "share of unknown words")
        return float(own.right.sum() / (own.right.sum() + own.wrong.sum()))


def word_keys(atoms: Atoms, numbers: Mapping[str, int]) -> dict[str, Numbers]:
    """Return, for each kind, the key of each atom; `NEVER_COUNTED` if one of its words is rare."""
    forms, places = atoms.forms
    counted = [numbers.get(word_form(word), NEVER_COUNTED) for word in forms]
    own = np.array(counted, np.int64)[places]
    shapes = atoms.shapes.astype(np.int64)
    gaps = atoms.gaps.astype(np.int64)
    edge = np.array([OUTSIDE_TEXT], np.int64)
    before = np.where(gaps[:-1] == END, OUTSIDE_TEXT, np.append(edge, own[:-1])[: len(own)])
    behind = np.where(gaps[1:] == END, OUTSIDE_TEXT, np.append(own[1:], edge)[: len(own)])
    left, right = as_one_key(before, GAP_KINDS, gaps[:-1]), as_one_key(behind, GAP_KINDS, gaps[1:])
    size = len(numbers) + 1
    found = (
        own,
        as_one_key(own, SHAPE_KINDS, shapes),
        as_one_key(left, SHAPE_KINDS, shapes),
        as_one_key(right, SHAPE_KINDS, shapes),
        as_one_key(left, size, own),
        as_one_key(right, size, own),
    )
    return dict(zip(COUNTED_KINDS, found, strict=True))


def as_one_key(first: Numbers, size: int, second: Numbers) -> Numbers:
    """Combine two numbers into one key; `second` is below `size`."""
    return np.where((first < 0) | (second < 0), NEVER_COUNTED, first * size + second)


# The bounds of the classes of a row's strength; each class has its own odds.
CLASSES = tuple(constant_group("classes of strength").values())
PRIOR = constant("odds", "prior cases of a row")
LEAST, MOST = constant("odds", "least strength"), constant("odds", "most strength")
Key = tuple[str, str, int]


def key_of(seen: Seen) -> Key:
    """The row, its entity, and the class of its strength; 0 is evidence against an identifier."""
    return seen.row, seen.entity, bisect_right(CLASSES, seen.strength)


@dataclass(frozen=True)
class RowOdds:
    """How many times each row of evidence was wrong and right; partly right spans count in part."""

    cases: Mapping[Key, tuple[float, float]] = field(default_factory=dict, repr=False)

    @classmethod
    def read(cls, path: Path) -> RowOdds:
        """The odds from the table that the training writes."""
        table = (one.values() for one in csv_rows(path))
        return cls({(r, e, int(c)): (float(w), float(g)) for r, e, c, w, g in table})

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
