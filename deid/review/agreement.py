"""Compares independent reviewers: their differences and their agreement beyond chance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from deid.review.marks import MISSED, Marks, ReviewMark
from deid.review.released_notes import NotePlace, ReviewBatch
from risk import kappa

UNMARKED = "right"


@dataclass(frozen=True, slots=True)
class ReviewerDifference:
    """A subject on which reviewers of the same note disagree."""

    place: NotePlace
    column: int
    spot: Any
    out: tuple[int, int]
    said: tuple[tuple[str, str, str], ...]
    """(reviewer, verdict, category), ordered by reviewer name."""
    ruling: str | None


def cohen_kappa(pairs: Iterable[tuple[str, str]]) -> float | None:
    """Agreement beyond chance of two raters: Cohen 1960, (po - pe) / (1 - pe).

    None if nothing was rated twice or both raters gave the same single rating everywhere.

    >>> cohen_kappa([("a", "a")] * 20 + [("a", "b")] * 5 + [("b", "a")] * 10 + [("b", "b")] * 15)
    0.4
    """
    both = list(pairs)
    if not both:
        return None
    found = kappa([one for one, _ in both], [other for _, other in both])
    return None if found is None else round(found, 12)


def read_twice(marks: Marks, places: Iterable[NotePlace]) -> list[tuple[NotePlace, list[str]]]:
    """The notes that at least two reviewers finished, with the reviewers' names."""
    pairs = ((place, sorted(marks.readers(place))) for place in places)
    return [(place, readers) for place, readers in pairs if len(readers) > 1]


def differences(marks: Marks, places: Sequence[NotePlace]) -> list[ReviewerDifference]:
    """All subjects on which the reviewers of a note differ, in note order."""
    found: list[ReviewerDifference] = []
    for place, readers in read_twice(marks, places):
        standing = [m for m in marks.of_note(place) if not m.seeded and m.reviewer in readers]
        found += _in_note(marks, place, readers, standing)
    return found


def _in_note(
    marks: Marks, place: NotePlace, readers: Sequence[str], standing: Sequence[ReviewMark]
) -> list[ReviewerDifference]:
    found: list[ReviewerDifference] = []
    seen: list[ReviewMark] = []
    for mark in standing:
        if any(_same_mark(mark, other) for other in seen):
            continue
        seen.append(mark)
        said = tuple(_say(name, mark, standing) for name in readers)
        if len({(verdict, word) for _, verdict, word in said}) > 1:
            spot = mark.subject[2]
            found.append(
                ReviewerDifference(place, mark.column, spot, mark.out, said, marks.ruling(mark))
            )
    return found


def _say(name: str, mark: ReviewMark, standing: Sequence[ReviewMark]) -> tuple[str, str, str]:
    own = next((m for m in standing if m.reviewer == name and _same_mark(m, mark)), None)
    if own is not None:
        return name, own.verdict, own.word if own.verdict in (MISSED, "wrong_word") else ""
    return name, "nothing" if mark.verdict == MISSED else UNMARKED, ""


def _same_mark(one: ReviewMark, other: ReviewMark) -> bool:
    if one.verdict == MISSED or other.verdict == MISSED:
        return one.verdict == other.verdict and one.overlaps(other)
    return one.subject == other.subject


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two reviewers: notes read by both, kappa on leaks by note, kappa on verdicts by change."""

    reviewers: tuple[str, str]
    notes: int
    by_note: float | None
    by_change: float | None

    def as_json(self) -> dict[str, Any]:
        return {
            "reviewers": list(self.reviewers),
            "notes_read_by_both": self.notes,
            "kappa_leaks_by_note": self.by_note,
            "kappa_verdicts_by_change": self.by_change,
        }


def agreements(marks: Marks, batch: ReviewBatch, places: Sequence[NotePlace]) -> list[Agreement]:
    """Every pair of reviewers."""
    names = marks.reviewers()
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    return [_agreement(marks, batch, places, pair) for pair in pairs]


def _agreement(
    marks: Marks, batch: ReviewBatch, places: Sequence[NotePlace], pair: tuple[str, str]
) -> Agreement:
    both = [place for place in places if set(pair) <= marks.readers(place).keys()]
    notes: list[tuple[str, str]] = []
    changes: list[tuple[str, str]] = []
    for place in both:
        own = [[m for m in marks.of_note(place, name) if not m.seeded] for name in pair]
        leak = [str(any(m.verdict == MISSED for m in said)) for said in own]
        notes.append((leak[0], leak[1]))
        verdicts = [{m.subject: m.verdict for m in said if m.verdict != MISSED} for said in own]
        judged = verdicts[0].keys() | verdicts[1].keys()
        changes += [(verdicts[0].get(s, UNMARKED), verdicts[1].get(s, UNMARKED)) for s in judged]
        rest = batch.notes[batch.number(place)].changes - len(judged)
        changes += [(UNMARKED, UNMARKED)] * max(0, rest)
    return Agreement(pair, len(both), cohen_kappa(notes), cohen_kappa(changes))
