"""Compares independent reviewers: their differences and their agreement beyond chance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from deid.review.marks import MISSED, Marks, ReviewMark
from deid.review.released_notes import NotePlace
from risk import kappa

UNMARKED = "right"
NOTHING_MARKED = "nothing"


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
    word: str
    """The identifier that the first mark on the subject names."""


def cohen_kappa(pairs: Iterable[tuple[str, str]]) -> float | None:
    """Agreement beyond chance of two raters: Cohen 1960, (po - pe) / (1 - pe).

    The result is None if nothing was rated twice or both raters gave the same single rating
    everywhere.

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
                ReviewerDifference(
                    place, mark.column, spot, mark.out, said, marks.ruling(mark), mark.word
                )
            )
    return found


def _say(name: str, mark: ReviewMark, standing: Sequence[ReviewMark]) -> tuple[str, str, str]:
    own = next((m for m in standing if m.reviewer == name and _same_mark(m, mark)), None)
    if own is not None:
        return name, own.verdict, own.word if own.verdict in (MISSED, "wrong_word") else ""
    return name, NOTHING_MARKED if mark.verdict == MISSED else UNMARKED, ""


def _same_mark(one: ReviewMark, other: ReviewMark) -> bool:
    if one.verdict == MISSED or other.verdict == MISSED:
        return one.verdict == other.verdict and one.overlaps(other)
    return one.subject == other.subject


@dataclass(frozen=True, slots=True)
class WordAgreement:
    """The verdicts of two reviewers on the changes and missed text of one identifier."""

    subjects: int
    agreed: int
    missed: tuple[int, int]
    """The number of spans that each of the two marked as missed."""
    kappa: float | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two reviewers: notes read by both, kappa on leaks by note, kappa on verdicts by change."""

    reviewers: tuple[str, str]
    notes: int
    by_note: float | None
    by_change: float | None
    by_word: dict[str, WordAgreement]

    def as_json(self) -> dict[str, Any]:
        return {
            "reviewers": list(self.reviewers),
            "notes_read_by_both": self.notes,
            "kappa_leaks_by_note": self.by_note,
            "kappa_verdicts_by_change": self.by_change,
            "by_word": {word: asdict(found) for word, found in self.by_word.items()},
        }


Said = tuple[str, str]
ChangeWords = Callable[[NotePlace], Mapping[tuple[int, int], str]]
"""The identifier kind of each change in a note, by column and number."""


def agreements(marks: Marks, words: ChangeWords, places: Sequence[NotePlace]) -> list[Agreement]:
    """The agreement of every pair of reviewers."""
    names = marks.reviewers()
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    return [_agreement(marks, words, places, pair) for pair in pairs]


def _agreement(
    marks: Marks, words: ChangeWords, places: Sequence[NotePlace], pair: tuple[str, str]
) -> Agreement:
    both = [place for place in places if set(pair) <= marks.readers(place).keys()]
    notes: list[Said] = []
    changes: dict[str, list[Said]] = defaultdict(list)
    missed: dict[str, list[Said]] = defaultdict(list)
    for place in both:
        first, second = ([m for m in marks.of_note(place, name) if not m.seeded] for name in pair)
        notes.append((_leaks(first), _leaks(second)))
        for word, said in _missed_pairs(first, second):
            missed[word].append(said)
        for word, said in _change_pairs(first, second, words(place)):
            changes[word].append(said)
    named = sorted({*changes, *missed})
    return Agreement(
        pair,
        len(both),
        cohen_kappa(notes),
        cohen_kappa(said for pairs in changes.values() for said in pairs),
        {word: _word_agreement(changes[word], missed[word]) for word in named},
    )


def _leaks(marks: Sequence[ReviewMark]) -> str:
    return str(any(mark.verdict == MISSED for mark in marks))


def _word_agreement(changes: Sequence[Said], missed: Sequence[Said]) -> WordAgreement:
    pairs = [*changes, *missed]
    return WordAgreement(
        len(pairs),
        sum(one == other for one, other in pairs),
        (sum(one == MISSED for one, _ in missed), sum(other == MISSED for _, other in missed)),
        cohen_kappa(pairs),
    )


def _missed_pairs(
    one: Sequence[ReviewMark], other: Sequence[ReviewMark]
) -> Iterator[tuple[str, Said]]:
    """Yield the text that either reviewer marked as missed, with the verdicts of both."""
    matched: set[int] = set()
    for mark in (m for m in one if m.verdict == MISSED):
        twins = [m for m in other if m.verdict == MISSED and m.overlaps(mark)]
        matched.update(m.id for m in twins)
        yield mark.word, (MISSED, MISSED if twins else NOTHING_MARKED)
    for mark in other:
        if mark.verdict == MISSED and mark.id not in matched:
            yield mark.word, (NOTHING_MARKED, MISSED)


def _change_pairs(
    one: Sequence[ReviewMark], other: Sequence[ReviewMark], words: Mapping[tuple[int, int], str]
) -> Iterator[tuple[str, Said]]:
    """Yield both reviewers' verdicts on each change of a note; without a mark, it is right."""
    first, second = (
        {(m.column, m.change): m.verdict for m in said if m.verdict != MISSED}
        for said in (one, other)
    )
    for change, word in words.items():
        yield word, (first.get(change, UNMARKED), second.get(change, UNMARKED))
