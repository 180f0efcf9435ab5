"""Notes that are stored as rows of lines are joined for the search and split again after it.

Clarity stores a note as rows (note, line number, text) that are cut at any position: a name may
begin in one row and end in the next. The rows of a note are searched as one text. A replacement
across a cut is written to the row where the value began.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise

from deid.errors import unreadable
from deid.formats import NoteLine, ReadOptions, Record, RecordFault, RecordSource
from deid.text.change import Change
from recognizers import is_listed_word

_BLANK_END, _BLANK_START = re.compile(r"\S $"), re.compile(r" \S")
_LAST_WORD, _FIRST_WORD = re.compile(r"[^\W\d_]+$"), re.compile(r"[^\W\d_]+")
# Shorter lines are never taken for pieces of a text cut at a fixed width.
MIN_CUT_LENGTH = 20
CUT_SAMPLE = 5000
# The most rows that are sorted in memory if the rows of a note are not adjacent.
MAX_SCATTERED_ROWS = 2_000_000


@dataclass(frozen=True, slots=True)
class JoinedLines:
    """The text of several lines and the bounds of each line in it. The `repr` shows counts."""

    text: str = field(repr=False)
    bounds: tuple[tuple[int, int], ...] = field(repr=False)

    def __repr__(self) -> str:
        return f"JoinedLines({len(self.bounds)} lines)"


def same_note(one: Record | RecordFault, other: Record | RecordFault) -> bool:
    """Whether two records, one after the other, are lines of one note."""
    if isinstance(one, RecordFault) or isinstance(other, RecordFault):
        return False
    return one.note is not None and one.note == other.note


def join_lines(lines: Sequence[str], between: str = "\n") -> JoinedLines:
    """Join lines into one text, with nothing between two lines if the lines have line ends."""
    between = "" if any(line.endswith("\n") for line in lines[:-1]) else between
    bounds, place = [], 0
    for line in lines:
        bounds.append((place, place + len(line)))
        place += len(line) + len(between)
    return JoinedLines(between.join(lines), tuple(bounds))


def are_cut_lines(pairs: Iterable[tuple[str, str]], longest: int) -> bool:
    """Whether the lines were cut at arbitrary positions rather than at line ends.

    `pairs` are neighboring lines, `longest` is the length of the longest line of the table. A cut
    may keep a blank on either side and may divide numbers and words. A line end drops its blank,
    and the next line often begins with a capital or a mark.
    """
    scores = [_cut_score(one, other, longest) for one, other in pairs]
    return 1 in scores and sum(scores) >= 0


def _cut_score(one: str, other: str, longest: int) -> int:
    """Return 1 if the boundary between two lines looks like a cut, -1 if it looks like a
    line end.
    """
    if not one or not other:
        return -1
    if len(one) == longest >= MIN_CUT_LENGTH:
        return 1
    if _BLANK_END.search(one) or _BLANK_START.match(other):
        return 1
    if one[-1].isdigit() and other[0].isdigit():
        return 1
    if not (one[-1].isalpha() and other[0].islower()):
        return -1
    left, right = _LAST_WORD.search(one), _FIRST_WORD.match(other)
    known = all(is_listed_word(part[0]) for part in (left, right) if part is not None)
    return -1 if known else 1


def split_lines(
    joined: JoinedLines, text: str, changes: Sequence[Change]
) -> list[tuple[str, tuple[Change, ...]]]:
    """Split the scrubbed text into lines again, each with its own changes and offsets.

    `changes` are those of the joined text, ordered and disjoint. A line that lies inside a change
    becomes empty.
    """
    offsets = _OffsetMap(changes)
    lines = []
    for start, end in joined.bounds:
        out_start, out_end = offsets.output_offset(start), offsets.output_offset(end)
        own = tuple(
            replace(
                change,
                start=change.start - start,
                end=min(change.end, end) - start,
                out_start=change.out_start - out_start,
                out_end=change.out_end - out_start,
            )
            for change in offsets.starting_in(start, end)
        )
        lines.append((text[out_start:out_end], own))
    return lines


class _OffsetMap:
    """Finds changes by their start, and maps offsets in the joined text to the scrubbed text."""

    def __init__(self, changes: Sequence[Change]) -> None:
        self._changes = changes
        self._starts = [change.start for change in changes]

    def starting_in(self, start: int, end: int) -> Sequence[Change]:
        """The changes that begin in that span of the joined text."""
        return self._changes[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def output_offset(self, place: int) -> int:
        """The offset in the scrubbed text; for a place in a change, the end of the replacement."""
        before = bisect_right(self._starts, place - 1)
        if not before:
            return place
        last = self._changes[before - 1]
        return last.out_end if place <= last.end else last.out_end + place - last.end


@dataclass(frozen=True, slots=True)
class LineSource:
    """A table of lines, its rows in note order, each with the key of its note.

    `inner` is the source as opened. `scattered` says that the rows must be sorted, `between` is
    the text between the lines of a note. A row without a key is a note of its own.
    """

    inner: RecordSource
    group: int
    order: int | None
    scattered: bool
    between: str

    @property
    def columns(self) -> tuple[str, ...]:
        return self.inner.columns

    def records(self) -> Iterator[Record | RecordFault]:
        """Every row with its note. An unreadable row withholds the notes next to it."""
        rows = self._of_notes()
        yield from _without_gaps(self._sorted(rows) if self.scattered else rows)

    def _of_notes(self) -> Iterator[Record | RecordFault]:
        for row in self.inner.records():
            if isinstance(row, RecordFault) or not (key := _note_of(row, self.group)):
                yield row
            else:
                yield replace(row, note=NoteLine(key, self.between))

    def _sorted(self, rows: Iterable[Record | RecordFault]) -> Iterator[Record | RecordFault]:
        notes: dict[str | int, list[Record | RecordFault]] = {}
        last: str | int = 0
        for count, row in enumerate(rows):
            if count == MAX_SCATTERED_ROWS:
                raise unreadable(
                    "lines-scattered",
                    "the lines of a note are not adjacent, and the table is too large to sort",
                    hint="sort the table by its --group-by and --order-by columns first",
                )
            # An unreadable row stays after the row that came before it.
            key = last if isinstance(row, RecordFault) else _key_of(row)
            notes.setdefault(key, []).append(row)
            last = key
        for note in notes.values():
            yield from sorted(note, key=lambda row: _line_sort_key(row, self.order))


def as_line_source(source: RecordSource, options: ReadOptions) -> RecordSource:
    """The source as a table of lines, if it has the column that `--group-by` names.

    Raises:
        DeidError: `order-missing` if the source lacks the column that `--order-by` names.
    """
    if options.group_by is None or options.group_by not in source.columns:
        return source
    if options.order_by is not None and options.order_by not in source.columns:
        raise unreadable(
            "order-missing",
            "the table lacks the column that --order-by names",
            hint="the name must equal the header exactly",
        )
    group = source.columns.index(options.group_by)
    order = None if options.order_by is None else source.columns.index(options.order_by)
    lines = LineSource(source, group, order, _are_scattered(source, group, order), "\n")
    return replace(lines, between="") if _is_cut(lines, options.text_column) else lines


def _is_cut(lines: LineSource, text_column: str | None) -> bool:
    """Whether a sample of the named column, or of the longest, shows that lines are cut."""
    sample = [r for r in islice(lines.records(), CUT_SAMPLE) if isinstance(r, Record)]
    if not sample:
        return False
    columns = range(len(lines.columns))
    sizes = [sum(len(row.cells[i] or "") for row in sample) for i in columns]
    named = text_column in lines.columns
    text = lines.columns.index(text_column) if named and text_column else sizes.index(max(sizes))
    cells = [(row.note, row.cells[text] or "") for row in sample]
    pairs = [(a, b) for (n, a), (m, b) in pairwise(cells) if n is not None and n == m]
    return are_cut_lines(pairs, max(len(cell) for _, cell in cells))


def unwrapped_source(source: RecordSource) -> RecordSource:
    """Return the source as its format opened it, without the notes."""
    return source.inner if isinstance(source, LineSource) else source


def _are_scattered(source: RecordSource, group: int, order: int | None) -> bool:
    seen: set[str] = set()
    last: tuple[str, tuple[float, str]] = ("", (0.0, ""))
    for row in source.records():
        if isinstance(row, RecordFault):
            continue
        key, place = _note_of(row, group), _line_sort_key(row, order)
        if not key:
            last = ("", place)
            continue
        if (key == last[0] and place < last[1]) or (key != last[0] and key in seen):
            return True
        seen.add(key)
        last = (key, place)
    return False


def _note_of(row: Record, group: int) -> str:
    """The note key of a row, without padding."""
    return (row.cells[group] or "").strip()


def _key_of(row: Record) -> str | int:
    return -row.ordinal if row.note is None else row.note.key


def _line_sort_key(row: Record | RecordFault, order: int | None) -> tuple[float, str]:
    """The sort key of a line: its number, else its text; unreadable rows keep their place."""
    cell = None if order is None or isinstance(row, RecordFault) else row.cells[order]
    if cell is None:
        return float("inf") if order is not None else 0.0, ""
    try:
        return float(cell), ""
    except ValueError:
        return float("inf"), cell


def _without_gaps(rows: Iterable[Record | RecordFault]) -> Iterator[Record | RecordFault]:
    """Withhold the notes next to an unreadable row, because the row may belong to either note."""
    before: list[Record | RecordFault] = []
    broken = False
    for note in group_by_note(rows):
        if isinstance(note[0], RecordFault):
            yield from _withheld_rows(before)
            yield from note
            before, broken = [], True
            continue
        yield from before
        before, broken = (_withheld_rows(note) if broken else note), False
    yield from before


def _withheld_rows(note: Iterable[Record | RecordFault]) -> list[Record | RecordFault]:
    return [
        row if isinstance(row, RecordFault) else RecordFault(row.ordinal, "line-missing")
        for row in note
    ]


def group_by_note(rows: Iterable[Record | RecordFault]) -> Iterator[list[Record | RecordFault]]:
    """Group adjacent rows of the same note; every other row forms a group of its own."""
    current: list[Record | RecordFault] = []
    key: NoteLine | None = None
    for row in rows:
        own = None if isinstance(row, RecordFault) else row.note
        if current and (own is None or own != key):
            yield current
            current = []
        current.append(row)
        key = own
    if current:
        yield current
