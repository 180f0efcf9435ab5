"""The status of a review: notes read, leaks, and the resulting bound."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from deid.reports.wording import percent, plural
from deid.review.marks import MISSED, Marks
from deid.review.released_notes import NotePlace
from deid.review.reviewers.assignment import assigned_places
from deid.review.reviewers.pace import WORDS_A_MINUTE, Pace
from deid.review.sampling.bounds import (
    StratumRead,
    design_effect,
    imbalance,
    upper_bound,
    upper_clustered,
    upper_corrected,
    upper_in_batch,
)
from deid.review.sampling.planted_errors import SeededLeak
from deid.review.sampling.sampling_plan import SamplingPlan
from safe_harbor import Identifier


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """The seeded leaks in notes that were read, and how many were marked."""

    seeded: int
    found: int


@dataclass(frozen=True, slots=True)
class ReviewStatus:
    """The results of a review. `bound` is corrected for sensitivity if leaks were seeded.

    `leaks` counts the leaks in all notes, because any leak holds the release. `beside` counts the
    leaks in notes outside the sample or not read to the end, which no bound covers.
    """

    planned: int
    read: int
    leaking: int
    leaks: int
    finished: bool
    confidence: float
    rate: float
    uncorrected: float
    bound: float
    sensitivity: Sensitivity
    by_word: dict[str, tuple[int, float]] = field(default_factory=dict)
    bound_by_word: dict[str, float] = field(default_factory=dict)
    by_stratum: dict[str, tuple[int, int, float]] = field(default_factory=dict)
    minutes: float = 0.0
    hurried: int = 0
    hurry: Pace = field(default_factory=Pace)
    beside: int = 0

    @property
    def bound_claimed(self) -> bool:
        """Whether a bound is claimed.

        The result is False if no note was read, or some were read too fast.
        """
        return self.read > 0 and not self.hurried

    @property
    def sentence(self) -> str:
        """The current result as a sentence for the page."""
        where = "outside the notes read"
        beside = f"; {plural(self.beside, 'leak')} {where}" if self.beside else ""
        return self._of_sample() + beside

    def _of_sample(self) -> str:
        leaks = self.leaks - self.beside
        if not self.read and not self.hurried:
            return f"no note read yet, of {self.planned} in the sample"
        head = "" if self.finished else "so far "
        within = f" in {plural(self.leaking, 'note')}" if leaks != self.leaking else ""
        read = f"{head}{plural(self.read, 'note')}, {plural(leaks, 'leak')}{within}"
        if self.hurried:
            return f"{read}; no bound: {plural(self.hurried, 'note')} read too fast"
        share = f"at most {percent(self.bound)} of notes leak ({self.confidence:.0%})"
        return f"{read}: {share}"

    def as_json(self) -> dict[str, Any]:
        """The status for JSON, without values."""
        return {
            "notes_planned": self.planned,
            "notes_read": self.read,
            "notes_leaking": self.leaking,
            "leaks": self.leaks,
            "leaks_beside_the_notes_read": self.beside,
            "finished": self.finished,
            "confidence": self.confidence,
            "target_rate": self.rate,
            "upper_bound": self.bound,
            "upper_bound_uncorrected": self.uncorrected,
            "seeded_leaks": self.sensitivity.seeded,
            "seeded_leaks_found": self.sensitivity.found,
            "by_word": {
                word: {"notes_leaking": n, "upper_bound": bound}
                for word, (n, bound) in self.by_word.items()
            },
            "by_stratum": {
                name: {"notes_read": read, "notes_leaking": n, "upper_bound": bound}
                for name, (read, n, bound) in self.by_stratum.items()
            },
            "minutes": round(self.minutes, 1),
            "bound_claimed": self.bound_claimed,
            "bound_by_word": self.bound_by_word,
            "notes_hurried": self.hurried,
            "words_hurried": self.hurry.words,
            "seconds_hurried": round(self.hurry.seconds),
            "words_a_minute": WORDS_A_MINUTE,
            "sentence": self.sentence,
        }


def review_status(
    plan: SamplingPlan,
    marks: Marks,
    seeded: Sequence[SeededLeak],
    words: Callable[[NotePlace], int],
    reviewer: str | None = None,
) -> ReviewStatus:
    """Return the results so far; if a reviewer is given, over the notes assigned to that reviewer.

    `words` returns the number of words of a note. A note marked read faster than it can be read
    counts as unread, except for leaks marked in it.
    """
    seen = _notes_seen(plan, marks, words, reviewer)
    sensitivity = _sensitivity(marks, seeded, set(seen.read), reviewer)
    confidence = plan.design.confidence

    def uncorrected(leaks: dict[NotePlace, list[str]], confidence: float) -> float:
        return _leak_rate_bound(plan, seen.places, seen.read, leaks, confidence, seen.whole)

    def corrected(leaks: dict[NotePlace, list[str]]) -> float:
        def bound(confidence: float) -> float:
            return uncorrected(leaks, confidence)

        return upper_corrected(bound, sensitivity.found, sensitivity.seeded, confidence)

    counted = seen.in_read
    return ReviewStatus(
        planned=seen.assigned,
        read=len(seen.read),
        leaking=len(seen.leaking),
        leaks=_number(seen.leaks),
        finished=seen.finished,
        confidence=confidence,
        rate=plan.design.rate,
        uncorrected=uncorrected(counted, confidence),
        bound=corrected(counted),
        sensitivity=sensitivity,
        by_word=_leaks_by_word(seen, confidence),
        bound_by_word={word.value: corrected(_of_word(counted, word)) for word in Identifier},
        by_stratum=_strata(plan, set(seen.read), counted, confidence),
        minutes=sum(sum(marks.readers(place).values()) for place in seen.marked) / 60,
        hurried=len(seen.hurried),
        hurry=sum(seen.hurried.values(), Pace()),
        beside=_number(seen.leaks) - _number(seen.leaking),
    )


@dataclass(frozen=True, slots=True)
class _NotesSeen:
    """The notes of a sample that were to be read and that were read, and the leaks marked in them.

    `leaking` holds the leaks in finished notes of the sample, and `leaks` holds the leaks in all
    notes of the release; `whole` says whether the whole sample of all reviewers is finished.
    """

    assigned: int
    places: list[NotePlace]
    marked: list[NotePlace]
    hurried: dict[NotePlace, Pace]
    leaking: dict[NotePlace, list[str]]
    leaks: dict[NotePlace, list[str]]
    whole: bool

    @property
    def read(self) -> list[NotePlace]:
        """The finished notes that were not read too fast."""
        return [place for place in self.marked if place not in self.hurried]

    @property
    def finished(self) -> bool:
        """Whether every note that must be read was read."""
        return len(self.read) == len(self.places)

    @property
    def in_read(self) -> dict[NotePlace, list[str]]:
        """Return the leaks in the notes that count as read."""
        return {place: found for place, found in self.leaking.items() if place not in self.hurried}


def _notes_seen(
    plan: SamplingPlan, marks: Marks, words: Callable[[NotePlace], int], reviewer: str | None
) -> _NotesSeen:
    sample = [(p.unit.file, p.unit.record) for p in plan.picks]
    own = frozenset(assigned_places(marks.assignment, sample, reviewer))
    places = [place for place in sample[: notes_wanted(plan, marks, reviewer)] if place in own]
    paces = {place: _pace(marks, place, words, reviewer) for place in places}
    done = {place: pace for place, pace in paces.items() if pace is not None}
    hurried = {place: pace for place, pace in done.items() if pace.hurried}
    finished = len(done) - len(hurried) == len(places)
    return _NotesSeen(
        assigned=len(own),
        places=places,
        marked=list(done),
        hurried=hurried,
        leaking=_leaks_in(marks, done, reviewer),
        leaks=_leaks_in(marks, marks.places(), reviewer),
        whole=finished and len(own) == len(sample),
    )


def _leaks_in(
    marks: Marks, places: Iterable[NotePlace], reviewer: str | None
) -> dict[NotePlace, list[str]]:
    found = ((place, _marked_categories(marks, place, reviewer)) for place in places)
    return {place: categories for place, categories in found if categories}


def _number(leaks: dict[NotePlace, list[str]]) -> int:
    return sum(map(len, leaks.values()))


def _leaks_by_word(seen: _NotesSeen, confidence: float) -> dict[str, tuple[int, float]]:
    """For each identifier, the number of notes with a leak of it, and the bound."""
    by_word = Counter(word for found in seen.leaks.values() for word in set(found))
    read = len(seen.read)
    return {
        word: (n, upper_bound(min(n, read), read, confidence))
        for word, n in sorted(by_word.items())
    }


def _of_word(leaking: dict[NotePlace, list[str]], word: str) -> dict[NotePlace, list[str]]:
    return {place: found for place, found in leaking.items() if word in found}


def _pace(
    marks: Marks, place: NotePlace, words: Callable[[NotePlace], int], reviewer: str | None
) -> Pace | None:
    """The pace of the slowest reader of a note, or None if no reader finished it."""
    readers = marks.readers(place)
    seconds = [s for name, s in readers.items() if reviewer in (None, name)]
    return Pace(words(place), max(seconds)) if seconds else None


def notes_wanted(plan: SamplingPlan, marks: Marks, reviewer: str | None) -> int:
    """How many notes must be read: only those of the first stage if it found few enough leaks."""
    if plan.stages is None:
        return len(plan.picks)
    first = [(p.unit.file, p.unit.record) for p in plan.picks if p.stage == 1]
    leaks = sum(bool(_marked_categories(marks, place, reviewer)) for place in first)
    return len(first) if leaks <= plan.stages.accept else len(plan.picks)


def _marked_categories(marks: Marks, place: NotePlace, reviewer: str | None) -> list[str]:
    if reviewer is None:
        return [mark.word for mark in marks.leaks(place)]
    own = marks.of_note(place, reviewer)
    return [mark.word for mark in own if mark.verdict == MISSED and not mark.seeded]


def _leak_rate_bound(
    plan: SamplingPlan,
    places: Sequence[NotePlace],
    read: Sequence[NotePlace],
    leaking: dict[NotePlace, list[str]],
    confidence: float,
    finished: bool,
) -> float:
    notes, leaks = len(read), len(leaking)
    if not notes:
        return 1.0
    if plan.method == "hypergeometric":
        return upper_in_batch(leaks, notes, plan.notes, confidence)
    if plan.method == "two_stage" and plan.stages is not None and finished:
        first = sum(place in leaking for place in places[: plan.stages.first])
        both = leaks if notes > plan.stages.first else None
        return plan.stages.upper(first, both, confidence)
    if plan.method == "clustered":
        effect = design_effect(plan.design.per_patient, plan.design.correlation)
        return upper_clustered(leaks / notes, notes, effect, confidence)
    return min(1.0, _imbalance(plan) * upper_bound(leaks, notes, confidence))


def _imbalance(plan: SamplingPlan) -> float:
    """Return the imbalance of the planned sample, which any part of its random order shares.

    Leaks over independent strata are less spread than binomial at their mean rate (Hoeffding
    1956, theorem 4), and the rate of the batch is at most the imbalance times that mean.
    """
    to_read = Counter(pick.unit.stratum for pick in plan.picks)
    layers = [StratumRead(size, to_read[name], 0) for name, size in plan.sizes.items()]
    return max(1.0, imbalance(layers))


def _strata(
    plan: SamplingPlan, read: set[NotePlace], leaking: dict[NotePlace, list[str]], confidence: float
) -> dict[str, tuple[int, int, float]]:
    if len(plan.sizes) < 2:
        return {}
    counts = defaultdict[str, list[int]](lambda: [0, 0])
    for pick in plan.picks:
        place = (pick.unit.file, pick.unit.record)
        if place in read:
            counts[pick.unit.stratum][0] += 1
            counts[pick.unit.stratum][1] += place in leaking
    return {
        name: (
            counts[name][0],
            counts[name][1],
            upper_bound(counts[name][1], counts[name][0], confidence),
        )
        for name in plan.sizes
    }


def _sensitivity(
    marks: Marks, seeded: Sequence[SeededLeak], read: set[NotePlace], reviewer: str | None
) -> Sensitivity:
    """Seeded leaks shown and found, without those revealed by a mark on the same text elsewhere."""
    shown = found = 0
    for leak in seeded:
        if leak.place not in read:
            continue
        own = [
            m
            for m in marks.of_note(leak.place, reviewer)
            if m.seeded and m.verdict == MISSED and m.column == leak.column
        ]
        by_reading = any(m.alike is None for m in own)
        found += by_reading
        shown += by_reading or not any(marks.unread_when_marked(m) for m in own)
    return Sensitivity(shown, found)
