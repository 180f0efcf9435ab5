"""The decision: the probability that an atom identifies a person, from all evidence on the atom.

Boosted trees that were trained on annotated notes (`training/decision.py`) compute it. No other
code accepts or rejects evidence.

An explanation of a finding gives each piece of evidence its weight, without any value of the text:
how much the log odds of the span (mean over its atoms) fall if that piece is removed. Weights need
not add up: pieces with the same content can replace one another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from recognizers.constants import constant
from recognizers.decide.decoding import FindingThreshold, entities_of, findings_of
from recognizers.decide.evidence import Evidence, Floats, grouped
from recognizers.decide.features import FEATURE_GROUPS, feature_table
from recognizers.decide.odds import Odds
from recognizers.evidence.matching import NEVER
from recognizers.finding import Finding
from recognizers.model.network import Model, ModelError, ModelOutput, Trees, read_all

# A test sentence: the network and trees must accept the name and reject the word.
PROBE, NAMED, PLAIN = "The lungs are clear. Seen by Dr. Okafor", "Okafor", "lungs"
ATOMS_AT_ONCE = 1 << 12
EVEN, SUSPECTED = constant("decision", "even"), constant("decision", "suspected")


@dataclass(frozen=True)
class Decision:
    """The trained decision. `row_weight` weighs the rows' strengths when an entity is chosen.

    If no row supports an atom and the network gives it a smaller share than `suspected`, the trees
    do not read it, which saves time: they would give it far less than the threshold
    (`benchmarks/model.md`).
    """

    trees: Trees = field(repr=False)
    odds: Odds = field(repr=False)
    threshold: FindingThreshold
    row_weight: float
    suspected: float = 0

    @classmethod
    def load(cls, model: Model, threshold: float | None = None) -> Decision:
        """Load the decision trained on the network of `model`, with its own threshold if none is
        given.

        Raises `ModelError` (`model-altered`): the trees were trained on other features, or the
        network and the trees do not recognize the name in a test sentence.
        """
        row = model.decision
        trees = Trees.load(model.folder / row.trees)
        if trees.features != feature_names():
            raise ModelError("model-altered", row.trees)
        odds = Odds.read(model.folder / row.rows, model.folder / row.words)
        own = FindingThreshold(threshold or row.threshold, row.beside)
        suspected = SUSPECTED if own.least >= row.threshold else 0
        decision = cls(trees, odds, own, row.row_weight, suspected)
        if not decision.is_awake(model):
            raise ModelError("model-altered", row.trees)
        return decision

    def is_awake(self, model: Model) -> bool:
        """Whether the decision judges the test sentence correctly.

        With a broken network, all names would be released.
        """
        (output,) = read_all(model, [PROBE])
        evidence = Evidence.of_output(PROBE, (), output)
        told = dict(zip(evidence.atoms.words, self.chances(evidence).tolist(), strict=True))
        return bool(told[PLAIN] < EVEN < told[NAMED])

    def chances(self, evidence: Evidence) -> Floats:
        """Return for each atom the probability that it identifies a person."""
        return self.judged([evidence])[0][0]

    def judged(self, texts: Sequence[Evidence]) -> list[tuple[Floats, NDArray[np.int64]]]:
        """The probabilities of each text's atoms, and the entity of each atom."""
        none = np.zeros(0, np.float32), np.zeros(0, np.int64)
        found = {id(text): none for text in texts}
        read = [text for text in texts if len(text.atoms)]
        sizes = [len(text.atoms) for text in read]
        for some in grouped(sizes, ATOMS_AT_ONCE, len(sizes)):
            parts = read[some]
            whole = Evidence.of_parts(parts)
            _, rows = feature_table(whole, self.odds)
            chances = self.probabilities(whole, rows)
            for span, seen in zip(whole.spans, whole.seen, strict=True):
                if seen.strength == NEVER:
                    chances[slice(*span)] = 0
            stops = np.cumsum([len(part.atoms) for part in parts])[:-1]
            pieces = zip(
                np.split(chances, stops),
                np.split(entities_of(whole, self.row_weight), stops),
                strict=True,
            )
            found |= {id(part): piece for part, piece in zip(parts, pieces, strict=True)}
        return [found[id(text)] for text in texts]

    def probabilities(self, evidence: Evidence, rows: Floats) -> Floats:
        """The probability of each atom; 0 for those that the trees do not read."""
        supported = rows[:, self.trees.features.index("rows")] > 0
        read = ~(evidence.shares[:, 0] > 1 - self.suspected) | supported
        found = np.zeros(len(rows), np.float32)
        if read.any():
            found[read] = 1 / (1 + np.exp(-self.trees.log_odds(rows[read])))
        return found

    def find_all(self, texts: Sequence[Evidence]) -> list[list[Finding]]:
        """Return the findings of each text, the same as if each text were searched alone."""
        return [
            findings_of(text, chances, self.threshold, entities)
            for text, (chances, entities) in zip(texts, self.judged(texts), strict=True)
        ]


