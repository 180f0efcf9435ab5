"""Marketer risk: the expected share of records matched rightly when all are tried.

Dankar & El Emam 2010; El Emam 2011, appendix, Table 7.
"""

from __future__ import annotations

from risk.measures.scores import Case, Score, exact_sum


def measure(case: Case) -> Score:
    """R_c = (1/n) sum f_j/F_j, or |J|/n where the table is all that is known."""
    total = int(case.sample.sum())
    if total == 0:
        return Score(None, None, None)
    if case.population is None:
        return Score(None, None, len(case.sample) / total)
    return Score(None, None, min(1.0, exact_sum(case.sample / case.held) / total))
