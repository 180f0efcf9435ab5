"""The evidence that made a finding: each piece with its weight, without any value of the text.

A weight is how much the span's log odds (mean over its atoms) fall if that piece is removed.
Weights need not add up: pieces with the same content can replace one another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from recognizers.decide.decision import Decision
from recognizers.decide.evidence import Evidence, Floats
from recognizers.decide.features import FEATURE_GROUPS, feature_table

# Weights closer to 0 are omitted.
LEAST_WEIGHT = 0.01


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
    whole = log_odds(decision, evidence, first, last)
    lost = [*without_groups(decision, evidence, first, last)]
    lost += without_rows(decision, evidence, first, last)
    reasons = [Reason(name, round(whole - left, 2)) for name, left in lost]
    told = [reason for reason in reasons if abs(reason.weight) >= LEAST_WEIGHT]
    return tuple(sorted(told, key=lambda reason: (-abs(reason.weight), reason.evidence)))


def log_odds(decision: Decision, evidence: Evidence, first: int, last: int) -> float:
    _, rows = feature_table(evidence, decision.odds)
    return mean(decision, rows[first:last])


def mean(decision: Decision, rows: Floats) -> float:
    return float(decision.trees.log_odds(np.ascontiguousarray(rows)).mean())


def without_groups(
    decision: Decision, evidence: Evidence, first: int, last: int
) -> Iterator[tuple[str, float]]:
    """Yield each kind of evidence except rows, with the span's log odds if that kind is removed."""
    names, rows = feature_table(evidence, decision.odds)
    blank = feature_table(silenced(evidence), decision.odds)[1]
    for group, members in FEATURE_GROUPS.items():
        own = [place for place, name in enumerate(names) if members(name)]
        left = rows[first:last].copy()
        left[:, own] = blank[first:last][:, own]
        yield group, mean(decision, left)


def silenced(evidence: Evidence) -> Evidence:
    """Return the same text's evidence without rows, word lists or network."""
    shares = np.zeros_like(evidence.shares)
    shares[:, 0] = 1
    return Evidence(evidence.atoms.unlisted(), (), shares, np.zeros_like(evidence.peaks))


def without_rows(
    decision: Decision, evidence: Evidence, first: int, last: int
) -> Iterator[tuple[str, float]]:
    """Yield each row that overlaps the span, with the span's log odds if that row is removed."""
    start, end = evidence.atoms.starts[first], evidence.atoms.ends[last - 1]
    on = {seen.row for seen in evidence.seen if seen.start < end and start < seen.end}
    for row in sorted(on):
        left = [seen for seen in evidence.seen if seen.row != row]
        yield f"row {row}", log_odds(decision, replace(evidence, seen=left), first, last)
