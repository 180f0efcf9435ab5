"""The notes of a review as the page lists them: filters, choices, and search in their texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deid.review.marks import MISSED
from deid.review.released_notes import NotePlace, ReviewedNote
from deid.review.review_session import ReviewSession
from safe_harbor import Identifier


def search(review: ReviewSession, text: str, share: bool) -> frozenset[int]:
    """The notes that show a text, in any case; in share mode, the scrubbed text counts."""
    wanted = text.casefold()
    found = set()
    for number, note in enumerate(review.batch.notes):
        for cell in review.batch.cells(note):
            before = None if share or not review.batch.has_originals else cell.before
            if wanted in cell.after.casefold() or wanted in (before or "").casefold():
                found.add(number)
    return frozenset(found)


def list_notes(
    review: ReviewSession,
    query: Mapping[str, str],
    reviewer: str,
    found: frozenset[int] | None = None,
) -> list[dict[str, Any]]:
    """The notes that pass the filters, in sample or batch order; only notes in `found`, if given.

    `view` is `mine` (what is assigned to the reviewer), `sample` or `all`.
    """
    read = review.marks.read_by(reviewer)
    rows = (
        (number, review.batch.notes[number]) for number in _listed_numbers(review, query, reviewer)
    )
    return [
        _row(review, number, note, reviewer, read)
        for number, note in rows
        if (found is None or number in found) and _passes(review, note, query, read)
    ]


def _listed_numbers(review: ReviewSession, query: Mapping[str, str], reviewer: str) -> list[int]:
    view = query.get("view", "mine")
    if view == "all":
        return list(range(len(review.batch.notes)))
    places = review.places if view == "sample" else review.assigned(reviewer)
    return [review.batch.number(place) for place in places]


def _row(
    review: ReviewSession, number: int, note: ReviewedNote, reviewer: str, read: set[NotePlace]
) -> dict[str, Any]:
    marks = review.marks.of_note(note.place, reviewer)
    return {
        "number": number,
        "name": note.name,
        "record": note.record,
        "changes": note.changes,
        "lowest": round(note.lowest, 2),
        "read": note.place in read,
        "stratum": review.strata.get(note.place, ""),
        "missed": any(mark.verdict == MISSED for mark in marks),
    }


def _passes(
    review: ReviewSession, note: ReviewedNote, query: Mapping[str, str], read: set[NotePlace]
) -> bool:
    word, source, state = query.get("word"), query.get("source"), query.get("state")
    below, stratum = query.get("below"), query.get("stratum")
    return (
        (not word or word in note.words)
        and (not source or source in note.sources)
        and (not below or note.lowest < float(below))
        and (not stratum or review.strata.get(note.place) == stratum)
        and (not state or (note.place in read) == (state == "read"))
    )


def choices(review: ReviewSession, reviewer: str) -> dict[str, Any]:
    """The filter and mark options for the page of a reviewer."""
    return {
        "words": [[word.value, word.heading] for word in Identifier],
        "sources": sorted({s for note in review.batch.notes for s in note.sources}),
        "strata": [name for name in review.plan.sizes if name],
        "notes": len(review.batch.notes),
        "divided": len(review.assigned(reviewer)) < len(review.places),
        "comments": review.event_log.seals,
    }
