"""A cache for functions of one word, because the same words recur.

The cache holds a limited number of short words. A long run of digits or bytes without a blank is
also a word, and thousands of such runs would fill the memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

WORDS_KEPT, LONGEST = 1 << 14, 64
WordAnswer = TypeVar("WordAnswer")


class WordAnswers(dict[str, WordAnswer]):
    """The answers of a function by word; a missing one is asked for."""

    def __init__(self, ask: Callable[[str], WordAnswer]) -> None:
        super().__init__()
        self._ask = ask

    def __missing__(self, word: str) -> WordAnswer:
        answer = self._ask(word)
        if len(word) <= LONGEST:
            if len(self) >= WORDS_KEPT:
                self.clear()
            self[word] = answer
        return answer


def kept(ask: Callable[[str], WordAnswer]) -> Callable[[str], WordAnswer]:
    """Return the function with a cache for short words, which needs no call to find an answer."""
    return WordAnswers(ask).__getitem__
