"""The columns of records that are trees.

A path has as many columns as there are values in the record with the most values at that path."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field


def count_paths(most: dict[str, int], paths: Iterable[str]) -> None:
    """Update `most`, the largest number of values per path, with the paths of one more record."""
    for path, count in Counter(paths).items():
        most[path] = max(most.get(path, 0), count)


@dataclass(frozen=True, slots=True)
class PathColumns:
    """The columns of each path: as many as the record with the most values at that path needs.

    `firsts` is the first column of each path.
    """

    columns: tuple[str, ...] = field(repr=False)
    firsts: Mapping[str, int] = field(repr=False)

    @classmethod
    def of(cls, most: Mapping[str, int], before: Sequence[str] = ()) -> PathColumns:
        """The columns for the paths that `count_paths` counted, in that order, after `before`."""
        columns, firsts = list(before), {}
        for path, count in most.items():
            firsts[path] = len(columns)
            columns += [path] * count
        return cls(tuple(columns), firsts)

    def place(
        self, leaves: Iterable[tuple[str, str | None]], cells: list[str | None]
    ) -> tuple[int, ...]:
        """Put the leaves of one record, as (path, value), into its cells.

        Returns:
            The column of each leaf.
        """
        seen: Counter[str] = Counter()
        places = []
        for path, cell in leaves:
            place = self.firsts[path] + seen[path]
            seen[path] += 1
            places.append(place)
            cells[place] = cell
        return tuple(places)
