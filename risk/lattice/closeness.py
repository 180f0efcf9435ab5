"""Limits on what a class reveals about a sensitive value, or about who is in the table.

t-closeness: Li, Li & Venkatasubramanian 2007. delta-presence: Nergiz, Atzori & Clifton 2007.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError
from risk.lattice.frequency_table import FrequencyTable
from risk.lattice.limits import check_share, people_of
from risk.tables.coding import BooleanArray
from risk.tables.value_distances import equal_distances, ordered_distances

#: Rounding tolerance: a distance of exactly t must meet the limit whatever the order of summation.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Closeness:
    """t-closeness: in every class, the distribution of the sensitive value is at a distance of at
    most `t` from its distribution in the table.

    `ordered` takes the distance between ranks instead of 0 or 1; the codes of the sensitive value
    must then be ranks. The distance of a merged class is at most the largest distance of its parts.
    """

    t: float
    ordered: bool = False

    def __post_init__(self) -> None:
        check_share(self.t)

    def broken(self, cells: FrequencyTable, gone: BooleanArray) -> BooleanArray:
        return gone | self._far(cells)

    def least(self, cells: FrequencyTable) -> int:
        """Count one record for each class with too large a distance.

        Such a class unites finer classes. At least one of them has as large a distance, so one
        record is sure to be in a class beyond the limit.
        """
        return int(self._far(cells).sum())

    def describe(self) -> dict[str, Any]:
        return {"t_closeness": self.t, "distance": "ordered" if self.ordered else "equal"}

    def _far(self, cells: FrequencyTable) -> BooleanArray:
        if cells.owner is None or cells.secret is None:
            raise RiskError(
                "t-closeness needs a sensitive column",
                code="no-sensitive-column",
                hint="name one with --sensitive",
            )
        measure = ordered_distances if self.ordered else equal_distances
        found = measure(cells.owner, cells.secret.astype(np.int64), cells.sizes)
        return np.asarray(found > self.t + _ROUNDING)


@dataclass(frozen=True)
class Presence:
    """delta-presence: the probability that a person of the population is in the table is at most
    `at_most`.

    The probability is the number of records in a class divided by the number of people who match
    it; a class that matches fewer people than it has records counts as certain. A merged class has
    a probability between those of its parts.
    """

    at_most: float

    def __post_init__(self) -> None:
        check_share(self.at_most)

    def broken(self, cells: FrequencyTable, gone: BooleanArray) -> BooleanArray:
        return gone | self._known(cells.classes)

    def least(self, cells: FrequencyTable) -> int:
        return int(self._known(cells.classes).sum())

    def describe(self) -> dict[str, Any]:
        return {"presence": self.at_most}

    def _known(self, classes: FrequencyTable) -> BooleanArray:
        share: NDArray[np.float64] = classes.sizes / np.maximum(people_of(classes), classes.sizes)
        return np.asarray((classes.sizes > 0) & (share > self.at_most + _ROUNDING))
