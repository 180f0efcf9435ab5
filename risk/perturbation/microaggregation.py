"""Microaggregation: records in groups of at least k, each value replaced by its group's mean.

MDAV: Domingo-Ferrer & Mateo-Sanz 2002, as in Domingo-Ferrer & Torra 2005, on standardized columns.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
#: The time of MDAV grows with the square of the rows, so larger tables are first split along their
#: main direction.
_MOST_ROWS_TOGETHER = 20_000


def group_means(values: Matrix, k: int) -> Matrix:
    """The columns of `values` (rows x columns) with every row replaced by the mean of its group.

    One column is grouped in the order of its values. The sum of each column does not change.
    """
    found = values.copy()
    for group in microaggregation_groups(values, k):
        found[group] = values[group].mean(axis=0)
    return found


def microaggregation_groups(values: Matrix, k: int) -> list[NDArray[np.intp]]:
    """Row positions in groups of k to 2k - 1 rows (all rows, if they are fewer than 2k)."""
    spread = values.std(axis=0)
    scaled = (values - values.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    if scaled.shape[1] == 1:
        order = np.argsort(scaled[:, 0], kind="stable")
        cuts = np.arange(k, len(order) - k + 1, k)
        return list(np.split(order, cuts))
    groups = []
    for block in _split_rows(scaled, k):
        groups += [block[group] for group in _mdav(scaled[block], k)]
    return groups


def _split_rows(scaled: Matrix, k: int) -> list[NDArray[np.intp]]:
    if len(scaled) <= max(_MOST_ROWS_TOGETHER, 4 * k):
        return [np.arange(len(scaled))]
    direction = np.linalg.eigh(scaled.T @ scaled)[1][:, -1]
    order = np.argsort(scaled @ direction, kind="stable")
    return list(np.array_split(order, -(-len(order) // max(_MOST_ROWS_TOGETHER, 4 * k))))


def _mdav(scaled: Matrix, k: int) -> list[NDArray[np.intp]]:
    """Group rows by MDAV.

    The row farthest from the mean is grouped with its k - 1 nearest rows, then the row farthest
    from that row with its k - 1 nearest, until fewer than 3k rows are left.
    """
    left = np.arange(len(scaled))
    groups = []
    while len(left) >= 3 * k:
        far = _farthest(scaled[left], scaled[left].mean(axis=0))
        start = scaled[left[far]]
        group, left = _nearest(scaled, left, start, k)
        groups.append(group)
        other = scaled[left[_farthest(scaled[left], start)]]
        group, left = _nearest(scaled, left, other, k)
        groups.append(group)
    if len(left) >= 2 * k:
        far = _farthest(scaled[left], scaled[left].mean(axis=0))
        group, left = _nearest(scaled, left, scaled[left[far]], k)
        groups.append(group)
    if len(left):
        groups.append(left)
    return groups


def _farthest(points: Matrix, point: Matrix) -> int:
    return int(((points - point) ** 2).sum(axis=1).argmax())


def _nearest(
    scaled: Matrix, left: NDArray[np.intp], point: Matrix, k: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    distance = ((scaled[left] - point) ** 2).sum(axis=1)
    order = np.argsort(distance, kind="stable")
    return left[np.sort(order[:k])], left[np.sort(order[k:])]
