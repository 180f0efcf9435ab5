"""Fits the decision about columns: `python -m training.columns --help`.

Columns of `training/column_examples` are labeled `stay`, `identifier`, `reduced`, `text` or
`either`. `stay` teaches that a column stays; `identifier`, `reduced` and, with less weight,
`either` teach that it identifies. The columns of a system are never judged by trees or counts of
words that were made from columns of the same system.
"""

from __future__ import annotations

import argparse
import csv
import random
import string
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import onnx
from numpy.typing import NDArray

from recognizers.columns.learned.column_odds import SurenessLimits
from recognizers.columns.learned.of_cells import cell_features
from recognizers.columns.learned.of_headers import (
    HeaderCounts,
    header_features,
    header_terms,
)
from training.labeled_columns import ARGUED, EXAMPLES, FOLDS, STAY, Column, read_columns
from training.signing import read_manifest, write_signed
from training.tree_graph import tree_graph

SETTINGS: dict[str, Any] = {
    "objective": "binary",
    "learning_rate": 0.06,
    "num_leaves": 40,
    "min_data_in_leaf": 20,
    "feature_fraction": 0.25,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 8.0,
    "deterministic": True,
    "num_threads": 1,
    "verbose": -1,
}
TREES, SEEDS = 350, (3, 5)
LENGTHS = (60, 25, 12)
TREES_FILE, WORDS_FILE = "columns_trees.onnx", "column_words.csv"
TEACHING = (STAY, "identifier", "reduced", ARGUED)
# The shares of columns that are repeated: under a meaningless header, under a misleading one, and
# with some cells of an identifier among their own. Such cells are blanked one by one.
NAMELESS, MISNAMED, FOREIGN, AGAIN_WEIGHT = 0.25, 0.4, 0.15, 0.5
FOREIGN_CELLS = (0.02, 0.08)


def counted(columns: Sequence[Column]) -> HeaderCounts:
    found: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for column in columns:
        if column.label in TEACHING and column.header_tells:
            for term in {t for terms in header_terms(column.header) for t in terms}:
                found[term][column.label != STAY] += 1
    return HeaderCounts({term: (stays, other) for term, (stays, other) in found.items()})


def misled(columns: Sequence[Column], chance: random.Random) -> Iterator[Column]:
    """Repeated columns: under other headers, or with some cells of other columns."""
    identifiers = [c.cells for c in columns if c.label == "identifier"]
    stays = [c.header for c in columns if c.label == STAY]
    for column in columns:
        if column.label in TEACHING and chance.random() < NAMELESS:
            yield replace(column, header=_meaningless(chance), weight=AGAIN_WEIGHT)
        if column.label in TEACHING[1:] and chance.random() < MISNAMED:
            yield replace(column, header=chance.choice(stays), weight=AGAIN_WEIGHT)
        if column.label == STAY and chance.random() < FOREIGN:
            share = chance.uniform(*FOREIGN_CELLS)
            cells = mixed(column.cells, chance.choice(identifiers), share, chance)
            yield replace(column, cells=cells, weight=AGAIN_WEIGHT)


def mixed(
    cells: Sequence[str], others: Sequence[str], share: float, chance: random.Random
) -> tuple[str, ...]:
    """The cells, of which this share is replaced by cells of `others`."""
    return tuple(chance.choice(others) if chance.random() < share else cell for cell in cells)


def _meaningless(chance: random.Random) -> str:
    letters = chance.choice((string.ascii_lowercase, string.ascii_uppercase))
    made = "".join(chance.choice(letters) for _ in range(chance.randint(1, 6)))
    return made + chance.choice(("", "", str(chance.randint(1, 40)), f"_{chance.randint(1, 9)}"))


class Table:
    def __init__(self, columns: Sequence[Column], lengths: Sequence[int] = LENGTHS) -> None:
        columns = [c for c in columns if any(map(str.strip, c.cells))]
        self.columns = [*columns, *misled(columns, random.Random(17))]
        self.taught = columns
        without = [counted([c for c in columns if c.fold != n]) for n in range(FOLDS)]
        rows, self.of = [], []
        for number, column in enumerate(self.columns):
            told = header_features(column.header, without[column.fold])
            for length in lengths:
                seen, filled = column.sample(length)
                if seen:
                    rows.append({**told, **cell_features(seen, filled)})
                    self.of.append(number)
        self.names = sorted({name for row in rows for name in row})
        place = {name: n for n, name in enumerate(self.names)}
        self.rows = np.full((len(rows), len(self.names)), -1.0, np.float32)
        for n, row in enumerate(rows):
            for name, value in row.items():
                self.rows[n, place[name]] = value
        labels = [self.columns[n].label for n in self.of]
        self.stays = np.array([label == STAY for label in labels])
        self.teach = np.array([label in TEACHING for label in labels])
        self.weights = np.array([self.columns[n].weight for n in self.of])
        self.folds = np.array([self.columns[n].fold for n in self.of])

    def fitted(self, kept: NDArray[np.bool_]) -> list[lightgbm.Booster]:
        kept = kept & self.teach
        rows, stays, weights = self.rows[kept], self.stays[kept], self.weights[kept]
        return [
            lightgbm.train(
                {**SETTINGS, "seed": seed}, lightgbm.Dataset(rows, stays, weight=weights), TREES
            )
            for seed in SEEDS
        ]

    def left_out(self) -> NDArray[np.float64]:
        found = np.zeros(len(self.rows))
        for fold in range(FOLDS):
            own = self.folds == fold
            if own.any():
                forests = self.fitted(~own)
                found[own] = np.mean(
                    [f.predict(self.rows[own], raw_score=True, num_threads=1) for f in forests], 0
                )
        return found


def written(folder: Path, table: Table, limits: SurenessLimits) -> None:
    """Write the trees and the word counts, and record their hashes in the folder's manifest."""
    forests = table.fitted(np.ones(len(table.rows), bool))
    onnx.save(tree_graph(forests, table.names), folder / TREES_FILE)
    with (folder / WORDS_FILE).open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(("word", "stays", "identifies"))
        for word, (stays, identifies) in sorted(counted(table.taught).counts.items()):
            rows.writerow((word, int(stays), int(identifies)))
    manifest = read_manifest(folder)
    told = {"trees": TREES_FILE, "words": WORDS_FILE, "limits": asdict(limits)}
    manifest["columns"] = told
    write_signed(folder, manifest, (TREES_FILE, WORDS_FILE))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("recognizers/models"))
    parser.add_argument("--columns", type=Path, default=EXAMPLES)
    parser.add_argument("--keeps", type=float, default=1.2)
    parser.add_argument("--nameless", type=float, default=1.75)
    parser.add_argument("--doubts", type=float, default=0.0)
    asked = parser.parse_args()
    limits = SurenessLimits(**{f.name: getattr(asked, f.name) for f in fields(SurenessLimits)})
    table = Table(list(read_columns(asked.columns)))
    written(asked.folder, table, limits)
    print(f"{len(table.columns)} columns, {len(table.rows)} samples, {len(table.names)} features")


if __name__ == "__main__":
    main()
