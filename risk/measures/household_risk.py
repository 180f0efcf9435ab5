"""Household risk: a person who is recognized reveals the other members of the household.

The probability that at least one member of a household is found is 1 - product of (1 - theta_i)
over the members (as in sdcMicro's hierarchical risk; Templ, Kowarik & Meindl 2015). Every member of
the household then has this risk.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from risk.tables.coding import CodedColumn


@dataclass(frozen=True)
class HouseholdRisk:
    """The risk that members of a household reveal one another.

    `expected` is the number of records re-identified if a household that is found reveals all its
    members, `alone` the number if it does not. `largest` is the largest risk of a household;
    `at_risk` is the share of records in households that are found with a probability above the
    threshold.
    """

    households: int
    largest_household: int
    alone: float
    expected: float
    largest: float
    at_risk: float

    @classmethod
    def of(
        cls, risk: NDArray[np.float64], household: CodedColumn, threshold: float
    ) -> HouseholdRisk | None:
        """Compute the household risk; `risk[row]` is the risk of each record by itself.

        A record without a household counts as a household of its own. The result is None for a
        table without rows.
        """
        if not len(risk):
            return None
        codes = household.codes.astype(np.int64)
        missing = np.array([value is None for value in household.values])[codes]
        codes[missing] = household.cardinality + np.arange(np.count_nonzero(missing))
        _, ids = np.unique(codes, return_inverse=True)
        with np.errstate(divide="ignore"):
            survives = np.bincount(ids, np.log1p(-np.minimum(risk, 1.0)))
        found = -np.expm1(survives)[ids]
        members = np.bincount(ids)
        return cls(
            households=len(members),
            largest_household=int(members.max()),
            alone=float(risk.sum()),
            expected=float(found.sum()),
            largest=float(found.max()),
            at_risk=float((found > threshold + 1e-12).mean()),
        )
