"""A document under revision: what was found in the original, and the text as it now stands.

Two texts are written anew after each round: the one that leaves, and the one that is searched
next, in which what was replaced stands as an ordinary value of its kind.
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
    """One document. `place` is its place among those scrubbed together, `standins` say where in
    `searched` each change stands: (start, end), `judged` is the day its ages are judged on."""

    place: int
    document: Document
    numbering: Numbering | None
    judged: date | None = None
    text: str = field(default="", repr=False)
    searched: str = field(default="", repr=False)
    findings: list[tuple[Finding, int]] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    standins: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.text = self.searched = self.document.text

    def take(self, found: Sequence[Finding], round_: int) -> bool:
        """Add what is new, in offsets of the original. False if nothing is.

        What a later search found goes wherever it stands with the same words beside it.
        """
        kept = self._kept()
        new = [
            replace(finding, start=start, end=end)
            for finding in found
            for start, end in self._in_original(finding, kept)
        ]
        if round_ > 1 and new:
            new += same_context_repeats(
                self.document.text, new, [finding for finding, _ in self.findings]
            )
        rounds = self.findings + [(finding, round_) for finding in new]
        self.findings = sorted(rounds, key=lambda pair: pair[0].start)
        return bool(new)

    def _in_original(
        self, finding: Finding, kept: Sequence[tuple[int, int, int]]
    ) -> list[tuple[int, int]]:
        """The stretches of the original that stand unreplaced where the search found something."""
        start, end, stretches = finding.start, finding.end, list[tuple[int, int]]()
        first = bisect_left(kept, start, key=lambda stretch: stretch[1])
        for place in range(first, len(kept)):
            kept_start, kept_end, original = kept[place]
            if kept_start >= end:
                break
            low, high = max(start, kept_start), min(end, kept_end)
            shift = original - kept_start
            if (low, high) == (start, end):
                return [(start + shift, end + shift)]
            trimmed = _trim(self.document.text, low + shift, high + shift) if low < high else None
            if trimmed and counts_beside_placeholder(finding, self.document.text[slice(*trimmed)]):
                stretches.append(trimmed)
        return stretches

    def _kept(self) -> list[tuple[int, int, int]]:
        """Unreplaced stretches: start and end in the searched text, start in the original."""
        kept, at, original = [], 0, 0
        for (start, end), change in zip(self.standins, self.changes, strict=True):
            kept.append((at, start, original))
            at, original = end, change.end
        kept.append((at, len(self.searched), original))
        return kept

    def render(
        self, policy: Policy, context_of: Callable[[Finding, Revision], TransformContext]
    ) -> None:
        """Write both texts anew from the original and all findings so far."""
        text, searched = _Strip(self.document.text), _Strip(self.document.text)
        self.changes, self.standins = [], []
        for finding, round_ in self.findings:
            value = self.document.text[finding.start : finding.end]
            transform = policy.transform_of(finding.entity)
            outcome = apply(transform, value, context_of(finding, self))
            out_start, out_end = text.put(finding, outcome.text)
            self.standins.append(searched.put(finding, placeholder_for(finding.entity, value)))
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
                    round_,
                )
            )
        self.text, self.searched = text.whole(), searched.whole()


class _Strip:
    """A text written from left to right: the original, with other words in places."""

    def __init__(self, original: str) -> None:
        self._original, self._parts, self._at, self._length = original, list[str](), 0, 0

    def put(self, finding: Finding, replacement: str) -> tuple[int, int]:
        """Copy up to the finding, then the replacement; where that one stands."""
        self._parts += (self._original[self._at : finding.start], replacement)
        start = self._length + finding.start - self._at
        self._at, self._length = finding.end, start + len(replacement)
        return start, self._length

    def whole(self) -> str:
        return "".join((*self._parts, self._original[self._at :]))


def _trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not text[end - 1].isalnum():
        end -= 1
    return (start, end) if start < end else None
