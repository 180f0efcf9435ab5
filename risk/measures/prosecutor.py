"""Prosecutor risk: the adversary knows the target is in the table, so theta_j = 1/f_j.

El Emam 2011 (Genome Medicine 3:25), appendix, equation 7 and Table 5.
"""

from __future__ import annotations

import numpy as np

from risk.measures.scores import Case, Score, score


def measure(case: Case) -> Score:
    """R_a, R_b and R_c = |J|/n of the table by itself."""
    sizes, times = np.unique(case.sample, return_counts=True)
    return score(sizes * times, sizes, case.threshold)
