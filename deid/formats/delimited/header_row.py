"""Finds the header of a delimited table. Reports have titles, dates and blank lines above it.

A later row is the header only if it clearly holds column names. Otherwise the first row is the
header, and rows of another width are faults, which are not released.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from recognizers import header_words, holds_value, is_borne, is_header_word

# The most rows above a header, and the number of rows that are searched for it.
MOST_ABOVE, LOOKED_AT = 40, 200
_HEADED, _LEAST_WIDTH, _LEAST_ROWS, _NAMED = 0.5, 2, 2, 0.5
_LONGEST_NAME = 256
_ALIKE = 0.9
_PLAIN_NUMBER = re.compile(r"[-+]?[\d,]*\.?\d+")
_RELEASED_TAG = re.compile(r"\[[A-Z][A-Z_ ]*(?:-\d+)?\]")
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ][\d:.]+Z?)?")
_SEX_CELL = re.compile(r"[FMU]|(?:fe)?male", re.I)
_CENTURIES = ("18", "19", "20", "21")


def header_place(rows: Sequence[Sequence[str]]) -> int:
    """The number of rows above the header, given the first rows of a file.

    Of the rows before the first record, the one with the most header words is the header: a title
    such as `Patient:,Smith` looks like a header, too. If the best row has another width, the
    first row is the header and the other rows are faults. A first row with a name for every column
    is the header; a first row with gaps may name groups of columns.
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
            if not place and _filled_cells(row) == width:
                return 0
            if not place or not any(map(_is_surname, row)):
                found[place] = _known_headers(row)
        elif _filled_cells(row) >= usual:  # a record, or a header in unknown words
            break
    best = max(found, key=lambda place: found[place], default=0)
    return best if len(rows) - best > _LEAST_ROWS else 0


def has_row_names(rows: Sequence[Sequence[str]], sample: str) -> bool:
    """Whether R wrote the table with a first column of row names, which the header does not name.

    `sample` is the beginning of the file. R's `write.table` quotes the row numbers and the headers,
    but no numbers of a column. Without these quotes, a row may be wider than the header because a
    comma within a cell is not quoted; no column of such a table can be trusted.
    """
    header, *below = rows
    numbers = [str(number) for number in range(1, len(below) + 1)]
    if len(below) < _LEAST_ROWS or [row[0] for row in below if row] != numbers:
        return False
    if any(len(row) != len(header) + 1 for row in below):
        return False
    whole = sample.splitlines()[:-1]  # the last line may be cut
    quoted = (line.startswith(f'"{number}"') for number, line in enumerate(whole[1:], 1))
    return any(map(_PLAIN_NUMBER.fullmatch, below[0][1:])) and whole[0][:1] == '"' and all(quoted)


@dataclass(frozen=True, slots=True)
class GroupedHeader:
    """A header of two rows: the index of its first row, and the names of the columns."""

    place: int
    names: tuple[str, ...] = field(repr=False)


def grouped_header(rows: Sequence[Sequence[str]], place: int) -> GroupedHeader | None:
    """The header of two rows that begins at `place` or one row above, if there is one.

    >>> rows = [["Visit 1", "", "Visit 2", ""], ["BP", "HR", "BP", "HR"]]
    >>> rows += [["120/80", "70", "118/79", "68"], ["131/85", "64", "125/83", "66"]]
    >>> grouped_header(rows, 0).names
    ('Visit 1 BP', 'Visit 1 HR', 'Visit 2 BP', 'Visit 2 HR')
    """
    for start in (place - 1, place):
        if start >= 0 and (names := _grouped_names(rows[start:])):
            return GroupedHeader(start, names)
    return None


