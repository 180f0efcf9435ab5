"""The features of each atom from the rows of evidence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recognizers.decide.evidence import (
    ENTITY_NUMBERS,
    ENTITY_OF_LABEL,
    NO_ROW,
    UNSEEN,
    Columns,
    Evidence,
    Floats,
    RowWeigher,
    moved,
)

ROW_FEATURES = (
    *("row", "other row", "row entity", "rows", "row begins", "row ends", "row length"),
    *("row: network best", "row: network least", "row: network mean", "row against", "row agrees"),
    *("row odds", "least row odds", "sum of row odds", "best odds begin", "best odds end"),
)


def rows(evidence: Evidence, net: Floats, odds: RowWeigher) -> Columns:
    """The features of the rows that cover an atom, and of the network over a row's whole span."""
    count = len(evidence.atoms)
    found: Columns = {name: np.zeros(count, np.float32) for name in ROW_FEATURES}
    found["row entity"] -= 1
    for name in ("row: network best", "row: network least"):
        found[name] += UNSEEN
    found["row odds"] += NO_ROW
    found["least row odds"] -= NO_ROW
    pairs = Pairs.of(evidence, odds)
    if pairs is not None:
        pairs.fill(found, evidence, net)
    for by in (1, -1, 2):
        found[f"row at {-by:+d}"] = moved(found["row"], by, 0, evidence.atoms)
    return found


@dataclass(frozen=True, eq=False)
class Pairs:
    """The pairs of an atom and a row that covers it, in the order of the rows."""

    atom: NDArray[np.int64]
    row: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    strength: Floats
    entity: NDArray[np.int64]
    odds: Floats

    @classmethod
    def of(cls, evidence: Evidence, odds: RowWeigher) -> Pairs | None:
        """The pairs of a text, or None if no row covers an atom."""
        spans = evidence.spans
        kept = [n for n, (first, end) in enumerate(spans) if first < end]
        if not kept:
            return None
        first = np.array([spans[n][0] for n in kept])
        last = np.array([spans[n][1] for n in kept]) - 1
        lengths = last - first + 1
        row = np.repeat(np.arange(len(kept)), lengths)
        atom = np.arange(len(row)) - np.repeat(np.cumsum(lengths) - lengths, lengths) + first[row]
        seen = [evidence.seen[n] for n in kept]
        strength = np.array([s.strength for s in seen], np.float32)
        entity = np.array([ENTITY_NUMBERS[s.entity] for s in seen])
        weights = np.array([odds(s) for s in seen], np.float32)
        return cls(atom, row, first, last, strength, entity, weights)

    def fill(self, found: Columns, evidence: Evidence, net: Floats) -> None:
        """Write the features of the rows into `found`."""
        self.weigh(found)
        live = self.strength[self.row] > 0
        np.maximum.at(found["row against"], self.atom[~live], 1)
        if not live.any():
            return
        atom, row = self.atom[live], self.row[live]
        np.add.at(found["rows"], atom, 1)
        best = np.full(len(net), -1)
        order = np.lexsort((-row, self.strength[row], atom))
        best[atom[order]] = row[order]
        on = np.flatnonzero(best >= 0)
        own = best[on]
        found["row"][on], found["row entity"][on] = self.strength[own], self.entity[own]
        found["row begins"][on], found["row ends"][on] = self.first[own] == on, self.last[own] == on
        found["row length"][on] = self.last[own] - self.first[own] + 1
        starts = np.flatnonzero(np.diff(self.row, prepend=-1))
        held, peaks = net[self.atom], evidence.peaks[self.atom]
        found["row: network best"][on] = np.maximum.reduceat(held, starts)[own]
        found["row: network least"][on] = np.minimum.reduceat(held, starts)[own]
        sizes = self.last - self.first + 1
        found["row: network mean"][on] = (np.add.reduceat(peaks, starts) / sizes)[own]
        other = self.entity[row] != self.entity[best[atom]]
        np.maximum.at(found["other row"], atom[other], self.strength[row[other]])
        top = ENTITY_OF_LABEL[evidence.shares[:, 1:].argmax(axis=1)]
        agreeing = self.entity[row] == top[atom]
        np.maximum.at(found["row agrees"], atom[agreeing], self.strength[row[agreeing]])

    def weigh(self, found: Columns) -> None:
        """Write the features of the learned odds of the rows into `found`."""
        odds = self.odds[self.row]
        np.maximum.at(found["row odds"], self.atom, odds)
        np.minimum.at(found["least row odds"], self.atom, odds)
        np.add.at(found["sum of row odds"], self.atom, odds)
        best = np.full(len(found["row odds"]), -1)
        order = np.lexsort((-self.row, odds, self.atom))
        best[self.atom[order]] = self.row[order]
        on = np.flatnonzero(best >= 0)
        found["best odds begin"][on] = self.first[best[on]] == on
        found["best odds end"][on] = self.last[best[on]] == on
