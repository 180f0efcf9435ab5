"""Additive noise, and top and bottom coding, of numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def add_noise(
    numbers: NDArray[np.float64], share: float, generator: np.random.Generator
) -> NDArray[np.float64]:
    """Add normal noise. Its standard deviation is `share` times the standard deviation of the
    column (Kim 1986).

    Whole numbers stay whole. The expected mean does not change, and the variance is multiplied by 1
    plus the square of `share`.
    """
    noisy = numbers + generator.normal(0.0, share * numbers.std(), len(numbers))
    return np.rint(noisy) if (numbers == np.rint(numbers)).all() else noisy


def clip_ends(numbers: NDArray[np.float64], low: float, high: float) -> NDArray[np.float64]:
    """Replace every number below `low` by `low`, and every number above `high` by `high`."""
    return np.clip(numbers, low, high)
