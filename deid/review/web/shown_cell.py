"""A cell as shown on the page: lines with matching parts before and after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from deid.reports.visible import show_hidden_characters
from deid.review.released_notes import ReviewedCell
from deid.review.sampling.planted_errors import PlantedError

LinePart = tuple[int, str, int]
"""A part of a line: its start in the text, the text as shown, and its change or -1."""


@dataclass(slots=True)
class ShownLine:
    """One row of the page. A change that spans line breaks keeps its lines in one row."""

    before: list[LinePart] = field(default_factory=list)
    after: list[LinePart] = field(default_factory=list)

    def as_json(self, originals: bool) -> list[Any]:
        return [self.before if originals else None, self.after]


def is_aligned(cell: ReviewedCell) -> bool:
    """Whether original and released text agree outside the logged changes."""
    before, at, out = cell.before, 0, 0
    if before is None:
        return all(c.out_end <= len(cell.after) for c in cell.changes)
    for change in cell.changes:
        if before[at : change.start] != cell.after[out : change.out_start]:
            return False
        at, out = change.end, change.out_end
    return before[at:] == cell.after[out:]


def shown_lines(planted: PlantedError) -> list[ShownLine]:
    """The rows of a cell, aligned by its changes; one row if they cannot be aligned."""
    cell = planted.cell
    if planted.at is None and not is_aligned(cell):
        return [
            ShownLine(
                [(0, show_hidden_characters(cell.before or ""), -1)],
                [(0, show_hidden_characters(cell.after), -1)],
            )
        ]
    rows = [ShownLine()]
    before, after, at, out = cell.before, cell.after, 0, 0
    for number, change in zip(planted.numbers, cell.changes, strict=True):
        _lay(rows, at, out, after[out : change.out_start])
        left = "" if before is None else before[change.start : change.end]
        rows[-1].before.append((change.start, show_hidden_characters(left), number))
        right = after[change.out_start : change.out_end]
        rows[-1].after.append((change.out_start, show_hidden_characters(right), number))
        at, out = change.end, change.out_end
    _lay(rows, at, out, after[out:])
    return rows


def _lay(rows: list[ShownLine], left: int, right: int, unchanged: str) -> None:
    """Add rows for unchanged text from `left` in the original and `right` in the release."""
    for number, text in enumerate(unchanged.split("\n")):
        if number:
            rows.append(ShownLine())
        shown = show_hidden_characters(text.removesuffix("\r"))
        if shown:
            rows[-1].after.append((right, shown, -1))
            rows[-1].before.append((left, shown, -1))
        left, right = left + len(text) + 1, right + len(text) + 1


def changes_json(planted: PlantedError) -> list[dict[str, Any]]:
    """The value-free description of each change for the page."""
    return [
        {
            "change": number,
            "word": change.identifier.value,
            "entity": change.entity,
            "transform": change.transform,
            "left": change.residue.value,
            "source": change.source,
            "score": round(change.score, 3),
        }
        for number, change in zip(planted.numbers, planted.cell.changes, strict=True)
    ]


def in_released(cell: ReviewedCell, start: int, end: int) -> tuple[int, int] | None:
    """Map offsets in the original to offsets in the release; None if a change removed the text.

    If part of the text is removed, return the first remaining part.
    """
    for low, high, shift in _standing(cell.changes, len(cell.before or "")):
        first, last = max(start, low), min(end, high)
        if first < last:
            return first + shift, last + shift
    return None


def in_original(cell: ReviewedCell, start: int, end: int) -> tuple[int, int] | None:
    """Map released offsets to original offsets; a touched change is included completely."""
    if cell.before is None:
        return None
    first = last = None
    at = out = 0
    for change in (*cell.changes, None):
        stop = len(cell.after) if change is None else change.out_start
        if first is None and start < stop:
            first = at + max(0, start - out)
        if last is None and end <= stop:
            last = at + max(0, end - out)
        if change is None:
            break
        if first is None and start < change.out_end:
            first = change.start
        if last is None and end <= change.out_end:
            last = change.end
        at, out = change.end, change.out_end
    return (first or 0, len(cell.before) if last is None else last)


def _standing(changes: Sequence[Any], length: int) -> Iterator[tuple[int, int, int]]:
    at = out = 0
    for change in changes:
        yield at, change.start, out - at
        at, out = change.end, change.out_end
    yield at, length, out - at
