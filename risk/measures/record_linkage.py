"""Records linked to a population: risk of a record and of a data set.

Malin, Benitez & Masys 2011 (JAMIA 18:3), equations 1-4. Equations 2 and 3 print g_r < T; the text
("greater than 10 do not factor") and the row "Uniques, T=1" of Table 3 need g_r <= T, which is used
here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from risk.measures.scores import exact_sum

GROUP_LIMITS: tuple[int, ...] = (1, 10, 20000)
#: Rounding tolerance: in floating point, the product 0.2 x 35 need not be exactly 7.
_ROUNDED = 1 + 1e-9


@dataclass(frozen=True)
class Linkage:
    """Risk of a table of `records` against a population.

    `total` is the expected number of correct matches (equation 4). `graduated[T]` is the part of
    `total` that comes from groups of at most T people (3), and `non_graduated[T]` is the number of
    records in such groups (2). `uniques` is the number of records that are unique in the
    population. Unmatched records add to none of these; `total_at_most` counts each of them as
    re-identified with certainty.
    """

    records: int
    unmatched: int
    scaling: float
    total: float
    uniques: int
    graduated: dict[int, float]
    non_graduated: dict[int, int]

    @property
    def rate_percent(self) -> float | None:
        """100 times the total divided by n, as Tables 3 and 4 print it."""
        return 100.0 * self.total / self.records if self.records else None

    @property
    def total_at_most(self) -> float:
        return self.total + self.unmatched

    @classmethod
    def of(
        cls,
        records: NDArray[np.int64],
        people: NDArray[np.float64],
        *,
        scaling: float = 1.0,
        groups: Sequence[int] = GROUP_LIMITS,
    ) -> Linkage:
        """`records[j]` records match `people[j]` people each; Risk(r) = 1/g_r^scaling (1).

        >>> found = Linkage.of(np.array([1, 2]), np.array([1.0, 10.0]))
        >>> found.total, found.uniques, found.non_graduated[10]
        (1.2, 1, 3)
        """
        matched = people > 0
        found, group = records[matched], np.maximum(people[matched], 1.0)
        risk = found / group**scaling
        inside = {limit: group <= limit * _ROUNDED for limit in groups}
        return cls(
            records=int(records.sum()),
            unmatched=int(records[~matched].sum()),
            scaling=scaling,
            total=exact_sum(risk),
            uniques=int(found[group <= _ROUNDED].sum()),
            graduated={limit: exact_sum(risk[held]) for limit, held in inside.items()},
            non_graduated={limit: int(found[held].sum()) for limit, held in inside.items()},
        )
