"""Where a delimited table begins: reports have titles, dates and blank lines above their header.

Only a row that is plainly one of column names is taken for the header further down; in doubt the
first row stays it, rows of another width are faults, and nothing of them leaves.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence

from recognizers import header_words, holds_value, is_header_word

# Rows that may stand above a header, and are looked at to find it.
MOST_ABOVE, LOOKED_AT = 40, 200
_HEADED, _LEAST_WIDTH, _LEAST_ROWS, _NAMED = 0.5, 2, 2, 0.5


def header_place(rows: Sequence[Sequence[str]]) -> int:
    """The number of rows above the header among the first rows of a file."""
    width = common_width([len(row) for row in rows])
    if width < _LEAST_WIDTH:
        return 0
    for place, row in enumerate(rows[:MOST_ABOVE]):
        filled = sum(bool(cell.strip()) for cell in row) if len(row) == width else 0
        if filled >= _HEADED * width and names_columns(row):
            return place if len(rows) - place > _LEAST_ROWS else 0
        if filled == width:  # of a record, or of a header in words that nobody knows
            return 0
    return 0


def common_width(widths: Sequence[int]) -> int:
    """The number of cells that most rows have; of two such numbers the greater."""
    counts = Counter(width for width in widths if width)
    return max(counts, key=lambda width: (counts[width], width), default=0)


def names_columns(row: Sequence[str]) -> bool:
    """Are its cells names of columns: different, none a value, half of them of known words?"""
    named = [cell.strip() for cell in row if cell.strip()]
    if len(set(named)) < len(named) or any(map(holds_value, named)):
        return False
    known = sum(any(map(is_header_word, header_words(name))) for name in named)
    return all(any(c.isalpha() for c in name) for name in named) and known >= _NAMED * len(named)


def rows_of(reader: Iterator[list[str]], most: int) -> Iterator[list[str]]:
    """The next rows, as many; one whose quotes are broken is a cell that nobody can read."""
    for _ in range(most):
        try:
            yield next(reader)
        except StopIteration:
            return
        except csv.Error:
            yield ["?"]
