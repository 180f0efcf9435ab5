"""The number of classes of each size in a sample, the input of every estimator."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from risk.errors import RiskError, check_fraction
from risk.tables.classes import Sizes


@dataclass(frozen=True, eq=False)
class Frequencies:
    """`times[i]` classes have `sizes[i]` records in a sample drawn with `fraction` from
    `population` people."""

    sizes: Sizes
    times: Sizes
    fraction: float
    population: float

    @classmethod
    def of(
        cls, histogram: tuple[Sizes, Sizes], fraction: float, population: float | None = None
    ) -> Frequencies:
        sizes, times = histogram
        check_fraction(fraction)
        records = float((sizes * times).sum())
        if population is None or not records:
            return cls(sizes, times, fraction, records / fraction)
        if population < records:
            raise RiskError("the population is smaller than the sample", code="bad-fraction")
        return cls(sizes, times, records / population, population)

    @cached_property
    def records(self) -> int:
        return int((self.sizes * self.times).sum())

    @cached_property
    def classes(self) -> int:
        return int(self.times.sum())

    def number(self, size: int) -> int:
        """The number of classes with exactly `size` records."""
        return int(self.times[self.sizes == size].sum())
