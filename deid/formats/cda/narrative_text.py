"""The narrative of a section: joins its text runs into one text and splits the result again.

A name may span inline tags, and a cell is understood only within its row, so the displayed text is
searched: blocks as lines, cells between bars. The scrubbed text is aligned with the original and
written back into the runs.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Any

from deid.vocabularies import is_laboratory_test, is_measurement
from deid.vocabularies.wording import DESCRIPTION, names_nobody
from recognizers import LABELS, held_shape
from safe_harbor import Identifier

CELL_BAR = " | "
# The separator between runs: none, between blocks, between cells of a row, between rows.
_SEPARATORS_BY_LEVEL = ("", "\n", CELL_BAR, "\n")
BLOCKS, CELLS, ROWS = 1, 2, 3
MOST_WORDS_ALONE = 3
_NUMBER_ALONE = re.compile(r"\d{5}")
# A tag, also numbered (`[NAME-1]`): an earlier job has searched this cell.
_TAG_IN_CELL = re.compile(rf"\[(?:{'|'.join(sorted(LABELS))})(?:-\d+)?\]")
LONG = 2000
_BREAK_LEVELS = {
    "table": 3, "caption": 3, "thead": 3, "tbody": 3, "tfoot": 3, "tr": 3, "td": 2, "th": 2,
    "col": 0, "colgroup": 0, "paragraph": 1, "list": 1, "item": 1, "br": 1, "content": 0,
    "sub": 0, "sup": 0, "linkHtml": 0, "footnote": 1, "footnoteRef": 0, "renderMultiMedia": 1,
}  # fmt: skip
_INDENT = re.compile(r"(?<![ \t])[ \t]*\r?\n(?:\t| {2,})[ \t]*")
# Code system URLs that EHRs write between a value and its unit.
_TERMS = re.compile(
    r"\|?https?://(?:unitsofmeasure\.org|loinc\.org|snomed\.info/sct|terminology\.hl7\.org/[\w/-]+"
    r"|hl7\.org/fhir/[\w/-]+|www\.nlm\.nih\.gov/research/umls/rxnorm)/?\|?"
)
_WORD_OR_SIGN = re.compile(r"\w+\s*|\W")


def looseness(name: str) -> int | None:
    """Return how strongly an element breaks from the text before it; None for other elements."""
    return _BREAK_LEVELS.get(name)


def edges(text: str) -> tuple[str, str, str]:
    """The white space before a text, the bare text, and the white space after it."""
    bare = text.strip()
    start = len(text) - len(text.lstrip())
    return text[:start], bare, text[start + len(bare) :]


def names_alone(cell: str) -> bool:
    """Whether a cell of a table may be a name or number that nothing beside it tells.

    A cell of few words has no context but its row, and the header above it may be any word. So it
    must consist of known words, name a test, be a measurement without a long number, or be a day,
    which the search of the row finds.
    """
    words = cell.split()
    if not 0 < len(words) <= MOST_WORDS_ALONE or _TAG_IN_CELL.search(cell):
        return False
    if names_nobody(cell, DESCRIPTION) or is_laboratory_test(cell):
        return False
    if _NUMBER_ALONE.search(cell) is None and is_measurement(cell):
        return False
    return held_shape(cell) is not Identifier.DATES


@dataclass(slots=True)
class Run:
    """A run of text: its node, its place (`text` or `tail`), and its joint to the previous run.

    A `guarded` run is left out unless the search of its row changed it.
    """

    node: Any = field(repr=False)
    place: str
    joint: str
    text: str = field(repr=False)
    before: str = ""
    after: str = ""
    guarded: bool = False

    def put(self, text: str) -> None:
        """Replace the run's text, keeping the surrounding white space."""
        kept = "" if self.guarded and text.strip() == self.text.strip() else text.strip()
        setattr(self.node, self.place, self.before + kept + self.after)


