"""How fast a note can be read: below the floor it was clicked through, and counts as unread."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from deid.review.released_notes import NotePlace

WORDS_A_MINUTE = 600
"""Adults read 238 words of English a minute (Brysbaert 2019, 190 studies), and scan for a word that
they look for at about 600 (Carver 1990). Nobody judges a note faster."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Pace:
    """Words to read and seconds taken, of one or of several notes."""

    words: int = 0
    seconds: float = 0.0

    def __add__(self, other: Pace) -> Pace:
        return Pace(self.words + other.words, self.seconds + other.seconds)

    @property
    def hurried(self) -> bool:
        """Is it faster than anybody reads?"""
        return self.words > WORDS_A_MINUTE * self.seconds / 60


@dataclass(slots=True)
class ReadingClock:
    """How long each reviewer had each note before them: one note at a time, by one clock."""

    _shown: dict[str, tuple[NotePlace, datetime]] = field(default_factory=dict)
    _spent: dict[tuple[str, NotePlace], float] = field(default_factory=dict)
    _finished: dict[str, datetime] = field(default_factory=dict)

    def show(self, reviewer: str, place: NotePlace, now: datetime) -> None:
        """A note is shown, and the one that was shown no longer is."""
        if (before := self._shown.get(reviewer)) is not None:
            key = reviewer, before[0]
            self._spent[key] = self._spent.get(key, 0.0) + (now - before[1]).total_seconds()
        self._shown[reviewer] = place, now

    def finish(self, reviewer: str, place: NotePlace, now: datetime) -> float | None:
        """The most seconds that a note can have taken; None where nothing is known.

        One that was never shown took no longer than since the reviewer finished another.
        """
        self.show(reviewer, place, now)
        last = self._finished.get(reviewer)
        self._finished[reviewer] = now
        spent = self._spent.pop((reviewer, place), None)
        if spent is None and last is not None:
            return (now - last).total_seconds()
        return spent


def count_words(texts: Iterable[str]) -> int:
    """How many words the texts of a note have.

    >>> count_words(["Seen by [NAME] on 2023.", "Well."])
    6
    """
    return sum(1 for text in texts for _ in _WORD.finditer(text))
