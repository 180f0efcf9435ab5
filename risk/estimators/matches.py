"""The probability that a match is correct: Skinner & Elliot 2002, Benedetti & Franconi 1998."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from risk.estimators.frequencies import Frequencies


def skinner_elliot(f: Frequencies) -> float:
    """The probability that a match to a sample unique is correct: pi f1 / (pi f1 + 2 (1-pi) f2)
    (Skinner & Elliot 2002)."""
    ones, twos = f.number(1), f.number(2)
    if ones == 0:
        raise ArithmeticError("the sample has no uniques")
    return f.fraction * ones / (f.fraction * ones + 2 * (1 - f.fraction) * twos)


def individual_risk(sizes: NDArray[np.float64], people: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return E(1/F | f) for classes of `sizes` records that represent `people` by their weights.

    F - f is negative binomial with p = f / people (Benedetti & Franconi 1998).
    """
    from scipy.special import hyp2f1

    p = np.clip(sizes / people, 1e-12, 1.0)
    small = np.minimum(sizes, 30.0)
    exact = p**small / small * hyp2f1(small, small, small + 1, 1 - p)
    return np.where(p >= 1, 1 / sizes, np.where(sizes <= 30, exact, p / (sizes - (1 - p))))


def expected_matches(f: Frequencies) -> float | None:
    """The expected correct matches if all records are tried; a class represents f / pi people."""
    if not f.records:
        return None
    sizes = f.sizes.astype(np.float64)
    return float((f.times * sizes * individual_risk(sizes, sizes / f.fraction)).sum())
