"""Finds the header of a delimited table: reports have titles, dates and blank lines above it.

A later row is the header only if it clearly holds column names. Otherwise the first row is the
header, and rows of another width are faults and are not released.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from recognizers import header_words, holds_value, is_borne, is_header_word

# Rows that may stand above a header, and are looked at to find it.
MOST_ABOVE, LOOKED_AT = 40, 200
_HEADED, _LEAST_WIDTH, _LEAST_ROWS, _NAMED = 0.5, 2, 2, 0.5
_LONGEST_NAME = 256
_ALIKE = 0.9
_PLAIN_NUMBER = re.compile(r"[-+]?[\d,]*\.?\d+")
_RELEASED_TAG = re.compile(r"\[[A-Z][A-Z_ ]*(?:-\d+)?\]")
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ][\d:.]+Z?)?")


def header_place(rows: Sequence[Sequence[str]]) -> int:
    """The number of rows above the header among the first rows of a file.

    Of the rows before the first record, the one with the most header words is taken, because
    `Patient:,Smith` in a title looks like a header too. If the best row has another width, the
    first row is the header and the other rows are faults.
    """
    width = common_width([len(row) for row in rows])
    if width < _LEAST_WIDTH:
        return 0
    usual = common_width([_filled_cells(row) for row in rows if len(row) == width])
    found: dict[int, int] = {}
    for place, row in enumerate(rows[:MOST_ABOVE]):
        named = names_columns(row)
        if len(row) != width:
            if named and abs(len(row) - width) == 1 and _known_headers(row) == _filled_cells(row):
                return 0
        elif named and _filled_cells(row) >= _HEADED * width:
            if not place:
                return 0
            if not any(map(_is_surname, row)):
                found[place] = _known_headers(row)
        elif _filled_cells(row) >= usual:  # of a record, or of a header in words that nobody knows
            break
    best = max(found, key=lambda place: found[place], default=0)
    return best if len(rows) - best > _LEAST_ROWS else 0


def is_record(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether the first row is a record of a file without a header.

    It is where a cell is a number or a date like those under it, and no cell is a word of headers
    that does not stand under it, too. In a release, a tag over tags is a record as well.

    >>> is_record(["1", "F", "1980-01-02"], [["2", "M", "1970-03-04"], ["3", "F", "1960-03-04"]])
    True
    >>> is_record(["state", "2019"], [["Ohio", "1204"], ["Utah", "998"]])
    False
    """
    rows = [row for row in below if len(row) == len(first)]
    columns = [[row[place].strip() for row in rows] for place in range(len(first))]
    cells = [cell.strip() for cell in first]
    if any(map(_is_tag_like, cells, columns)):
        return True
    if not rows or names_columns(first):
        return False
    headed = (
        cell not in column
        for cell, column in zip(cells, columns, strict=True)
        if any(map(is_header_word, header_words(cell)))
    )
    return not any(headed) and any(map(_is_like, cells, columns))


def _is_like(cell: str, column: Sequence[str]) -> bool:
    """Whether the cell is a number or a date, and so are nearly all filled cells under it."""
    return any(_has_shape(shape, cell, column) for shape in (_PLAIN_NUMBER, _DATE))


def _is_tag_like(cell: str, column: Sequence[str]) -> bool:
    """Whether the cell is a tag like `[NAME]` or `[ID-1]`, and so are nearly all under it."""
    return _has_shape(_RELEASED_TAG, cell, column)


def _has_shape(shape: re.Pattern[str], cell: str, column: Sequence[str]) -> bool:
    filled = [below for below in column if below]
    if not shape.fullmatch(cell) or not filled:
        return False
    return sum(bool(shape.fullmatch(below)) for below in filled) >= _ALIKE * len(filled)


def _filled_cells(row: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in row)


def _known_headers(row: Sequence[str]) -> int:
    return sum(any(map(is_header_word, header_words(cell.strip()))) for cell in row)


def _is_surname(cell: str) -> bool:
    """Whether the cell is a surname alone, so that the row is a record and not a header."""
    name = cell.strip()
    known = any(map(is_header_word, header_words(name)))
    return not known and name[:1].isupper() and is_borne(name)


def common_width(widths: Sequence[int]) -> int:
    """The most common number of cells; in a tie the greater."""
    counts = Counter(width for width in widths if width)
    return max(counts, key=lambda width: (counts[width], width), default=0)


def names_columns(row: Sequence[str]) -> bool:
    """Whether the cells are column names: distinct, no values, half of them known words."""
    named = [cell.strip() for cell in row if cell.strip()]
    if len(set(named)) < len(named) or any(len(name) > _LONGEST_NAME for name in named):
        return False
    if any(map(holds_value, named)):
        return False
    worded = all(any(c.isalpha() for c in name) for name in named)
    return worded and _known_headers(named) >= _NAMED * len(named)


def next_rows(reader: Iterator[list[str]], most: int) -> Iterator[list[str]]:
    """The next `most` rows; a row with broken quotes becomes one unreadable cell."""
    for _ in range(most):
        try:
            yield next(reader)
        except StopIteration:
            return
        except csv.Error:
            yield ["?"]
