"""The marks of a reviewer: verdicts on changes, missed text, corrected edges, and undo.

Every function records events and checks the offsets that the page sends. Offsets count in the text
as shown, either on the released side (`after`) or on the original side (`before`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from deid.errors import DeidError
from deid.review.marks import EDGES, MISSED, VERDICTS, ReviewMark
from deid.review.released_notes import NotePlace, ReviewedNote
from deid.review.review_session import ReviewSession, refused
from deid.review.sampling.planted_errors import PlantedError
from deid.review.web.shown_cell import in_original, in_released
from safe_harbor import Identifier

MarkBody = dict[str, Any]


def judge(
    review: ReviewSession,
    number: int,
    reviewer: str,
    column: int,
    change: int,
    verdict: str,
    word: str,
) -> None:
    """Record a verdict on a change: right, wrong category, or should have stayed."""
    note = review.note(number)
    planted = review.planted_cell(note, column)
    if verdict not in VERDICTS or verdict in (MISSED, EDGES) or change not in planted.numbers:
        raise refused()
    if verdict == "wrong_word" and word not in list(Identifier):
        raise refused()
    body = change_body(planted, change, verdict, word)
    _record_marks(
        review, reviewer, [(note.place, body)], _earlier_edges(review, note, reviewer, body)
    )


def miss(
    review: ReviewSession,
    number: int,
    reviewer: str,
    column: int,
    side: str,
    start: int,
    end: int,
    word: str,
) -> None:
    """Mark missed text by offsets in the shown text or in the original."""
    note = review.note(number)
    planted = review.planted_cell(note, column)
    if word not in list(Identifier):
        raise refused()
    _record_marks(review, reviewer, [(note.place, missed_body(planted, side, start, end, word))])


def set_edges(
    review: ReviewSession,
    number: int,
    reviewer: str,
    column: int,
    change: int,
    mark: int,
    side: str,
    start: int,
    end: int,
) -> None:
    """Correct the edges of a change, or of the reviewer's own mark of missed text (`change` -1).

    Text of the corrected span that no change covers is a leak, recorded as missed in the same
    action. On the released side, the span of a change can only grow, because the original text
    under the change is not shown there.
    """
    note = review.note(number)
    planted = review.planted_cell(note, column)
    if change < 0:
        old = next((m for m in review.marks.of_note(note.place, reviewer) if m.id == mark), None)
        if old is None or old.verdict != MISSED or old.column != column:
            raise refused()
        new = {**missed_body(planted, side, start, end, old.word), "alike": old.alike}
        return _record_marks(review, reviewer, [(note.place, new)], [old.id])
    body, *missed = _edges(planted, change, side, start, end)
    earlier = _earlier_edges(review, note, reviewer, body)
    _record_marks(review, reviewer, [(note.place, one) for one in (body, *missed)], earlier)
    return None


def undo(review: ReviewSession, reviewer: str) -> int | None:
    """Undo the reviewer's last action; return the number of its note, or None without an action."""
    last = review.marks.last(reviewer)
    if last is None:
        return None
    done_on = last if last.alike is None else review.marks.by_id(last.alike)
    review.append(reviewer, "undo", [(last.place, {"of": last.action})])
    return review.batch.number(done_on.place)


def append_marks(
    review: ReviewSession, reviewer: str, bodies: Sequence[tuple[NotePlace, MarkBody]]
) -> None:
    """Record marks as one action."""
    _record_marks(review, reviewer, bodies)


def change_body(planted: PlantedError, change: int, verdict: str, word: str) -> MarkBody:
    """The body of a mark with a verdict on a change; `change` is its number in the release."""
    judged = planted.cell.changes[planted.numbers.index(change)]
    out = planted.released(judged.out_start, judged.out_end)[:2]
    return {
        "column": planted.cell.column,
        "verdict": verdict,
        "change": change,
        "out": list(out),
        "original": [judged.start, judged.end],
        "word": word if verdict == "wrong_word" else judged.identifier.value,
        "seeded": False,
    }