@dataclass(slots=True)
class Narrative:
    """The runs of one section in reading order."""

    path: str = "narrative"
    runs: list[Run] = field(default_factory=list, repr=False)
    length: int = 0
    loose: bool = False

    def add(
        self, node: Any, place: str, looseness: int, text: str, *, guarded: bool = False
    ) -> None:
        """Add a run that holds more than white space."""
        before, body, after = edges(text)
        loose = self.loose or bool(before or (self.runs and self.runs[-1].after))
        joint = _SEPARATORS_BY_LEVEL[looseness] or (" " if loose else "")
        self.loose = False
        body = _TERMS.sub(" ", _INDENT.sub(" ", body))
        joint = joint if self.runs else ""
        self.runs.append(Run(node, place, joint, body, before, after, guarded))
        self.length += len(body)

    def is_full(self, looseness: int) -> bool:
        """Whether the text is so long that the next row or block starts a new leaf."""
        return (looseness == ROWS and self.length > LONG) or (
            looseness == BLOCKS and self.length > 4 * LONG
        )

    @property
    def value(self) -> str:
        """The joined text."""
        return "".join(run.joint + run.text for run in self.runs)

    def put(self, cell: str | None) -> None:
        """Write a scrubbed text back into the runs."""
        texts = unweave([(run.joint, run.text) for run in self.runs], cell or "")
        for run, text in zip(self.runs, texts, strict=True):
            run.put(text)


def unweave(runs: Sequence[tuple[str, str]], scrubbed: str) -> list[str]:
    """Split the scrubbed text among (joint, text) runs; each character goes to at most one.

    Only joints are left out. A replacement that covers a joint goes to the first run that it
    covers.
    """
    original = "".join(joint + text for joint, text in runs)
    alignment = _Alignment(original, scrubbed)
    parts, at = [], 0
    for joint, text in runs:
        start = at + len(joint)
        at = start + len(text)
        parts.append((alignment.across(start), alignment.across(at)))
    return [scrubbed[low:high] for low, high in _disjoint_spans(parts)]


def _disjoint_spans(parts: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    done = 0
    for low, high in parts:
        low = max(low, done)
        done = max(done, high)
        yield low, max(low, high)


Piece = tuple[int, int, int, int]
"""Start and end in the original text, then start and end in the scrubbed text."""


class _Alignment:
    """Maps offsets in the original text to offsets in the scrubbed text."""

    def __init__(self, original: str, scrubbed: str) -> None:
        self._original, self._scrubbed = original, scrubbed
        self._pieces = list(_matching_lines(original, scrubbed))
        self._starts = [piece[0] for piece in self._pieces]
        self._words: dict[int, list[Piece]] = {}

    def across(self, place: int) -> int:
        """The matching offset in the scrubbed text; within a replacement, the replacement's end."""
        index = bisect_right(self._starts, place) - 1
        if index < 0:
            return 0
        a, b, c, d = self._pieces[index]
        if place == a:
            return c
        if place >= b:  # within a bar, which is the same in both texts
            is_last = index + 1 == len(self._pieces)
            return d if is_last else min(d + place - b, self._pieces[index + 1][2])
        if self._original[a:b] == self._scrubbed[c:d]:
            return c + place - a
        if index not in self._words:
            self._words[index] = list(_matching_words(self._original[a:b], self._scrubbed[c:d]))
        for start, end, other, _ in self._words[index]:
            if place - a <= end:
                return c + other + max(0, place - a - start)
        return d


def _matching_lines(original: str, scrubbed: str) -> Iterator[Piece]:
    """Pairs of matching lines, split into cells if both lines have the same number of cells."""
    a, b = original.splitlines(keepends=True), scrubbed.splitlines(keepends=True)
    x = y = 0
    for i, j, k, m in _paired(a, b):
        left, right = "".join(a[i:j]), "".join(b[k:m])
        yield from _matching_cells(left, right, x, y)
        x, y = x + len(left), y + len(right)


def _paired(a: Sequence[str], b: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    if len(a) == len(b):
        yield from ((i, i + 1, i, i + 1) for i in range(len(a)))
        return
    for _, i, j, k, m in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if j - i == m - k:
            yield from ((i + n, i + n + 1, k + n, k + n + 1) for n in range(j - i))
        else:
            yield i, j, k, m


def _matching_cells(left: str, right: str, x: int, y: int) -> Iterator[Piece]:
    a, b = left.split(CELL_BAR), right.split(CELL_BAR)
    if len(a) != len(b):
        yield x, x + len(left), y, y + len(right)
        return
    for one, other in zip(a, b, strict=True):
        yield x, x + len(one), y, y + len(other)
        x, y = x + len(one) + len(CELL_BAR), y + len(other) + len(CELL_BAR)


def _matching_words(left: str, right: str) -> Iterator[Piece]:
    """The runs of whole words common to both texts, in order."""
    a, b = _WORD_OR_SIGN.findall(left), _WORD_OR_SIGN.findall(right)
    x, y = [0, *accumulate(map(len, a))], [0, *accumulate(map(len, b))]
    for i, k, size in SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks():
        yield x[i], x[i + size], y[k], y[k + size]
