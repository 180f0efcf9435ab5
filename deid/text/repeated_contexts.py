"""The same words beside the same words: what a later search finds once goes wherever it stands so.

The model reads a text in windows. In a note that repeats itself it meets one line at other places
of a window each time, and may find a doubtful word in some of them only; what is replaced moves
the windows, and the next search finds others. Taken one by one, they would take a round each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from recognizers import Cover, Finding

REACH = 16
# A note that repeats itself has few values; each takes a walk through the text.
MOST = 256
_FIGURES = str.maketrans("123456789", "000000000")

Beside = tuple[str, str]


def same_context_repeats(
    text: str, found: Sequence[Finding], taken: Sequence[Finding]
) -> list[Finding]:
    """Every further place of what was found with the same words beside it, in order.

    Figures beside it may differ. `taken` is what was found before; no place overlaps it, or
    `found`.
    """
    wanted: dict[str, dict[Beside, Finding]] = defaultdict(dict)
    for finding in found:
        beside = _beside(text, finding.start, finding.end)
        wanted[text[finding.start : finding.end]].setdefault(beside, finding)
    places = [
        replace(first, start=start, end=start + len(value))
        for value, sides in islice(wanted.items(), MOST)
        for start in _places(text, value)
        if (first := sides.get(_beside(text, start, start + len(value)))) is not None
    ]
    return _free(places, [*taken, *found])


def _places(text: str, value: str) -> Iterator[int]:
    at = text.find(value) if value else -1
    while at >= 0:
        yield at
        at = text.find(value, at + len(value))


def _beside(text: str, start: int, end: int) -> Beside:
    """What stands before and behind it on its line, as far as is looked."""
    before = text[max(0, start - REACH) : start].rpartition("\n")[2]
    behind = text[end : end + REACH].partition("\n")[0]
    return before.translate(_FIGURES), behind.translate(_FIGURES)


def _free(places: Sequence[Finding], taken: Sequence[Finding]) -> list[Finding]:
    """The places that nothing else has, the first of two that overlap."""
    cover, free, reached = Cover(taken), list[Finding](), 0
    for place in sorted(places, key=lambda finding: finding.start):
        if place.start >= reached and not cover.touches(place.start, place.end):
            free.append(place)
            reached = place.end
    return free
