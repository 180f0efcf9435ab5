"""The narrative of a section: its text runs woven into one text, and taken apart again.

A name may straddle inline tags, and a table's cell means little without its row, so the search
sees what a reader sees: blocks as lines, cells between bars. What it wrote is laid back into the
runs by lining it up with the original; nothing but what it wrote is ever put into the document.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Any

CELL_BAR = " | "
# How runs are joined: not, as blocks, as cells of a row, as rows.
_JOINTS = ("", "\n", CELL_BAR, "\n")
BLOCKS, CELLS, ROWS = 1, 2, 3
LONG = 2000
_LOOSE = {
    "table": 3, "caption": 3, "thead": 3, "tbody": 3, "tfoot": 3, "tr": 3, "td": 2, "th": 2,
    "col": 0, "colgroup": 0, "paragraph": 1, "list": 1, "item": 1, "br": 1, "content": 0,
    "sub": 0, "sup": 0, "linkHtml": 0, "footnote": 1, "footnoteRef": 0, "renderMultiMedia": 1,
}  # fmt: skip
_INDENT = re.compile(r"(?<![ \t])[ \t]*\r?\n(?:\t| {2,})[ \t]*")
# The addresses of code systems, as EHRs write them between a value and its unit.
_TERMS = re.compile(
    r"\|?https?://(?:unitsofmeasure\.org|loinc\.org|snomed\.info/sct|terminology\.hl7\.org/[\w/-]+"
    r"|hl7\.org/fhir/[\w/-]+|www\.nlm\.nih\.gov/research/umls/rxnorm)/?\|?"
)
_WORD = re.compile(r"\w+\s*|\W")


def looseness(name: str) -> int | None:
    """How an element of the narrative stands off from what is before; None for any other."""
    return _LOOSE.get(name)


def edges(text: str) -> tuple[str, str, str]:
    """The white space before a text, the text, the white space after it."""
    bare = text.strip()
    start = len(text) - len(text.lstrip())
    return text[:start], bare, text[start + len(bare) :]


@dataclass(slots=True)
class Run:
    """A stretch of text: its node, `text` or `tail`, what joins it to the run before."""

    node: Any = field(repr=False)
    place: str
    joint: str
    text: str = field(repr=False)
    before: str = ""
    after: str = ""

    def put(self, text: str) -> None:
        """Lay a text in the place of the run, between the white space that stood around it."""
        setattr(self.node, self.place, self.before + text.strip() + self.after)


@dataclass(slots=True)
class Narrative:
    """The runs of one section in the order of reading."""

    path: str = "narrative"
    runs: list[Run] = field(default_factory=list, repr=False)
    length: int = 0
    loose: bool = False

    def add(self, node: Any, place: str, looseness: int, text: str) -> None:
        """Add a run that holds more than white space; what stands around it stays."""
        before, body, after = edges(text)
        loose = self.loose or bool(before or (self.runs and self.runs[-1].after))
        joint = _JOINTS[looseness] or (" " if loose else "")
        self.loose = False
        body = _TERMS.sub(" ", _INDENT.sub(" ", body))
        self.runs.append(Run(node, place, joint if self.runs else "", body, before, after))
        self.length += len(body)

    def is_full(self, looseness: int) -> bool:
        """Is it long, and what comes next the beginning of a row, or of a block if very long?"""
        return (looseness == ROWS and self.length > LONG) or (
            looseness == BLOCKS and self.length > 4 * LONG
        )

    @property
    def value(self) -> str:
        """The woven text."""
        return "".join(run.joint + run.text for run in self.runs)

    def put(self, cell: str | None) -> None:
        """Lay a scrubbed text back into the runs."""
        texts = unweave([(run.joint, run.text) for run in self.runs], cell or "")
        for run, text in zip(self.runs, texts, strict=True):
            run.put(text)


def unweave(runs: Sequence[tuple[str, str]], scrubbed: str) -> list[str]:
    """For each (joint, text) its part of the scrubbed whole; every character goes to one at most.

    Only joints are left out. A replacement that swallowed a joint goes to the first of its runs.
    """
    original = "".join(joint + text for joint, text in runs)
    alignment = _Alignment(original, scrubbed)
    parts, at = [], 0
    for joint, text in runs:
        start = at + len(joint)
        at = start + len(text)
        parts.append((alignment.across(start), alignment.across(at)))
    return [scrubbed[low:high] for low, high in _disjoint(parts)]


def _disjoint(parts: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    done = 0
    for low, high in parts:
        low = max(low, done)
        done = max(done, high)
        yield low, max(low, high)


Piece = tuple[int, int, int, int]
"""Start and end in the original, start and end in the scrubbed text."""


class _Alignment:
    """Where the places of an original lie in the scrubbed text."""

    def __init__(self, original: str, scrubbed: str) -> None:
        self._original, self._scrubbed = original, scrubbed
        self._pieces = list(_pieces(original, scrubbed))
        self._starts = [piece[0] for piece in self._pieces]
        self._words: dict[int, list[Piece]] = {}

    def across(self, place: int) -> int:
        """The place in the scrubbed text; of one inside a replacement, its end."""
        index = bisect_right(self._starts, place) - 1
        if index < 0:
            return 0
        a, b, c, d = self._pieces[index]
        if place == a:
            return c
        if place >= b:
            return d
        if self._original[a:b] == self._scrubbed[c:d]:
            return c + place - a
        if index not in self._words:
            self._words[index] = list(_words(self._original[a:b], self._scrubbed[c:d]))
        for start, end, other, _ in self._words[index]:
            if place - a <= end:
                return c + other + max(0, place - a - start)
        return d


def _pieces(original: str, scrubbed: str) -> Iterator[Piece]:
    """Lines that answer to each other, cut at the cells where both have as many."""
    a, b = original.splitlines(keepends=True), scrubbed.splitlines(keepends=True)
    x = y = 0
    for i, j, k, m in _paired(a, b):
        left, right = "".join(a[i:j]), "".join(b[k:m])
        yield from _cells(left, right, x, y)
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


def _cells(left: str, right: str, x: int, y: int) -> Iterator[Piece]:
    a, b = left.split(CELL_BAR), right.split(CELL_BAR)
    if len(a) != len(b):
        yield x, x + len(left), y, y + len(right)
        return
    for one, other in zip(a, b, strict=True):
        yield x, x + len(one), y, y + len(other)
        x, y = x + len(one) + len(CELL_BAR), y + len(other) + len(CELL_BAR)


def _words(left: str, right: str) -> Iterator[Piece]:
    """The stretches of whole words that both have, in order."""
    a, b = _WORD.findall(left), _WORD.findall(right)
    x, y = [0, *accumulate(map(len, a))], [0, *accumulate(map(len, b))]
    for i, k, size in SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks():
        yield x[i], x[i + size], y[k], y[k + size]