def _grouped_names(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The names of columns from a row of groups and a row of labels; () if they are not a header.

    The groups recur, or they have gaps and the labels recur: otherwise one of the rows is the
    header. A label is a word that does not occur again below, and at least one of them heads a
    column of numbers or dates.
    """
    if len(rows) < 2 + _LEAST_ROWS or not len(rows[0]) == len(rows[1]) >= _LEAST_WIDTH:
        return ()
    above, labels = ([cell.strip() for cell in row] for row in rows[:2])
    if not (_has_repeats(above) or ("" in above and _has_repeats(labels))):
        return ()
    body = [[cell.strip() for cell in row] for row in rows[2:] if len(row) == len(labels)]
    columns = list(zip(*body, strict=True))
    if len(body) < _LEAST_ROWS or not (_are_words(above) and _are_labels(labels, columns)):
        return ()
    groups: list[str] = []
    for group, label in zip(above, labels, strict=True):
        groups.append(group or (groups[-1] if label and groups else ""))
    names = [f"{group} {label}".strip() for group, label in zip(groups, labels, strict=True)]
    return tuple(names) if all(names) and len(set(names)) == len(names) else ()


def _has_repeats(row: Sequence[str]) -> bool:
    named = [cell for cell in row if cell]
    return len(set(named)) < len(named)


def _are_words(row: Sequence[str]) -> bool:
    """Whether the distinct cells of the row are column names, and none is a surname."""
    named = list(dict.fromkeys(filter(None, row)))
    return bool(named) and names_columns(named) and not any(map(_is_surname, named))


def _are_labels(labels: Sequence[str], columns: Sequence[Sequence[str]]) -> bool:
    if not _are_words(labels) or any(c.isdecimal() for label in labels for c in label):
        return False
    headed = [(label, column) for label, column in zip(labels, columns, strict=True) if label]
    if any(label in column for label, column in headed):
        return False
    return any(_is_most(map(_is_figure, filter(None, column))) for _, column in headed)


def is_record(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether the first row is a record of a file without a header.

    It is a record if one of its cells cannot be a column name. Such cells are a date in a column of
    dates, a long number in a column of numbers of that length and, in a release, a tag in a column
    of tags. A sex in a column of sexes, or a word that recurs in its column, also makes the row a
    record, unless another of its words heads a column of numbers or dates. Years and counts may be
    column names of a report. So any other number in a column of numbers makes the row a record, but
    only if no cell of the row is a header word.

    >>> is_record(["1", "F", "1980-01-02"], [["2", "M", "1970-03-04"], ["3", "F", "1960-03-04"]])
    True
    >>> is_record(["state", "2019"], [["Ohio", "1204"], ["Utah", "998"]])
    False
    """
    cells = [cell.strip() for cell in first]
    rows = [[cell.strip() for cell in row] for row in below if len(row) == len(first)]
    columns = [[row[place] for row in rows if row[place]] for place in range(len(first))]
    places = list(zip(cells, columns, strict=True))
    if any(_is_value(*place) for place in places):
        return True
    if len(rows) > 1 and all(row == cells for row in rows):  # a header repeats at most once a page
        return True
    titled = any(_is_word(cell) and _is_most(map(_is_figure, column)) for cell, column in places)
    if not titled and any(_has_shape(_SEX_CELL, *place) for place in places):
        return True
    if not rows or names_columns(first):
        return False
    others = [row for row in rows if row != cells]  # a header may be repeated on each page
    if not titled and any(_is_word(_common_cell(cells, row)) for row in others):
        return True
    headed = any(map(is_header_word, (word for cell in cells for word in header_words(cell))))
    return not headed and any(_has_shape(_PLAIN_NUMBER, *place) for place in places)


def _is_value(cell: str, column: Sequence[str]) -> bool:
    """Whether a cell cannot be a column name, given the filled cells below it."""
    if _has_shape(_RELEASED_TAG, cell, column) or _has_shape(_DATE, cell, column):
        return True
    return _is_long_number(cell) and _is_most(len(below) == len(cell) for below in column)


def _is_long_number(cell: str) -> bool:
    """Whether the cell is a number of four digits or more and not a year."""
    return len(cell) >= 4 and cell.isdecimal() and not (len(cell) == 4 and cell[:2] in _CENTURIES)


def _common_cell(first: Sequence[str], row: Sequence[str]) -> str:
    """Return the cells that are equal in both rows, joined as one text."""
    return " ".join(cell for cell, below in zip(first, row, strict=True) if cell == below)


def _is_word(cell: str) -> bool:
    return any(letter.isalpha() for letter in cell)


def _has_shape(shape: re.Pattern[str], cell: str, column: Sequence[str]) -> bool:
    if not shape.fullmatch(cell):
        return False
    return _is_most(shape.fullmatch(below) is not None for below in column)


def _is_figure(cell: str) -> bool:
    return any(shape.fullmatch(cell) for shape in (_PLAIN_NUMBER, _DATE))


def _is_most(signs: Iterable[bool]) -> bool:
    told = list(signs)
    return bool(told) and sum(told) >= _ALIKE * len(told)


def _filled_cells(row: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in row)


def _known_headers(row: Sequence[str]) -> int:
    return sum(any(map(is_header_word, header_words(cell.strip()))) for cell in row)


def _is_surname(cell: str) -> bool:
    """Whether the cell is only a surname, so that the row is a record and not a header."""
    name = cell.strip()
    known = any(map(is_header_word, header_words(name)))
    return not known and name[:1].isupper() and is_borne(name)


def common_width(widths: Sequence[int]) -> int:
    """The most common number of cells; in a tie, the greater number."""
    counts = Counter(width for width in widths if width)
    return max(counts, key=lambda width: (counts[width], width), default=0)


def names_columns(row: Sequence[str]) -> bool:
    """Whether the cells are column names: distinct, without values, half of them known words."""
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
