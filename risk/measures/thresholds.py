"""Thresholds as cell sizes: a record is at risk if its class is smaller than the cell size.

Class sizes are whole numbers, so the strict comparison of El Emam 2011, appendix, equation 1
(theta_j > tau), is exact. A tau of 0.33, printed with two digits, means one third. If it were
taken literally, 1/3 > 0.33 would put classes of three at risk and change R_a of Table 5 from 0.73
to 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError


@dataclass(frozen=True)
class Threshold:
    """`tau` is exact; `cell_size` is the smallest class size that is not at risk."""

    tau: Fraction
    stated: str

    def __post_init__(self) -> None:
        if not 0 < self.tau <= 1:
            raise RiskError("a risk threshold must be above 0 and at most 1", code="bad-threshold")

    @classmethod
    def of_cell_size(cls, size: int) -> Threshold:
        if size < 1:
            raise RiskError("a cell size must be at least 1", code="bad-threshold")
        return cls(Fraction(1, size), f"cell size {size}")

    @classmethod
    def of_tau(cls, tau: float | str, *, literal: bool = False) -> Threshold:
        """Return the threshold for a decimal tau.

        A tau that is 1/k rounded to its digits (at least two) means 1/k unless `literal` is set:
        0.33 is one third, 0.09 and 0.0909 are one eleventh. `stated` says how tau was read.
        """
        try:
            value = Fraction(Decimal(str(tau)))
        except (ArithmeticError, ValueError):
            raise RiskError("a threshold must be a decimal number", code="bad-threshold") from None
        whole = nearest_cell_size(str(tau))
        if literal or whole is None or Fraction(1, whole) == value:
            return cls(value, f"tau {tau}")
        return cls(Fraction(1, whole), f"tau {tau}, read as 1/{whole}")

    @property
    def cell_size(self) -> int:
        return ceil(1 / self.tau)

    def is_above(self, sizes: NDArray[Any]) -> NDArray[np.bool_]:
        """Mark the class sizes that are too small.

        If a population cell is split, the number of people is a float that can differ slightly from
        a whole number.
        """
        return np.asarray(sizes < self.cell_size * (1 - 1e-9))

    def exceeded_by(self, value: Fraction | float) -> bool:
        """Whether a risk is strictly above the threshold.

        A float that equals 1/k up to rounding error is not above 1/k.
        """
        if isinstance(value, Fraction):
            return value > self.tau
        return value > float(self.tau) * (1 + 1e-12)


def nearest_cell_size(tau: str) -> int | None:
    """Return the k for which 1/k, rounded to the digits of `tau`, equals `tau`.

    The result is None if there is none, or if fewer than two digits were given.
    """
    decimal = Decimal(tau)
    exponent = decimal.as_tuple().exponent
    if not isinstance(exponent, int) or exponent > -2 or decimal <= 0:
        return None
    whole = round(1 / Fraction(decimal))
    for size in (whole, whole - 1, whole + 1):
        if size > 0 and round(Decimal(1) / size, -exponent) == decimal:
            return size
    return None
