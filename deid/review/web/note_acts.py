"""A table of the acts on a note: who may do each, the keys of its JSON body, what it records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from deid.reports.wording import plural
from deid.review.alike import mark_alike
from deid.review.marking import judge, miss, set_edges
from deid.review.review_session import ReviewSession
from deid.review.web.guard import json_body
from deid.review.web.sessions import Role, Session

NoteAction = Callable[..., str | None]
"""Takes the review, note number, reviewer and keys of the body; returns the page's message."""


@dataclass(frozen=True, slots=True)
class NoteAct:
    """One act; `keys` are exactly those of the JSON body, with their types."""

    roles: tuple[Role, ...]
    keys: Mapping[str, type]
    record: NoteAction

    def do(self, review: ReviewSession, number: int, session: Session, body: Any) -> str | None:
        """Record the act; return the message, or None if it is not allowed or the body is wrong."""
        asked = json_body(body, **self.keys)
        if asked is None or session.share or session.role not in self.roles:
            return None
        return self.record(review, number, session.reviewer, **asked) or ""


def _alike(review: ReviewSession, number: int, reviewer: str, scope: str) -> str:
    marks, notes = mark_alike(review, number, reviewer, scope)
    return (
        f"{marks} marked alike in {plural(notes, 'note')}" if marks else "No other text is the same"
    )


def _finish_note(review: ReviewSession, number: int, reviewer: str, seconds: float) -> None:
    review.finish(number, reviewer, float(seconds))


_REVIEWER: tuple[Role, ...] = ("reviewer",)
NOTE_ACTS = {
    "judge": NoteAct(_REVIEWER, {"column": int, "change": int, "verdict": str, "word": str}, judge),
    "miss": NoteAct(
        _REVIEWER, {"column": int, "side": str, "start": int, "end": int, "word": str}, miss
    ),
    "edges": NoteAct(
        _REVIEWER,
        {"column": int, "change": int, "mark": int, "side": str, "start": int, "end": int},
        set_edges,
    ),
    "alike": NoteAct(_REVIEWER, {"scope": str}, _alike),
    "read": NoteAct(_REVIEWER, {"seconds": float}, _finish_note),
    "comment": NoteAct(
        ("reviewer", "adjudicator"), {"text": str}, lambda review, *a, **b: review.comment(*a, **b)
    ),
    "rule": NoteAct(
        ("adjudicator",),
        {"index": int, "verdict": str},
        lambda review, *a, **b: review.rule(*a, **b),
    ),
}
