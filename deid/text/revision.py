"""Replace the findings in a document and note each change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from deid.policy.model import Policy
from deid.text.change import Change
from deid.text.document import Document
from deid.transforms import Numbering, TransformContext, apply
from recognizers import Finding


@dataclass(frozen=True, slots=True)
class Revision:
    """A document and its findings: ordered, disjoint, with code-point offsets in its text.

    `numbering` numbers the tags of its patient. `judged` is the day on which its ages are judged.
    """

    document: Document
    findings: Sequence[Finding]
    numbering: Numbering | None = None
    judged: date | None = None

    def render(
        self, policy: Policy, context_of: Callable[[Finding, Revision], TransformContext]
    ) -> tuple[str, tuple[Change, ...]]:
        """Replace each finding as the policy says; return the text and the changes in order."""
        original = self.document.text
        parts, changes, at, length = list[str](), list[Change](), 0, 0
        for finding in self.findings:
            transform = policy.transform_of(finding.entity)
            value = original[finding.start : finding.end]
            outcome = apply(transform, value, context_of(finding, self))
            start = length + finding.start - at
            length = start + len(outcome.text)
            parts += (original[at : finding.start], outcome.text)
            at = finding.end
            changes.append(
                Change(
                    finding.start,
                    finding.end,
                    start,
                    length,
                    finding.identifier,
                    finding.entity,
                    transform.name,
                    outcome.residue,
                    finding.source,
                    finding.score,
                )
            )
        return "".join((*parts, original[at:])), tuple(changes)
