"""How the neighbourhood weighs a pattern's score: words to the left, header above, section title.

Replaces Presidio's lemma-based enhancer, which reads every token of the document.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from recognizers.text.normalized_text import NormalizedText

LEFT, ABOVE, NEGATIVE = 0.35, 0.25, 0.5


@dataclass(frozen=True, slots=True)
class Context:
    """Regular expressions over short windows: `left`/`right` raise a score, `not_*` lower it."""

    left: str = ""
    right: str = ""
    section: str = ""
    not_left: str = ""
    not_right: str = ""
    width: int = 40


@cache
def window(expression: str, edge: str) -> re.Pattern[str]:
    bound = rf"(?<![A-Za-z0-9])(?:{expression})$" if edge == "end" else f"(?:{expression})"
    return re.compile(bound, re.IGNORECASE)


def weigh(page: NormalizedText, start: int, end: int, score: float, context: Context) -> float:
    """The score after its neighbourhood; may leave 0..1."""
    if context.left or context.not_left:
        left = page.left(start, context.width)
        if context.left and window(context.left, "").search(left):
            score += LEFT
        if context.not_left and window(context.not_left, "end").search(left):
            score -= NEGATIVE
    if context.right or context.not_right:
        right = page.right(end, context.width)
        if context.right and window(context.right, "").match(right):
            score += LEFT
        if context.not_right and window(context.not_right, "").match(right):
            score -= NEGATIVE
    if context.section and window(context.section, "").search(page.section(start)):
        score += ABOVE
    return score
