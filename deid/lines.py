"""Notes stored as rows of lines: joined before the search, split again after it.

Clarity keeps a note as rows (note, line number, text), cut anywhere: a name may begin in one row
and end in the next. The rows of a note are searched as one text; what is taken out across a cut
stands in the row where it began.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from deid.change import Change
from deid.errors import UNREADABLE, DeidError
from deid.formats import Fault, ReadOptions, Record, Source

# Shorter lines than this are never taken for the pieces of a text cut at a fixed width.
LEAST_CUT = 20
# Rows of notes that do not lie together are sorted in memory, up to so many.
MOST_SCATTERED = 2_000_000


@dataclass(frozen=True, slots=True)
class Joined:
    """The text of several lines and where each begins and ends in it. The `repr` shows counts."""

    text: str = field(repr=False)
    bounds: tuple[tuple[int, int], ...] = field(repr=False)

    def __repr__(self) -> str:
        return f"Joined({len(self.bounds)} lines)"


def join(lines: Sequence[str]) -> Joined:
    """The lines as one text: as they are where they were cut or end their lines, else one a line.

    Cut at a fixed width means that all but the last are equally long; then nothing stands between.
    """
    between = "" if _are_cut(lines) or any(line.endswith("\n") for line in lines[:-1]) else "\n"
    bounds, place = [], 0
    for line in lines:
        bounds.append((place, place + len(line)))
        place += len(line) + len(between)
    return Joined(between.join(lines), tuple(bounds))


def _are_cut(lines: Sequence[str]) -> bool:
    widths = {len(line) for line in lines[:-1]}
    return len(widths) == 1 and widths.pop() >= LEAST_CUT and len(lines[-1]) <= len(lines[0])


def split(
    joined: Joined, text: str, changes: Sequence[Change]
) -> list[tuple[str, tuple[Change, ...]]]:
    """The scrubbed text as lines again, each with its own changes and offsets.

    `changes` are those of the joined text, ordered and disjoint. A line that one change swallows
    whole is empty.
    """
    cuts = _Cuts(changes)
    lines = []
    for start, end in joined.bounds:
        out_start, out_end = cuts.moved(start), cuts.moved(end)
        own = tuple(
            replace(
                change,
                start=change.start - start,
                end=min(change.end, end) - start,
                out_start=change.out_start - out_start,
                out_end=change.out_end - out_start,
            )
            for change in changes
            if start <= change.start < end
        )
        lines.append((text[out_start:out_end], own))
    return lines


class _Cuts:
    """Places of the joined text as places of the scrubbed one."""

    def __init__(self, changes: Sequence[Change]) -> None:
        self._changes = changes
        self._starts = [change.start for change in changes]

    def moved(self, place: int) -> int:
        """Where a place lies now; one within a change lies behind what replaced it."""
        before = bisect_right(self._starts, place - 1)
        if not before:
            return place
        last = self._changes[before - 1]
        return last.out_end if place <= last.end else last.out_end + place - last.end


@dataclass(frozen=True, slots=True)
class LineSource:
    """A table of lines, its rows in the order of the notes, each with the key of its note.

    `inner` is the table as it was opened, `scattered` says that its rows have to be put in order.
    A row without a key is a note of its own.
    """

    inner: Source
    group: int
    order: int | None
    scattered: bool

    @property
    def columns(self) -> tuple[str, ...]:
        return self.inner.columns

    def records(self) -> Iterator[Record | Fault]:
        """Every row with its note; a row that could not be read takes its neighbours along."""
        rows = _of_notes(self.inner.records(), self.group)
        yield from _without_gaps(self._sorted(rows) if self.scattered else rows)

    def _sorted(self, rows: Iterable[Record | Fault]) -> Iterator[Record | Fault]:
        notes: dict[str | int, list[Record | Fault]] = {}
        last: str | int = 0
        for count, row in enumerate(rows):
            if count == MOST_SCATTERED:
                raise DeidError(
                    "lines-scattered",
                    "the lines of a note do not lie together in a table of very many rows",
                    hint="sort the table by the columns of --group-by and --order-by",
                    exit_code=UNREADABLE,
                )
            # An unreadable row stays where it stood, behind the row before it.
            key = last if isinstance(row, Fault) else row.note or -row.ordinal
            notes.setdefault(key, []).append(row)
            last = key
        for note in notes.values():
            yield from sorted(note, key=lambda row: _place(row, self.order))


def in_lines(source: Source, options: ReadOptions) -> Source:
    """The source as a table of lines, if it has the column that `--group-by` names.

    Raises:
        DeidError: `order-missing`, where it lacks the column that `--order-by` names.
    """
    if options.group_by is None or options.group_by not in source.columns:
        return source
    if options.order_by is not None and options.order_by not in source.columns:
        raise DeidError(
            "order-missing", "the table has no column that --order-by names", exit_code=UNREADABLE
        )
    group = source.columns.index(options.group_by)
    order = None if options.order_by is None else source.columns.index(options.order_by)
    return LineSource(source, group, order, _are_scattered(source, group, order))


def inner_of(source: Source) -> Source:
    """The source as its format opened it."""
    return source.inner if isinstance(source, LineSource) else source


def _are_scattered(source: Source, group: int, order: int | None) -> bool:
    seen: set[str] = set()
    last: tuple[str | None, tuple[float, str]] = (None, (0.0, ""))
    for row in source.records():
        if isinstance(row, Fault):
            continue
        key, place = row.cells[group], _place(row, order)
        if key is None or (key == last[0] and place < last[1]) or (key != last[0] and key in seen):
            if key is not None:
                return True
            continue
        seen.add(key)
        last = (key, place)
    return False


def _place(row: Record | Fault, order: int | None) -> tuple[float, str]:
    """Where a line stands in its note: by number, else by letter; unread ones where they stood."""
    cell = None if order is None or isinstance(row, Fault) else row.cells[order]
    if cell is None:
        return float("inf") if order is not None else 0.0, ""
    try:
        return float(cell), ""
    except ValueError:
        return float("inf"), cell


def _of_notes(records: Iterable[Record | Fault], group: int) -> Iterator[Record | Fault]:
    for row in records:
        yield row if isinstance(row, Fault) else replace(row, note=row.cells[group] or None)


def _without_gaps(rows: Iterable[Record | Fault]) -> Iterator[Record | Fault]:
    """Nobody knows which note an unreadable row belongs to: its neighbours are withheld with it."""
    before: list[Record | Fault] = []
    broken = False
    for note in notes(rows):
        if isinstance(note[0], Fault):
            yield from _withheld(before)
            yield from note
            before, broken = [], True
            continue
        yield from before
        before, broken = (_withheld(note) if broken else note), False
    yield from before


def _withheld(note: Iterable[Record | Fault]) -> list[Record | Fault]:
    return [row if isinstance(row, Fault) else Fault(row.ordinal, "line-missing") for row in note]


def notes(rows: Iterable[Record | Fault]) -> Iterator[list[Record | Fault]]:
    """Rows that lie together and have the same note; every other row alone."""
    current: list[Record | Fault] = []
    key: str | None = None
    for row in rows:
        own = None if isinstance(row, Fault) else row.note
        if current and (own is None or own != key):
            yield current
            current = []
        current.append(row)
        key = own
    if current:
        yield current
