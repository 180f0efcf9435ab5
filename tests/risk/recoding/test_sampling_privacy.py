"""Differential privacy by sampling: the class size compared with a naive sum, and the random
draw.
"""

from __future__ import annotations

from math import ceil, comb, exp

import numpy as np
import pytest

from risk import RiskError, SamplingPrivacy


def naive_delta(k: int, epsilon: float, share: float) -> float:
    """The formula of Li, Qardaji & Su 2012 term by term, over more class sizes than contribute to
    it.
    """
    gamma = (exp(epsilon) - 1 + share) / exp(epsilon)
    worst = 0.0
    for n in range(max(1, ceil(k / gamma - 1)), 3 * k + 60):
        tail = sum(
            comb(n, j) * share**j * (1 - share) ** (n - j)
            for j in range(int(gamma * n + 1e-12) + 1, n + 1)
        )
        worst = max(worst, tail)
    return worst


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("delta", [1e-3, 1e-5])
def test_k_is_the_smallest_that_is_private_enough(epsilon: float, delta: float) -> None:
    found = SamplingPrivacy(epsilon, delta)
    assert found.share == pytest.approx(1 - exp(-epsilon), abs=1e-12)
    assert naive_delta(found.k, epsilon, found.share) <= delta
    assert naive_delta(found.k - 1, epsilon, found.share) > delta


def test_each_row_is_drawn_independently() -> None:
    found = SamplingPrivacy(1.0, 1e-5)
    draws = [found.drawn(40_000) for _ in range(2)]
    assert (draws[0] != draws[1]).any()
    assert np.mean(draws) == pytest.approx(found.share, abs=0.01)


@pytest.mark.parametrize("epsilon, delta", [(0, 0.1), (1, 0), (1, 1), (float("inf"), 0.1)])
def test_sampling_parameters_out_of_range_are_refused(epsilon: float, delta: float) -> None:
    with pytest.raises(RiskError):
        SamplingPrivacy(epsilon, delta)
