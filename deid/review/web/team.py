"""The adjudicator's screen: who read what, how far they agree, and where they differ."""

from __future__ import annotations

from typing import Any

from deid.review.review_session import ReviewSession
from deid.review.reviewers.agreement import ReviewerDifference
from deid.review.reviewers.reading import readers


def team_json(review: ReviewSession) -> dict[str, Any]:
    """Readers, agreement and differences as places, offsets and counts, without values."""
    given = review.marks.assignment
    return {
        "differences": [_difference(review, one) for one in review.differences()],
        "agreement": review.agreement(),
        "readers": [reader.as_json() for reader in readers(review)],
        "overlap": None if given is None else given.overlap,
        "sample": len(review.places),
        "sentence": review.standing().sentence,
    }


def _difference(review: ReviewSession, difference: ReviewerDifference) -> dict[str, Any]:
    number = review.batch.number(difference.place)
    of_change = isinstance(difference.spot, int)
    verdicts = [verdict for _, verdict, _ in difference.said]
    return {
        "number": number,
        "name": review.batch.notes[number].name,
        "column": difference.column,
        "change": difference.spot if of_change else -1,
        "word": difference.word,
        "out": list(difference.out),
        "said": [list(said) for said in difference.said],
        "options": list(dict.fromkeys(verdicts)) if of_change else ["leak", "no_leak"],
        "ruling": difference.ruling,
    }
