"""The state of a review from its events: valid marks, notes read and rulings on disagreements."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from deid.review.event_log import Event
from deid.review.released_notes import NotePlace
from deid.review.reviewers.assignment import Assignment

ReviewVerdict = Literal["right", "wrong_word", "stay", "edges", "missed"]
VERDICTS: tuple[str, ...] = get_args(ReviewVerdict)
MISSED = "missed"
EDGES = "edges"
DISMISSED = "no_leak"


@dataclass(frozen=True, slots=True)
class ReviewMark:
    """One judgment: of a change (`change` >= 0), or of text that was missed (`missed`).

    `out` are offsets in the release; `original` are offsets in the original, if known. For `edges`
    they are the offsets of the corrected span. Marks of one `action` are undone together.
    """

    id: int
    reviewer: str
    place: NotePlace
    column: int
    verdict: str
    change: int
    out: tuple[int, int]
    original: tuple[int, int] | None
    word: str
    seeded: bool
    action: int
    replaces: tuple[int, ...] = ()
    """The marks that do not count as long as this mark does."""
    alike: int | None = None
    """The mark that was applied here because the text is the same; None if judged at this place."""

    @property
    def subject(self) -> tuple[Any, ...]:
        """The subject of the mark. A reviewer's later mark on it replaces the earlier one."""
        spot: Any = self.out if self.verdict == MISSED else self.change
        return self.place, self.column, spot

    @classmethod
    def of(cls, event: Event) -> ReviewMark:
        """The mark that an event records."""
        body = event.body
        assert event.place is not None
        original = body["original"]
        return cls(
            event.id,
            event.reviewer,
            event.place,
            body["column"],
            body["verdict"],
            body["change"],
            (body["out"][0], body["out"][1]),
            None if original is None else (original[0], original[1]),
            body["word"],
            body["seeded"],
            body.get("action", event.id),
            tuple(body.get("replaces", ())),
            body.get("alike"),
        )

    def overlaps(self, other: ReviewMark) -> bool:
        """Whether two marks overlap in the text."""
        same = self.place == other.place and self.column == other.column
        return same and self.out[0] < other.out[1] and other.out[0] < self.out[1]


@dataclass(slots=True)
class Marks:
    """The state of a review, built from its events."""

    _all: dict[int, ReviewMark] = field(default_factory=dict)
    _undone: set[int] = field(default_factory=set)
    _by_note: dict[NotePlace, list[int]] = field(default_factory=dict)
    _read: dict[NotePlace, dict[str, float]] = field(default_factory=dict)
    _first_read: dict[tuple[NotePlace, str], int] = field(default_factory=dict)
    _rulings: dict[tuple[Any, ...], str] = field(default_factory=dict)
    _comments: list[Event] = field(default_factory=list)
    _signature: Event | None = None
    assignment: Assignment | None = None
    """The readers of each note of the sample; None if everybody reads all notes."""

    def take(self, events: Iterable[Event]) -> Marks:
        """Apply more events."""
        for event in events:
            self._take(event)
        return self

    def _take(self, event: Event) -> None:
        self._signature = _signature_after(event, self._signature)
        if event.kind == "mark":
            mark = ReviewMark.of(event)
            self._all[mark.id] = mark
            self._by_note.setdefault(mark.place, []).append(mark.id)
        elif event.kind == "undo":
            self._undone.add(event.body["of"])
        elif event.kind == "read" and event.place is not None:
            readers = self._read.setdefault(event.place, {})
            readers[event.reviewer] = readers.get(event.reviewer, 0.0) + event.body["seconds"]
            self._first_read.setdefault((event.place, event.reviewer), event.id)
        elif event.kind == "ruling" and event.place is not None:
            body = event.body
            self._rulings[event.place, body["column"], _spot(body["spot"])] = body["verdict"]
        elif event.kind == "comment":
            self._comments.append(event)
        elif event.kind == "assignment":
            self.assignment = Assignment(tuple(event.body["reviewers"]), event.body["overlap"])

    def _valid(self, mark: ReviewMark) -> bool:
        return mark.action not in self._undone

    def of_note(self, place: NotePlace, reviewer: str | None = None) -> list[ReviewMark]:
        """The valid marks on a note: the last of each reviewer on each subject."""
        marks = [self._all[number] for number in self._by_note.get(place, ())]
        valid = [m for m in marks if self._valid(m) and reviewer in (None, m.reviewer)]
        replaced = {number for mark in valid for number in mark.replaces}
        standing = {(m.reviewer, m.subject): m for m in valid if m.id not in replaced}
        return list(standing.values())

    def of_action(self, action: int) -> list[ReviewMark]:
        """The marks of one action of a reviewer."""
        return [mark for mark in self._all.values() if mark.action == action]

    def by_id(self, number: int) -> ReviewMark:
        """A mark by the number of its event."""
        return self._all[number]

    def standing(self, reviewer: str | None = None) -> list[ReviewMark]:
        """Return all valid marks in note order, or those of one reviewer."""
        return [m for place in sorted(self._by_note) for m in self.of_note(place, reviewer)]

    def last(self, reviewer: str) -> ReviewMark | None:
        """The last valid mark of a reviewer: undo would remove its action."""
        own = (m for m in self._all.values() if m.reviewer == reviewer and self._valid(m))
        return max(own, key=lambda mark: mark.id, default=None)

    def unread_when_marked(self, mark: ReviewMark) -> bool:
        """Whether the reviewer had not yet finished the note when the mark was made."""
        return mark.id < self._first_read.get((mark.place, mark.reviewer), mark.id + 1)

    def readers(self, place: NotePlace) -> dict[str, float]:
        """The reviewers who finished a note, each with their reading time in seconds."""
        return self._read.get(place, {})

    def read_by(self, reviewer: str) -> set[NotePlace]:
        """The notes a reviewer finished."""
        return {place for place, readers in self._read.items() if reviewer in readers}

    def reviewers(self) -> list[str]:
        """All reviewers who finished a note."""
        return sorted({name for readers in self._read.values() for name in readers})

    def people(self) -> list[str]:
        """Everybody who marked a note, or finished one."""
        return sorted({*self.reviewers(), *(mark.reviewer for mark in self.standing())})

    @property
    def signature(self) -> Event | None:
        """The signature of the review; None if unsigned, or if the result may have changed."""
        return self._signature

    def places(self) -> list[NotePlace]:
        """The notes that anybody marked."""
        return sorted(self._by_note)

    def ruling(self, mark: ReviewMark) -> str | None:
        """The adjudicator's ruling on the subject of a mark."""
        return self._rulings.get(mark.subject)

    def comments(self) -> list[Event]:
        """The events with sealed comments."""
        return list(self._comments)

    def leaks(self, place: NotePlace) -> list[ReviewMark]:
        """The leaks in a note: missed, not seeded, not dismissed; one per stretch of text."""
        found: list[ReviewMark] = []
        for mark in self.of_note(place):
            counts = mark.verdict == MISSED and not mark.seeded and self._stands(mark)
            if counts and not any(mark.overlaps(other) for other in found):
                found.append(mark)
        return found

    def _stands(self, mark: ReviewMark) -> bool:
        """Whether the leak counts: no ruling dismissed it."""
        return self.ruling(mark) != DISMISSED


def _signature_after(event: Event, signed: Event | None) -> Event | None:
    """The valid signature after an event; a change in the result invalidates the signature."""
    if event.kind == "signature":
        return event
    return None if event.kind in ("mark", "undo", "ruling", "read") else signed


def _spot(spot: Any) -> Any:
    return tuple(spot) if isinstance(spot, list) else spot
