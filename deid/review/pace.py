"""How fast a note can be read: below the floor it was clicked through, and counts as unread."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

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


def words_of(texts: Iterable[str]) -> int:
    """How many words the texts of a note have.

    >>> words_of(["Seen by [NAME] on 2023.", "Well."])
    6
    """
    return sum(1 for text in texts for _ in _WORD.finditer(text))
