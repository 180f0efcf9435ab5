"""Rows with broken quotes: only the broken line is lost, not the lines after it."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any

# Lines are read again for each broken row. After this many broken rows, reading stops.
MOST_BROKEN = 100
LEAST_WIDTH = 3
_LOOKED_AHEAD, _LIKE_ROWS = 20, 0.9


class RowLines:
    """The lines of a file for a CSV reader. The lines of a broken row can be read again."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self._again: list[str] = []
        self._taken: list[str] = []
        self._broken = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._again.pop() if self._again else next(self._lines)
        self._taken.append(line)
        return line

    def end_row(self) -> None:
        """Forget the lines of the row, which is whole."""
        self._taken.clear()

    def lose_first_line(self, width: int, delimiter: str) -> None:
        """Drop the first line of a row with broken quotes, and read its other lines again as rows.

        Lines that are not rows of the table belong to the broken cell and are dropped, too.
        """
        rest = self._taken[1:]
        self._taken.clear()
        self._broken += 1
        if self._broken <= MOST_BROKEN and _are_of_table(rest, width, delimiter):
            self._again += reversed(rest)


def _are_of_table(lines: list[str], width: int, delimiter: str) -> bool:
    if not lines or width < LEAST_WIDTH:
        return False
    looked = lines[:_LOOKED_AHEAD]
    whole = sum(_width(line, delimiter) == width for line in looked)
    return whole >= _LIKE_ROWS * len(looked)


def _width(line: str, delimiter: str) -> int:
    """Return how many cells the line has when read alone; 0 if its own quotes are broken."""
    reader: Any = csv.reader([line], delimiter=delimiter, strict=True)
    try:
        return len(next(reader, []))
    except csv.Error:
        return 0
