"""The probabilities of word pieces into findings over whole words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recognizers.entities import ENTITIES, LABELS
from recognizers.finding import Finding
from recognizers.model.encoding import Encoded
from recognizers.text.ascii_text import FILL, unescaped
from recognizers.text.normalized_text import in_row

Probabilities = NDArray[np.float32]

# Values that a wrapped line, but no row of a table, may break; anything else ends with its line.
BREAKABLE = frozenset({"NAME", "STREET", "FACILITY", "EMPLOYER", "DATE", "AGE90"})
WRAPPED_LINE = 50
ONE_BREAK = re.compile(r"[ \t]*\r?\n[ \t]*")
IN_LINE = re.compile(r"[^\S\r\n]{1,2}")
POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)
# Words that belong to the value but that annotators, and so the model, now and then leave out.
COUNTY_WORD = re.compile(r"\s{1,2}(?:County|Parish|Borough|Co)\b", re.IGNORECASE)
# What a day follows, and is no part of it.
LEADS = re.compile(
    r"(?:before|after|since|until|till?|by|on|in|last|next|around|over|during|happy|all|from|thru|through|seen|placed|given|exp)\s+(?=\w)(?!\d{1,2}$)",
    re.IGNORECASE,
)
# A blank, a letter or a figure.
PARTING = re.compile(r"\s|[^\W_]")
EDGES = re.compile(r"[^\w*#@+]+")


class Span(NamedTuple):
    """A stretch of one label, and how likely its surest word is part of any."""

    start: int
    end: int
    label: int
    score: float


def findings_of(
    text: str,
    encoded: Encoded,
    probabilities: Probabilities,
    labels: Sequence[str],
    thresholds: Mapping[str, float],
) -> tuple[Finding, ...]:
    """Ordered, disjoint findings; `probabilities` is (pieces, 1 + labels), column 0 is none."""
    text = unescaped(text)
    words = _words(encoded, probabilities, [thresholds.get(label, 0.5) for label in labels])
    spans = _joined(text, labels, _same_run(text, words))
    trimmed = (_trimmed(text, span, labels[span.label]) for span in spans)
    whole = (_lengthened(text, span, labels) for span in trimmed if span is not None)
    return tuple(_finding(span, labels) for span in _disjoint(whole))


def _words(
    encoded: Encoded, probabilities: Probabilities, thresholds: Sequence[float]
) -> Iterator[Span]:
    """Every word one of whose pieces is more likely an identifier than its label's threshold."""
    if not len(encoded):
        return
    firsts = np.flatnonzero(np.diff(encoded.words, prepend=-1))
    lasts = np.append(firsts[1:], len(encoded))
    labels = np.add.reduceat(probabilities[:, 1:], firsts, axis=0).argmax(axis=1)
    scores = np.maximum.reduceat(1.0 - probabilities[:, 0], firsts)
    found = np.flatnonzero(scores >= np.asarray(thresholds, np.float32)[labels])
    starts = encoded.offsets[firsts[found], 0].tolist()
    ends = encoded.offsets[lasts[found] - 1, 1].tolist()
    kinds, sure = labels[found].tolist(), np.minimum(scores[found], 1.0).tolist()
    yield from map(Span, starts, ends, kinds, sure)


def _same_run(text: str, words: Iterator[Span]) -> Iterator[Span]:
    """Words of one unspaced run (a number with dashes, an address with dots) share one label."""
    run: list[Span] = []
    for word in words:
        between = text[run[-1].end : word.start] if run else ""
        if between and parting(between):
            yield from run if len(run) == 1 else _voted(run)
            run = []
        run.append(word)
    yield from _voted(run)


def parting(between: str) -> bool:
    """Does what stands between two words end a run of them?"""
    return between[0] == " " or PARTING.search(between) is not None


def _voted(run: list[Span]) -> Iterator[Span]:
    if len(run) < 2 or len({word.label for word in run}) < 2:
        yield from run
        return
    votes: dict[int, float] = {}
    for word in run:
        votes[word.label] = votes.get(word.label, 0.0) + word.score * (word.end - word.start)
    label = max(sorted(votes), key=votes.__getitem__)
    yield from (word._replace(label=label) for word in run)


def _joined(text: str, labels: Sequence[str], words: Iterator[Span]) -> Iterator[Span]:
    """Neighbours of one label, on one line or over the break of a wrapped one."""
    last: Span | None = None
    for word in words:
        if last is not None and last.label == word.label and _near(text, last, word, labels):
            last = Span(last.start, word.end, last.label, max(last.score, word.score))
            continue
        if last is not None:
            yield last
        last = word
    if last is not None:
        yield last


def _near(text: str, left: Span, right: Span, labels: Sequence[str]) -> bool:
    between = text[left.end : right.start].strip(FILL)
    if between in ("", " "):
        return True
    if not PARTING.search(between):
        return True
    if IN_LINE.fullmatch(between):
        return True
    if labels[left.label] not in BREAKABLE or not ONE_BREAK.fullmatch(between):
        return False
    wrapped = left.end - (text.rfind("\n", 0, left.end) + 1) >= WRAPPED_LINE
    return wrapped and not in_row(text, left.end)


def _trimmed(text: str, span: Span, label: str) -> Span | None:
    """Without the marks around it and a name's possessive; None where only marks are left."""
    start, end = span.start, span.end
    head = EDGES.match(text, start, end)
    start = head.end() if head else start
    end = _without_marks(text, start, end)
    if label == "NAME":  # "St. Mary's" is the whole name of a place
        end = _without_marks(text, start, start + len(POSSESSIVE.sub("", text[start:end])))
    lead = LEADS.match(text, start, end) if label == "DATE" else None
    start = lead.end() if lead else start
    if not any(map(str.isalnum, text[start:end])):
        return None
    return span if (start, end) == (span.start, span.end) else span._replace(start=start, end=end)


def _without_marks(text: str, start: int, end: int) -> int:
    while end > start and EDGES.match(text, end - 1, end):
        end -= 1
    return end


def _lengthened(text: str, span: Span, labels: Sequence[str]) -> Span:
    """With the word "County" behind the name of one."""
    if labels[span.label] != "COUNTY":
        return span
    word = COUNTY_WORD.match(text, span.end)
    return span._replace(end=word.end()) if word else span


def _disjoint(spans: Iterator[Span]) -> Iterator[Span]:
    """Each span from where the one before it ends."""
    end = 0
    for span in spans:
        if span.end > end:
            yield span if span.start >= end else span._replace(start=end)
            end = span.end


def _finding(span: Span, labels: Sequence[str]) -> Finding:
    entity = LABELS[labels[span.label]]
    return Finding(span.start, span.end, ENTITIES[entity], entity, round(span.score, 4), "model")
