"""For each reviewer: the notes assigned, read and marked, and the reading speed."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

from deid.review.review_session import ReviewSession
from deid.review.reviewers.pace import Pace


@dataclass(frozen=True, slots=True)
class ReviewerReading:
    """One reviewer, without a value. `marks` counts verdicts by identifier."""

    name: str
    assigned: int
    read: int
    hurried: int
    pace: Pace
    marks: dict[str, dict[str, int]]

    def as_json(self) -> dict[str, Any]:
        minutes = self.pace.seconds / 60
        return {
            "reviewer": self.name,
            "notes_assigned": self.assigned,
            "notes_read": self.read,
            "notes_hurried": self.hurried,
            "words": self.pace.words,
            "minutes": round(minutes, 1),
            "words_a_minute": round(self.pace.words / minutes) if minutes else None,
            "marks": self.marks,
        }


def readers(review: ReviewSession) -> list[ReviewerReading]:
    """Everybody who marked or read a note, or to whom notes are assigned, by name.

    Notes outside the sample do not count; a note read too fast counts as hurried, not as read.
    """
    given = review.marks.assignment
    names = {*review.marks.people(), *(given.reviewers if given else ())}
    return [_reader(review, name) for name in sorted(names)]


def _reader(review: ReviewSession, name: str) -> ReviewerReading:
    sample = set(review.places)
    paces = [
        Pace(review.words(place), review.marks.readers(place)[name])
        for place in review.marks.read_by(name)
        if place in sample
    ]
    hurried = sum(pace.hurried for pace in paces)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for mark in review.marks.standing(name):
        if not mark.seeded:
            counts[mark.word][mark.verdict] += 1
    marks = {word: dict(sorted(found.items())) for word, found in sorted(counts.items())}
    assigned = len(review.assigned(name))
    return ReviewerReading(name, assigned, len(paces) - hurried, hurried, sum(paces, Pace()), marks)
