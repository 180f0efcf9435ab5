"""Additive noise, and top and bottom coding, of numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def add_noise(
    numbers: NDArray[np.float64], share: float, generator: np.random.Generator
) -> NDArray[np.float64]:
    """Normal noise whose standard deviation is `share` of the column's (Kim 1986). Whole numbers
    stay whole; the mean stays as expected, and the variance grows by share squared."""
    noisy = numbers + generator.normal(0.0, share * numbers.std(), len(numbers))
    return np.rint(noisy) if (numbers == np.rint(numbers)).all() else noisy


def clip_ends(numbers: NDArray[np.float64], low: float, high: float) -> NDArray[np.float64]:
    """Every number below `low` becomes `low`, every number above `high` becomes `high`."""
    return np.clip(numbers, low, high)
