"""Numbers in nested bands, either of round width or with equally many records."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from risk.hierarchies.hierarchy import TOP
from risk.hierarchies.rules import Labels, SimpleRule
from risk.spellings.spans import Span, parse_span


@dataclass(frozen=True)
class BandRule(SimpleRule):
    """Numbers in nested bands.

    `cuts[level]` are the lower bounds of the bands in ascending order; a number below the first
    bound gets a band of its own. A range or an open-ended group keeps its own label at a level if
    it fits no band of that level.
    """

    kind: ClassVar[str] = "number"
    cuts: tuple[tuple[float, ...], ...] = field(default=())

    def labels_of(self, value: str) -> Labels | None:
        span = parse_span(value)
        if span is None:
            return None
        own = value.strip()
        return (*(self._label(span, cut) or own for cut in self.cuts), TOP)

    @staticmethod
    def _label(span: Span, cut: tuple[float, ...]) -> str | None:
        label = _band(span.low, cut)
        return label if span.single or label == _band(span.high, cut) else None

    @property
    def settings(self) -> dict[str, Any]:
        return {"cuts": [list(cut) for cut in self.cuts]}


def round_bands(values: Sequence[float] | NDArray[np.float64], *, levels: int = 4) -> BandRule:
    """Make bands of round width: 1, 2 or 5 times a power of ten, each a multiple of the previous
    one.

    The finest width is about a fiftieth of the range. Numbers far outside the usual range, such as
    9999 for a missing age, do not widen the bands: they fall into the first or last band.
    """
    low, high = usual_range(values)
    width = _round_up((high - low) / 50 or 1.0)
    factors = (1, 2, 10, 20, 100)[:levels]
    # All levels have the same first bound: numbers below it share a band at every level.
    first = low // (width * factors[-1]) * width * factors[-1]
    # Whole steps, so that each bound of a level is also a bound of the finer levels.
    steps = int((high - first) / width)
    cuts = [
        tuple(round(first + i * width, 12) for i in range(0, steps + 1, factor))
        for factor in factors
        if steps >= factor
    ]
    return BandRule(tuple(cuts))


def usual_range(values: Sequence[float] | NDArray[np.float64]) -> tuple[float, float]:
    """Return the smallest and the largest number, without those far from the quartiles.

    Numbers more than ten interquartile ranges beyond the quartiles are ignored (Tukey's far-out
    fence is three).
    """
    numbers = np.asarray(values, np.float64)
    last = len(numbers) - 1
    quarter, rest = np.partition(numbers, (last // 4, last * 3 // 4))[[last // 4, last * 3 // 4]]
    fence = 10 * (rest - quarter)
    if fence:
        numbers = numbers[(numbers >= quarter - fence) & (numbers <= rest + fence)]
    return float(numbers.min()), float(numbers.max())


def quantile_bands(values: Sequence[float] | NDArray[np.float64], *, finest: int = 16) -> BandRule:
    """Make bands that hold about equally many values: `finest` of them, then half as many, and so
    on.

    `finest` is a power of two, so that the bands are nested.
    """
    ordered = np.sort(np.asarray(values, np.float64)).tolist()
    cuts: list[tuple[float, ...]] = []
    while finest > 1:
        places = [ordered[len(ordered) * i // finest] for i in range(finest)]
        distinct = tuple(sorted(set(places)))
        if len(distinct) > 1 and (not cuts or distinct != cuts[-1]):
            cuts.append(distinct)
        finest //= 2
    return BandRule(tuple(cuts))


def _band(number: float, cut: tuple[float, ...]) -> str:
    place = bisect_right(cut, number)
    if place == 0:
        return f"<{cut[0]:g}"
    if place == len(cut):
        return f">={cut[-1]:g}"
    return f"[{cut[place - 1]:g},{cut[place]:g})"


def _round_up(width: float) -> float:
    power = 1.0
    while power > width:
        power /= 10
    while power * 10 <= width:
        power *= 10
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= width)
