"""Which evidence made a finding: each piece with its weight, and no value of the text.

A weight is what the log odds of the span lose where that piece alone had not been seen, the mean
over its atoms. Weights need not add up: pieces that say the same stand in for one another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from recognizers.decide.decision import Decision
from recognizers.decide.evidence import Evidence, Floats
from recognizers.decide.features import FEATURE_GROUPS, feature_table

# Weights nearer to nothing are left out.
LEAST_WEIGHT = 0.01


@dataclass(frozen=True, slots=True)
class Reason:
    """A piece of evidence and its weight: natural log odds, positive where it speaks for it."""

    evidence: str
    weight: float


def explain(decision: Decision, evidence: Evidence, start: int, end: int) -> tuple[Reason, ...]:
    """The reasons for a span, the weightiest first; empty where it holds no letter or figure."""
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
    """The log odds without each kind of evidence but the rows."""
    names, rows = feature_table(evidence, decision.odds)
    blank = feature_table(silenced(evidence), decision.odds)[1]
    for group, members in FEATURE_GROUPS.items():
        own = [place for place, name in enumerate(names) if members(name)]
        left = rows[first:last].copy()
        left[:, own] = blank[first:last][:, own]
        yield group, mean(decision, left)


def silenced(evidence: Evidence) -> Evidence:
    """The same text in which nothing was seen."""
    shares = np.zeros_like(evidence.shares)
    shares[:, 0] = 1
    return Evidence(evidence.atoms.unlisted(), (), shares, np.zeros_like(evidence.peaks))


def without_rows(
    decision: Decision, evidence: Evidence, first: int, last: int
) -> Iterator[tuple[str, float]]:
    """The log odds without what each row saw of the span."""
    start, end = evidence.atoms.starts[first], evidence.atoms.ends[last - 1]
    on = {seen.row for seen in evidence.seen if seen.start < end and start < seen.end}
    for row in sorted(on):
        left = [seen for seen in evidence.seen if seen.row != row]
        yield f"row {row}", log_odds(decision, replace(evidence, seen=left), first, last)
