"""Resolve overlapping findings into ordered, disjoint ones that cover the same words.

Every character of a finding stays covered: if a stronger finding takes its middle, the weaker
finding keeps the ends.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from operator import attrgetter

from recognizers.finding import Finding, Found
from recognizers.text.ascii_text import MovedText
from safe_harbor import Identifier

KNOWN = "known_values"
# Entities that consist of words, so that their shape does not show where the value ends.
WORDED = frozenset({"PERSON", "FACILITY", "EMPLOYER", "CITY", "COUNTY", "LOCATION"})
BY_START, BY_END = attrgetter("start"), attrgetter("end")
# The order of findings, as a sort key that is computed once per finding.
BY_FIELDS = attrgetter(*(field.name for field in fields(Finding)))
# Identifiers that are not numbers or addresses in one word.
DESCRIBED = frozenset({Identifier.NAMES, Identifier.PLACES, Identifier.DATES})
OWNERS = ("'s", "'S", "\u2019s", "\u2019S")


def rank(finding: Finding) -> tuple[bool, float, int]:
    """The sort key of a finding: known values are strongest, then by score, then by length."""
    return finding.source == KNOWN, round(finding.score, 1), finding.end - finding.start


def resolve_overlaps(findings: Iterable[Finding], text: str) -> tuple[Finding, ...]:
    """The findings ordered and disjoint, without blanks and marks at their edges."""
    longest_first = sorted(findings, key=BY_END, reverse=True)
    settled: list[Finding] = []
    for group in clusters(sorted(longest_first, key=BY_START)):
        settled.extend(group if len(group) == 1 else parted(group, text))
    cut = (trim(f, text) for f in settled)
    return tuple(sorted((f for f in cut if f is not None), key=BY_FIELDS))


def clusters(ordered: list[Finding]) -> Iterator[list[Finding]]:
    """Groups of findings that overlap one another."""
    run: list[Finding] = []
    reach = 0
    for finding in ordered:
        if run and finding.start >= reach:
            yield run
            run = []
        run.append(finding)
        reach = max(reach, finding.end)
    if run:
        yield run


def parted(group: list[Finding], text: str) -> list[Finding]:
    """The best finding as a whole, and the parts of the other findings outside it."""
    kept: list[Finding] = []
    group = without_inner_dates(group, text)
    pairs = zip(group, supported_scores(group), strict=True)
    for finding, score in sorted(pairs, key=lambda pair: rank(pair[0]), reverse=True):
        for piece in outside(finding, kept):
            insort(
                kept, piece if score == piece.score else replace(piece, score=score), key=BY_START
            )
    return kept


def supported_scores(group: list[Finding]) -> list[float]:
    """The best score of each finding, in order of starts, and of the findings that support it.

    The time grows only with the number of overlapping pairs.
    """
    scores = [finding.score for finding in group]
    live: list[int] = []
    for here, finding in enumerate(group):
        live = [at for at in live if group[at].end > finding.start]
        for pair in ((at, here) for at in live):
            for one, other in (pair, pair[::-1]):
                if supports(group[one], group[other]):
                    scores[other] = max(scores[other], group[one].score)
        live.append(here)
    return scores


def supports(one: Finding, other: Finding) -> bool:
    """Whether `one` has the entity of `other` and covers over half of it, or is a number in it."""
    start, end = max(one.start, other.start), min(one.end, other.end)
    covers = (end - start) * 2 > other.end - other.start
    inside = one.entity not in WORDED and (start, end) == (one.start, one.end)
    return one.entity == other.entity and (covers or inside)


def without_inner_dates(group: list[Finding], text: str) -> list[Finding]:
    """Drop dates inside a number or a birth year over 89.

    A known day inside a number (`MRN 2005-05-01-4471`) would cut it, and a part would be released.
    """
    shown = [f for f in group if f.entity == "BIRTH_YEAR_OVER_89"]
    numbers = [
        f
        for f in group
        if f.identifier not in DESCRIBED and len(text[f.start : f.end].split()) == 1
    ]

    def is_inner(date: Finding) -> bool:
        span = date.start, date.end
        longer = [f for f in numbers if date.source == KNOWN and (f.start, f.end) != span]
        return any(f.start <= date.start and date.end <= f.end for f in (*shown, *longer))

    return [f for f in group if f.entity != "DATE_TIME" or not is_inner(f)]


def outside(finding: Finding, kept: list[Finding]) -> list[Finding]:
    """The pieces of a finding not covered by `kept`, which is ordered and disjoint."""
    pieces: list[Finding] = []
    here = finding.start
    first = bisect_right(kept, finding.start, key=BY_END)
    last = bisect_left(kept, finding.end, lo=first, key=BY_START)
    for other in kept[first:last]:
        if other.start > here:
            pieces.append(replace(finding, start=here, end=other.start))
        here = max(here, other.end)
    if here == finding.start:
        return [finding]
    if here < finding.end:
        pieces.append(replace(finding, start=here))
    return pieces


def trim(finding: Finding, text: str) -> Finding | None:
    """The finding without blanks and marks at its edges; None if nothing is left."""
    start, end = finding.start, finding.end
    while start < end and not text[start].isalnum() and text[start] not in "(+@*#~":
        start += 1
    while end > start and not text[end - 1].isalnum() and text[end - 1] not in ")*":
        end -= 1
    if finding.entity == "PERSON" and end - start > 3 and text.endswith(OWNERS, start, end):
        end -= 2
    # Only the `s` of a possessive may be left of a name.
    left = text[start:end] in {"s", "S"} and start > 0 and text[start - 1] in "'\u2019"
    if left and finding.entity not in {"DATE_TIME", "WEEKDAY"}:
        return None
    if not any(map(str.isalnum, text[start:end])):
        return None
    if (start, end) == (finding.start, finding.end):
        return finding
    return replace(finding, start=start, end=end)


def restored_offsets(spaced: MovedText, found: Found) -> Found:
    """The findings with offsets in the text as written."""
    if spaced.origin is None:
        return found
    ends = [spaced.place(one.start, one.end) for one in found]
    return tuple(
        replace(one, start=start, end=end) for one, (start, end) in zip(found, ends, strict=True)
    )
