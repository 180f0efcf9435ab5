"""A review session: one release, its sample, its marks and which notes were read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from deid.errors import DeidError
from deid.review.event_log import EventLog
from deid.review.marks import DISMISSED, VERDICTS, Marks
from deid.review.released_notes import NotePlace, ReviewBatch, ReviewedNote
from deid.review.reviewers.agreement import ReviewerDifference, agreements, differences
from deid.review.reviewers.assignment import Assignment, assigned_places
from deid.review.reviewers.pace import ReadingClock, count_words
from deid.review.sampling.planted_errors import PlantedError, SeededLeak, plant_error, plant_errors
from deid.review.sampling.sampling_plan import (
    Design,
    SampledNote,
    SamplingPlan,
    draw_plan,
    hashed_rank,
)
from deid.review.status import ReviewStatus, notes_wanted, review_status
from safe_harbor import Identifier

LONGEST_COMMENT = 2000
RULINGS = (*VERDICTS, "leak", DISMISSED)


@dataclass(slots=True, repr=False)
class ReviewSession:
    """The state that all requests of the page share.

    It checks the numbers and offsets they send.
    """

    batch: ReviewBatch
    event_log: EventLog
    plan: SamplingPlan
    seeded: tuple[SeededLeak, ...]
    marks: Marks
    places: list[NotePlace] = field(init=False)
    strata: dict[NotePlace, str] = field(init=False)
    _counted: dict[NotePlace, int] = field(default_factory=dict)
    _change_words: dict[NotePlace, dict[tuple[int, int], str]] = field(default_factory=dict)
    _watch: ReadingClock = field(default_factory=ReadingClock)

    def __post_init__(self) -> None:
        self.places = [(p.unit.file, p.unit.record) for p in self.plan.picks]
        self.strata = {(p.unit.file, p.unit.record): p.unit.stratum for p in self.plan.picks}

    def __repr__(self) -> str:
        return f"ReviewSession({len(self.places)} notes to read)"

    # -- reading the state --------------------------------------------------------------------

    def note(self, number: int) -> ReviewedNote:
        """A note by its number in the batch. Raises `DeidError` if there is none."""
        if not 0 <= number < len(self.batch.notes):
            raise refused()
        return self.batch.notes[number]

    def planted_cells(self, note: ReviewedNote, share: bool = False) -> list[PlantedError]:
        """The cells of a note as shown.

        In share mode seeded leaks are not shown, because they show original text.
        """
        leaks = () if share else [leak for leak in self.seeded if leak.place == note.place]
        return [plant_error(cell, leaks) for cell in self.batch.cells(note)]

    def planted_cell(self, note: ReviewedNote, column: int) -> PlantedError:
        """One cell as shown. Raises `DeidError` if the note has no such column."""
        for planted in self.planted_cells(note):
            if planted.cell.column == column:
                return planted
        raise refused()

    def assigned(self, reviewer: str) -> list[NotePlace]:
        """The notes of the sample that a reviewer is to read, in sample order."""
        return assigned_places(self.marks.assignment, self.places, reviewer)

    def standing(self, reviewer: str | None = None) -> ReviewStatus:
        """The status of the review so far; if a reviewer is given, of that reviewer's part."""
        return review_status(self.plan, self.marks, self.seeded, self.words, reviewer)

    def words(self, place: NotePlace) -> int:
        """Return the number of words of a note that a reviewer must read."""
        if place not in self._counted:
            note = self.batch.notes[self.batch.number(place)]
            self._counted[place] = count_words(cell.after for cell in self.batch.cells(note))
        return self._counted[place]

    def change_words(self, place: NotePlace) -> dict[tuple[int, int], str]:
        """Return the identifier of each change of a note, by (column, number)."""
        if place not in self._change_words:
            note = self.batch.notes[self.batch.number(place)]
            self._change_words[place] = {
                (cell.column, number): change.identifier.value
                for cell in self.batch.cells(note)
                for number, change in enumerate(cell.changes)
            }
        return self._change_words[place]

    def next_unread(self, reviewer: str) -> int | None:
        """The next note assigned to the reviewer that they have not finished."""
        read = self.marks.read_by(reviewer)
        place = next((place for place in self.assigned(reviewer) if place not in read), None)
        return None if place is None else self.batch.number(place)

    def open_second_readings(self) -> int:
        """Count the open readings: an assigned reader has not finished a note that another has."""
        if self.marks.assignment is None:
            return 0
        wanted = self.places[: notes_wanted(self.plan, self.marks, None)]
        return sum(
            len(self.marks.readers(place)) > 0 and name not in self.marks.readers(place)
            for place, names in self.marks.assignment.readers(wanted)
            for name in names
            if len(names) > 1
        )

    def differences(self) -> list[ReviewerDifference]:
        """The subjects on which the readers of a note disagree."""
        return differences(self.marks, self.places)

    def agreement(self) -> list[dict[str, Any]]:
        """Cohen's kappa of every two reviewers."""
        return [a.as_json() for a in agreements(self.marks, self.change_words, self.places)]

    # -- recording events ---------------------------------------------------------------------

    def append(
        self,
        reviewer: str,
        kind: str,
        entries: Iterable[tuple[NotePlace | None, Mapping[str, Any]]],
    ) -> None:
        """Record the events of one action."""
        self.marks.take(self.event_log.append_all(reviewer, kind, entries))

    def assign(self, reviewers: Sequence[str], overlap: float) -> None:
        """Divide the sample again; finished notes stay finished.

        Raises:
            DeidError: `overlap-invalid`.
        """
        wanted = Assignment(tuple(reviewers), overlap)
        if wanted != self.marks.assignment:
            self.append("", "assignment", [(None, {"reviewers": [*reviewers], "overlap": overlap})])

    def show(self, note: ReviewedNote, reviewer: str) -> None:
        """Record that a note is shown to a reviewer from now on."""
        self._watch.show(reviewer, note.place, self.event_log.now())

    def finish(self, number: int, reviewer: str, seconds: float) -> None:
        """Record that a note was read to its end. Changes without a mark count as right.

        The page sends the reading time; it is capped at the time that the server measured.
        """
        if not 0 <= seconds < 86_400:
            raise refused()
        place = self.note(number).place
        most = self._watch.finish(reviewer, place, self.event_log.now())
        seconds = seconds if most is None else min(seconds, most)
        self.append(reviewer, "read", [(place, {"seconds": round(seconds, 1)})])

    def comment(self, number: int, reviewer: str, text: str) -> None:
        """Record a sealed comment on a note."""
        if not 0 < len(text) <= LONGEST_COMMENT:
            raise refused()
        place = self.note(number).place
        self.append(reviewer, "comment", [(place, {"sealed": self.event_log.seal(text, place)})])

    def comments_on(self, place: NotePlace, reviewer: str | None) -> list[tuple[str, str]]:
        """The author and text of each comment on a note; only the reviewer's own, if one is named.

        Without the key that sealed them, no comment can be read.
        """
        found = [e for e in self.marks.comments() if e.place == place]
        own = [e for e in found if reviewer in (None, e.reviewer)]
        read = [(e.reviewer, self.event_log.unseal(e.body["sealed"], place)) for e in own]
        return [(author, text) for author, text in read if text is not None]

    def rule(self, number: int, reviewer: str, index: int, verdict: str) -> None:
        """Record the adjudicator's ruling on one difference."""
        found = self.differences()
        if verdict not in RULINGS or not 0 <= index < len(found):
            raise refused()
        difference = found[index]
        if self.batch.number(difference.place) != number:
            raise refused()
        spot = difference.spot
        body = {
            "column": difference.column,
            "spot": list(spot) if isinstance(spot, tuple) else spot,
            "verdict": verdict,
        }
        self.append(reviewer, "ruling", [(difference.place, body)])


