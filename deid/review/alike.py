"""Apply the last mark of a reviewer to the same text elsewhere in the note or in the sample."""

from __future__ import annotations

import re
from collections.abc import Iterator

from deid.errors import DeidError
from deid.review.marking import MarkBody, append_marks, change_body, last_mark, missed_body
from deid.review.marks import EDGES, MISSED, ReviewMark
from deid.review.review_session import ReviewSession, refused
from deid.review.sampling.planted_errors import PlantedError

SCOPES = ("note", "sample")


def mark_alike(review: ReviewSession, number: int, reviewer: str, scope: str) -> tuple[int, int]:
    """Repeat the reviewer's last mark on the same text; return the number of marks and of notes.

    All marks are one action. A change is marked only if it also has the same identifier. Earlier
    marks of the reviewer stay. Changes are compared by their original text, and missed text is
    compared by whole words.

    Raises:
        DeidError: `nothing-marked`, `alike-edges`, `originals-needed`.
    """
    if scope not in SCOPES:
        raise refused()
    places = [review.note(number).place] if scope == "note" else review.places
    source = last_mark(review, reviewer)
    source = source if source.alike is None else review.marks.by_id(source.alike)
    alike = _Alike(review, source)
    bodies = []
    for place in places:
        note = review.batch.notes[review.batch.number(place)]
        own = review.marks.of_note(place, reviewer)
        for planted in review.planted_cells(note):
            bodies += [
                (place, {**body, "alike": source.id})
                for body in alike.bodies(planted)
                if not any(_covers(mark, body) for mark in own)
            ]
    if bodies:
        append_marks(review, reviewer, bodies)
    return len(bodies), len({place for place, _ in bodies})


def _covers(mark: ReviewMark, body: MarkBody) -> bool:
    """Whether a mark already judges the change or the text that a new mark is about."""
    if mark.column != body["column"] or (mark.verdict == MISSED) != (body["verdict"] == MISSED):
        return False
    if mark.verdict != MISSED:
        return bool(mark.change == body["change"])
    start, end = body["out"]
    return bool((mark.out[0] < end and start < mark.out[1]) or mark.out == (start, end))


class _Alike:
    """Finds the other places to which a mark applies, because the text is the same."""

    def __init__(self, review: ReviewSession, source: ReviewMark) -> None:
        if source.verdict == EDGES:
            raise DeidError(
                "alike-edges",
                "corrected edges cannot be applied to other places; correct each place separately",
            )
        note = review.batch.notes[review.batch.number(source.place)]
        planted = review.planted_cell(note, source.column)
        self.source = source
        if source.verdict == MISSED:
            text = planted.cell.after[slice(*planted.shown(*source.out))]
            head = r"\b" if text[:1].isalnum() else ""
            tail = r"\b" if text[-1:].isalnum() else ""
            self.pattern = re.compile(head + re.escape(text) + tail)
            return
        if planted.cell.before is None:
            raise DeidError(
                "originals-needed",
                "a mark on a replaced value can be applied to other places only with the originals",
                hint="open the review with --originals, the inputs of the job",
            )
        self.change = planted.cell.changes[planted.numbers.index(source.change)]
        self.text = _plain(planted.cell.before[self.change.start : self.change.end])

    def bodies(self, planted: PlantedError) -> Iterator[MarkBody]:
        """Yield the new marks for a cell."""
        if self.source.verdict == MISSED:
            yield from self._missed(planted)
        else:
            yield from self._changes(planted)

    def _missed(self, planted: PlantedError) -> Iterator[MarkBody]:
        cell = planted.cell
        for found in self.pattern.finditer(cell.after):
            start, end = found.span()
            if not any(c.out_start < end and start < c.out_end for c in cell.changes):
                yield missed_body(planted, "after", start, end, self.source.word)

    def _changes(self, planted: PlantedError) -> Iterator[MarkBody]:
        before = planted.cell.before or ""
        for number, change in zip(planted.numbers, planted.cell.changes, strict=True):
            same = change.identifier == self.change.identifier
            if same and _plain(before[change.start : change.end]) == self.text:
                yield change_body(planted, number, self.source.verdict, self.source.word)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
