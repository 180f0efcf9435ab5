"""Zayatz 1991: the class sizes of the sample are used in place of those of the population."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from risk.estimators.frequencies import Frequencies


def zayatz_uniques(f: Frequencies) -> float:
    """Return the expected population uniques (Zayatz 1991).

    These are the sample uniques that are population uniques, with the sample's class sizes in place
    of the population's, divided by the sampling fraction.
    """
    ones = f.number(1)
    if ones == 0:
        return 0.0
    chance = _one_drawn(f)
    share = ones * chance[f.sizes == 1][0] / float((f.times * chance).sum())
    return float(ones * share * f.population / f.records)


def _one_drawn(f: Frequencies) -> NDArray[np.float64]:
    """Return the probability that a population class has exactly one record in the sample.

    There is one probability (hypergeometric) for each class size. It is computed as a running
    product, which loses no digits even for millions of people.
    """
    rest, people = f.population - f.records, f.population
    steps = np.arange(1, int(f.sizes.max()), dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(np.maximum(rest - steps + 1, 0.0)) - np.log(people - steps)
    missed = np.exp(np.concatenate(([0.0], np.cumsum(logs))))
    drawn: NDArray[np.float64] = f.sizes * f.records / people * missed[f.sizes - 1]
    return drawn
