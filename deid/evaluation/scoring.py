"""Scores findings against annotated text.

A gold span is covered if findings of any type cover all of its letters and digits, because
annotations differ on span edges. Precision counts characters; retention counts words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from recognizers import Finding

NOT_REQUIRED = frozenset({"WEEKDAY"})
"""Labels that are reported separately; overall recall and clean documents leave them out."""

WORD_RUN = re.compile(r"\w+")
REPLICATES = 1000
INTERVAL = (2.5, 97.5)

CharacterMask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class GoldSpan:
    """Half-open code point offsets; `label` is None if the span is not scored."""

    start: int
    end: int
    label: str | None

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise ValueError(f"empty or negative span {self.start}..{self.end}")


@dataclass(frozen=True, slots=True)
class GoldDocument:
    """An annotated text. Its `repr` shows no content."""

    ordinal: int
    text: str = field(repr=False)
    spans: tuple[GoldSpan, ...] = field(repr=False)

    def __post_init__(self) -> None:
        if any(span.end > len(self.text) for span in self.spans):
            raise ValueError(f"document {self.ordinal}: a span ends beyond the text")


@dataclass(slots=True)
class LabelTally:
    """Counts of spans and of their letters and digits: total and covered."""

    spans: int = 0
    covered: int = 0
    characters: int = 0
    covered_characters: int = 0

    def add(self, other: LabelTally) -> None:
        self.spans += other.spans
        self.covered += other.covered
        self.characters += other.characters
        self.covered_characters += other.covered_characters

    def row(self) -> dict[str, float | int | None]:
        return {
            "spans": self.spans,
            "covered": self.covered,
            "leaked_spans": self.spans - self.covered,
            "recall": _share_or_none(self.covered, self.spans),
            "character_recall": _share_or_none(self.covered_characters, self.characters),
        }


@dataclass(slots=True)
class DocumentTally:
    """The counts of one or several documents. Characters are letters and digits only."""

    by_label: dict[str, LabelTally] = field(default_factory=dict)
    documents: int = 0
    clean: int = 0
    length: int = 0
    required: int = 0
    covered: int = 0
    found: int = 0
    right: int = 0
    words: int = 0
    kept: int = 0
    all_words: int = 0

    def numbers(self) -> list[int]:
        """Return the counts behind the ratios, in the order that `_ratios` expects."""
        return [self.covered, self.required, self.right, self.found, self.kept, self.words,
                self.clean, self.documents]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Report:
    """Accuracy over a corpus; `intervals` are 95% document bootstrap intervals. Holds no text."""

    documents: int
    characters: int
    by_label: Mapping[str, Mapping[str, float | int | None]]
    recall: float | None
    precision: float | None
    clean_documents: int
    retention: float | None
    leaks_per_10000_words: float | None
    seconds: float
    characters_per_second: float | None
    not_required: tuple[str, ...]
    intervals: Mapping[str, tuple[float, float] | None]


def evaluate_findings(
    documents: Sequence[GoldDocument],
    findings: Sequence[Sequence[Finding]],
    seconds: float,
    *,
    not_required: frozenset[str] = NOT_REQUIRED,
) -> Report:
    """Score `findings`, one sequence per document.

    Args:
        seconds: the time taken to find them, measured by the caller.
        not_required: labels that are only reported separately.
    """
    tallies = [
        count_document(document, found, not_required)
        for document, found in zip(documents, findings, strict=True)
    ]
    total = _sum_of_tallies(tallies)
    counts = np.array([t.numbers() for t in tallies], np.int64).reshape(-1, 8)
    recall, precision, retention, _ = _ratios(counts.sum(axis=0))
    return Report(
        documents=total.documents,
        characters=total.length,
        by_label={label: total.by_label[label].row() for label in sorted(total.by_label)},
        recall=recall,
        precision=precision,
        clean_documents=total.clean,
        retention=retention,
        leaks_per_10000_words=_share_or_none(
            10_000 * (total.required - total.covered), total.all_words
        ),
        seconds=round(seconds, 3),
        characters_per_second=round(total.length / seconds, 1) if seconds > 0 else None,
        not_required=tuple(sorted(not_required)),
        intervals=_intervals(counts, np.random.default_rng(0)),
    )


def count_document(
    document: GoldDocument, found: Sequence[Finding], not_required: frozenset[str]
) -> DocumentTally:
    """Count the spans, characters and words of one document."""
    text = document.text
    alnum = np.fromiter(map(str.isalnum, text), np.bool_, len(text))
    covered = _mask(len(text), ((f.start, f.end) for f in found))
    gold = _mask(len(text), ((s.start, s.end) for s in document.spans if s.label is not None))
    neutral = _mask(len(text), ((s.start, s.end) for s in document.spans if s.label is None))
    counted = alnum & covered & (gold | ~neutral)
    result = DocumentTally(documents=1, length=len(text))
    result.found, result.right = int(counted.sum()), int((counted & gold).sum())
    for span in document.spans:
        if span.label is not None:
            _count_span(result, span, alnum, covered, not_required)
    result.clean = int(result.covered == result.required)
    for start, end in _word_spans(text):
        result.all_words += 1
        if not (gold[start:end].any() or neutral[start:end].any()):
            result.words += 1
            result.kept += int(not covered[start:end].any())
    return result


def by_note(
    documents: Sequence[GoldDocument],
    findings: Sequence[Sequence[Finding]],
    not_required: frozenset[str] = NOT_REQUIRED,
) -> list[dict[str, float | int | None]]:
    """One row per document, by ordinal: required spans, leaks, recall and precision."""
    rows: list[dict[str, float | int | None]] = []
    for document, found in zip(documents, findings, strict=True):
        one = count_document(document, found, not_required)
        recall, precision, retention, _ = _ratios(np.array(one.numbers(), np.int64))
        rows.append(
            {
                "document": document.ordinal,
                "spans": one.required,
                "leaked_spans": one.required - one.covered,
                "recall": recall,
                "precision": precision,
                "retention": retention,
            }
        )
    return rows


def over_redactions(
    documents: Sequence[GoldDocument], findings: Sequence[Sequence[Finding]], most: int
) -> list[tuple[str, str, int]]:
    """The most frequent findings outside all gold spans: (entity, lower-case text, count)."""
    counts: Counter[tuple[str, str]] = Counter()
    for document, found in zip(documents, findings, strict=True):
        marked = _mask(len(document.text), ((s.start, s.end) for s in document.spans))
        for finding in found:
            if not marked[finding.start : finding.end].any():
                value = document.text[finding.start : finding.end]
                counts[finding.entity, " ".join(value.lower().split())] += 1
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [(entity, text, times) for (entity, text), times in ranked[:most]]


def _count_span(
    result: DocumentTally,
    span: GoldSpan,
    alnum: CharacterMask,
    covered: CharacterMask,
    not_required: frozenset[str],
) -> None:
    inside = alnum[span.start : span.end]
    size, hit = int(inside.sum()), int((inside & covered[span.start : span.end]).sum())
    whole = int(hit == size)
    row = result.by_label.setdefault(str(span.label), LabelTally())
    row.add(LabelTally(1, whole, size, hit))
    if span.label not in not_required:
        result.required += 1
        result.covered += whole


def _sum_of_tallies(tallies: Iterable[DocumentTally]) -> DocumentTally:
    total = DocumentTally()
    names = ("documents", "clean", "length", "required", "covered", "found", "right", "words",
             "kept", "all_words")  # fmt: skip
    for part in tallies:
        for name in names:
            setattr(total, name, getattr(total, name) + getattr(part, name))
        for label, row in part.by_label.items():
            total.by_label.setdefault(label, LabelTally()).add(row)
    return total


def _ratios(counts: NDArray[np.int64]) -> tuple[float | None, ...]:
    return tuple(_share_or_none(int(counts[at]), int(counts[at + 1])) for at in range(0, 8, 2))


def _intervals(
    counts: NDArray[np.int64], chance: np.random.Generator
) -> dict[str, tuple[float, float] | None]:
    names = ("recall", "precision", "retention", "clean_share")
    if len(counts) == 0:
        return dict.fromkeys(names)
    shares = np.full(len(counts), 1 / len(counts))
    sums = chance.multinomial(len(counts), shares, REPLICATES) @ counts
    found: dict[str, tuple[float, float] | None] = {}
    for at, name in enumerate(names):
        part, whole = sums[:, 2 * at], sums[:, 2 * at + 1]
        ratios = part[whole > 0] / whole[whole > 0]
        low, high = np.percentile(ratios, INTERVAL) if len(ratios) else (np.nan, np.nan)
        found[name] = (round(float(low), 4), round(float(high), 4)) if len(ratios) else None
    return found


def _mask(length: int, spans: Iterable[tuple[int, int]]) -> CharacterMask:
    mask = np.zeros(length, np.bool_)
    for start, end in spans:
        mask[start:end] = True
    return mask


def _word_spans(text: str) -> Iterator[tuple[int, int]]:
    return (match.span() for match in WORD_RUN.finditer(text))


def _share_or_none(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
