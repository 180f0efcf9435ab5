"""How the sources combine: what rules and model say of the same text, and what is protected.

The threshold is one number for every rule; a rule's own score, weighed by context, must reach it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from recognizers.finding import Finding
from recognizers.page import Page

THRESHOLD = 0.5


def merge(
    page: Page, ruled: Sequence[Finding], modelled: Iterable[Finding], with_model: bool
) -> list[Finding]:
    """The findings to settle. Rules under the threshold count only where the model agrees."""
    kept = [f for f in ruled if f.score >= THRESHOLD]
    if not with_model:
        return kept
    return [*kept, *modelled]
