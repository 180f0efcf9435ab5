"""Fits the decision on annotated notes: `python -m training.decision --help`.

The fit uses only scores that a network gave to notes it did not learn from: the shipped network
reads the tenth of each collection that its training held out. Decision 0043 compares the result
with other kinds of models.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import onnx
from numpy.typing import NDArray

from recognizers.decide.decision import feature_names
from recognizers.decide.decoding import FindingThreshold, entities_of
from recognizers.decide.evidence import ENTITY_NAMES, Evidence, Floats
from recognizers.decide.features import feature_table
from recognizers.decide.odds import Key, Odds, RowOdds, key_of
from recognizers.finding import LABELS
from recognizers.model.network import Model
from training.evidence import DRAWN, FOLDS, Lesson, lessons
from training.signing import read_manifest, write_signed
from training.tree_graph import tree_graph
from training.word_counts import word_odds, write_word_odds


@dataclass(frozen=True)
class Fit:
    """How the decision of one network is fitted."""

    fast: bool
    drawn: bool
    """Whether drawn lines are learned from. The fast network is too unsure of their names."""
    threshold: float


FITS = {"default": Fit(False, True, 0.29), "fast": Fit(True, False, 0.28)}
ROW_WEIGHTS = (0.0, 0.25, 0.5, 1.0, 2.0)
SETTINGS: Mapping[str, Any] = {
    "objective": "binary",
    "learning_rate": 0.08,
    "num_leaves": 16,
    "min_data_in_leaf": 30,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "deterministic": True,
    "num_threads": 1,
    "verbose": -1,
}
TREES, SEEDS = 150, (3, 5, 7, 11, 13, 17)
# The files of counts, the same for both networks.
ROWS, WORDS = "rows.csv", "words.npz"
Cases = dict[Key, tuple[float, float]]


def counted(lesson: Lesson) -> Cases:
    """For each row of evidence, how much of what it found in a note was wrong and how
    much right.
    """
    marked = np.zeros(len(lesson.text), bool)
    for start, end, _ in lesson.spans:
        marked[start:end] = True
    found: dict[Key, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for seen in lesson.seen:
        inside = [marked[i] for i in range(seen.start, seen.end) if lesson.text[i].isalnum()]
        if inside:
            right = float(np.mean(inside))
            found[key_of(seen)][0] += 1 - right
            found[key_of(seen)][1] += right
    return {key: (wrong, right) for key, (wrong, right) in found.items()}


def summed(cases: Iterable[Cases]) -> RowOdds:
    total: dict[Key, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for one in cases:
        for key, (wrong, right) in one.items():
            total[key][0] += wrong
            total[key][1] += right
    return RowOdds({key: (wrong, right) for key, (wrong, right) in total.items()})


class Table:
    """The atoms of all lessons with scores: their features, labels and folds."""

    def __init__(self, taught: Sequence[Lesson]) -> None:
        self.lessons = [lesson for lesson in taught if lesson.shares is not None]
        cases = [(lesson.fold, counted(lesson)) for lesson in taught if lesson.counts]
        words, other_words = word_odds(taught)
        self.odds = Odds(summed(own for _, own in cases), words)
        # For each fold, the counts without the notes of that fold.
        rows = [summed(own for fold, own in cases if fold != n) for n in range(FOLDS)]
        without = [Odds(*pair) for pair in zip(rows, other_words, strict=True)]
        self.evidence = [lesson.evidence() for lesson in self.lessons]
        pairs = list(zip(self.lessons, self.evidence, strict=True))
        self.labels = [lesson.labels(e.atoms) for lesson, e in pairs]
        # Drawn lines are in no count, so all counts are as new to them as to other notes.
        counts = [self.odds if x.drawn else without[x.fold] for x in self.lessons]
        told = zip(self.evidence, counts, strict=True)
        self.rows = np.concatenate([feature_table(e, odds)[1] for e, odds in told])
        self.right = np.array([label is not None for row in self.labels for label in row])
        self.folds = np.concatenate([np.full(len(e.atoms), x.fold) for x, e in pairs])
        self.weights = np.concatenate([np.full(len(e.atoms), x.weight) for x, e in pairs])

    def left_out(self) -> Floats:
        """The log odds of each atom by trees that did not learn from its fold."""
        found = np.zeros(len(self.rows), np.float32)
        for fold in range(FOLDS):
            own = self.folds == fold
            found[own] = raw(self.fitted(~own), self.rows[own])
        return found

    def fitted(self, kept: NDArray[np.bool_] | slice = slice(None)) -> list[lightgbm.Booster]:
        """Forests fitted on these atoms, one for each random seed; their mean decides."""
        rows, right, weights = self.rows[kept], self.right[kept], self.weights[kept]
        return [
            lightgbm.train(
                {**SETTINGS, "seed": seed}, lightgbm.Dataset(rows, right, weight=weights), TREES
            )
            for seed in SEEDS
        ]

    def row_weight(self) -> float:
        """The weight of the rows that gives most atoms of identifiers their correct entity."""
        return max(ROW_WEIGHTS, key=self.agreeing)

    def agreeing(self, weight: float) -> int:
        pairs = zip(self.evidence, self.labels, strict=True)
        return sum(agreement(evidence, labels, weight) for evidence, labels in pairs)


def agreement(evidence: Evidence, labels: Sequence[str | None], weight: float) -> int:
    if not labels:
        return 0
    entities = entities_of(evidence, weight)
    pairs = zip(labels, entities.tolist(), strict=True)
    return sum(label is not None and LABELS[label] == ENTITY_NAMES[n] for label, n in pairs)


def raw(forests: Sequence[lightgbm.Booster], rows: Floats) -> NDArray[np.float64]:
    """The mean log odds of the forests."""
    told = [forest.predict(rows, raw_score=True, num_threads=1) for forest in forests]
    found: NDArray[np.float64] = np.mean(told, axis=0)
    return found


def row_table(odds: RowOdds) -> Iterator[tuple[str, ...]]:
    """The rows of the table that `RowOdds.read` reads, its header first."""
    yield "row", "entity", "class", "wrong", "right"
    for (row, entity, number), (wrong, right) in sorted(odds.cases.items()):
        yield row, entity, str(number), f"{wrong:.1f}", f"{right:.1f}"


def written(folder: Path, name: str, table: Table, threshold: FindingThreshold) -> dict[str, Any]:
    """Write the files of one network's decision; return its manifest entry."""
    files = {"trees": f"{name}_trees.onnx", "rows": ROWS, "words": WORDS}
    onnx.save(tree_graph(table.fitted(), feature_names()), folder / files["trees"])
    with (folder / ROWS).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(row_table(table.odds.rows))
    write_word_odds(table.odds.words, folder / WORDS)
    return {
        **files,
        "threshold": threshold.least,
        "beside": threshold.beside,
        "row_weight": table.row_weight(),
    }


