"""The earth mover's distance between the values of each class and those of the table.

Li, Li & Venkatasubramanian 2007 (t-closeness): equal distances between categories, or ordered
distances between numbers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from risk.tables.coding import CodedColumn

PairCounts = NDArray[np.int64]


def number_ranks(column: CodedColumn) -> NDArray[np.intp] | None:
    """The rank of each value among the distinct numbers; None unless every value is a number."""
    try:
        numbers = np.array([float(v) for v in column.values])
    except (TypeError, ValueError):
        return None
    if not np.isfinite(numbers).all():
        return None
    ranks: NDArray[np.intp] = np.unique(numbers, return_inverse=True)[1]
    return ranks


def equal_distances(
    owner: PairCounts, value: PairCounts, counts: PairCounts
) -> NDArray[np.float64]:
    """Return, for each class, half the L1 distance between its shares and those of the table.

    Values absent from a class count with their whole share. `counts[i]` records of class `owner[i]`
    have the value `value[i]`; each pair occurs once.
    """
    sizes = np.bincount(owner, counts)
    overall = np.bincount(value, counts) / counts.sum()
    within = counts / sizes[owner]
    seen = np.bincount(owner, overall[value])
    apart = np.bincount(owner, np.abs(within - overall[value]))
    return np.asarray((apart + (1.0 - seen)) / 2)


def ordered_distances(
    owner: PairCounts, rank: PairCounts, counts: PairCounts
) -> NDArray[np.float64]:
    """Return, for each class, the mean difference between its cumulative shares and the table's.

    The sum over the ordered values is divided by the number of steps. Between two values of a
    class, its cumulative share is constant while the table's rises. The two cross at most once, so
    prefix sums give the difference. Here, pairs of class and rank may occur several times.
    """
    values = int(rank.max(initial=-1)) + 1
    if values < 2:
        return np.zeros(int(owner.max(initial=-1)) + 1)
    order = np.lexsort((rank, owner))
    overall = np.bincount(rank, counts) / counts.sum()
    owner, counts, start = owner[order], counts[order], rank[order]
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    running = np.cumsum(counts)
    sizes = np.add.reduceat(counts, first)
    reached = (running - (running[first] - counts[first])[owner]) / sizes[owner]
    end = np.append(start[1:], values)
    end[np.append(first[1:], len(owner)) - 1] = values
    table = np.cumsum(overall)
    summed = np.concatenate(([0.0], np.cumsum(table)))
    cross = np.clip(np.searchsorted(table, reached), start, end)
    over = reached * (cross - start) - (summed[cross] - summed[start])
    under = summed[end] - summed[cross] - reached * (end - cross)
    gaps = np.bincount(owner, over + under) + summed[start[first]]
    return np.asarray(np.maximum(0.0, gaps) / (values - 1))
