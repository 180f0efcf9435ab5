"""Markdown from the words of pages: headings by size, tables by columns, one mark per page.

The words and their order are those of the text that was searched; only Markdown is added.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from deid.formats.pdf.reading_order import CELL_GAP
from deid.formats.pdf.redaction import PlacedWord

PAGE_MARK = "<!-- page {} -->"
# A heading is a line of few words whose letters are higher than those of most words by this factor.
_HEADING_SIZE, _MOST_HEADING_WORDS, _HEADING_LEVELS = 1.15, 15, 3
_LEAST_TABLE_ROWS, _MOST_COLUMNS = 2, 100
# If a line is shorter than this share of the widest line, the author ended it there.
_FULL_LINE = 0.8
_LINE_MARK = re.compile(r"(?=[#>=]|[-+_]{2,}$)|\d{4,9}(?=[.)] )")
_INLINE_MARK = re.compile(r"([\\*`|]|<(?=[A-Za-z/!?])|(?<!\w)_(?=[^\W_]))")


@dataclass(frozen=True, slots=True)
class _LineCell:
    """The text between two wide gaps of a line: the new text of its words, and where it starts and
    ends on the page."""

    text: str = field(repr=False)
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class _PageLine:
    """A line. `blank` says that a blank line precedes it; `size` is the size of its letters."""

    cells: tuple[_LineCell, ...]
    size: float
    blank: bool

    @property
    def text(self) -> str:
        """The line as text."""
        return CELL_GAP.join(cell.text for cell in self.cells)


_Interval = tuple[float, float]
LeftOfPage = tuple[Sequence[PlacedWord], Sequence[str]]
"""The words of a page, and the new text of each word."""


def write_markdown(pages: Sequence[LeftOfPage]) -> str:
    """The document in Markdown; "" if it has no pages."""
    lined = [list(_page_lines(*page)) for page in pages]
    sizes = _heading_sizes([line for lines in lined for line in lines])
    out = []
    for number, lines in enumerate(lined, 1):
        out.append(PAGE_MARK.format(number))
        out += _blocks(lines, sizes)
    return "\n\n".join(out) + "\n" if out else ""


def _page_lines(words: Sequence[PlacedWord], texts: Sequence[str]) -> Iterator[_PageLine]:
    """The lines of a page that still hold text."""
    rows: list[list[tuple[PlacedWord, str]]] = []
    for word, text in zip(words, texts, strict=False):
        if not rows or "\n" in word.joint:
            rows.append([])
        rows[-1].append((word, text))
    blank = False
    for row in rows:
        blank = blank or "\n\n" in row[0][0].joint
        cells = tuple(cell for cell in _cells_of(row) if cell.text)
        if cells:
            yield _PageLine(cells, max(word.size for word, _ in row), blank)
            blank = False


def _cells_of(row: Sequence[tuple[PlacedWord, str]]) -> Iterator[_LineCell]:
    cells: list[list[tuple[PlacedWord, str]]] = []
    for pair in row:
        if not cells or pair[0].joint == CELL_GAP:
            cells.append([])
        cells[-1].append(pair)
    for cell in cells:
        parts = "".join(
            (word.joint if place else "") + text for place, (word, text) in enumerate(cell) if text
        )
        yield _LineCell(
            " ".join(parts.split()),
            min(word.box[0] for word, _ in cell),
            max(word.box[2] for word, _ in cell),
        )


def _heading_sizes(lines: Sequence[_PageLine]) -> list[float]:
    """The sizes of headings, the largest first."""
    letters: Counter[float] = Counter()
    for line in lines:
        letters[_rounded(line)] += len(line.text)
    if not letters:
        return []
    body = letters.most_common(1)[0][0]
    larger = sorted((size for size in letters if size >= _HEADING_SIZE * body), reverse=True)
    return larger[:_HEADING_LEVELS]


def _rounded(line: _PageLine) -> float:
    return round(2 * line.size) / 2


def _blocks(lines: Sequence[_PageLine], sizes: Sequence[float]) -> Iterator[str]:
    """The headings, tables and paragraphs of a page, in order."""
    paragraph: list[_PageLine] = []
    place = 0
    while place < len(lines):
        line = lines[place]
        rows, columns = _table_at(lines[place:])
        heading = not rows and _is_heading(line, sizes)
        if paragraph and (rows or heading or line.blank):
            yield _paragraph(paragraph)
            paragraph = []
        if rows:
            yield _table(lines[place : place + rows], columns)
        elif heading:
            yield "#" * (sizes.index(_rounded(line)) + 1) + " " + _inline(line.text)
        else:
            paragraph.append(line)
        place += rows or 1
    if paragraph:
        yield _paragraph(paragraph)


def _is_heading(line: _PageLine, sizes: Sequence[float]) -> bool:
    return _rounded(line) in sizes and len(line.text.split()) <= _MOST_HEADING_WORDS


def _table_at(lines: Sequence[_PageLine]) -> tuple[int, list[_Interval]]:
    """Return how many lines from the first on are rows of one table, and the table's columns.

    A row has cells in several columns. A line with a single cell continues the row above it if
    the cell is not in the first column.
    """
    columns: list[_Interval] = []
    rows = 0
    for line in lines:
        goes_on = bool(columns) and not line.blank and line.cells[0].start >= columns[0][1]
        merged = _columns_with(columns, line) if len(line.cells) > 1 or goes_on else []
        if not merged:
            break
        rows, columns = rows + 1, merged
    return (rows if rows >= _LEAST_TABLE_ROWS else 0), columns


def _columns_with(columns: Sequence[_Interval], line: _PageLine) -> list[_Interval]:
    """Return the extents of the columns after one more line; none if two columns would merge."""
    if len(line.cells) > _MOST_COLUMNS:
        return []
    wider, fresh = dict(enumerate(columns)), len(columns)
    filled: set[int] = set()
    for cell in line.cells:
        met = [n for n, (low, high) in enumerate(columns) if cell.start < high and low < cell.end]
        place, fresh = (met[0], fresh) if met else (fresh, fresh + 1)
        if len(met) > 1 or place in filled:
            return []
        low, high = wider.get(place, (cell.start, cell.end))
        wider[place] = min(low, cell.start), max(high, cell.end)
        filled.add(place)
    merged = sorted(wider.values())
    apart = all(one[1] <= other[0] for one, other in pairwise(merged))
    return merged if apart and len(merged) <= _MOST_COLUMNS else []


def _table(lines: Sequence[_PageLine], columns: Sequence[_Interval]) -> str:
    rows = []
    for line in lines:
        texts = [
            " ".join(_inline(c.text) for c in line.cells if low <= c.start and c.end <= high)
            for low, high in columns
        ]
        rows.append(f"| {' | '.join(texts)} |")
    rows.insert(1, "|" + " --- |" * len(columns))
    return "\n".join(rows)


def _paragraph(lines: Sequence[_PageLine]) -> str:
    """A paragraph. A line that the author ended keeps its line break, by two blanks at its end."""
    left = min(line.cells[0].start for line in lines)
    width = max(line.cells[-1].end for line in lines) - left
    out = []
    for number, line in enumerate(lines, 1):
        ended = number < len(lines) and line.cells[-1].end - left < _FULL_LINE * width
        text = _inline(line.text)
        mark = _LINE_MARK.match(text)
        if mark is not None:
            text = f"{text[: mark.end()]}\\{text[mark.end() :]}"
        out.append(text + ("  " if ended else ""))
    return "\n".join(out)


def _inline(text: str) -> str:
    """The text with Markdown's special characters escaped."""
    return _INLINE_MARK.sub(r"\\\1", text)
