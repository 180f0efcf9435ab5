"""A document under revision: the findings in the original and the current text.

Each round writes two texts: the output, and the text to search next, in which placeholders of the
same type take the place of the replaced values.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from deid.policy.model import Policy
from deid.text.change import Change
from deid.text.document import Document
from deid.text.placeholders import counts_beside_placeholder, placeholder_for
from deid.text.repeated_contexts import same_context_repeats
from deid.transforms import Numbering, TransformContext, apply
from recognizers import Finding


@dataclass(slots=True)
class Revision:
    """One document under revision.

    `place` is its index in the batch. `placeholders` are the (start, end) spans of the changes in
    `searched`. `judged` is the day on which its ages are judged.
    """

    place: int
    document: Document
    numbering: Numbering | None
    judged: date | None = None
    text: str = field(default="", repr=False)
    searched: str = field(default="", repr=False)
    findings: list[tuple[Finding, int]] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    placeholders: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.text = self.searched = self.document.text

    def take(self, found: Sequence[Finding], round_number: int) -> bool:
        """Add new findings, with offsets in the original. Returns False if nothing is new.

        A finding of a later search is repeated wherever the same words stand next to the same
        value.
        """
        unreplaced = self._unreplaced()
        new = [
            replace(finding, start=start, end=end)
            for finding in found
            for start, end in self._original_spans(finding, unreplaced)
        ]
        if round_number > 1 and new:
            new += same_context_repeats(
                self.document.text, new, [finding for finding, _ in self.findings]
            )
        rounds = self.findings + [(finding, round_number) for finding in new]
        self.findings = sorted(rounds, key=lambda pair: pair[0].start)
        return bool(new)

    def _original_spans(
        self, finding: Finding, unreplaced: Sequence[tuple[int, int, int]]
    ) -> list[tuple[int, int]]:
        """The spans of the original, not yet replaced, that the finding covers."""
        start, end, spans = finding.start, finding.end, list[tuple[int, int]]()
        first = bisect_left(unreplaced, start, key=lambda span: span[1])
        for place in range(first, len(unreplaced)):
            kept_start, kept_end, original = unreplaced[place]
            if kept_start >= end:
                break
            low, high = max(start, kept_start), min(end, kept_end)
            shift = original - kept_start
            if (low, high) == (start, end):
                return [(start + shift, end + shift)]
            trimmed = (
                _trim_span(self.document.text, low + shift, high + shift) if low < high else None
            )
            if trimmed and counts_beside_placeholder(finding, self.document.text[slice(*trimmed)]):
                spans.append(trimmed)
        return spans

    def _unreplaced(self) -> list[tuple[int, int, int]]:
        """Unreplaced spans: start and end in the searched text, start in the original."""
        unreplaced, at, original = [], 0, 0
        for (start, end), change in zip(self.placeholders, self.changes, strict=True):
            unreplaced.append((at, start, original))
            at, original = end, change.end
        unreplaced.append((at, len(self.searched), original))
        return unreplaced

    def render(
        self, policy: Policy, context_of: Callable[[Finding, Revision], TransformContext]
    ) -> None:
        """Write both texts again from the original and all findings so far."""
        text, searched = _TextWriter(self.document.text), _TextWriter(self.document.text)
        self.changes, self.placeholders = [], []
        for finding, round_number in self.findings:
            value = self.document.text[finding.start : finding.end]
            transform = policy.transform_of(finding.entity)
            outcome = apply(transform, value, context_of(finding, self))
            out_start, out_end = text.put(finding, outcome.text)
            self.placeholders.append(searched.put(finding, placeholder_for(finding.entity, value)))
            self.changes.append(
                Change(
                    finding.start,
                    finding.end,
                    out_start,
                    out_end,
                    finding.identifier,
                    finding.entity,
                    transform.name,
                    outcome.residue,
                    finding.source,
                    finding.score,
                    round_number,
                )
            )
        self.text, self.searched = text.whole(), searched.whole()


class _TextWriter:
    """A text written from left to right: the original with replacements."""

    def __init__(self, original: str) -> None:
        self._original, self._parts, self._at, self._length = original, list[str](), 0, 0

    def put(self, finding: Finding, replacement: str) -> tuple[int, int]:
        """Copy up to the finding and add the replacement; return the replacement's span."""
        self._parts += (self._original[self._at : finding.start], replacement)
        start = self._length + finding.start - self._at
        self._at, self._length = finding.end, start + len(replacement)
        return start, self._length

    def whole(self) -> str:
        return "".join((*self._parts, self._original[self._at :]))


def _trim_span(text: str, start: int, end: int) -> tuple[int, int] | None:
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not text[end - 1].isalnum():
        end -= 1
    return (start, end) if start < end else None
