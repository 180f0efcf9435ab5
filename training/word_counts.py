"""Counts of words and of pairs of neighboring words, for the decision."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recognizers.decide.evidence import Atoms
from recognizers.decide.odds import (
    CASES_RIGHT,
    CASES_WRONG,
    COUNTED_KINDS,
    COUNTED_PAIRS,
    WORDS_COUNTED,
    WordCounts,
    WordOdds,
    word_form,
    word_keys,
)
from training.evidence import FOLDS, Lesson

# Pairs of words that were seen less often carry no information.
LEAST_PAIRS = 3


def word_odds(lessons: Sequence[Lesson]) -> tuple[WordOdds, list[WordOdds]]:
    """The odds from all lessons, then for each fold the odds from all other folds."""
    counted = [lesson for lesson in lessons if lesson.counts]
    atoms = [Atoms.of(lesson.text, lesson.seen) for lesson in counted]
    right = np.concatenate(
        [
            [label is not None for label in lesson.labels(own)]
            for lesson, own in zip(counted, atoms, strict=True)
        ]
    ).astype(bool)
    folds = np.concatenate(
        [np.full(len(own), x.fold) for x, own in zip(counted, atoms, strict=True)]
    )
    known = sorted({word_form(word) for own in atoms for word in own.words})
    numbers = {word: number for number, word in enumerate(known, 1)}
    found = [word_keys(own, numbers) for own in atoms if len(own)]
    tables: list[dict[str, WordCounts]] = [{} for _ in range(FOLDS + 1)]
    for kind in COUNTED_KINDS:
        wanted = np.concatenate([own[kind] for own in found])
        least = LEAST_PAIRS if kind in COUNTED_PAIRS else 1
        for fold, counts in enumerate(by_fold(wanted, right, folds, least)):
            tables[fold][kind] = counts
    *without, whole = [WordOdds(numbers, table) for table in tables]
    return whole, without


def by_fold(
    wanted: NDArray[np.int64], right: NDArray[np.bool_], folds: NDArray[np.int64], least: int
) -> list[WordCounts]:
    """The counts without each fold, then those of all folds."""
    known, place = np.unique(wanted, return_inverse=True)
    cells = place * FOLDS + folds.astype(np.int64)
    size = len(known) * FOLDS
    told = [np.bincount(cells[own], minlength=size).reshape(-1, FOLDS) for own in (~right, right)]
    kept = (known >= 0) & (sum(told).sum(axis=1) >= least)
    wrong, good = (one[kept] for one in told)
    return [
        *(
            counts(known[kept], wrong.sum(axis=1) - wrong[:, n], good.sum(axis=1) - good[:, n])
            for n in range(FOLDS)
        ),
        counts(known[kept], wrong.sum(axis=1), good.sum(axis=1)),
    ]


def counts(
    known: NDArray[np.int64], wrong: NDArray[np.int64], right: NDArray[np.int64]
) -> WordCounts:
    """Counts in the form in which they are written."""
    return WordCounts(known, wrong.astype(np.float32), right.astype(np.float32))


def write_word_odds(odds: WordOdds, path: Path) -> None:
    """Write the file that `WordOdds.read` reads, with the same bytes for the same counts."""
    words = np.frombuffer("\n".join(odds.numbers).encode("utf-8"), np.uint8)
    arrays: dict[str, Any] = {WORDS_COUNTED: words}
    arrays |= {
        f"{kind}.{part}": getattr(odds.counts[kind], part)
        for kind in COUNTED_KINDS
        for part in ("keys", CASES_WRONG, CASES_RIGHT)
    }
    np.savez_compressed(path, **arrays)
