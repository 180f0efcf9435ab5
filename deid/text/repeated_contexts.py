"""Repeat a finding of a later search wherever the same words stand next to the same value.

The model reads a text in windows. A note that repeats itself shows the same line at different
positions in a window, and the model may find a doubtful word in some of them only. Each replacement
moves the windows, so the next search finds the word at other positions. Without this module, each
place would need a round of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from recognizers import Cover, Finding

CONTEXT_CHARACTERS = 16
# Each value takes one pass over the text; a note that repeats itself has few values.
MAX_REPEATED_VALUES = 256
_FIGURES = str.maketrans("123456789", "000000000")

Neighbors = tuple[str, str]


def same_context_repeats(
    text: str, found: Sequence[Finding], taken: Sequence[Finding]
) -> list[Finding]:
    """Every further occurrence of a found value with the same words next to it, in text order.

    Digits in those words may differ. `taken` holds earlier findings; no result overlaps `taken` or
    `found`.
    """
    wanted: dict[str, dict[Neighbors, Finding]] = defaultdict(dict)
    for finding in found:
        neighbors = _neighbors_of(text, finding.start, finding.end)
        wanted[text[finding.start : finding.end]].setdefault(neighbors, finding)
    places = [
        replace(first, start=start, end=start + len(value))
        for value, by_neighbors in islice(wanted.items(), MAX_REPEATED_VALUES)
        for start in _occurrences(text, value)
        if (first := by_neighbors.get(_neighbors_of(text, start, start + len(value)))) is not None
    ]
    return _without_overlaps(places, [*taken, *found])


def _occurrences(text: str, value: str) -> Iterator[int]:
    at = text.find(value) if value else -1
    while at >= 0:
        yield at
        at = text.find(value, at + len(value))


def _neighbors_of(text: str, start: int, end: int) -> Neighbors:
    """The characters before and after a span on its line, digits masked."""
    before = text[max(0, start - CONTEXT_CHARACTERS) : start].rpartition("\n")[2]
    behind = text[end : end + CONTEXT_CHARACTERS].partition("\n")[0]
    return before.translate(_FIGURES), behind.translate(_FIGURES)


def _without_overlaps(places: Sequence[Finding], taken: Sequence[Finding]) -> list[Finding]:
    """The candidates that overlap no finding in `taken`; of two that overlap, the first."""
    cover, free, reached = Cover(taken), list[Finding](), 0
    for place in sorted(places, key=lambda finding: finding.start):
        if place.start >= reached and not cover.touches(place.start, place.end):
            free.append(place)
            reached = place.end
    return free
