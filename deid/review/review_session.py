"""A review session: one release, its sample, its marks and the actions on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from deid.errors import DeidError
from deid.reports.visible import count_hidden_characters
from deid.review.agreement import ReviewerDifference, agreements, differences
from deid.review.event_log import EventLog
from deid.review.marks import DISMISSED, MISSED, VERDICTS, Marks, ReviewMark
from deid.review.pace import ReadingClock, count_words
from deid.review.released_notes import NotePlace, ReviewBatch, ReviewedCell, ReviewedNote
from deid.review.sampling.planted_errors import PlantedError, SeededLeak, plant_error, plant_errors
from deid.review.sampling.sampling_plan import (
    Design,
    SampledNote,
    SamplingPlan,
    draw_plan,
    hashed_rank,
)
from deid.review.status import ReviewStatus, review_status
from deid.review.web.shown_cell import changes_json, in_original, in_released, shown_lines
from safe_harbor import Identifier

LONGEST_COMMENT = 2000
RULINGS = (*VERDICTS, "leak", DISMISSED)


@dataclass(slots=True, repr=False)
class ReviewSession:
    """Serves all requests of the page and checks the offsets that the page sends."""

    batch: ReviewBatch
    ledger: EventLog
    plan: SamplingPlan
    seeded: tuple[SeededLeak, ...]
    marks: Marks
    places: list[NotePlace] = field(init=False)
    strata: dict[NotePlace, str] = field(init=False)
    _counted: dict[NotePlace, int] = field(default_factory=dict)
    _watch: ReadingClock = field(default_factory=ReadingClock)

    def __post_init__(self) -> None:
        self.places = [(p.unit.file, p.unit.record) for p in self.plan.picks]
        self.strata = {(p.unit.file, p.unit.record): p.unit.stratum for p in self.plan.picks}

    def __repr__(self) -> str:
        return f"Desk({len(self.places)} notes to read)"

    # -- what is shown -----------------------------------------------------------------------

    def note(self, number: int, reviewer: str, share: bool) -> dict[str, Any]:
        """One note for the page. In share mode it holds no original text."""
        note = self._note(number)
        self._watch.show(reviewer, note.place, self.ledger.now())
        planted = [self._sown(note, cell, share) for cell in self.batch.cells(note)]
        originals = self.batch.has_originals and not share
        own = [] if share else self.marks.of_note(note.place, reviewer)
        return {
            "number": number,
            "name": note.name,
            "record": note.record,
            "originals": originals,
            "read": reviewer in self.marks.readers(note.place),
            "sample": self._position(note.place),
            "cells": [self._cell(s, originals) for s in planted],
            "marks": [_mark_json(mark, planted) for mark in own],
        }

    def _cell(self, planted: PlantedError, originals: bool) -> dict[str, Any]:
        return {
            "column": planted.cell.column,
            "header": planted.cell.header,
            "hidden": count_hidden_characters(planted.cell.after),
            "lines": [line.as_json(originals) for line in shown_lines(planted)],
            "changes": changes_json(planted),
        }

    def _sown(self, note: ReviewedNote, cell: ReviewedCell, share: bool = False) -> PlantedError:
        """In share mode seeded leaks are not shown, because they show original text."""
        return plant_error(cell, () if share else [x for x in self.seeded if x.place == note.place])

    def _position(self, place: NotePlace) -> int | None:
        return self.places.index(place) + 1 if place in self.strata else None

    def search(self, text: str, share: bool) -> frozenset[int]:
        """The notes whose shown text holds a text, in any case; in share mode the scrubbed text."""
        wanted = text.casefold()
        found = set()
        for number, note in enumerate(self.batch.notes):
            for cell in self.batch.cells(note):
                before = None if share or not self.batch.has_originals else cell.before
                if wanted in cell.after.casefold() or wanted in (before or "").casefold():
                    found.add(number)
        return frozenset(found)

    def list_notes(
        self, query: Mapping[str, str], reviewer: str, found: frozenset[int] | None = None
    ) -> list[dict[str, Any]]:
        """The notes that pass the filters, in sample or batch order; of `found`, if given."""
        if query.get("view", "sample") == "sample":
            numbers = [self.batch.number(place) for place in self.places]
        else:
            numbers = list(range(len(self.batch.notes)))
        read = self.marks.read_by(reviewer)
        rows = ((number, self.batch.notes[number]) for number in numbers)
        return [
            {
                "number": number,
                "name": note.name,
                "record": note.record,
                "changes": note.changes,
                "lowest": round(note.lowest, 2),
                "read": note.place in read,
                "stratum": self.strata.get(note.place, ""),
                "missed": any(
                    m.verdict == MISSED for m in self.marks.of_note(note.place, reviewer)
                ),
            }
            for number, note in rows
            if (found is None or number in found) and self._passes(note, query, read)
        ]

    def _passes(self, note: ReviewedNote, query: Mapping[str, str], read: set[NotePlace]) -> bool:
        word, source, state = query.get("word"), query.get("source"), query.get("state")
        below, stratum = query.get("below"), query.get("stratum")
        return (
            (not word or word in note.words)
            and (not source or source in note.sources)
            and (not below or note.lowest < float(below))
            and (not stratum or self.strata.get(note.place) == stratum)
            and (not state or (note.place in read) == (state == "read"))
        )

    def choices(self) -> dict[str, Any]:
        """The filter and mark options for the page."""
        return {
            "words": [[word.value, word.heading] for word in Identifier],
            "sources": sorted({s for note in self.batch.notes for s in note.sources}),
            "strata": [name for name in self.plan.sizes if name],
            "notes": len(self.batch.notes),
            "comments": self.ledger.seals,
        }

    def standing(self, reviewer: str | None = None) -> ReviewStatus:
        """The figures so far."""
        return review_status(self.plan, self.marks, self.seeded, self._words, reviewer)

    def _words(self, place: NotePlace) -> int:
        """The number of words of a note to read."""
        if place not in self._counted:
            note = self.batch.notes[self.batch.number(place)]
            self._counted[place] = count_words(cell.after for cell in self.batch.cells(note))
        return self._counted[place]

    def next_unread(self, reviewer: str) -> int | None:
        """The next note of the sample that the reviewer has not finished."""
        read = self.marks.read_by(reviewer)
        place = next((place for place in self.places if place not in read), None)
        return None if place is None else self.batch.number(place)

    # -- what is done ------------------------------------------------------------------------

    def judge(
        self, number: int, reviewer: str, column: int, change: int, verdict: str, word: str
    ) -> None:
        """Record a verdict on a change: right, wrong category, or should have stayed."""
        note = self._note(number)
        planted = self._column(note, column)
        if verdict not in VERDICTS or verdict == MISSED or change not in planted.numbers:
            raise _refused()
        if verdict == "wrong_word" and word not in list(Identifier):
            raise _refused()
        judged = next(c for c in self.batch.cells(note) if c.column == column).changes[change]
        self._mark(
            note,
            reviewer,
            {
                "column": column,
                "verdict": verdict,
                "change": change,
                "out": [judged.out_start, judged.out_end],
                "original": [judged.start, judged.end],
                "word": word if verdict == "wrong_word" else judged.identifier.value,
                "seeded": False,
            },
        )

    def miss(
        self, number: int, reviewer: str, column: int, side: str, start: int, end: int, word: str
    ) -> None:
        """Mark missed text by offsets in the shown text or in the original."""
        note = self._note(number)
        planted = self._column(note, column)
        length = len(planted.cell.after if side == "after" else planted.cell.before or "")
        if word not in list(Identifier) or not 0 <= start < end <= length:
            raise _refused()
        if side == "before":
            found = in_released(planted.cell, start, end)
            if found is None:
                raise DeidError("already-out", "that text was taken out already")
            start, end = found
        start, end, seeded = planted.released(start, end)
        cell = next(c for c in self.batch.cells(note) if c.column == column)
        original = in_original(cell, start, end)
        self._mark(
            note,
            reviewer,
            {
                "column": column,
                "verdict": MISSED,
                "change": -1,
                "out": [start, end],
                "original": None if original is None else list(original),
                "word": word,
                "seeded": seeded,
            },
        )

    def undo(self, reviewer: str) -> int | None:
        """Take the reviewer's last mark back; the note it was on, None where there is none."""
        last = self.marks.last(reviewer)
        if last is None:
            return None
        self._append(reviewer, "undo", last.place, {"of": last.id})
        return self.batch.number(last.place)

    def finish(self, number: int, reviewer: str, seconds: float) -> None:
        """A note was read to its end; what is not marked in it is right.

        The page says how long it took, and is believed up to what the server's clock says.
        """
        if not 0 <= seconds < 86_400:
            raise _refused()
        place = self._note(number).place
        most = self._watch.finish(reviewer, place, self.ledger.now())
        seconds = seconds if most is None else min(seconds, most)
        self._append(reviewer, "read", place, {"seconds": round(seconds, 1)})

    def comment(self, number: int, reviewer: str, text: str) -> None:
        """A comment on a note, sealed."""
        if not 0 < len(text) <= LONGEST_COMMENT:
            raise _refused()
        place = self._note(number).place
        self._append(reviewer, "comment", place, {"sealed": self.ledger.seal(text, place)})

    def differences(self) -> list[ReviewerDifference]:
        """What the readers of a note do not agree on."""
        return differences(self.marks, self.places)

    def rule(self, number: int, reviewer: str, index: int, verdict: str) -> None:
        """The adjudicator's word on one difference."""
        found = self.differences()
        if verdict not in RULINGS or not 0 <= index < len(found):
            raise _refused()
        difference = found[index]
        if self.batch.number(difference.place) != number:
            raise _refused()
        spot = difference.spot
        self._append(
            reviewer,
            "ruling",
            difference.place,
            {
                "column": difference.column,
                "spot": list(spot) if isinstance(spot, tuple) else spot,
                "verdict": verdict,
            },
        )

    def agreement(self) -> list[dict[str, Any]]:
        """Cohen's kappa of every two reviewers."""
        return [a.as_json() for a in agreements(self.marks, self.batch, self.places)]

    def _mark(self, note: ReviewedNote, reviewer: str, body: Mapping[str, Any]) -> None:
        self._append(reviewer, "mark", note.place, body)

    def _append(self, reviewer: str, kind: str, place: NotePlace, body: Mapping[str, Any]) -> None:
        self.marks.take([self.ledger.append(reviewer, kind, place, body)])

    def _note(self, number: int) -> ReviewedNote:
        if not 0 <= number < len(self.batch.notes):
            raise _refused()
        return self.batch.notes[number]

    def _column(self, note: ReviewedNote, column: int) -> PlantedError:
        cell = next((c for c in self.batch.cells(note) if c.column == column), None)
        if cell is None:
            raise _refused()
        return self._sown(note, cell)


