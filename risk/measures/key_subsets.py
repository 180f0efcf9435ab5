"""The risk of every subset of the quasi-identifiers: which few columns single records out.

Distinction and separation: Motwani & Xu 2007, "Efficient algorithms for masking and finding
quasi-identifiers", section 2, as ARX reports them. A minimal sample unique is a record that is
unique on a subset of the columns, but on no smaller part of that subset: Elliot, Manning & Ford
2002 (SUDA), Manning, Haglin & Keane 2008 (SUDA2). A record is easier to single out if fewer columns
suffice. A minimal unique of k columns scores the product of (columns - i) for i from k to the
largest size searched. The score of a record is the sum of these scores (Elliot, Manning, Mayes,
Gurd & Bane 2005). DIS-SUDA: Elliot & Manning 2003, as sdcMicro's `suda2` computes it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from math import comb, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError
from risk.estimators.frequencies import Frequencies
from risk.estimators.matches import skinner_elliot
from risk.tables.classes import Classes
from risk.tables.coding import BooleanArray

_MOST_SUBSETS_MEASURED = 5_000
_LEAST_POWER = 0.05


@dataclass(frozen=True)
class SubsetRisk:
    """The risk of one subset of the columns.

    `distinction` is distinct combinations divided by records, `separation` the share of pairs of
    records that differ on these columns, and `uniques` the records with a combination of their own.
    """

    columns: tuple[str, ...]
    distinction: float
    separation: float
    uniques: int


@dataclass(frozen=True)
class KeySubsets:
    """The risk of every subset of at most a given number of columns.

    `minimal_uniques[size]` is the number of records that are unique on some subset of that size,
    but on no smaller part of it (minimal sample uniques). `suda_scores[s]` is the number of records
    with a SUDA score of s; records without a score are left out. `contributions[column]` is the
    share of all scores that comes from uniques with this column. `dis_suda[s]` is the probability
    that a match to a record with score s is correct, if the sampling fraction is known.
    """

    subsets: tuple[SubsetRisk, ...]
    minimal_uniques: dict[int, int]
    suda_scores: dict[int, int]
    contributions: dict[str, float]
    dis_suda: dict[int, float]

    @classmethod
    def of(cls, classes: Classes, largest: int, fraction: float | None = None) -> KeySubsets:
        """Measure the subsets of up to `largest` columns in a table that holds `fraction` of a
        population.

        >>> found = KeySubsets.of(Classes.of({"a": [1, 1, 2], "b": [1, 2, 2]}), 2)
        >>> found.minimal_uniques, round(found.subsets[0].separation, 2)
        ({1: 2, 2: 1}, 0.67)

        Raises:
            RiskError: `too-many-subsets`.
        """
        names = classes.quasi_identifiers
        largest = min(largest, len(names))
        if largest < 1 or sum(comb(len(names), n) for n in range(1, largest + 1)) > (
            _MOST_SUBSETS_MEASURED
        ):
            raise RiskError(
                f"--subsets asks for no subset, or for more than {_MOST_SUBSETS_MEASURED:,}",
                code="too-many-subsets",
                hint="lower --subsets (at least 1), or name fewer quasi-identifiers",
            )
        found: list[SubsetRisk] = []
        minimal: dict[int, int] = {}
        unique: dict[tuple[str, ...], BooleanArray] = {}
        scores = np.zeros(len(classes), object)
        shares = dict.fromkeys(names, 0)
        for size in range(1, largest + 1):
            special = np.zeros(len(classes), bool)
            for columns in combinations(names, size):
                risk, alone = _subset_risk(classes, columns)
                found.append(risk)
                unique[columns] = alone
                parts = [unique[part] for part in combinations(columns, size - 1) if part]
                least = alone & ~np.logical_or.reduce([np.zeros(len(classes), bool), *parts])
                special |= least
                score = _suda_score(size, largest, len(names))
                scores[least] += score
                for name in columns:
                    shares[name] += score * int(np.count_nonzero(least))
            minimal[size] = int(classes.sizes[special].sum())
        total = sum(scores.tolist())
        counted = {s: n for s, n in sorted(Counter(scores.tolist()).items()) if s}
        return cls(
            tuple(found),
            minimal,
            counted,
            {name: share / total for name, share in shares.items() if total},
            {} if fraction is None else _dis_suda(counted, classes, fraction),
        )

    def as_json(self) -> dict[str, Any]:
        return {
            "subsets": [
                {
                    "columns": list(one.columns),
                    "distinction": one.distinction,
                    "separation": one.separation,
                    "uniques": one.uniques,
                }
                for one in self.subsets
            ],
            "minimal_uniques": {str(size): n for size, n in self.minimal_uniques.items()},
            "suda_scores": {str(score): n for score, n in self.suda_scores.items()},
            "contributions": self.contributions,
            "dis_suda": {str(score): chance for score, chance in self.dis_suda.items()},
        }


def _suda_score(size: int, largest: int, columns: int) -> int:
    """Return the SUDA score of one minimal unique of `size` columns.

    The product ends before the full set of columns, because the factor of the full set would be
    zero.
    """
    return prod(columns - i for i in range(size, min(largest, columns - 1) + 1))


def _dis_suda(scores: dict[int, int], classes: Classes, fraction: float) -> dict[int, float]:
    """For each SUDA score, the probability that a match is correct."""
    if not scores:
        return {}
    by_score = np.array(list(scores), np.float64), np.array(list(scores.values()), np.float64)
    chance = skinner_elliot(Frequencies.of(classes.histogram, fraction))
    found = spread_chance(*by_score, chance, len(classes.quasi_identifiers))
    return dict(zip(scores, found.tolist(), strict=True))


def spread_chance(
    scores: NDArray[np.float64], times: NDArray[np.float64], chance: float, columns: int
) -> NDArray[np.float64]:
    """Spread by SUDA scores the probability that a match to any unique record is correct.

    `times` records have each of the `scores`. If all scores are equal, the probability does not
    change (Elliot & Manning 2003). The exponent of a score falls with the number of columns, as in
    sdcMicro, but not below `_LEAST_POWER`: in sdcMicro, with 29 or more columns, a high score means
    less risk.
    """
    if chance >= 1:
        return np.ones(len(scores))
    grown = scores ** max(_LEAST_POWER, 1 + (8 - columns) / 20)
    odds = grown * (times / grown).sum() / times.sum() * chance / (1 - chance)
    spread: NDArray[np.float64] = odds / (1 + odds)
    return spread


def _subset_risk(
    classes: Classes, columns: tuple[str, ...]
) -> tuple[SubsetRisk, NDArray[np.bool_]]:
    """The risk of one subset, and for each class whether its record is unique on the subset."""
    some = Classes.of(classes.distinct.select(columns), counts=classes.sizes)
    n = classes.records
    pairs = n * (n - 1)
    equal = int((some.sizes.astype(object) * (some.sizes - 1)).sum()) if n else 0
    risk = SubsetRisk(
        columns,
        len(some) / n if n else 0.0,
        1 - equal / pairs if pairs else 0.0,
        int((some.sizes == 1).sum()),
    )
    alone: NDArray[np.bool_] = some.sizes[np.unique(some.packed, return_inverse=True)[1]] == 1
    return risk, alone
