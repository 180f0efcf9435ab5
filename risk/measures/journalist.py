"""Journalist risk: the adversary matches against an identification database, theta_j = 1/F_j.

El Emam 2011 (Genome Medicine 3:25), appendix, Tables 6 and 7.
"""

from __future__ import annotations

from dataclasses import replace

from risk.measures.scores import Case, Score, score


def measure(case: Case) -> Score | None:
    """R_a, R_b and R_c over the classes of the table; None where no population is known.

    The average is the larger of (1/n) sum f_j/F_j and |J| / sum F_j, as ARX reports it.
    """
    if case.population is None:
        return None
    found = score(case.sample, case.held, case.threshold)
    if found.average is None:
        return found
    return replace(found, average=max(found.average, len(case.sample) / float(case.held.sum())))
