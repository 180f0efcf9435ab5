"""A row of evidence: the words and shapes that show one kind of identifier."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

from recognizers.constants import constant
from recognizers.evidence.checks import CHECKS
from recognizers.evidence.matching import AGAINST, Seen, adjoined, expanded, matches
from recognizers.text.normalized_text import NormalizedText
from recognizers.words.expressions import patterns
from recognizers.words.gazetteers import plain_list

PATTERN, LABEL = "pattern", "label"
HIGHEST, BELOW = constant("rows", "highest"), constant("rows", "below")
# How much the text around a value raises or lowers the score.
RAISED, LOWERED = constant("rows", "beside"), constant("rows", "lowered")
LABELING = patterns("labels")


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
    value: str = field(default=LABELING.texts["ID"], repr=False)
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

    def hits(self, page: NormalizedText) -> list[Seen]:
        """What the row sees in a text."""
        return label_hits(self, page) if self.kind == LABEL else pattern_hits(self, page)

    def allows(self, value: str) -> bool:
        """Whether a value has the digits that the row requires, and is not an exception."""
        if self.except_value and re.fullmatch(self.except_value, value):
            return False
        if not self.least_digits and not self.digits:
            return True
        digits = sum(map(str.isdigit, value))
        return digits >= self.least_digits and (not self.digits or digits in self.digits)


def pattern_hits(row: Row, page: NormalizedText) -> list[Seen]:
    """The values between `left` and `right`."""
    text, denied = page.text, row.not_after_characters
    found: list[Seen] = []
    for start, end in matches(row.expression, page):
        if denied and start and text[start - 1] in expanded(denied):
            continue
        if row.not_before_characters and adjoined(text, end, row.not_before_characters):
            continue
        found += weighed(row, page, start, end, row.strength)
    return found


def label_hits(row: Row, page: NormalizedText) -> list[Seen]:
    """The values to the right of the label, then those in the column under it."""
    beside = matches(row.expression, page)
    if row.glued:
        beside += matches(glued_to_label(row.left), page)
    below = below_header(row.left, row.value, page) if row.below else []
    found: list[Seen] = []
    for spans, score in ((beside, row.strength), (below, row.strength - BELOW)):
        for span in spans:
            start, end = cut_to_value(page.text, *span)
            if start < end:
                found += weighed(row, page, start, end, score)
    return found


def weighed(row: Row, page: NormalizedText, start: int, end: int, score: float) -> Sequence[Seen]:
    """The hit with a score from the value and its neighborhood; none if the score is not above
    0.
    """
    value = page.text[start:end]
    if not row.allows(value):
        return ()
    if row.check:
        score += CHECKS[row.check](value)
    score = weigh(row, page, start, end, score)
    if score <= 0 and row.strength != AGAINST:
        return ()
    return (Seen(start, end, row.entity, min(max(score, AGAINST), HIGHEST), row.id),)


def weigh(row: Row, page: NormalizedText, start: int, end: int, score: float) -> float:
    """Raise and lower the score by the text around the value; the result may be outside 0 to 1."""
    if row.raised_by_left or row.lowered_by_left:
        left = page.left(start, row.width)
        if row.raised_by_left and window(row.raised_by_left).search(left):
            score += RAISED
        if row.lowered_by_left and window(row.lowered_by_left, at_end=True).search(left):
            score -= LOWERED
    if row.raised_by_right or row.lowered_by_right:
        right = page.right(end, row.width)
        if row.raised_by_right and window(row.raised_by_right).match(right):
            score += RAISED
        if row.lowered_by_right and window(row.lowered_by_right).match(right):
            score -= LOWERED
    return score


@cache
def window(expression: str, *, at_end: bool = False) -> re.Pattern[str]:
    bound = rf"(?<![A-Za-z0-9])(?:{expression})$" if at_end else f"(?:{expression})"
    return re.compile(bound, re.IGNORECASE)


def beside_label(words: str, value: str) -> str:
    """The expression for a value to the right of its label."""
    return rf"(?i:\b(?:{words})(?:\b|s\b|[^A-Za-z0-9\n])){LABELING.texts['LINK']}({value})"


def glued_to_label(words: str) -> str:
    """The expression for a number that follows its label without a blank."""
    return rf"(?i:\b(?:{words}))({LABELING.texts['GLUED_VALUE']})\b"


def header(words: str) -> str:
    """The expression for a label that is the whole content of its cell."""
    start, end = LABELING.texts["HEADER_START"], LABELING.texts["HEADER_END"]
    return rf"(?i){start}((?:{words})[ ]?(?:#|no\.?|number|id)?){end}"


def below_header(words: str, value: str, page: NormalizedText) -> list[tuple[int, int]]:
    """The values in the column under a label, up to the first cell that holds no value."""
    shape = re.compile(rf"[ _*#]*({value})")
    found: list[tuple[int, int]] = []
    for head in matches(header(words), page):
        for left, right in page.below(*head):
            match = shape.match(page.text, left, right)
            if not match:
                break
            found.append(match.span(1))
    return found


def cut_to_value(text: str, start: int, end: int) -> tuple[int, int]:
    """The span of an identifier without the words, days and ages beside it; empty for a result."""
    start = after_field_words(text, start, end)
    day = LABELING["DAY_INSIDE"].search(text[start : end + 1])  # `visit 10/12 0900`
    end = without_neighbors(text, start, start + day.start() if day else end)
    return (start, start) if is_result(text[start:end]) else (start, end)


def is_result(value: str) -> bool:
    """Whether the value is a clinical abbreviation with its result: `visit, QRS 128`."""
    match = LABELING["RESULT_AFTER"].fullmatch(value)
    result = match is not None and match[1].lower() in plain_list("names/short_forms")
    return result or LABELING["HAPPENED"].fullmatch(value) is not None


def after_field_words(text: str, start: int, end: int) -> int:
    """Where an identifier starts, after any words of another label."""
    while word := LABELING["FIELD_WORD"].match(text, start, end):
        if word[1].lower() not in plain_list("columns/field_words"):
            break
        start = word.end()
    return start


def without_neighbors(text: str, start: int, end: int) -> int:
    """Where an identifier ends, without the age, sex, date or measure beside it."""
    while end > start:
        value, rest = text[start:end], text[end : end + 6]
        last = value.rsplit(" ", 1)[-1]
        measured = last.isdigit() and LABELING["MEASURED"].match(rest)
        if last != value and (measured or LABELING["NEIGHBOR"].fullmatch(last)):
            end -= len(last) + 1
            continue
        bare = value.rstrip(" .,;:/_-")
        if len(bare) == len(value):
            break
        end = start + len(bare)
    return end
