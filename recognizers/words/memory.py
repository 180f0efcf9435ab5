"""Answers about words are kept, for the same words are asked about again and again.

Only so many, and only of short words: a row of figures or bytes without a blank is a word, too, and
thousands of such rows would fill the memory.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

WORDS_KEPT, LONGEST = 1 << 14, 64
WordAnswer = TypeVar("WordAnswer")


def kept(ask: Callable[[str], WordAnswer]) -> Callable[[str], WordAnswer]:
    """The same question, whose answers for short words are kept."""
    remembered = lru_cache(maxsize=WORDS_KEPT)(ask)

    @wraps(ask)
    def answer(word: str) -> WordAnswer:
        return remembered(word) if len(word) <= LONGEST else ask(word)

    return answer
