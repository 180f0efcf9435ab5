"""A row of evidence: the words and shapes that show one kind of identifier."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property

from recognizers.evidence.checks import CHECKS
from recognizers.evidence.labels import (
    ID,
    below_header,
    beside_label,
    cut_to_value,
    glued_to_label,
    header,
)
from recognizers.evidence.matching import Hit, adjoined, expanded, matches
from recognizers.evidence.seen import AGAINST
from recognizers.text.normalized_text import NormalizedText

PATTERN, LABEL = "pattern", "label"
HIGHEST = 0.99
# How much lower the score is for a value below its label than for a value beside it.
BELOW = 0.1


@dataclass(frozen=True)
class Row:
    """One row of a table of evidence.

    In a `pattern`, `left`, the value and `right` follow one another. In a `label`, the words of
    `left` announce the value to their right, or `below` them in a column. `strength` is the score
    (0 to 1) that the neighborhood raises or lowers; at 0.9 or more, a finding needs no other
    evidence.
    """

    id: str
    entity: str
    strength: float
    value: str = field(default=ID, repr=False)
    left: str = field(default="", repr=False)
    right: str = field(default="", repr=False)
    kind: str = PATTERN
    not_after_characters: str = ""
    not_before_characters: str = ""
    check: str = ""
    except_value: str = ""
    least_digits: int = 0
    digits: tuple[int, ...] = ()
    raised_by_left: str = ""
    raised_by_right: str = ""
    raised_by_section: str = ""
    lowered_by_left: str = ""
    lowered_by_right: str = ""
    width: int = 40
    below: bool = False
    glued: bool = False
    example: str = field(default="", repr=False)
    counterexample: str = field(default="", repr=False)
    note: str = ""

    @cached_property
    def expression(self) -> str:
        """The whole expression, whose first group is the value."""
        if self.kind == LABEL:
            return beside_label(self.left, self.value)
        return f"{self.left}({self.value}){self.right}"

    @cached_property
    def expressions(self) -> frozenset[str]:
        """All expressions of the row, which finds nothing in a text that matches none of them."""
        glued = [glued_to_label(self.left)] if self.glued else []
        below = [header(self.left)] if self.below else []
        return frozenset([self.expression, *glued, *below])

    @cached_property
    def context(self) -> Context:
        """The expressions that raise and lower the strength."""
        return Context(
            self.raised_by_left,
            self.raised_by_right,
            self.raised_by_section,
            self.lowered_by_left,
            self.lowered_by_right,
            self.width,
        )

    def hits(self, page: NormalizedText) -> Iterator[Hit]:
        """Yield the hits of the row in a text."""
        return label_hits(self, page) if self.kind == LABEL else pattern_hits(self, page)

    def allows(self, value: str) -> bool:
        """Whether a value has the digits that the row requires, and is not an exception."""
        if self.except_value and re.fullmatch(self.except_value, value):
            return False
        if not self.least_digits and not self.digits:
            return True
        digits = sum(map(str.isdigit, value))
        return digits >= self.least_digits and (not self.digits or digits in self.digits)


def pattern_hits(row: Row, page: NormalizedText) -> Iterator[Hit]:
    """The values between `left` and `right`."""
    text = page.text
    for start, end in matches(row.expression, page):
        denied = row.not_after_characters
        if denied and start and text[start - 1] in expanded(denied):
            continue
        if row.not_before_characters and adjoined(text, end, row.not_before_characters):
            continue
        yield from weighed(row, page, start, end, row.strength)


def label_hits(row: Row, page: NormalizedText) -> Iterator[Hit]:
    """The values to the right of the label, then those in the column under it."""
    found = list(matches(row.expression, page))
    if row.glued:
        found += matches(glued_to_label(row.left), page)
    for span in found:
        start, end = cut_to_value(page.text, *span)
        if start < end:
            yield from weighed(row, page, start, end, row.strength)
    for span in below_header(row.left, row.value, page) if row.below else ():
        start, end = cut_to_value(page.text, *span)
        if start < end:
            yield from weighed(row, page, start, end, row.strength - BELOW)


def weighed(row: Row, page: NormalizedText, start: int, end: int, score: float) -> Iterator[Hit]:
    """Yield the hit with a score from the value and its neighborhood, if the score stays
    above 0.
    """
    value = page.text[start:end]
    if not row.allows(value):
        return
    if row.check:
        score += CHECKS[row.check](value)
    score = weigh(page, start, end, score, row.context)
    if score > 0 or row.strength == AGAINST:
        yield Hit(start, end, row.entity, min(max(score, AGAINST), HIGHEST), row.id)


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
    """Raise and lower the score by the text around the value; the result may be outside 0 to 1."""
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
