"""Slide negative binomial: a population class has 1 + NegativeBinomial(alpha, beta) people.

Chen & McNulty 1998, with the number of classes by Shlosser's estimator as modified by Haas & Stokes
1998. ARX 3.9.2 misplaces a parenthesis in Shlosser's denominator, and multiplies in the equation of
the pairs where it must divide. It therefore finds no root. The equations here are derived from the
model.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import brentq

from risk.estimators.frequencies import Frequencies


def snb_uniques(f: Frequencies) -> float:
    """Return the population uniques, K beta^alpha, from the sample's uniques and pairs.

    Population classes have 1 + NegativeBinomial(alpha, beta) people (Chen & McNulty 1998). Raises
    `ArithmeticError` if the equations have no root.
    """
    alpha, beta, classes = snb_parameters(f)
    return float(classes * beta**alpha)


def snb_parameters(f: Frequencies) -> tuple[float, float, float]:
    """Return (alpha, beta, K) of the model.

    With q = 1 - fraction, c = 1 - beta and d = 1 - c q, a class has one record in the sample with
    probability pi beta^alpha d^-(alpha+1) (d + alpha c q), and two with probability pi^2/2
    beta^alpha d^-(alpha+2) alpha c (2 d + (alpha+1) c q).
    """
    ones, twos = f.number(1), f.number(2)
    if ones == 0 or twos == 0 or f.fraction == 1:
        raise ArithmeticError("the sample has no uniques or no pairs")
    total = shlosser(f)
    grid = 1 / (1 + np.exp(-np.linspace(-18, 12, 601)))
    gaps = _gap(grid, f, total)
    turns = np.flatnonzero(np.diff(gaps < 0))
    if not len(turns):
        raise ArithmeticError("the equations of the SNB have no root")
    first = int(turns[-1])
    beta = brentq(_gap, grid[first], grid[first + 1], args=(f, total), xtol=1e-14, rtol=1e-12)
    return float(_alpha(beta, f)), beta, total


def shlosser(f: Frequencies) -> float:
    """The number of population classes: Shlosser's estimator, modified by Haas & Stokes (Sh3)."""
    q, i, times = f.fraction, f.sizes.astype(np.float64), f.times
    first = float((i * q**2 * (1 - q**2) ** (i - 1) * times).sum())
    with np.errstate(over="ignore", invalid="ignore"):
        grown = (1 - q**2) ** i - (1 - q) ** i
    second = float((grown * times).sum())
    ratio = float(((1 - q) ** i * times).sum()) / float((i * q * (1 - q) ** (i - 1) * times).sum())
    return f.classes + f.number(1) * first / second * ratio**2


def _alpha(beta: Any, f: Frequencies) -> Any:
    """Return the alpha that gives the sample's ratio of pairs to uniques.

    It is the positive root of a quadratic.
    """
    pi, q, c = f.fraction, 1 - f.fraction, 1 - beta
    d = 1 - c * q
    ratio = f.number(2) / f.number(1)
    square = pi * c * c * q / 2
    linear = pi * c / 2 * (2 * d + c * q) - ratio * d * c * q
    constant = -ratio * d * d
    root = np.sqrt(linear**2 - 4 * square * constant)
    # Of the two formulas for the root, this one does not subtract nearly equal numbers.
    return np.where(linear > 0, -2 * constant / (linear + root), (root - linear) / (2 * square))


def _gap(beta: Any, f: Frequencies, total: float) -> Any:
    pi, q, c = f.fraction, 1 - f.fraction, 1 - beta
    alpha, d = _alpha(beta, f), 1 - c * q
    logs = alpha * np.log(beta) - (alpha + 1) * np.log(d) + np.log(d + alpha * c * q)
    return np.log(total * pi) + logs - np.log(f.number(1))
