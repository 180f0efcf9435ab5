"""Rank swapping: a value is exchanged with a value of nearby rank (Moore 1996)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def swap_ranks(
    numbers: NDArray[np.float64], percent: float, generator: np.random.Generator
) -> NDArray[np.float64]:
    """Return the same values in another order.

    The ranks are cut into windows of `percent` percent, and the values within each window are
    exchanged in random pairs. The column's distribution does not change.
    """
    order = np.argsort(numbers, kind="stable")
    width = max(2, int(len(numbers) * percent / 100) + 1)
    window = (np.arange(len(numbers)) + generator.integers(width)) // width
    shuffled = np.lexsort((generator.random(len(numbers)), window))
    first, second = shuffled[:-1:2], shuffled[1::2]
    near = window[first] == window[second]
    first, second = order[first[near]], order[second[near]]
    found = numbers.copy()
    found[first], found[second] = numbers[second], numbers[first]
    return found
