"""Checks reading speed: a note marked read faster than it can be read counts as unread."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from deid.review.released_notes import NotePlace

WORDS_A_MINUTE = 600
"""Adults read 238 words of English per minute (Brysbaert 2019, 190 studies) and scan for a
target word at about 600 (Carver 1990). Judging a note cannot be faster."""

_COUNTED_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Pace:
    """The words to read and the seconds taken, for one or several notes."""

    words: int = 0
    seconds: float = 0.0

    def __add__(self, other: Pace) -> Pace:
        return Pace(self.words + other.words, self.seconds + other.seconds)

    @property
    def hurried(self) -> bool:
        """Whether the notes were read faster than people can read."""
        return self.words > WORDS_A_MINUTE * self.seconds / 60


@dataclass(slots=True)
class ReadingClock:
    """Measures how long each reviewer had a note open, one note at a time."""

    _shown: dict[str, tuple[NotePlace, datetime]] = field(default_factory=dict)
    _spent: dict[tuple[str, NotePlace], float] = field(default_factory=dict)
    _finished: dict[str, datetime] = field(default_factory=dict)

    def show(self, reviewer: str, place: NotePlace, now: datetime) -> None:
        """Record that a note is shown instead of the previous one."""
        if (before := self._shown.get(reviewer)) is not None:
            key = reviewer, before[0]
            self._spent[key] = self._spent.get(key, 0.0) + (now - before[1]).total_seconds()
        self._shown[reviewer] = place, now

    def finish(self, reviewer: str, place: NotePlace, now: datetime) -> float | None:
        """The most seconds that a note can have taken, or None if unknown.

        A note that was never shown took at most the time since the reviewer finished another.
        """
        self.show(reviewer, place, now)
        last = self._finished.get(reviewer)
        self._finished[reviewer] = now
        spent = self._spent.pop((reviewer, place), None)
        if spent is None and last is not None:
            return (now - last).total_seconds()
        return spent


def count_words(texts: Iterable[str]) -> int:
    """The number of words in the texts of a note.

    >>> count_words(["Seen by [NAME] on 2023.", "Well."])
    6
    """
    return sum(1 for text in texts for _ in _COUNTED_WORD.finditer(text))
