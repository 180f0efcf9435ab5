"""Differential privacy by sampling and class size, without noise: every released row is true.

Li, Qardaji & Su 2012 (On sampling, anonymization, and differential privacy), theorem on strongly
safe k-anonymization; Bild, Kuhn & Prasser 2018 (SafePub) sample with 1 - exp(-epsilon).
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from math import ceil, exp, expm1, inf, log, log1p
from typing import Any

import numpy as np

from risk.errors import RiskError
from risk.tables.coding import BooleanArray

_LARGEST_K = 1 << 20


@dataclass(frozen=True)
class SamplingPrivacy:
    """(`epsilon`, `delta`)-differential privacy of a release.

    Each row is drawn with probability `share`, recoded by levels that were fixed without the data,
    and left out if its class has fewer than `k` rows.
    """

    epsilon: float
    delta: float

    def __post_init__(self) -> None:
        if not (0 < self.epsilon < inf and 0 < self.delta < 1):
            raise RiskError(
                "epsilon must be above 0, and delta between 0 and 1",
                code="bad-limit",
                hint="for example epsilon 1, and a delta below 1 / records",
            )

    @property
    def share(self) -> float:
        return -expm1(-self.epsilon)

    @property
    def k(self) -> int:
        """The smallest class size that keeps delta within its limit."""
        high = 2
        while _delta(high, self.epsilon, self.share) > self.delta:
            high *= 2
            if high > _LARGEST_K:
                raise RiskError(
                    "no class size meets this epsilon and delta",
                    code="bad-limit",
                    hint="give a larger delta",
                )
        low = high // 2
        while low < high:
            half = (low + high) // 2
            if _delta(half, self.epsilon, self.share) > self.delta:
                low = half + 1
            else:
                high = half
        return low

    def drawn(self, rows: int) -> BooleanArray:
        """Mark the rows that are drawn.

        Each row is drawn independently by the system's random source, because a person who could
        repeat the draw would learn which rows were left out.
        """
        numbers = np.frombuffer(os.urandom(8 * rows), np.uint64)
        found: BooleanArray = numbers < np.uint64(self.share * 2**64)
        return found

    def describe(self) -> dict[str, Any]:
        return {"epsilon": self.epsilon, "delta": self.delta, "share": self.share, "k": self.k}


def _delta(k: int, epsilon: float, share: float) -> float:
    """Return the largest probability that more than gamma n of the n rows of a class are drawn.

    Only classes that can reach k drawn rows count: max over n >= k/gamma - 1 of P(Binomial(n,
    share) > gamma n).
    """
    from scipy.stats import binom

    gamma = (expm1(epsilon) + share) / exp(epsilon)
    fewest = max(1, ceil(k / gamma - 1))
    rate = gamma * log(gamma / share) + (1 - gamma) * (log1p(-gamma) - log1p(-share))
    worst, first = 0.0, fewest
    while True:
        sizes = np.arange(first, first + 1024)
        tails = np.asarray(binom.sf(np.floor(gamma * sizes + 1e-12), sizes, share))
        worst = max(worst, float(tails.max()))
        first += 1024
        if exp(-rate * first) < max(worst, 1e-300):  # Chernoff's bound: no larger class is worse
            return worst
