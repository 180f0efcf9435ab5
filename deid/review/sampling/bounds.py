"""Exact bounds on the share of notes that leak, and the sample sizes that the bounds require.

All bounds are one-sided at the stated confidence. Rates are shares of notes in [0, 1].
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, exp, floor

from scipy.special import betaincinv, xlog1py, xlogy
from scipy.special import gammaln as log_gamma

CONFIDENCE = 0.95
LARGEST_DRAW = 10_000_000


def upper_bound(leaks: float, notes: float, confidence: float = CONFIDENCE) -> float:
    """The upper bound on the share of leaking notes, if `leaks` of the `notes` read leak.

    Clopper and Pearson 1934, one-sided. Fractional counts follow Korn and Graubard 1998, for
    samples with a design effect.

    >>> round(upper_bound(1, 120), 3)
    0.039
    """
    _check_counts(leaks, notes, confidence)
    if notes == 0 or leaks >= notes:
        return 1.0
    return float(betaincinv(leaks + 1, notes - leaks, confidence))


def lower_bound(found: float, of: float, confidence: float = CONFIDENCE) -> float:
    """The lower bound on a share, if `found` of `of` items were found: Clopper and Pearson 1934."""
    _check_counts(found, of, confidence)
    if found == 0:
        return 0.0
    return (
        float(betaincinv(found, of - found + 1, 1 - confidence))
        if found < of
        else float((1 - confidence) ** (1 / of))
    )


def upper_in_batch(leaks: int, notes: int, batch: int, confidence: float = CONFIDENCE) -> float:
    """The upper bound for a simple random sample from a batch of `batch` notes: hypergeometric.

    Computed in exact fractions: the largest number of leaking notes for which the chance of at
    most `leaks` in the sample is more than 1 - confidence.

    >>> upper_in_batch(0, 265, 2000), upper_in_batch(0, 264, 2000)
    (0.01, 0.0105)
    """
    _check_counts(leaks, notes, confidence)
    if not notes <= batch:
        raise ValueError("a sample is no larger than its batch")
    if notes == 0:
        return 1.0
    low, high = leaks, batch - (notes - leaks)
    risk = _error_risk(confidence)
    while low < high:
        middle = (low + high + 1) // 2
        if _seen_by_chance(leaks, notes, batch, middle) > risk:
            low = middle
        else:
            high = middle - 1
    return low / batch


def _seen_by_chance(leaks: int, notes: int, batch: int, leaking: int) -> Fraction:
    """The chance of at most `leaks` in the sample if `leaking` notes of the batch leak."""
    ways = sum(
        comb(leaking, seen) * comb(batch - leaking, notes - seen)
        for seen in range(min(leaks, leaking, notes) + 1)
    )
    return Fraction(ways, comb(batch, notes))


def notes_needed(
    rate: float, leaks: int = 0, confidence: float = CONFIDENCE, batch: int | None = None
) -> int:
    """The fewest notes to read so that with `leaks` leaks among them the bound is at most `rate`.

    With `batch`, the sample is drawn without replacement from that many notes; if no sample is
    large enough, the result is the whole batch.

    >>> notes_needed(0.01), notes_needed(0.01, leaks=1), notes_needed(0.01, batch=2000)
    (299, 473, 265)
    """
    if not 0 < rate < 1:
        raise ValueError("a rate lies between 0 and 1")
    if batch is None:
        return _least(lambda n: upper_bound(leaks, n, confidence) <= rate, leaks + 1, LARGEST_DRAW)
    leaking = floor(Fraction(str(rate)) * batch) + 1
    risk = _error_risk(confidence)
    if leaking > batch:
        return batch
    return _least(lambda n: _seen_by_chance(leaks, n, batch, leaking) <= risk, leaks + 1, batch)


def _least(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The smallest number in the range for which the condition holds; `high` if there is none."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


def design_effect(notes_a_patient: float, correlation: float) -> float:
    """How much larger a sample with m notes per patient must be: 1 + (m - 1) icc, Kish 1965."""
    if notes_a_patient < 1 or not 0 <= correlation <= 1:
        raise ValueError("at least one note a patient, and a correlation between 0 and 1")
    return 1 + (notes_a_patient - 1) * correlation


def upper_clustered(
    leaking_share: float, notes: int, effect: float, confidence: float = CONFIDENCE
) -> float:
    """Return the bound for notes sampled in clusters: counts are divided by the design effect."""
    effective = notes / effect
    return upper_bound(leaking_share * effective, effective, confidence)


@dataclass(frozen=True, slots=True)
class StratumRead:
    """One stratum as read: its notes in the batch, notes read, and leaks in the notes read."""

    size: int
    notes: int
    leaks: int


def imbalance(layers: Sequence[StratumRead]) -> float:
    """The largest ratio of a stratum's share of the batch to its share of the sample; 1 if even."""
    batch, read = sum(x.size for x in layers), sum(x.notes for x in layers)
    if any(x.size and not x.notes for x in layers) or not batch:
        return float("inf")
    return max((x.size / batch) / (x.notes / read) for x in layers if x.size)


