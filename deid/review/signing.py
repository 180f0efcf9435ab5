"""The end of a review: what is still open, and the signature of the person responsible."""

from __future__ import annotations

from typing import Any

from deid.errors import DeidError
from deid.reports.wording import ACTUAL_KNOWLEDGE, plural
from deid.review.event_log import Event
from deid.review.review_session import ReviewSession

_LONGEST_SIGNER = 80


def open_points(review: ReviewSession) -> list[str]:
    """The open points that prevent a signature, as sentences; empty if there are none."""
    standing = review.standing()
    undecided = sum(difference.ruling is None for difference in review.differences())
    points = []
    if standing.leaks:
        points.append(f"{plural(standing.leaks, 'leak')} put the release on hold: scrub again.")
    if standing.hurried:
        points.append(f"{plural(standing.hurried, 'note')} read too fast: read again.")
    if not standing.finished:
        points.append("Some notes of the sample are not read yet.")
    if second := review.open_second_readings():
        points.append(f"{plural(second, 'second reading')} assigned but not done.")
    if undecided:
        points.append(f"{plural(undecided, 'difference')} between reviewers not decided.")
    return points


def signing_json(review: ReviewSession) -> dict[str, Any]:
    """What the page shows before a signature."""
    return {
        "sentence": review.standing().sentence,
        "statement": ACTUAL_KNOWLEDGE,
        "open": open_points(review),
        "signed": signature_json(review.marks.signature),
    }


def signature_json(event: Event | None) -> dict[str, Any] | None:
    """Return who signed what and when; None if no person has signed, or if marks were made after
    the signature.
    """
    if event is None:
        return None
    person = {"name": event.body["name"], "title": event.body["title"]}
    return {**person, "at": event.at, "event": event.id, "statement": event.body["statement"]}


def sign_review(review: ReviewSession, reviewer: str, name: str, title: str) -> None:
    """Record that a person signed the statement. A later mark invalidates the signature.

    Raises:
        DeidError: `review-unfinished`, `name-missing`.
    """
    if open_points(review):
        raise DeidError(
            "review-unfinished",
            "the review is not finished and cannot be signed",
            hint="the page lists what remains to be done",
        )
    name, title = name.strip(), title.strip()
    printable = name.isprintable() and title.isprintable()
    if not name or not printable or max(len(name), len(title)) > _LONGEST_SIGNER:
        raise DeidError("name-missing", "a signature needs a name of 1 to 80 plain letters")
    body = {"name": name, "title": title, "statement": ACTUAL_KNOWLEDGE}
    review.marks.take([review.event_log.append(reviewer, "signature", None, body)])
