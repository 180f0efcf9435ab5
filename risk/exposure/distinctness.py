"""The expected number of g-distinct people and of matches in a group.

Benitez & Malin 2010 (JAMIA 17:169), equations 1-4, after Golle 2006. The n people of a group are
spread over b equally likely finer values (365 days within a year of age; b = 1 if the field is
released as it was counted). Equation 2 as printed sums bins instead of people: it gives 154.13 for
n = 200, g = 5, while the paper's own figure is 199.95, which needs the factor i used here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

DAYS = 365
FloatArray = NDArray[np.float64]


def bins_holding(i: int, people: float, bins: int) -> float:
    """f_n(i): expected number of bins that hold exactly i of the people (equation 1)."""
    from scipy.special import gammaln, xlog1py

    if bins == 1:
        return float(people == i)
    if i > people:
        return 0.0
    chosen = gammaln(people + 1) - gammaln(i + 1) - gammaln(people - i + 1)
    return float(np.exp(chosen + (1 - i) * np.log(bins) + xlog1py(people - i, -1 / bins)))


def g_distinct(people: Any, bins: int, g: int) -> FloatArray:
    """Expected number of people who share their bin with at most g - 1 others: sum over i <= g of i
    f_n(i) (equation 2, with i), which is n P(Binomial(n-1, 1/b) <= g-1).

    A fractional number of people is taken as the mean of a Poisson count.

    >>> round(float(g_distinct(200, 365, 5)), 2)
    199.95
    """
    from scipy.special import betainc, gammaincc

    n = np.asarray(people, np.float64)
    whole = n == np.floor(n)
    poisson = n * gammaincc(float(g), n / bins)
    if bins == 1:
        return np.where(whole, np.where(n <= g, n, 0.0), poisson)
    others = np.maximum(n - 1, 0.0)
    rest = np.maximum(others - (g - 1), 1e-9)
    exact = np.where(others <= g - 1, n, n * betainc(rest, float(g), 1 - 1 / bins))
    return np.where(whole, exact, poisson)


def total_risk(people: Any, bins: int) -> FloatArray:
    """Return the expected re-identifications in a group: its non-empty bins.

    They are b (1 - (1 - 1/b)^n) (equation 4 with j = n). For j members, multiply by j/n.

    >>> round(float(total_risk(200, 365)), 3)
    154.139
    """
    n = np.asarray(people, np.float64)
    whole = n == np.floor(n)
    poisson = -bins * np.expm1(-n / bins)
    if bins == 1:
        return np.where(whole, (n > 0).astype(np.float64), poisson)
    return np.where(whole, -bins * np.expm1(n * np.log1p(-1 / bins)), poisson)