RISK_OF_SENSITIVITY = 0.2
"""The share of the risk of error that goes to the reviewer's own sensitivity."""


def upper_corrected(
    bound: Callable[[float], float], found: int, seeded: int, confidence: float = CONFIDENCE
) -> float:
    """The bound divided by the lower bound on the sensitivity, which the seeded leaks give.

    `bound` gives the uncorrected bound at a confidence; a fifth of the risk goes to the
    sensitivity, so that both hold together.
    """
    if not seeded:
        return bound(confidence)
    risk = 1 - confidence
    sensitivity = lower_bound(found, seeded, 1 - RISK_OF_SENSITIVITY * risk)
    if sensitivity == 0:
        return 1.0
    return min(1.0, bound(1 - (1 - RISK_OF_SENSITIVITY) * risk) / sensitivity)


@dataclass(frozen=True, slots=True)
class TwoStage:
    """Read `first` notes; with at most `accept` leaks stop, otherwise read `second` more."""

    first: int
    accept: int
    second: int

    def upper(self, first_leaks: int, all_leaks: int | None, confidence: float) -> float:
        """The bound after either stage; `all_leaks` is None if the second was not read.

        Exact under the order of stages (Jennison and Turnbull 1983): a stop at the first stage
        ranks as fewer leaks than any result of the second.
        """
        if first_leaks <= self.accept:
            return upper_bound(first_leaks, self.first, confidence)
        total = first_leaks if all_leaks is None else all_leaks
        if total >= self.first + self.second:
            return 1.0
        return _falling_root(lambda p: self._at_most(total, p) - (1 - confidence))

    def _at_most(self, total: int, rate: float) -> float:
        """Return the chance of a result with no more leaks than `total` after both stages."""
        stopped = sum(_binomial(x, self.first, rate) for x in range(self.accept + 1))
        return stopped + sum(
            _binomial(x, self.first, rate)
            * sum(_binomial(y, self.second, rate) for y in range(min(total - x, self.second) + 1))
            for x in range(self.accept + 1, min(total, self.first) + 1)
        )


def plan_two_stage(rate: float, confidence: float = CONFIDENCE, allow: int = 1) -> TwoStage:
    """A plan that stops if the first stage shows no leak. Otherwise, both stages together exclude
    `rate` if they show at most `allow` leaks.

    Of all such plans, this is the one that reads the fewest notes on average if the true leak rate
    is a quarter of `rate`.
    """
    single = notes_needed(rate, 0, confidence)
    best: tuple[float, TwoStage] | None = None
    for first in range(single, 2 * single, max(1, single // 40)):
        second = _least(
            lambda n, first=first: TwoStage(first, 0, n)._at_most(allow, rate) <= 1 - confidence,  # type: ignore[misc]
            1,
            20 * single,
        )
        stage = TwoStage(first, 0, second)
        if stage._at_most(allow, rate) > 1 - confidence:
            continue
        expected = first + (1 - (1 - rate / 4) ** first) * second
        if best is None or expected < best[0]:
            best = (expected, stage)
    if best is None:
        raise ValueError("no two-stage plan of this size excludes the rate")
    return best[1]


def _binomial(count: int, of: int, rate: float) -> float:
    log = log_gamma(of + 1) - log_gamma(count + 1) - log_gamma(of - count + 1)
    return exp(float(log + xlogy(count, rate) + xlog1py(of - count, -rate)))


def _falling_root(falling: Callable[[float], float]) -> float:
    low, high = 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return high


def _error_risk(confidence: float) -> Fraction:
    return 1 - Fraction(str(confidence))


def _check_counts(count: float, of: float, confidence: float) -> None:
    if not 0 <= count <= of or not 0 < confidence < 1:
        raise ValueError("0 <= count <= of, and a confidence between 0 and 1")
