"""The decision: all evidence on an atom goes in, the chance that it identifies somebody comes out.

Boosted trees that were learned from annotated notes (`training/decision.py`). Nothing else accepts
or denies what was seen.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from recognizers.decide.decoding import entities_of, findings_of
from recognizers.decide.evidence import Evidence, Floats
from recognizers.decide.features import feature_table
from recognizers.decide.row_odds import RowOdds
from recognizers.evidence.seen import NEVER
from recognizers.finding import Finding
from recognizers.model.network import Model, ModelError
from recognizers.model.trees import Trees


@dataclass(frozen=True)
class Decision:
    """What was learned. `threshold` is the least chance that makes an atom a part of a finding;
    `row_weight` is how much the rows say of the entity beside the network.
    """

    trees: Trees = field(repr=False)
    odds: RowOdds = field(repr=False)
    threshold: float
    row_weight: float

    def __post_init__(self) -> None:
        if not 0 < self.threshold < 1:
            raise ValueError(f"threshold {self.threshold} is no chance between 0 and 1")

    @classmethod
    def load(cls, model: Model, threshold: float | None = None) -> Decision:
        """The one that was learned on the scores of this network; None: its own threshold.

        Raises:
            ModelError: `model-altered`, the trees were learned from other features.
        """
        row = model.decision
        trees = Trees.load(model.folder / row.trees)
        if trees.features != feature_names():
            raise ModelError("model-altered", row.trees, "install the package anew")
        odds = RowOdds.read(model.folder / row.rows)
        return cls(trees, odds, threshold or row.threshold, row.row_weight)

    def chances(self, evidence: Evidence) -> Floats:
        """(atoms): how likely each identifies somebody."""
        if not len(evidence.atoms):
            return np.zeros(0, np.float32)
        _, rows = feature_table(evidence, self.odds)
        found = (1 / (1 + np.exp(-self.trees.log_odds(rows)))).astype(np.float32)
        for seen in evidence.seen:
            if seen.strength == NEVER:
                found[slice(*evidence.atoms.span(seen.start, seen.end))] = 0
        return found

    def find(self, evidence: Evidence) -> list[Finding]:
        """Ordered, disjoint findings."""
        entities = entities_of(evidence, self.odds, self.row_weight)
        return findings_of(evidence, self.chances(evidence), self.threshold, entities)


def feature_names() -> tuple[str, ...]:
    """The features as they are now."""
    none = np.zeros(0, np.int32)
    empty = Evidence.of("a", (), none.reshape(0, 2), none, np.zeros((0, 1), np.float32))
    return feature_table(empty, RowOdds({}))[0]