def open_review(
    batch: ReviewBatch, event_log: EventLog, units: Sequence[SampledNote] | None, design: Design
) -> tuple[ReviewSession, bool]:
    """The session, and whether its plan was drawn now. An existing plan is kept.

    Raises:
        DeidError: `plan-missing`, when there is no plan and no `units` to draw one from.
    """
    events = list(event_log.events())
    kept = next((event.body for event in events if event.kind == "plan"), None)
    if kept is None:
        if units is None:
            raise DeidError("plan-missing", "no sample was drawn yet", hint="run with --plan")
        plan = draw_plan(units, design)
        leaks = plant_errors(plan, batch, hashed_rank(design.seed))
        body = {"plan": plan.as_record(), "seeded": [_leak_record(leak) for leak in leaks]}
        event_log.append("", "plan", None, body)
    else:
        plan = SamplingPlan.of_record(kept["plan"])
        leaks = tuple(_leak(record) for record in kept["seeded"])
    return ReviewSession(batch, event_log, plan, leaks, Marks().take(events)), kept is None


def has_plan(event_log: EventLog) -> bool:
    """Whether a sample was already drawn."""
    return any(event.kind == "plan" for event in event_log.events())


def _leak_record(leak: SeededLeak) -> list[Any]:
    return [*leak.place, leak.column, leak.change, leak.word.value]


def _leak(record: Sequence[Any]) -> SeededLeak:
    file, number, column, change, word = record
    return SeededLeak((file, number), column, change, Identifier(word))


def refused() -> DeidError:
    """The error for a request that our page never sends."""
    return DeidError(
        "bad-request", "the page asked for something that does not exist", hint="reload the page"
    )
