"""Attribute disclosure: what a class reveals of a sensitive value without a match to one record.

l-diversity: Machanavajjhala et al. 2007 (distinct, entropy, recursive). t-closeness: Li et al.
2007, with equal distances between categories, and with ordered distance for numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from risk.tables.classes import Classes
from risk.tables.coding import CodedColumn
from risk.tables.value_distances import equal_distances, number_ranks, ordered_distances


@dataclass(frozen=True)
class Disclosure:
    """What the classes reveal of one sensitive column.

    `distinct_l` and `entropy_l` (2 to the entropy of the least diverse class) are minima over the
    classes. `recursive_c` is the smallest c for which every class with at least two values is
    recursive (c, 2)-diverse. `t_equal` and `t_ordered` are the largest distance of a class's
    distribution from the table's (`t_ordered` is None unless every value is a number).
    `homogeneous_records` is the share of records in classes with a single value: their value is
    known without a match. `information_bits` is the mutual information between class and value,
    `entropy_bits` the entropy of the value; their ratio is the share of the sensitive value that
    the quasi-identifiers reveal.
    """

    column: str
    distinct_l: int
    entropy_l: float
    recursive_c: float | None
    t_equal: float
    t_ordered: float | None
    homogeneous_records: float
    entropy_bits: float
    information_bits: float

    @classmethod
    def of(cls, classes: Classes, sensitive: CodedColumn) -> Disclosure | None:
        """Measure one column over the classes of the same rows; None for a table without rows."""
        if not len(classes):
            return None
        pairs = classes.ids.astype(np.int64) * sensitive.cardinality + sensitive.codes
        keys, counts = np.unique(pairs, return_counts=True)
        owner, value = np.divmod(keys, sensitive.cardinality)
        sizes = classes.sizes.astype(np.float64)
        within = counts / sizes[owner]
        kinds = np.bincount(owner, minlength=len(classes))
        overall = np.bincount(value, counts, minlength=sensitive.cardinality) / counts.sum()
        entropy = np.bincount(owner, -within * np.log2(within), minlength=len(classes))
        whole = _entropy(overall)
        conditional = float(entropy @ sizes / sizes.sum())
        return cls(
            column=sensitive.name,
            distinct_l=int(kinds.min()),
            entropy_l=float(2 ** entropy.min()),
            recursive_c=_recursive(owner, counts, sizes, kinds),
            t_equal=float(equal_distances(owner, value, counts).max()),
            t_ordered=_t_ordered(owner, value, counts, sensitive),
            homogeneous_records=float(sizes[kinds == 1].sum() / sizes.sum()),
            entropy_bits=whole,
            information_bits=max(0.0, whole - conditional),
        )


def _entropy(shares: NDArray[np.float64]) -> float:
    present = shares[shares > 0]
    return float(-(present * np.log2(present)).sum()) + 0.0


def _recursive(
    owner: NDArray[np.int64],
    counts: NDArray[np.int64],
    sizes: NDArray[np.float64],
    kinds: NDArray[np.int64],
) -> float | None:
    largest = np.zeros(len(sizes))
    np.maximum.at(largest, owner, counts)
    several = kinds >= 2
    if not several.any():
        return None
    return float((largest[several] / (sizes[several] - largest[several])).max())


def _t_ordered(
    owner: NDArray[np.int64],
    value: NDArray[np.int64],
    counts: NDArray[np.int64],
    column: CodedColumn,
) -> float | None:
    ranks = number_ranks(column)
    if ranks is None:
        return None
    return float(ordered_distances(owner, ranks[value], counts).max())