def open_review(
    batch: ReviewBatch, ledger: EventLog, units: Sequence[SampledNote] | None, design: Design
) -> tuple[ReviewSession, bool]:
    """The desk, and whether its plan was made now. A plan once made stays.

    Raises:
        DeidError: `plan-missing`, when there is no plan and no `units` to draw one from.
    """
    events = list(ledger.events())
    kept = next((event.body for event in events if event.kind == "plan"), None)
    if kept is None:
        if units is None:
            raise DeidError("plan-missing", "no sample was drawn yet", hint="run with --plan")
        plan = draw_plan(units, design)
        leaks = plant_errors(plan, batch, hashed_rank(design.seed))
        body = {"plan": plan.as_record(), "seeded": [_leak_record(leak) for leak in leaks]}
        ledger.append("", "plan", None, body)
    else:
        plan = SamplingPlan.of_record(kept["plan"])
        leaks = tuple(_leak(record) for record in kept["seeded"])
    return ReviewSession(batch, ledger, plan, leaks, Marks().take(events)), kept is None


def has_plan(ledger: EventLog) -> bool:
    """Was a sample drawn already?"""
    return any(event.kind == "plan" for event in ledger.events())


def _leak_record(leak: SeededLeak) -> list[Any]:
    return [*leak.place, leak.column, leak.change, leak.word.value]


def _leak(record: Sequence[Any]) -> SeededLeak:
    file, number, column, change, word = record
    return SeededLeak((file, number), column, change, Identifier(word))


def _mark_json(mark: ReviewMark, planted: Sequence[PlantedError]) -> dict[str, Any]:
    own = next((s for s in planted if s.cell.column == mark.column), None)
    start, end = mark.out if own is None else own.shown(*mark.out)
    return {
        "id": mark.id,
        "column": mark.column,
        "verdict": mark.verdict,
        "change": mark.change,
        "start": start,
        "end": end,
        "word": mark.word,
    }


def _refused() -> DeidError:
    return DeidError("bad-request", "the page asked for what is not there")