def feature_names() -> tuple[str, ...]:
    """The names of the features that this version computes."""
    none = np.zeros(0, np.int32)
    output = ModelOutput(none.reshape(0, 2), none, np.zeros((0, 1), np.float32))
    return feature_table(Evidence.of_output("a", (), output), Odds())[0]


# Weights closer to 0 are omitted.
LEAST_WEIGHT = constant("decision", "least weight told")


@dataclass(frozen=True, slots=True)
class Reason:
    """A piece of evidence and its weight in natural log odds, positive if it supports a finding."""

    evidence: str
    weight: float


def explain(decision: Decision, evidence: Evidence, start: int, end: int) -> tuple[Reason, ...]:
    """Return the reasons for a span, the greatest weight first; none without a letter or digit."""
    first, last = evidence.atoms.span(start, end)
    if first >= last:
        return ()
    whole = mean(decision, feature_table(evidence, decision.odds)[1][first:last])
    lost = [*without_groups(decision, evidence, first, last)]
    lost += without_rows(decision, evidence, first, last)
    reasons = [Reason(name, round(whole - left, 2)) for name, left in lost]
    told = [reason for reason in reasons if abs(reason.weight) >= LEAST_WEIGHT]
    return tuple(sorted(told, key=lambda reason: (-abs(reason.weight), reason.evidence)))


def mean(decision: Decision, rows: Floats) -> float:
    """The mean log odds of atoms."""
    return float(decision.trees.log_odds(np.ascontiguousarray(rows)).mean())


def without_groups(
    decision: Decision, evidence: Evidence, first: int, last: int
) -> Iterator[tuple[str, float]]:
    """Yield each kind of evidence except rows, with the span's log odds if that kind is removed."""
    names, rows = feature_table(evidence, decision.odds)
    shares = np.zeros_like(evidence.shares)
    shares[:, 0] = 1
    unlisted = replace(evidence.atoms)
    unlisted.__dict__["words"] = [f"#{number}" for number in range(len(unlisted))]
    silent = Evidence(unlisted, (), shares, np.zeros_like(evidence.peaks))
    blank = feature_table(silent, decision.odds)[1]
    for group, members in FEATURE_GROUPS.items():
        own = [place for place, name in enumerate(names) if members(name)]
        left = rows[first:last].copy()
        left[:, own] = blank[first:last][:, own]
        yield group, mean(decision, left)


def without_rows(
    decision: Decision, evidence: Evidence, first: int, last: int
) -> Iterator[tuple[str, float]]:
    """Yield each row that overlaps the span, with the span's log odds if that row is removed."""
    start, end = evidence.atoms.starts[first], evidence.atoms.ends[last - 1]
    on = {seen.row for seen in evidence.seen if seen.start < end and start < seen.end}
    for row in sorted(on):
        left = replace(evidence, seen=[seen for seen in evidence.seen if seen.row != row])
        rows = feature_table(left, decision.odds)[1]
        yield f"row {row}", mean(decision, rows[first:last])