def signed(folder: Path, rows: Mapping[str, dict[str, Any]]) -> None:
    """Write the decisions into the manifest, with the hash of each file."""
    manifest = read_manifest(folder)
    for name, row in rows.items():
        manifest["networks"][name]["decision"] = row
    files = (row[part] for row in rows.values() for part in ("trees", "rows", "words"))
    write_signed(folder, manifest, files)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("recognizers/models"))
    parser.add_argument("--notes", type=Path, default=Path("training/notes"))
    parser.add_argument("--beside", type=float, default=0.4)
    parser.add_argument("--kept", type=Path, default=Path("build/decision"))
    asked = parser.parse_args()
    rows = {}
    paths = sorted(asked.notes.glob("*.txt"))
    # Fit everything before writing: a folder with files of other hashes cannot be loaded.
    models = {name: Model.load(asked.folder, fast=fit.fast) for name, fit in FITS.items()}
    for name, fit in FITS.items():
        own = [path for path in paths if fit.drawn or path.stem not in DRAWN]
        table = Table(lessons(own, models[name], asked.kept))
        print(f"{name}: {len(table.lessons)} notes with scores, {len(table.rows)} atoms")
        threshold = FindingThreshold(fit.threshold, asked.beside)
        rows[name] = written(asked.folder, name, table, threshold)
    signed(asked.folder, rows)
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
