"""How the sources combine: what rules and the model say of the same text.

Without a model a rule must reach `THRESHOLD` by itself. With one, a rule's score and the model's
support are added; a finding of the model needs what `protection` asks for such a value, less where
a rule agrees.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from recognizers import gazetteers
from recognizers.edges import bridged, completed
from recognizers.finding import Finding
from recognizers.normal import normalise
from recognizers.page import Page
from recognizers.protection import DATE, NEVER, NUMBERS, needed, vetoed
from recognizers.reading import Reading

# The least score of a rule without a model beside it.
THRESHOLD = 0.5
# With a model: score plus SWAY times its support must reach NEEDED.
SWAY = 1.1
NEEDED = 0.95
# A rule as sure as this does not ask the model.
SURE = 0.9
# What an agreeing rule is worth to a finding of the model.
AGREED = 0.4
# Below this the model denies a word.
DENIED = 0.03
WORDS = frozenset({"PERSON", "FACILITY", "EMPLOYER", "CITY", "COUNTY"})
FIGURES = (DATE | NUMBERS) - WORDS - {"STREET_ADDRESS"}
WORD = re.compile(r"[^\W_]+(?:[.'\u2019-][^\W_]+)*\.?")
LEFT, RIGHT = 24, 16


def merge(
    page: Page, text: str, ruled: Sequence[Finding], reading: Reading | None
) -> list[Finding]:
    """The findings to settle."""
    if reading is None:
        return [completed(text, f) for f in ruled if f.score >= THRESHOLD]
    kept = [f for f in ruled if f.score and backed(f, reading) and not barred(f, page, text)]
    covered = Cover(kept)
    # A rule's finding without any score says that the value is none of its kind.
    against = {(f.start, f.end, f.entity) for f in ruled if not f.score}
    asked = [f for f in reading.findings if (f.start, f.end, f.entity) not in against]
    standing = [f for f in bridged(text, asked) if stands(f, page, text, covered)]
    seen = Cover(standing)
    held = [*(narrowed(f, text, reading, seen) for f in kept), *standing]
    return [completed(text, f) for f in held]


def narrowed(finding: Finding, text: str, reading: Reading, seen: Cover) -> Finding:
    """A rule's words without those at its edges that the model, which found the rest, denies.

    Rules say that a name is there; where it ends the model says better. Figures stay whole.
    """
    if finding.entity not in WORDS or not seen.touches(finding.start, finding.end):
        return finding
    words = [(m.start(), m.end()) for m in WORD.finditer(text, finding.start, finding.end)]
    kept = [w for w in words if reading.support(*w) >= DENIED or given(finding, text[slice(*w)])]
    if not kept:
        return finding
    # The kind of a house (`urgent care`) is of its name, which the model may not see.
    end = finding.end if finding.entity == "FACILITY" else kept[-1][1]
    return replace(finding, start=kept[0][0], end=end)


def given(finding: Finding, text: str) -> bool:
    """Is a word of a person's name a given name? The model denies those that are words, too."""
    return finding.entity == "PERSON" and gazetteers.first_name(text) > 8


class Cover:
    """Asks in logarithmic time whether any of many spans overlaps one."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        spans = sorted((f.start, f.end) for f in findings)
        self.starts = [start for start, _ in spans]
        self.reach = list(accumulate((end for _, end in spans), max))

    def touches(self, start: int, end: int) -> bool:
        place = bisect_left(self.starts, end) - 1
        return place >= 0 and self.reach[place] > start


def backed(finding: Finding, reading: Reading) -> bool:
    """Is a rule's finding sure by itself, or sure enough with what the model makes of it?"""
    if finding.score >= SURE:
        return True
    return finding.score + SWAY * reading.support(finding.start, finding.end) >= NEEDED


def stands(finding: Finding, page: Page, text: str, ruled: Cover) -> bool:
    """Is the model sure enough, for such a value in such a place?"""
    value, left, right = placed(finding, page, text)
    limit = needed(value, finding.entity, left, right)
    if limit >= NEVER:
        return False
    agreed = ruled.touches(finding.start, finding.end)
    return finding.score >= limit - (AGREED if agreed else 0.0)


def barred(finding: Finding, page: Page, text: str) -> bool:
    """Is it a figure or a code of medicine, which a rule that is not sure may not take either?"""
    if finding.score >= SURE or finding.entity not in FIGURES:
        return False
    value, left, right = placed(finding, page, text)
    return vetoed(value, finding.entity, left, right)


def placed(finding: Finding, page: Page, text: str) -> tuple[str, str, str]:
    """The value, normalised, and what stands before and after it on its line."""
    start, end = finding.start, finding.end
    moved = page.normal.origin is not None
    value = normalise(text[start:end]).text if moved else page.text[start:end]
    left = text[max(0, start - LEFT) : start].rsplit("\n", 1)[-1]
    return value, left, text[end : end + RIGHT].split("\n", 1)[0]
