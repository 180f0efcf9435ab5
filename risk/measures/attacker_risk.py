"""The three attackers of El Emam 2011 (Genome Medicine 3:25): prosecutor, journalist, marketer.

Appendix, equation 7 and Tables 5 to 7; marketer risk also in Dankar & El Emam 2010.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from risk.measures.scores import MetricInput, Score, exact_sum, score


def prosecutor_risk(case: MetricInput) -> Score:
    """Risk when the attacker knows that the target is in the table: theta_j = 1/f_j.

    The average R_c is |J|/n (equation 7, Table 5).
    """
    sizes, times = np.unique(case.sample, return_counts=True)
    return score(sizes * times, sizes, case.threshold)


def journalist_risk(case: MetricInput) -> Score | None:
    """Risk when the attacker matches against an identification database: theta_j = 1/F_j.

    The result is None if no population is known. The average is the larger of (1/n) sum f_j/F_j and
    |J| / sum F_j, as ARX reports it (Tables 6 and 7).
    """
    if case.population is None:
        return None
    found = score(case.sample, case.held, case.threshold)
    if found.average is None:
        return found
    return replace(found, average=max(found.average, len(case.sample) / float(case.held.sum())))


def marketer_risk(case: MetricInput) -> Score:
    """Expected share of records matched correctly when the attacker tries to match all of them.

    R_c = (1/n) sum f_j/F_j, or |J|/n where no population is known (Table 7).
    """
    total = int(case.sample.sum())
    if total == 0:
        return Score(None, None, None)
    if case.population is None:
        return Score(None, None, len(case.sample) / total)
    return Score(None, None, min(1.0, exact_sum(case.sample / case.held) / total))


#: Every metric by its name in reports, in the order of the reports.
METRICS: Mapping[str, Callable[[MetricInput], Score | None]] = {
    "prosecutor": prosecutor_risk,
    "journalist": journalist_risk,
    "marketer": marketer_risk,
}