def missed_body(planted: PlantedError, side: str, start: int, end: int, word: str) -> MarkBody:
    """The body of a mark on missed text, by offsets in the text as shown.

    Raises:
        DeidError: `already-out`.
    """
    text = planted.cell.after if side == "after" else planted.cell.before or ""
    if side not in ("after", "before") or not 0 <= start < end <= len(text):
        raise refused()
    if side == "before":
        found = in_released(planted.cell, start, end)
        if found is None:
            raise DeidError("already-out", "that text is already removed")
        start, end = found
    first, last, seeded = planted.released(start, end)
    original = in_original(planted.cell, start, end)
    return {
        "column": planted.cell.column,
        "verdict": MISSED,
        "change": -1,
        "out": [first, last],
        "original": None if original is None else list(original),
        "word": word,
        "seeded": seeded,
    }


def _edges(planted: PlantedError, change: int, side: str, start: int, end: int) -> list[MarkBody]:
    """Return the body for the corrected span of a change, then those for the parts it missed."""
    if change not in planted.numbers or side not in ("after", "before"):
        raise refused()
    cell, after = planted.cell, side == "after"
    text = cell.after if after else cell.before or ""
    spans = [(c.out_start, c.out_end) if after else (c.start, c.end) for c in cell.changes]
    own = spans[planted.numbers.index(change)]
    if not 0 <= start < end <= len(text) or start > own[1] or end < own[0] or (start, end) == own:
        raise refused()
    if after and not (start <= own[0] and own[1] <= end):
        raise DeidError(
            "edges-inside", "in the scrubbed text a span can only grow; shorten it in the original"
        )
    body = change_body(planted, change, EDGES, "")
    pieces = [
        missed_body(planted, side, low, high, body["word"])
        for low, high in _left_over(text, spans, start, end)
    ]
    outs = [body["out"], *(piece["out"] for piece in pieces)]
    body["out"] = [min(out[0] for out in outs), max(out[1] for out in outs)]
    corrected = in_original(cell, start, end) if after else (start, end)
    body["original"] = None if corrected is None else list(corrected)
    return [body, *pieces]


def _left_over(
    text: str, spans: Sequence[tuple[int, int]], start: int, end: int
) -> Iterator[tuple[int, int]]:
    """The parts of a range outside the spans, each from its first to its last letter or digit."""
    at = start
    for low, high in (*spans, (end, end)):
        stop = min(low, end)
        signs = [place for place in range(at, stop) if text[place].isalnum()]
        if signs:
            yield signs[0], signs[-1] + 1
        at = max(at, high)


def _earlier_edges(
    review: ReviewSession, note: ReviewedNote, reviewer: str, body: Mapping[str, Any]
) -> list[int]:
    """The marks of an earlier correction of the same change, which a new verdict replaces."""
    subject = note.place, body["column"], body["change"]
    return [
        mark.id
        for old in review.marks.of_note(note.place, reviewer)
        if old.verdict == EDGES and old.subject == subject
        for mark in review.marks.of_action(old.action)
    ]


def _record_marks(
    review: ReviewSession,
    reviewer: str,
    bodies: Sequence[tuple[NotePlace, MarkBody]],
    replaces: Sequence[int] = (),
) -> None:
    action = review.event_log.next_number
    common: MarkBody = {"action": action, **({"replaces": [*replaces]} if replaces else {})}
    review.append(reviewer, "mark", [(place, {**body, **common}) for place, body in bodies])


def last_mark(review: ReviewSession, reviewer: str) -> ReviewMark:
    """The last mark of a reviewer.

    Raises:
        DeidError: `nothing-marked`.
    """
    last = review.marks.last(reviewer)
    if last is None:
        raise DeidError("nothing-marked", "mark a finding first")
    return last
