"""Weights of `recognizers/evidence/figures.py`: logistic regression over annotated pairs.

    .venv/bin/python -m training.pairs NOTES...

NOTES are files that `training.notes` reads. Prints the values of `WEIGHTS` and `BIAS`, and how
well weights learned from seven eighths of the notes classify the pairs of the last eighth.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from recognizers.evidence import figures
from recognizers.evidence.figures import company, pairs, sure_days
from recognizers.text.normalized_text import NormalizedText
from training.notes import Note, read_notes

FOLDS, ROUNDS, RIDGE, TURNS = 8, 3, 1.0, 40
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Row:
    """One pair: its features, whether it is a date, and the number of its note."""

    names: frozenset[str]
    dated: bool
    note: int


def rows_of(notes: Iterable[Note]) -> list[Row]:
    """Every pair that is wholly a date or wholly ordinary text."""
    return [row for number, note in enumerate(notes) for row in rows_in(note, number)]


def rows_in(note: Note, number: int) -> Iterable[Row]:
    page = NormalizedText.of(note.text)
    found = pairs(page)
    for at, (pair, sure) in enumerate(zip(found, sure_days(found), strict=True)):
        start, end = page.normal.place(pair.start, pair.end)
        over = [span for span in note.spans() if span[0] < end and start < span[1]]
        if any(label != "DATE" or first > start or last < end for first, last, label in over):
            continue
        yield Row(frozenset(pair.names | company(page, at, found, sure)), bool(over), number)


def learnt(rows: Sequence[Row], names: Sequence[str]) -> Floats:
    """The weights, fitted by Newton's method; the last one is the bias."""
    seen = np.column_stack([table(rows, names), np.ones(len(rows))])
    dated = np.array([row.dated for row in rows], dtype=np.float64)
    ridge = np.eye(len(names) + 1) * RIDGE
    ridge[-1, -1] = 1e-6
    weights = np.zeros(len(names) + 1)
    for _ in range(TURNS):
        chance = 1 / (1 + np.exp(-seen @ weights))
        slope = seen.T @ (chance - dated) + ridge @ weights
        curve = (seen * (chance * (1 - chance))[:, None]).T @ seen + ridge
        weights -= np.linalg.solve(curve, slope)
    return weights


def table(rows: Sequence[Row], names: Sequence[str]) -> Floats:
    return np.array([[float(name in row.names) for name in names] for row in rows])


def told_apart(rows: Sequence[Row], names: Sequence[str]) -> tuple[float, float]:
    """Recall and precision of dates at even odds, in notes that the weights did not learn from."""
    right, called, dates = 0, 0, sum(row.dated for row in rows)
    for fold in range(FOLDS):
        weights = learnt([row for row in rows if row.note % FOLDS != fold], names)
        others = [row for row in rows if row.note % FOLDS == fold]
        odds = table(others, names) @ weights[:-1] + weights[-1]
        called += int((odds > 0).sum())
        right += sum(row.dated for row, value in zip(others, odds, strict=True) if value > 0)
    return right / dates, right / called


def main(paths: Sequence[str]) -> None:
    notes = [note for path in paths for note in read_notes(Path(path))]
    for _ in range(ROUNDS):
        rows = rows_of(notes)
        names = sorted({name for row in rows for name in row.names})
        weights = learnt(rows, names).round(1)
        # The features from a pair's neighbors depend on how the neighbors are classified.
        figures.WEIGHTS = dict(zip(names, map(float, weights), strict=False))
        figures.BIAS = float(weights[-1])
    print({name: value for name, value in figures.WEIGHTS.items() if abs(value) > 0.1})
    print("bias", figures.BIAS, "pairs", len(rows))
    print("recall {:.4f} precision {:.4f}".format(*told_apart(rows, names)))


if __name__ == "__main__":
    main(sys.argv[1:])
