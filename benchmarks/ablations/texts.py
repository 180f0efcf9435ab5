"""Annotated texts, read once: the output of the network and of every row, and the scoring."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from benchmarks.floors import Golden
from deid.evaluation.scoring import NOT_REQUIRED, GoldDocument
from recognizers import Finder, Finding
from recognizers.evidence.matching import Seen
from recognizers.model.network import ModelOutput, read_all
from recognizers.text.normalized_text import NormalizedText

GOLDEN = "golden lines"


@dataclass(frozen=True)
class Score:
    """What was lost in one text or several. For golden lines, `leaks` counts missed lines, `lost`
    counts must-stay lines that lose text, and `exact` counts lines that are met exactly.
    """

    leaks: int = 0
    lost: int = 0
    exact: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(self.leaks + other.leaks, self.lost + other.lost, self.exact + other.exact)


@dataclass(frozen=True, eq=False)
class Text:
    """One text with the output of the network and of the rows."""

    corpus: str
    text: str = field(repr=False)
    output: ModelOutput = field(repr=False)
    seen: tuple[Seen, ...] = field(repr=False)

    @property
    def rows(self) -> list[str]:
        return [seen.row for seen in self.seen]

    def score(self, found: Iterable[Finding]) -> Score:
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Note(Text):
    """A text of a corpus: its spans by label, and the words outside every span."""

    spans: tuple[tuple[int, int, str], ...] = ()
    words: tuple[tuple[int, int], ...] = ()

    def leaked(self, found: Iterable[Finding]) -> list[str]:
        """The label of each span that is not wholly covered, including labels that are not
        required.
        """
        mask = bytearray(not char.isalnum() for char in self.text)
        for finding in found:
            mask[finding.start : finding.end] = b"\1" * (finding.end - finding.start)
        return [label for start, end, label in self.spans if mask.find(0, start, end) >= 0]

    def score(self, found: Iterable[Finding]) -> Score:
        found = list(found)
        mask = bytearray(len(self.text))
        for finding in found:
            mask[finding.start : finding.end] = b"\1" * (finding.end - finding.start)
        leaks = sum(label not in NOT_REQUIRED for label in self.leaked(found))
        return Score(leaks, sum(mask.find(1, start, end) >= 0 for start, end in self.words))


@dataclass(frozen=True, eq=False)
class Line(Text):
    """A golden line."""

    golden: Golden = field(default=Golden("", "", "", frozenset()), repr=False)

    def score(self, found: Iterable[Finding]) -> Score:
        verdict = self.golden.judged(list(found))
        return Score(int(verdict == "missed"), int(verdict == "touched"), int(not verdict))


def notes(finder: Finder, name: str, documents: Sequence[GoldDocument]) -> list[Note]:
    """The documents of a corpus, read."""
    return [
        Note(*read, spans=required(document), words=clean_words(document))
        for read, document in zip(
            readings(finder, name, [d.text for d in documents]), documents, strict=True
        )
    ]


def lines(finder: Finder, examples: Sequence[Golden]) -> list[Line]:
    """The golden lines, read."""
    read = readings(finder, GOLDEN, [example.text for example in examples])
    return [Line(*one, golden=example) for one, example in zip(read, examples, strict=True)]


Read = tuple[str, str, ModelOutput, tuple[Seen, ...]]


def readings(finder: Finder, name: str, texts: Sequence[str]) -> list[Read]:
    assert finder.model is not None
    found: list[Read] = []
    for text, output in zip(texts, read_all(finder.model, texts), strict=True):
        page = NormalizedText.of(text)
        seen = tuple(finder.rules.search(page))
        found.append((name, text, output, seen))
    return found


def required(document: GoldDocument) -> tuple[tuple[int, int, str], ...]:
    return tuple((s.start, s.end, s.label) for s in document.spans if s.label is not None)


def clean_words(document: GoldDocument) -> tuple[tuple[int, int], ...]:
    mask = bytearray(len(document.text))
    for span in document.spans:
        mask[span.start : span.end] = b"\1" * (span.end - span.start)
    words = (match.span() for match in re.finditer(r"\w+", document.text))
    return tuple((start, end) for start, end in words if mask.find(1, start, end) < 0)
