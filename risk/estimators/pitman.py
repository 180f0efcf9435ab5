"""Pitman's sampling formula (Hoshino 2001). The species of the formula are the classes.

theta and alpha are fitted by maximum likelihood.
"""

from __future__ import annotations

from itertools import pairwise
from math import exp, log, log1p

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaln, psi

from risk.estimators.frequencies import Frequencies


def pitman_uniques(f: Frequencies, near: float | None = None) -> float:
    """Return the population uniques by the Pitman sampling formula (Hoshino 2001).

    This is Gamma(theta+1) / Gamma(theta+alpha) N^alpha at the maximum likelihood. Raises
    `ArithmeticError` if the likelihood has no inner maximum.
    """
    theta, alpha = pitman_parameters(f, near)
    grown = alpha * np.log(f.population)
    return float(np.exp(gammaln(theta + 1) - gammaln(theta + alpha) + grown))


def pitman_parameters(f: Frequencies, near: float | None = None) -> tuple[float, float]:
    """Return (theta, alpha) of the Pitman sampling formula, 0 < alpha < 1, theta > -alpha.

    They are the highest inner maximum of the likelihood, or the one near the alpha `near`, to six
    digits.
    """
    if f.number(1) in (0, f.records) or f.classes < 2:
        raise ArithmeticError("the sample has no uniques, or only uniques")
    if near is not None:
        ends = max(1e-3, near - 0.1), min(0.999, near + 0.1)
        if _slope(ends[0], f) > 0 >= _slope(ends[1], f):
            alpha = brentq(_slope, *ends, args=(f,), xtol=1e-7)
            return _theta(alpha, f), alpha
    grid = [0.001, *(np.arange(1, 25) / 25).tolist(), 0.999]
    slopes = [_slope(alpha, f) for alpha in grid]
    found = []
    for i, (left, right) in enumerate(pairwise(slopes)):
        if left > 0 >= right:
            ends = grid[i], grid[i + 1]
            found.append(brentq(_slope, *ends, args=(f,), xtol=1e-13, rtol=1e-13))
    if not found:
        raise ArithmeticError("the likelihood has no inner maximum")
    best = max(found, key=lambda alpha: _likelihood(alpha, f))
    return _theta(best, f), best


def _theta(alpha: float, f: Frequencies) -> float:
    """The theta that maximizes the likelihood for this alpha."""
    classes, records = f.classes - 1, f.records - 1

    def slope(log_shift: float) -> float:
        theta = exp(log_shift) - alpha
        taken = _harmonic(theta / alpha + 1, classes) / alpha
        return taken - _harmonic(theta + 1, records)

    low, high = -30.0, log(f.records) + 25
    if slope(low) <= 0:
        return exp(low) - alpha
    if slope(high) >= 0:
        return exp(high) - alpha
    return exp(brentq(slope, low, high, xtol=1e-12, rtol=1e-13)) - alpha


def _slope(alpha: float, f: Frequencies) -> float:
    """The derivative of the likelihood with respect to alpha, at the best theta for this alpha."""
    theta = _theta(alpha, f)
    inverse = _harmonic(theta / alpha + 1, f.classes - 1) / alpha
    grown = (f.classes - 1) / alpha - theta / alpha * inverse
    several = f.sizes > 1
    spent = psi(f.sizes[several] - alpha) - psi(1 - alpha)
    return float(grown - (f.times[several] * spent).sum())


def _likelihood(alpha: float, f: Frequencies) -> float:
    theta = _theta(alpha, f)
    taken = gammaln(theta / alpha + f.classes) - gammaln(theta / alpha + 1)
    taken += (f.classes - 1) * np.log(alpha)
    drawn = gammaln(theta + f.records) - gammaln(theta + 1)
    spent = (f.times * (gammaln(f.sizes - alpha) - gammaln(1 - alpha))).sum()
    return float(taken - drawn + spent)


def _harmonic(start: float, count: int) -> float:
    """Return 1/start + 1/(start+1) + ... (`count` terms).

    For a large start, subtracting two digammas loses all digits, so the logarithm of the ratio is
    used.
    """
    if start < 1e3:
        return float(psi(start + count) - psi(start))
    first, last = start - 0.5, start + count - 0.5
    return log1p(count / first) + (last**-2 - first**-2) / 24
